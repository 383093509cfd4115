"""Single values that callers give: numbers, and names that are texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import isfinite

from motionloom.errors import ParameterError


def checked_number(what: str, value: float) -> float:
    """The value as a finite float, or an error that says what it was meant to be.

    >>> checked_number("frame", 3)
    3.0
    """
    try:
        # float() reads texts too, but a text where a number belongs is a mistake.
        number = float("nan") if isinstance(value, str | bytes) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not isfinite(number):
        raise ParameterError(f"{what} must be a finite number, not {value!r}")
    return number


def checked_positive(what: str, value: float) -> float:
    """The value as a finite float above zero, or an error that says what it was meant to be.

    >>> checked_positive("fps", 30)
    30.0
    """
    try:
        number = checked_number(what, value)
    except ParameterError:
        number = 0.0
    if number <= 0.0:
        raise ParameterError(f"{what} must be a positive number, not {value!r}")
    return number


def checked_text(what: str, value: str) -> str:
    """The value, or an error when it is no text.

    >>> checked_text("label", "strike")
    'strike'
    """
    if not isinstance(value, str):
        raise ParameterError(f"{what} must be a text, not {value!r}")
    return value


def checked_names(what: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names as a tuple of texts that all differ, or an error.

    >>> checked_names("joint names", ["hip", "knee"])
    ('hip', 'knee')
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ParameterError(f"{what} must be a list of texts, not {names!r}")
    listed = tuple(str(checked_text(f"each of the {what}", name)) for name in names)
    repeated = [name for name, count in Counter(listed).items() if count > 1]
    if repeated:
        raise ParameterError(f"{what} must be unique: {', '.join(map(repr, repeated))} occur more than once")
    return listed
