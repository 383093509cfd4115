"""From pairwise time alignments to frames of all clips that correspond, and how well pairs agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip, PointClip
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.timewarp.monotone_fit import fit_timewarp, min_rate_for
from motionloom.registration.timewarp.warp import TimewarpCurve

Paths = Mapping[tuple[int, int], FloatArray]
"""Frames (N, 2) that correspond in pairs of clips, both ways round."""

RATE_SMOOTHING = 0.1
"""Weight of changes of rate against squared frames of error in the exact fit: enough to take the stairs of
the time alignment out of the rates, too little to pull apart events that correspond."""

MOST_TRIPLES = 400
"""Triples of clips on which agreement is measured; more say nothing new."""


def fitted(
    samples: FloatArray, settings: RegistrationSettings, fps: float, smoothing: float = RATE_SMOOTHING
) -> TimewarpCurve:
    """The timewarp curve of corresponding frames (N, K) with the rates and ends that the settings ask for."""
    rate = settings.min_rate
    if rate is None and settings.fit != "nudge":
        rate = min_rate_for(settings.slope_limit)
    return fit_timewarp(
        samples,
        knot_spacing=max(2.0, settings.knot_spacing * fps),
        min_rate=rate,
        mode=settings.fit,
        smoothing=smoothing if settings.fit == "exact" else 0.0,
    )


def corresponding_frames(
    paths: Paths, n_clips: int, reference: int, settings: RegistrationSettings, fps: float
) -> FloatArray:
    """Frames (N, K) that correspond: the path itself for two clips, else one row per frame of the reference.

    Each other clip's pair with the reference is fitted with a curve of its own, so that every frame of the
    reference meets one moment of it.
    """
    others = [k for k in range(n_clips) if k != reference]
    if n_clips == 2:
        return paths[0, 1]
    curves = {k: fitted(paths[reference, k], settings, fps, smoothing=0.0) for k in others}
    frames = np.arange(paths[reference, others[0]][-1, 0] + 1.0)
    columns = {reference: frames}
    for k, curve in curves.items():
        columns[k] = curve(curve.inverse(0, frames))[:, 1]
    return np.stack([columns[k] for k in range(n_clips)], axis=1)


def nearest_to_all(distances: FloatArray, clips: Sequence[Clip | PointClip]) -> int:
    """The clip with the least mean distance (K, K) to the others; among equals whichever data sort first."""
    means = distances.sum(axis=1) / max(len(clips) - 1, 1)
    candidates = np.flatnonzero(means <= means.min() * (1.0 + 1e-9))
    return min(candidates.tolist(), key=lambda k: _content(clips[k]))


def _content(clip: Clip | PointClip) -> bytes:
    return (clip.rotations if isinstance(clip, Clip) else clip.positions).tobytes()


def cycle_error(paths: Paths, n_clips: int) -> float | None:
    """Mean disagreement in frames between going from one clip to another directly and through a third."""
    if n_clips < 3:
        return None
    maps = {pair: _map(path) for pair, path in paths.items()}
    triples = list(permutations(range(n_clips), 3))
    errors = []
    for a, b, c in triples[:: max(1, len(triples) // MOST_TRIPLES)]:
        frames, direct = maps[a, c]
        through = np.interp(np.interp(frames, *maps[a, b]), *maps[b, c])
        errors.append(np.abs(through - direct).mean())
    return float(np.mean(errors))


def _map(path: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frames of the first clip, each once, and the mean of the frames of the second that they meet."""
    frames, which, counts = np.unique(path[:, 0], return_inverse=True, return_counts=True)
    return frames, np.bincount(which, weights=path[:, 1]) / counts
