"""What blending warns of, as sentences for whoever shows them in another way."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from motionloom.errors import BlendWarning


@contextmanager
def blend_warnings() -> Iterator[list[str]]:
    """Make blends in a block; what they warn of is in the list after it, and nowhere else.

    >>> with blend_warnings() as said:
    ...     warnings.warn("too fast", BlendWarning)
    >>> said
    ['too fast']
    """
    sentences: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BlendWarning)
        yield sentences
    sentences += [str(warning.message) for warning in caught if issubclass(warning.category, BlendWarning)]
