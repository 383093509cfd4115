"""`compare`: the measurements of two clips side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

from motionloom.annotation.ground import GroundLike
from motionloom.motion import Clip
from motionloom.quality.measure import measure
from motionloom.quality.results import Measures, finite_or_none, format_number


@dataclass(frozen=True)
class Comparison:
    """The measurements of two clips, and their differences; ``print`` shows a table.

    Attributes
    ----------
    first, second
        The measures of both clips.
    names
        Their names in the table.

    >>> from motionloom.quality.results import Measurement, MeasurementGroup
    >>> one, two = (
    ...     Measures((MeasurementGroup("feet", (Measurement("skate speed", v, "cm/s", "…"),)),))
    ...     for v in (1.0, 3.5)
    ... )
    >>> print(Comparison(one, two, ("before", "after")))
                   before  after  difference
    feet
      skate speed       1    3.5        +2.5  cm/s
    """

    first: Measures
    second: Measures
    names: tuple[str, str] = ("first", "second")

    def rows(self) -> list[tuple[str, str, str, float, float]]:
        """Return group, name, unit and both values of every measurement; NaN where one clip lacks it."""
        one = {each.name: each.value for each in self.first}
        two = {each.name: each.value for each in self.second}
        units: dict[str, dict[str, str]] = {}
        for group in (*self.first.groups, *self.second.groups):
            units.setdefault(group.name, {}).update({each.name: each.unit for each in group.measurements})
        return [
            (group, name, unit, one.get(name, nan), two.get(name, nan))
            for group, named in units.items()
            for name, unit in named.items()
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return both values, difference and unit of every measurement by group and name, for JSON."""
        groups: dict[str, Any] = {}
        for group, name, unit, one, two in self.rows():
            groups.setdefault(group, {})[name] = {
                "values": [finite_or_none(one), finite_or_none(two)],
                "difference": finite_or_none(two - one),
                "unit": unit,
            }
        return {
            "names": list(self.names),
            "groups": groups,
            "unmeasured": self._missing_groups(),
            "notes": self._notes(),
        }

    def __repr__(self) -> str:
        return f"<Comparison: {self.names[0]} and {self.names[1]}>"

    def __str__(self) -> str:
        cells = [
            (group, name, format_number(one), format_number(two), _format_signed(two - one), unit)
            for group, name, unit, one, two in self.rows()
        ]
        header = ("", "", *self.names, "difference", "")
        width = [max(len(row[k]) for row in [header, *cells]) for k in range(6)]
        columns = "  ".join(f"{header[k]:>{width[k]}}" for k in (2, 3, 4))
        lines = [f"{'':<{width[1]}}    {columns}"]
        shown = ""
        for group, name, one, two, more, unit in cells:
            if group != shown:
                lines.append(group)
                shown = group
            row = f"  {name:<{width[1]}}  {one:>{width[2]}}  {two:>{width[3]}}  {more:>{width[4]}}  {unit}"
            lines.append(row.rstrip())
        lines += [f"not compared: {name} ({reason})" for name, reason in self._missing_groups().items()]
        lines += [f"note: {note}" for note in self._notes()]
        return "\n".join(lines)

    def _missing_groups(self) -> dict[str, str]:
        """Return the groups that either clip lacks, and why."""
        missing: dict[str, str] = {}
        for measures, clip in zip((self.first, self.second), self.names, strict=True):
            for group in measures.unmeasured:
                missing.setdefault(group.name, f"{clip}: {group.reason}")
        return missing

    def _notes(self) -> list[str]:
        both = zip((self.first, self.second), self.names, strict=True)
        return [f"{clip}: {note}" for measures, clip in both for note in measures.notes]


def compare(
    first: Clip,
    second: Clip,
    sources: Sequence[Clip] | None = None,
    *,
    ground: GroundLike = None,
    names: tuple[str, str] = ("first", "second"),
) -> Comparison:
    """Measure two clips, such as a motion before and after an edit, and compare them.

    Parameters
    ----------
    first, second
        The clips; :func:`motionloom.annotate` them first to have their plants measured.
    sources
        The captured clips that both were made of, with the same joints.
    ground
        What both stand on; see :func:`motionloom.measure`.
    names
        Their names in the table.

    >>> from motionloom.synthesis import jog, walk
    >>> both = compare(walk(duration=1.0).clip, jog(duration=1.0).clip, names=("walk", "jog"))
    >>> next(two > one for _, name, _, one, two in both.rows() if name == "mean speed")
    True
    """
    return Comparison(measure(first, sources, ground=ground), measure(second, sources, ground=ground), names)


def _format_signed(value: float) -> str:
    return format_number(value) if not value > 0.0 else f"+{format_number(value)}"
