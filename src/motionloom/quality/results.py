"""What `measure` returns: measurements with units, in groups, and the reasons for those that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from motionloom.errors import ParameterError


@dataclass(frozen=True)
class Measurement:
    """One measured number.

    Attributes
    ----------
    name
        What was measured; unique among all measurements.
    value
        The number, in ``unit``; NaN where the clip does not show it.
    unit
        "cm", "m/s", "%", …; empty for ratios and counts.
    meaning
        What the number says, in a few words.

    >>> str(Measurement("skate speed", 1.25, "cm/s", "how fast low feet slide"))
    'skate speed: 1.25 cm/s'
    """

    name: str
    value: float
    unit: str
    meaning: str

    def __str__(self) -> str:
        return f"{self.name}: {format_number(self.value)} {self.unit}".rstrip()


@dataclass(frozen=True)
class MeasurementGroup:
    """Measurements of one aspect of the motion."""

    name: str
    measurements: tuple[Measurement, ...]


@dataclass(frozen=True)
class UnmeasuredGroup:
    """A group that could not be measured, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Measures:
    """All measurements of a clip; ``print`` shows them as a table.

    Attributes
    ----------
    groups
        The measurements.
    unmeasured
        What could not be measured.
    notes
        What the measurements rest on, such as the floor that was assumed.

    >>> skate = Measurement("skate speed", 1.25, "cm/s", "how fast low feet slide")
    >>> measures = Measures((MeasurementGroup("feet", (skate,)),))
    >>> print(measures)
    feet
      skate speed  1.25 cm/s  how fast low feet slide
    >>> measures.value("skate speed")
    1.25
    """

    groups: tuple[MeasurementGroup, ...]
    unmeasured: tuple[UnmeasuredGroup, ...] = ()
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Measurement]:
        """Iterate over all measurements."""
        return (measurement for group in self.groups for measurement in group.measurements)

    def __repr__(self) -> str:
        return f"<Measures: {', '.join(group.name for group in self.groups) or 'none'}>"

    def value(self, name: str) -> float:
        """Return the value of the measurement with this name."""
        for measurement in self:
            if measurement.name == name:
                return measurement.value
        missing = "; ".join(f"{group.name}: {group.reason}" for group in self.unmeasured)
        raise ParameterError(
            f"there is no measurement {name!r}: there are {', '.join(each.name for each in self)}"
            + (f". Not measured: {missing}" if missing else "")
        )

    def as_dict(self) -> dict[str, object]:
        """Return value and unit by group and name, for JSON; values that are not finite are None."""
        return {
            "groups": {
                group.name: {
                    each.name: {"value": finite_or_none(each.value), "unit": each.unit}
                    for each in group.measurements
                }
                for group in self.groups
            },
            "unmeasured": {group.name: group.reason for group in self.unmeasured},
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        rows = [(each.name, format_number(each.value), each.unit, each.meaning) for each in self]
        widths = [max(map(len, column), default=0) for column in zip(*rows, strict=True)] or [0] * 4
        lines: list[str] = []
        for group in self.groups:
            lines.append(group.name)
            for name, value, unit, meaning in rows[: len(group.measurements)]:
                number = f"{value:>{widths[1]}} {unit:<{widths[2]}}"
                lines.append(f"  {name:<{widths[0]}}  {number}  {meaning}")
            rows = rows[len(group.measurements) :]
        lines += [f"not measured: {group.name} ({group.reason})" for group in self.unmeasured]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def format_number(value: float) -> str:
    """Format a number with three significant digits.

    >>> format_number(0.012345), format_number(1234.5), format_number(float("nan"))
    ('0.0123', '1234', 'none')
    """
    if value != value:
        return "none"
    return f"{value:.0f}" if 1000.0 <= abs(value) < 1e7 else f"{value:.3g}"


def finite_or_none(value: float) -> float | None:
    """Return a number for JSON: None where it is not finite.

    >>> finite_or_none(1.5), finite_or_none(float("inf"))
    (1.5, None)
    """
    return value if isfinite(value) else None
