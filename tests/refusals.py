"""Expecting that an argument is refused: by its name and value, not by the words of the sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from motionloom.errors import ParameterError

ANY = object()
"""Any value."""


@contextmanager
def refused(parameter: str, value: object = ANY) -> Iterator[None]:
    """Expect an error about this parameter, with this value."""
    with pytest.raises(ParameterError) as caught:
        yield
    assert caught.value.parameter == parameter, str(caught.value)
    if value is not ANY:
        assert caught.value.value == value, str(caught.value)
