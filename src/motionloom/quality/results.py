"""What measuring returns: figures with units, in groups, and the reasons for those that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

from motionloom.errors import ParameterError


@dataclass(frozen=True)
class Figure:
    """One measured number.

    Attributes
    ----------
    name
        What was measured; unique among all figures.
    value
        The number, in ``unit``; NaN where nothing in the clip tells it.
    unit
        "cm", "m/s", "%", …; empty for ratios and counts.
    meaning
        What the number says, in a few words.

    >>> str(Figure("skate speed", 1.25, "cm/s", "how fast low feet slide"))
    'skate speed: 1.25 cm/s'
    """

    name: str
    value: float
    unit: str
    meaning: str

    def __str__(self) -> str:
        return f"{self.name}: {spoken(self.value)} {self.unit}".rstrip()


@dataclass(frozen=True)
class Group:
    """Figures that belong together."""

    name: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Absent:
    """A group of figures that could not be taken, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Measures:
    """All figures of a clip; ``print`` shows them as a table.

    Attributes
    ----------
    groups
        The figures that were taken.
    absent
        What could not be taken.
    notes
        What the figures rest on, such as the floor that was assumed.

    >>> taken = Measures((Group("feet", (Figure("skate speed", 1.25, "cm/s", "how fast low feet slide"),)),))
    >>> print(taken)
    feet
      skate speed  1.25 cm/s  how fast low feet slide
    >>> taken.value("skate speed")
    1.25
    """

    groups: tuple[Group, ...]
    absent: tuple[Absent, ...] = ()
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Figure]:
        """All figures in turn."""
        return (figure for group in self.groups for figure in group.figures)

    def value(self, name: str) -> float:
        """The value of the figure with this name."""
        for figure in self:
            if figure.name == name:
                return figure.value
        missing = "; ".join(f"{group.name}: {group.reason}" for group in self.absent)
        raise ParameterError(
            f"there is no figure {name!r}: there are {', '.join(figure.name for figure in self)}"
            + (f". Not taken: {missing}" if missing else "")
        )

    def as_dict(self) -> dict[str, Any]:
        """Figures by group and name with value and unit, for JSON; values that are not finite are None."""
        return {
            "groups": {
                group.name: {
                    figure.name: {"value": plain(figure.value), "unit": figure.unit}
                    for figure in group.figures
                }
                for group in self.groups
            },
            "absent": {group.name: group.reason for group in self.absent},
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        rows = [(f.name, spoken(f.value), f.unit, f.meaning) for f in self]
        widths = [max(map(len, column), default=0) for column in zip(*rows, strict=True)] or [0] * 4
        lines: list[str] = []
        for group in self.groups:
            lines.append(group.name)
            for name, value, unit, meaning in rows[: len(group.figures)]:
                number = f"{value:>{widths[1]}} {unit:<{widths[2]}}"
                lines.append(f"  {name:<{widths[0]}}  {number}  {meaning}")
            rows = rows[len(group.figures) :]
        lines += [f"not measured: {group.name} ({group.reason})" for group in self.absent]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def spoken(value: float) -> str:
    """A number with three digits that count, as a person reads it.

    >>> spoken(0.012345), spoken(1234.5), spoken(float("nan"))
    ('0.0123', '1234', 'none')
    """
    if value != value:
        return "none"
    return f"{value:.0f}" if 1000.0 <= abs(value) < 1e7 else f"{value:.3g}"


def plain(value: float) -> float | None:
    """A number for JSON: None where it is not finite.

    >>> plain(1.5), plain(float("inf"))
    (1.5, None)
    """
    return value if isfinite(value) else None
