"""Error measures: joints, apexes, strikes, maps that disagree, and intervals over cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np

from benchmarks.quality.cases import FPS, Action
from motionloom.annotation import strikes
from motionloom.arrays import FloatArray
from motionloom.cycles.loop_closing import sample_smoothly
from motionloom.motion import Clip
from motionloom.motion.anatomy import Side
from motionloom.registration import TimewarpCurve

RESAMPLINGS = 4000
"""Draws of cases behind a confidence interval."""

Warps = Mapping[tuple[int, int], TimewarpCurve]
"""Which frames correspond in pairs of clips, the lower number first."""


def joint_error(
    predicted: Clip, actual: Clip, duration: float | None = None, *, level: bool = False
) -> float:
    """Mean distance of joints, cm, at equal shares of the durations of two clips.

    The prediction is sampled at the moments of the real clip's frames, by cubics, and each frame is put on
    the real one by the ground transform that fits best in squares. All joints and frames count alike, but for
    the last frame, with which the next stride begins. ``duration`` is that of the prediction in frames where
    it does not end on a whole one. With ``level`` the whole prediction is first raised or lowered to the mean
    height of the real clip.
    """
    last = predicted.n_frames - 1.0
    moments = np.linspace(0.0, last if duration is None else duration, actual.n_frames)[:-1]
    found = sample_smoothly(predicted, np.minimum(moments, last)).world_positions()
    truth = actual.world_positions()[:-1]
    apart = placed(found, truth) - truth
    if level:
        apart = apart - apart.mean(axis=(0, 1)) * [0.0, 1.0, 0.0]
    return float(100.0 * np.linalg.norm(apart, axis=-1).mean())


def placed(moving: FloatArray, fixed: FloatArray) -> FloatArray:
    """Points (T, P, 3), each frame turned and shifted on the ground onto the fixed ones."""
    ground = [points[..., 0] + 1j * points[..., 2] for points in (moving, fixed)]
    centres = [points.mean(axis=1, keepdims=True) for points in ground]
    product = ((ground[1] - centres[1]) * np.conj(ground[0] - centres[0])).sum(axis=1, keepdims=True)
    turned = (ground[0] - centres[0]) * np.exp(1j * np.angle(product)) + centres[1]
    return np.stack([turned.real, moving[..., 1], turned.imag], axis=-1)


def mapped(warp: TimewarpCurve, one: int, other: int, frames: FloatArray | float) -> FloatArray:
    """The frames of another clip that correspond to frames of one."""
    inside = np.clip(frames, *warp(warp.domain)[:, one])
    return np.asarray(warp(warp.inverse(one, inside))[..., other])


def apex_errors(warp: TimewarpCurve, one: Action, other: Action) -> list[float]:
    """Seconds by which the apex of either take misses that of the other, both ways round."""
    errors = []
    for a, b, actions in ((0, 1, (one, other)), (1, 0, (other, one))):
        frame = float(mapped(warp, a, b, actions[0].apex))
        errors.append(max(actions[1].first - frame, frame - actions[1].last, 0.0) / FPS)
    return errors


def strike_errors(warp: TimewarpCurve, clips: Sequence[Clip], side: Side) -> FloatArray:
    """Frames by which strikes of one foot in the first clip miss those of the second.

    Strikes at which clips were cut correspond anyway and do not count.
    """
    one, other = (
        np.array([s.frame for s in strikes(clip) if s.side == side and 1.0 < s.frame < clip.n_frames - 2.0])
        for clip in clips
    )
    return np.asarray(np.abs(mapped(warp, 0, 1, one) - other))


def cycle_errors(warps: Warps, n_clips: int) -> FloatArray:
    """Mean disagreement in frames of going from clip to clip directly and through a third, per triple."""
    errors = []
    for a, b, c in permutations(range(n_clips), 3):
        direct = warps[min(a, c), max(a, c)]
        first, last = direct(direct.domain)[:, int(a > c)].tolist()
        frames = np.linspace(first, last, 50)
        through = _between(warps, b, c, _between(warps, a, b, frames))
        errors.append(np.abs(through - _between(warps, a, c, frames)).mean())
    return np.array(errors)


def _between(warps: Warps, a: int, b: int, frames: FloatArray) -> FloatArray:
    return mapped(warps[min(a, b), max(a, b)], int(a > b), int(a < b), frames)


def interval(values: Sequence[float] | FloatArray) -> tuple[float, float, float]:
    """The mean of values over cases and its 95 % confidence interval, by drawing cases anew."""
    given = np.asarray(values, dtype=np.float64)
    draws = np.random.default_rng(0).integers(len(given), size=(RESAMPLINGS, len(given)))
    low, high = np.percentile(given[draws].mean(axis=1), [2.5, 97.5])
    return float(given.mean()), float(low), float(high)
