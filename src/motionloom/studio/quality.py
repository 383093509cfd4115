"""Quality: measures of the clip of an item before and after enforcement, with curves to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motionloom.motion import Clip
from motionloom.studio.responses import FaultRow, MeasurementRow, Quality

if TYPE_CHECKING:
    from motionloom.quality import Measures

DIGITS = 5
"""Decimals of the values of curves: hundredths of a millimetre."""

Curves = dict[str, tuple[float, ...]]


def report_quality(
    clip: Clip, before: Clip | None, sources: Sequence[Clip] = (), seams: Sequence[float] = ()
) -> Quality:
    """Measure a clip, and the same clip before its feet were planted, with curves to plot.

    >>> from motionloom.synthesis import walk
    >>> report = report_quality(walk(duration=2.0, fps=30).clip, None)
    >>> len(report.curves["root speed"]), report.units["root speed"]
    (61, 'm/s')
    """
    from motionloom.quality.curves import curve_unit

    after, curves = _measure(clip, sources, seams, before)
    first, curves_before = (None, {}) if before is None else _measure(before, sources, seams)
    applying = {"sources": bool(sources), "seams": bool(seams)}
    return Quality(
        faults=_faults(clip),
        rows=_rows(after, first),
        unmeasured=tuple(f"{g.name}: {g.reason}" for g in after.unmeasured if applying.get(g.name, True)),
        notes=after.notes,
        curves=curves,
        curves_before=curves_before,
        units={name: curve_unit(name) for name in curves},
    )


def curves_of(clip: Clip) -> Curves:
    """Return the quality curves of a clip by name, one value per frame, as the page plots them."""
    from motionloom.quality.curves import quality_curves

    return {name: tuple(np.round(values, DIGITS).tolist()) for name, values in quality_curves(clip).items()}


def _measure(
    clip: Clip, sources: Sequence[Clip], seams: Sequence[float], before: Clip | None = None
) -> tuple[Measures, Curves]:
    from motionloom.quality import measure
    from motionloom.workflows import ensure_annotated

    annotated = ensure_annotated(clip)
    return measure(annotated, sources, seams, before=before), curves_of(annotated)


def _faults(clip: Clip) -> tuple[FaultRow, ...]:
    from motionloom.repair import find_faults, repair

    if not find_faults(clip):
        return ()
    report = repair(clip).report
    rows = [(fault, True) for fault in report.mended] + [(fault, False) for fault in report.left]
    return tuple(
        FaultRow(frame=fault.first, text=str(fault), mendable=mendable)
        for fault, mendable in sorted(rows, key=lambda row: row[0].first)
    )


def _rows(after: Measures, before: Measures | None) -> tuple[MeasurementRow, ...]:
    from motionloom.quality.results import finite_or_none

    earlier = {} if before is None else {figure.name: finite_or_none(figure.value) for figure in before}
    return tuple(
        MeasurementRow(
            group=group.name,
            name=figure.name,
            unit=figure.unit,
            before=earlier.get(figure.name),
            after=finite_or_none(figure.value),
        )
        for group in after.groups
        for figure in group.measurements
    )
