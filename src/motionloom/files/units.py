"""Length units of files: names, sizes, and which one a body's height suggests."""

from __future__ import annotations

from math import log

from motionloom.errors import ParameterError
from motionloom.files.text import parse_number
from motionloom.validation import check_number

UNITS: dict[str, float] = {
    "m": 1.0,
    "dm": 0.1,
    "cm": 0.01,
    "mm": 0.001,
    "inch": 0.0254,
    "1/0.45 inch": 0.0254 / 0.45,  # the CMU database
}
"""Known units by name, in metres."""

TYPICAL_HEIGHT = 1.7
"""Metres; the standing height that a body is compared with."""

MIN_HEIGHT, MAX_HEIGHT = 1.2, 2.3
"""Metres; a body outside this range does not suggest a unit."""

MIN_UNIT, MAX_UNIT = 1e-9, 1e9
"""Metres; sizes beyond are typing errors."""


def metres_per_unit(unit: str | float) -> tuple[str, float]:
    """Return the name and the size in metres of a unit given by name or by size.

    >>> metres_per_unit("cm")
    ('cm', 0.01)
    >>> metres_per_unit(0.3048)
    ('0.3048 m', 0.3048)
    """
    if isinstance(unit, str):
        name = {"in": "inch", "inches": "inch", "cmu": "1/0.45 inch"}.get(unit.lower(), unit.lower())
        if name in UNITS:
            return name, UNITS[name]
        try:
            unit = parse_number(unit)
        except ValueError:
            known = ", ".join(UNITS)
            raise ParameterError(
                f"unknown unit {unit!r}", remedy=f"use one of {known}, cmu, or a size in metres"
            ) from None
    size = check_number("a unit given by its size in metres", unit)
    if not MIN_UNIT <= size <= MAX_UNIT:
        raise ParameterError(
            f"a unit must be a size in metres between {MIN_UNIT:g} and {MAX_UNIT:g}, not {size:g}"
        )
    return f"{size:g} m", size


def unit_for_height(height: float) -> tuple[str, float] | None:
    """Return the unit in which a body of this height is a person, or None where no known unit fits.

    >>> unit_for_height(172.0)
    ('cm', 0.01)
    >>> unit_for_height(7.0) is None
    True
    """
    name, size = min(UNITS.items(), key=lambda unit: abs(log(height * unit[1] / TYPICAL_HEIGHT)))
    return (name, size) if MIN_HEIGHT <= height * size <= MAX_HEIGHT else None
