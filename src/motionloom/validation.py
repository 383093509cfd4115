"""Checks of single values that callers give: numbers, counts, choices, strings, names and paths.

Each returns the value, converted to the type it promises, or raises a :class:`ParameterError` that says what
the value must be. ``what`` names the value in the message. :mod:`motionloom.arrays` checks arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from errno import ENAMETOOLONG
from math import isfinite, nan
from os import PathLike
from pathlib import Path
from typing import TypeVar

import numpy as np

from motionloom.errors import ParameterError

Choice = TypeVar("Choice", bound=str)

MIN_FRAME_TIME, MAX_FRAME_TIME = 1e-6, 1e6
"""Seconds that a frame may last; no camera and no animation comes near either, and rates stay finite."""


def check_number(
    what: str, value: object, *, min: float | None = None, max: float | None = None, unit: str = ""
) -> float:
    """Return the value as a finite float from ``min`` to ``max``, both allowed; None is no bound.

    ``unit`` follows the bounds in the message. Strings and booleans are refused.

    >>> check_number("speed", 1, min=0.3, max=2.2, unit="m/s")
    1.0
    >>> check_number("speed", 9, min=0.3, max=2.2, unit="m/s")
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: speed must be from 0.3 to 2.2 m/s, not 9
    """
    number = _as_float(value)
    if not isfinite(number) or (min is not None and number < min) or (max is not None and number > max):
        raise ParameterError(
            f"must be {_describe_range('number', min, max, unit)}, not {_show(value)}",
            parameter=what,
            value=value,
        )
    return number


def check_positive(what: str, value: object, *, max: float | None = None, unit: str = "") -> float:
    """Return the value as a finite float above zero and at most ``max``; None is no bound.

    >>> check_positive("fps", 30)
    30.0
    """
    number = _as_float(value)
    if not isfinite(number) or number <= 0.0 or (max is not None and number > max):
        bound = "" if max is None else f" of at most {max:g}"
        after = f" {unit}" if unit and max is not None else f" of {unit}" if unit else ""
        raise ParameterError(
            f"must be a positive number{bound}{after}, not {_show(value)}", parameter=what, value=value
        )
    return number


def check_frame_time(frame_time: float) -> float:
    """Return the frame time in seconds, which must be positive and of a sensible size.

    >>> check_frame_time(0.5)
    0.5
    """
    value = check_positive("frame_time", frame_time)
    if not MIN_FRAME_TIME <= value <= MAX_FRAME_TIME:
        raise ParameterError(
            f"must lie between {MIN_FRAME_TIME:g} s and {MAX_FRAME_TIME:g} s, not {value:g}",
            parameter="frame_time",
            value=value,
        )
    return value


def check_count(what: str, value: object, *, min: int = 1, max: int | None = None) -> int:
    """Return the value as an int from ``min`` to ``max``, both allowed; floats and booleans are refused.

    >>> check_count("cycles", 2)
    2
    """
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    number = int(value) if isinstance(value, int | np.integer) else 0
    if not whole or number < min or (max is not None and number > max):
        raise ParameterError(
            f"must be {_describe_range('whole number', min, max, '')}, not {_show(value)}",
            parameter=what,
            value=value,
        )
    return number


def check_choice(what: str, value: object, choices: Iterable[Choice]) -> Choice:
    """Return the one of the choices that the value is.

    >>> check_choice("side", "left", ["left", "right"])
    'left'
    """
    allowed = list(choices)
    for choice in allowed:
        if isinstance(value, str) and value == choice:
            return choice
    raise ParameterError(
        f"must be one of {', '.join(map(repr, allowed))}, not {value!r}", parameter=what, value=value
    )


def check_string(what: str, value: object) -> str:
    """Return the value, which must be a string.

    >>> check_string("label", "strike")
    'strike'
    """
    if not isinstance(value, str):
        raise ParameterError(f"must be a string, not {value!r}", parameter=what, value=value)
    return value


def check_names(what: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names as a tuple of strings that all differ.

    >>> check_names("joint names", ["hip", "knee"])
    ('hip', 'knee')
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ParameterError(f"must be a list of strings, not {names!r}", parameter=what, value=names)
    listed = tuple(str(check_string(f"each of the {what}", name)) for name in names)
    if len(set(listed)) < len(listed):
        repeated = [name for name, count in Counter(listed).items() if count > 1]
        raise ParameterError(
            f"must be unique: {', '.join(map(repr, repeated))} occur more than once", parameter=what
        )
    return listed


def list_names(names: Sequence[str], *, max_names: int = 6) -> str:
    """Return names as messages list them: the first few, and how many more there are.

    >>> list_names(["a", "b", "c", "d"], max_names=2)
    'a, b and 2 more'
    """
    more = len(names) - max_names
    return ", ".join(names[:max_names]) + (f" and {more} more" if more > 0 else "")


def _as_float(value: object) -> float:
    """Return the value as a float; nan where it is no number."""
    # float() reads strings and booleans too, but where a number belongs they are mistakes.
    if isinstance(value, str | bytes | bool | np.bool_):
        return nan
    try:
        return float(value)  # type: ignore[arg-type]  # whatever converts is a number
    except (TypeError, ValueError, OverflowError):
        return nan


def _describe_range(noun: str, min: float | None, max: float | None, unit: str) -> str:
    after = f" {unit}" if unit else ""
    if min is None and max is None:
        return f"a finite {noun}" + (f" of {unit}" if unit else "")
    if max is None:
        return f"a {noun} of at least {min:g}{after}"
    if min is None:
        return f"a {noun} of at most {max:g}{after}"
    return ("" if noun == "number" else f"a {noun} ") + f"from {min:g} to {max:g}{after}"


def _show(value: object) -> str:
    """Write a value as its repr; floats without ".0" and without the digits of rounding errors."""
    return f"{value:.12g}" if isinstance(value, float) else repr(value)


def check_path(path: str | PathLike[str]) -> Path:
    """Return the path that a caller gave, or fail where it cannot be one."""
    try:
        checked = Path(path)
    except TypeError:
        text = repr(path)
        shown = text if len(text) <= 80 else f"a {type(path).__name__}"
        raise ParameterError(f"a path must be a string or a Path, not {shown}") from None
    if "\0" in str(checked):
        raise ParameterError(f"the path {str(checked)!r} holds a NUL character, which no file name can")
    try:
        checked.stat()
    except UnicodeEncodeError:
        raise ParameterError(f"the path {str(checked)!r} holds a character that no file name can") from None
    except OSError as error:
        if error.errno == ENAMETOOLONG:
            shown = str(checked)[:40]
            raise ParameterError(f"the path {shown!r}… is too long", remedy="choose a shorter name") from None
    return checked
