"""A comparison for a page: its measurements, and curves of all clips over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.sampling import WHOLE_FRAME, sample_vectors
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, extend_cycle
from motionloom.quality.compare import Comparison
from motionloom.quality.curves import curve_unit, quality_curves
from motionloom.quality.results import finite_or_none
from motionloom.viewer.page_data import ComparedCurve, ComparedRow

MAX_SAMPLES = 1200
"""Values of a curve at most: about two for each pixel of its plot."""

DIGITS = 4
"""Decimals of the values of curves: tenths of a millimetre."""

DISTANCE = "distance to the first clip"


def list_rows(comparison: Comparison) -> tuple[ComparedRow, ...]:
    """Return the measurements of all clips, a row each."""
    return tuple(
        ComparedRow(group=group, name=name, unit=unit, values=tuple(map(finite_or_none, values)))
        for group, name, unit, values in comparison.rows()
    )


def compute_curves(clips: Sequence[Clip]) -> tuple[ComparedCurve, ...]:
    """Return curves of all clips over time, and how far their joints are from those of the first clip.

    >>> from motionloom.synthesis import jog, walk
    >>> curves = compute_curves([walk(duration=1.0).clip, jog(duration=1.0).clip])
    >>> [curve.name for curve in curves][:2]
    ['distance to the first clip', 'root speed']
    """
    found = [quality_curves(clip) for clip in clips]
    distances = [_distance(clips[0], clip) for clip in clips]
    curves = []
    if any(len(values) for values in distances):
        curves.append(_curve(DISTANCE, "m", distances, clips))
    names = dict.fromkeys(name for each in found for name in each)
    order = sorted(names, key=lambda name: name != "root speed")  # the most telling one first
    none = np.zeros(0)
    shown = (
        _curve(name, curve_unit(name), [each.get(name, none) for each in found], clips) for name in order
    )
    return (*curves, *shown)


def _distance(first: Clip, clip: Clip) -> FloatArray:
    """Return the mean distance (N,) of equally named joints at the same time, while both clips last.

    The first clip goes on where it is cyclic. Empty for the first clip itself and for another skeleton.
    """
    body, other = clip.body, first.body
    if clip is first or body.skeleton.names != other.skeleton.names or not (clip.n_frames and first.n_frames):
        return np.zeros(0)
    frames = np.arange(body.n_frames) * (body.frame_time / other.frame_time)
    if other.cyclic and other.n_frames >= MIN_CYCLE_FRAMES:
        other = extend_cycle(other, max(other.n_frames, int(np.ceil(frames[-1])) + 1))
    frames = np.minimum(frames[frames <= other.n_frames - 1 + WHOLE_FRAME], other.n_frames - 1.0)
    there = sample_vectors(other.world_positions(), frames, "lagrange")
    here = body.world_positions()[: len(frames)]
    return np.asarray(np.linalg.norm(here - there, axis=2).mean(axis=1))


def _curve(name: str, unit: str, values: Sequence[FloatArray], clips: Sequence[Clip]) -> ComparedCurve:
    durations = tuple(len(each) * clip.frame_time for each, clip in zip(values, clips, strict=True))
    return ComparedCurve(
        name=name, unit=unit, values=tuple(_sample(each) for each in values), durations=durations
    )


def _sample(values: FloatArray) -> tuple[float, ...]:
    """Return a curve in few enough values: the lowest and the highest of each stretch."""
    if len(values) > MAX_SAMPLES:
        stretches = np.array_split(values, MAX_SAMPLES // 2)
        values = np.array([extreme for each in stretches for extreme in (each.min(), each.max())])
    return tuple(np.round(np.nan_to_num(values), DIGITS).tolist())
