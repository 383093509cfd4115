"""Two measured clips side by side."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

from motionloom.quality.results import Measures, plain, spoken


@dataclass(frozen=True)
class Comparison:
    """The figures of two clips, and how much the second has more.

    Attributes
    ----------
    first, second
        The measures of both clips.
    names
        What to call them in a table.

    >>> from motionloom.quality.results import Figure, Group
    >>> one, two = (Measures((Group("feet", (Figure("skate speed", v, "cm/s", "…"),)),)) for v in (1.0, 3.5))
    >>> print(Comparison(one, two, ("before", "after")))
                   before  after  difference
    feet
      skate speed       1    3.5        +2.5  cm/s
    """

    first: Measures
    second: Measures
    names: tuple[str, str] = ("first", "second")

    def rows(self) -> list[tuple[str, str, str, float, float]]:
        """Group, name and unit of every figure, and both values; NaN where one clip lacks it."""
        one = {figure.name: figure.value for figure in self.first}
        two = {figure.name: figure.value for figure in self.second}
        grouped: dict[str, dict[str, str]] = {}
        for group in (*self.first.groups, *self.second.groups):
            grouped.setdefault(group.name, {}).update({figure.name: figure.unit for figure in group.figures})
        return [
            (group, name, unit, one.get(name, nan), two.get(name, nan))
            for group, units in grouped.items()
            for name, unit in units.items()
        ]

    def as_dict(self) -> dict[str, Any]:
        """Both values, their difference and the unit of every figure by group and name, for JSON."""
        found: dict[str, Any] = {"names": list(self.names), "groups": {}}
        found |= {"absent": self._absent(), "notes": self._notes()}
        for group, name, unit, one, two in self.rows():
            found["groups"].setdefault(group, {})[name] = {
                "values": [plain(one), plain(two)],
                "difference": plain(two - one),
                "unit": unit,
            }
        return found

    def __str__(self) -> str:
        cells = [
            (group, name, spoken(one), spoken(two), _signed(two - one), unit)
            for group, name, unit, one, two in self.rows()
        ]
        heads = ("", "", *self.names, "difference", "")
        wide = [max(len(row[k]) for row in [heads, *cells]) for k in range(6)]
        lines = [f"{'':<{wide[1]}}    {heads[2]:>{wide[2]}}  {heads[3]:>{wide[3]}}  {heads[4]:>{wide[4]}}"]
        shown = ""
        for group, name, one, two, more, unit in cells:
            if group != shown:
                lines.append(group)
                shown = group
            row = f"  {name:<{wide[1]}}  {one:>{wide[2]}}  {two:>{wide[3]}}  {more:>{wide[4]}}  {unit}"
            lines.append(row.rstrip())
        lines += [f"not compared: {name} ({reason})" for name, reason in self._absent().items()]
        lines += [f"note: {note}" for note in self._notes()]
        return "\n".join(lines)

    def _absent(self) -> dict[str, str]:
        """Groups that either clip lacks, and why."""
        missing: dict[str, str] = {}
        for measures, clip in zip((self.first, self.second), self.names, strict=True):
            for group in measures.absent:
                missing.setdefault(group.name, f"{clip}: {group.reason}")
        return missing

    def _notes(self) -> list[str]:
        """What the figures of either clip rest on."""
        both = zip((self.first, self.second), self.names, strict=True)
        return [f"{clip}: {note}" for measures, clip in both for note in measures.notes]


def _signed(value: float) -> str:
    return spoken(value) if not value > 0.0 else f"+{spoken(value)}"
