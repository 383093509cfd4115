"""Quality: measures of the clip of an item before and after enforcement, with curves to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.studio.responses import FaultRow, MeasurementRow, Quality

if TYPE_CHECKING:
    from motionloom.quality import Measures

DIGITS = 5
"""Decimals of the values of curves: hundredths of a millimetre."""

Curves = dict[str, tuple[float, ...]]

UNITS = {"height": "m", "slide": "m/s", "root speed": "m/s", "jerk": "m/s³"}
"""Units of curves, by how their names end."""


def report_quality(
    clip: Clip, before: Clip | None, sources: Sequence[Clip] = (), seams: Sequence[float] = ()
) -> Quality:
    """Measure a clip, and the same clip before its feet were planted, with curves to plot.

    >>> from motionloom.synthesis import walk
    >>> report = report_quality(walk(duration=2.0, fps=30).clip, None)
    >>> len(report.curves["root speed"]), report.units["root speed"]
    (61, 'm/s')
    """
    after, curves = _measure(clip, sources, seams)
    first, curves_before = (None, {}) if before is None else _measure(before, sources, seams)
    applying = {"sources": bool(sources), "seams": bool(seams)}
    return Quality(
        faults=_faults(clip),
        rows=_rows(after, first),
        unmeasured=tuple(f"{g.name}: {g.reason}" for g in after.unmeasured if applying.get(g.name, True)),
        notes=after.notes,
        curves=curves,
        curves_before=curves_before,
        units={name: _unit(name) for name in curves},
    )


def curves_of(clip: Clip) -> Curves:
    """Compute the quality curves of a clip by name, one value per frame.

    Heights of heels and toes above the ground, how fast they slide over it while they are low, how fast the
    root goes over the ground, and the largest jerk of any joint.
    """
    from motionloom.quality.derivatives import magnitudes
    from motionloom.quality.feet import find_feet, has_feet, put_on_moving_ground, skate_speeds

    curves: dict[str, FloatArray] = {}
    if has_feet(clip):
        feet = find_feet(put_on_moving_ground(clip)[0])
        slides = skate_speeds(feet)
        for n, (name, kind) in enumerate(zip(feet.names, feet.kinds, strict=True)):
            curves[f"{name} {kind} height"] = feet.heights[:, n]
            curves[f"{name} {kind} slide"] = _per_frame(slides[:, n], 0.5, clip.n_frames)
    for name, positions, order in (
        ("root speed", clip.body.root_positions[:, None, [0, 2]], 1),
        ("jerk", clip.world_positions(), 3),
    ):
        try:
            sizes = magnitudes(positions, clip.frame_time, order)
        except ParameterError:
            continue  # too few frames to tell
        curves[name] = _per_frame(sizes.values.max(axis=1), sizes.first, clip.n_frames)
    return {name: tuple(np.round(values, DIGITS).tolist()) for name, values in curves.items()}


def _measure(clip: Clip, sources: Sequence[Clip], seams: Sequence[float]) -> tuple[Measures, Curves]:
    from motionloom.quality import measure
    from motionloom.workflows import ensure_annotated

    annotated = ensure_annotated(clip)
    return measure(annotated, sources, seams), curves_of(annotated)


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


def _per_frame(values: FloatArray, first: float, n_frames: int) -> FloatArray:
    """Values that lie one frame apart from the frame ``first`` on, at all frames; held beyond their ends."""
    if not len(values):
        return np.zeros(n_frames)
    return np.interp(np.arange(n_frames), first + np.arange(len(values)), values)


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


def _unit(name: str) -> str:
    return next(unit for ending, unit in UNITS.items() if name.endswith(ending))
