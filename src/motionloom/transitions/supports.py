"""Putting clips on each other where they stand, so that what stands does not slide as weights change.

While weight moves from one clip to another, a point of the blend moves by the change of weight times the gap
between the two clips at that point. Aligned by their bodies, two gaits are far apart at the feet; aligned by
the foot that stands, they are apart at the body, which moves anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import splines
from motionloom.motion import Clip, Constraint
from motionloom.motion.sampling import sample_vectors
from motionloom.registration import ConstraintMatch, RegistrationCurve
from motionloom.registration.alignment import AlignedSamples, fit_alignment

HAND_OVER = 0.15
"""Seconds to either side over which one support takes over from another."""

BODY_SHARE = 0.1
"""What the body counts against a support: all there is while nothing stands."""


def aligned_by_supports(curve: RegistrationCurve) -> RegistrationCurve:
    """The curve with its clips aligned by what stands in all of them at a time, where something does.

    Turns stay as they are; only the points that are put on each other change.
    """
    u = np.linspace(*curve.domain, max(2, round(np.ptp(curve.domain))) + 1)
    shares = _shares(curve.matches, u, HAND_OVER / curve.clips[0].frame_time)
    if not shares.any():
        return curve
    bodies = _bodies(curve, len(u))
    frames = curve.timewarp(u)
    centres = (1.0 - shares.sum(axis=0))[:, None, None] * bodies[..., 1:]
    for match, share in zip(curve.matches, shares, strict=True):
        for k, clip in enumerate(curve.clips):
            constraint = clip.constraints[match.sources[k]]
            centres[:, k] += share[:, None] * _track(clip, constraint, frames[:, k])
    samples = AlignedSamples(u, bodies[..., 0], centres, np.zeros(frames.shape))
    moved = fit_alignment(samples, curve.reference, knot_spacing=curve.alignment.knot_spacing)
    return replace(curve, alignment=moved)


def _shares(matches: Sequence[ConstraintMatch], u: FloatArray, reach: float) -> FloatArray:
    """How much each match (M, N) counts at parameters (N,): while all clips hold it, with soft ends."""
    window = np.hanning(2 * round(reach) + 3)[1:-1]
    held = np.zeros((len(matches), len(u)))
    for row, match in zip(held, matches, strict=True):
        stands = (match.spans[:, 0].max() <= u) & (u <= match.spans[:, 1].min())
        padded = np.pad(stands.astype(np.float64), len(window) // 2, mode="edge")
        row[:] = np.convolve(padded, window / window.sum(), mode="valid")
    return np.asarray(held / (held.sum(axis=0) + BODY_SHARE))


def _bodies(curve: RegistrationCurve, count: int) -> FloatArray:
    """Yaw, x and z (count, K, 3) of the points by which the curve aligns its clips, evenly spaced over it."""
    points = curve.alignment.control_points
    places = np.linspace(0.0, len(points) - 2.0, count)
    return splines.evaluate(points.reshape(len(points), -1), places).reshape(count, *points.shape[1:])


def _track(clip: Clip, constraint: Constraint, frames: FloatArray) -> FloatArray:
    """Where the point of a constraint is on the ground (N, 2) at fractional frames (N,)."""
    places = clip.point_positions(constraint.joint, constraint.point)
    return sample_vectors(places, np.clip(frames, 0.0, clip.n_frames - 1.0))[:, [0, 2]]
