"""`compare`: the measurements of two clips side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

from motionloom.annotation.ground import GroundLike
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, check_clip
from motionloom.quality.changes import is_edit
from motionloom.quality.measure import measure
from motionloom.quality.results import Measures, finite_or_none, format_number


@dataclass(frozen=True)
class Comparison:
    """The measurements of two or more clips, and their differences; ``print`` shows a table.

    ``motionloom.save(comparison, "page.html")`` writes a page with the clips, their measurements and curves.

    Attributes
    ----------
    measures
        The measures of each clip.
    names
        Their names in the table.
    clips
        The clips, for the page; may be missing.

    >>> from motionloom.quality.results import Measurement, MeasurementGroup
    >>> one, two = (
    ...     Measures((MeasurementGroup("feet", (Measurement("skate speed", v, "cm/s", "…"),)),))
    ...     for v in (1.0, 3.5)
    ... )
    >>> print(Comparison((one, two), ("before", "after")))
                   before  after  difference
    feet
      skate speed       1    3.5        +2.5  cm/s
    """

    measures: tuple[Measures, ...]
    names: tuple[str, ...]
    clips: tuple[Clip, ...] = ()

    @property
    def first(self) -> Measures:
        """The measures of the first clip."""
        return self.measures[0]

    @property
    def second(self) -> Measures:
        """The measures of the second clip."""
        return self.measures[1]

    def rows(self) -> list[tuple[str, str, str, tuple[float, ...]]]:
        """Return group, name, unit and the values of every measurement; NaN where a clip lacks it."""
        values = [{each.name: each.value for each in measures} for measures in self.measures]
        units: dict[str, dict[str, str]] = {}
        for group in (group for measures in self.measures for group in measures.groups):
            units.setdefault(group.name, {}).update({each.name: each.unit for each in group.measurements})
        return [
            (group, name, unit, tuple(each.get(name, nan) for each in values))
            for group, named in units.items()
            for name, unit in named.items()
        ]

    def as_dict(self) -> dict[str, object]:
        """Return values, differences from the first clip and unit of every measurement, for JSON.

        Of two clips, "difference" is one number; of more, it is a list with one for each further clip.
        """
        groups: dict[str, Any] = {}
        for group, name, unit, values in self.rows():
            more = [finite_or_none(value - values[0]) for value in values[1:]]
            groups.setdefault(group, {})[name] = {
                "values": [finite_or_none(value) for value in values],
                "difference": more[0] if len(more) == 1 else more,
                "unit": unit,
            }
        return {
            "names": list(self.names),
            "groups": groups,
            "unmeasured": self._missing_groups(),
            "notes": list(self.notes()),
        }

    def notes(self) -> tuple[str, ...]:
        """Return what was noted while measuring, each after the name of its clip."""
        both = zip(self.measures, self.names, strict=True)
        return tuple(f"{clip}: {note}" for measures, clip in both for note in measures.notes)

    def __repr__(self) -> str:
        return f"<Comparison: {', '.join(self.names[:-1])} and {self.names[-1]}>"

    def __str__(self) -> str:
        two = len(self.names) == 2
        cells = []
        for group, name, unit, values in self.rows():
            more = (_format_signed(values[1] - values[0]),) if two else ()
            cells.append((group, name, *map(format_number, values), *more, unit))
        header = ("", "", *self.names, *(("difference",) if two else ()), "")
        width = [max(len(row[k]) for row in [header, *cells]) for k in range(len(header))]
        numbers = range(2, len(header) - 1)
        columns = "  ".join(f"{header[k]:>{width[k]}}" for k in numbers)
        lines = [f"{'':<{width[1]}}    {columns}"]
        shown = ""
        for row in cells:
            if row[0] != shown:
                shown = row[0]
                lines.append(shown)
            columns = "  ".join(f"{row[k]:>{width[k]}}" for k in numbers)
            lines.append(f"  {row[1]:<{width[1]}}  {columns}  {row[-1]}".rstrip())
        lines += [f"not compared: {name} ({reason})" for name, reason in self._missing_groups().items()]
        lines += [f"note: {note}" for note in self.notes()]
        return "\n".join(lines)

    def _missing_groups(self) -> dict[str, str]:
        """Return the groups that a clip lacks, and why."""
        missing: dict[str, str] = {}
        for measures, clip in zip(self.measures, self.names, strict=True):
            for group in measures.unmeasured:
                missing.setdefault(group.name, f"{clip}: {group.reason}")
        return missing


def compare(
    first: ClipLike,
    second: ClipLike,
    *others: ClipLike,
    sources: Sequence[ClipLike] | None = None,
    ground: GroundLike = None,
    names: Sequence[str] | None = None,
) -> Comparison:
    """Measure clips, such as a motion before and after an edit, and compare them.

    Clips that look like the first after an edit, with the same frames and hips that are near, are measured
    against it, and notes say what one sees of the edit (:func:`motionloom.quality.measure_changes`).

    Parameters
    ----------
    first, second, others
        The clips; :func:`motionloom.annotate` them first to have their plants measured.
    sources
        The captured clips that all were made of, with the same joints.
    ground
        What all stand on; see :func:`motionloom.measure`.
    names
        Their names in the table, one each; by default "first", "second", "clip 3", ….

    Returns
    -------
    Comparison
        A table to print, to save as a page (:func:`motionloom.save`), or to read.

    Raises
    ------
    ParameterError
        Something is no clip, or names are not one for each.

    >>> from motionloom.synthesis import jog, walk
    >>> both = compare(walk(duration=1.0).clip, jog(duration=1.0).clip, names=("walk", "jog"))
    >>> next(values[1] > values[0] for _, name, _, values in both.rows() if name == "mean speed")
    True
    """
    clips = tuple(check_clip("compare", clip) for clip in (first, second, *others))
    if names is None:
        names = ("first", "second", *(f"clip {n}" for n in range(3, len(clips) + 1)))
    if isinstance(names, str) or len(names) != len(clips):
        raise ParameterError(
            f"must be one for each of the {len(clips)} clips, not {names!r}", parameter="names", value=names
        )
    edited = [False, *(is_edit(clips[0], clip) for clip in clips[1:])]
    measures = tuple(
        measure(clip, sources, ground=ground, before=clips[0] if is_edited else None)
        for clip, is_edited in zip(clips, edited, strict=True)
    )
    return Comparison(measures, tuple(names), clips)


def _format_signed(value: float) -> str:
    return format_number(value) if not value > 0.0 else f"+{format_number(value)}"
