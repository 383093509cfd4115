"""Values between frames, and which frames another rate asks for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion.timing import frame_time_of

SAME_RATE = 1e-3
"""Relative difference below which two frame rates count as equal (CMU writes 120 Hz as .0083333 s)."""

MOST_FRAMES = 10_000_000
"""Frames that a clip may be resampled to: a day at 100 frames per second. More is a slip of a number."""


def checked_frames(frames: npt.ArrayLike, n_frames: int) -> FloatArray:
    """Fractional frames as an array, or an error when one lies outside the clip.

    >>> checked_frames([0, 1.5], n_frames=3).tolist()
    [0.0, 1.5]
    """
    try:
        wanted = np.asarray(frames, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"frames must be a number or an array of numbers, not {frames!r}") from None
    if n_frames == 0:
        raise ParameterError("the clip has no frames to sample")
    # A hair of rounding beyond the ends is meant to be the end.
    slack = 1e-6
    bad = ~((wanted >= -slack) & (wanted <= n_frames - 1 + slack))
    if bad.any():
        raise ParameterError(
            f"frame {wanted[bad].flat[0]:g} lies outside the clip: it has frames 0 to {n_frames - 1}"
        )
    return np.clip(wanted, 0.0, n_frames - 1)


def vectors_at(values: FloatArray, frames: FloatArray) -> FloatArray:
    """Vectors (..., D) at fractional frames (...) of samples (T, D) by linear interpolation.

    >>> vectors_at(np.array([[0.0], [2.0]]), np.array(0.25)).tolist()
    [0.5]
    """
    before, after, share = _neighbours(frames, values)
    between = values[before] * (1.0 - share) + values[after] * share
    return _whole_frames_copied(between, values, before, after, share)


def rotations_at(values: FloatArray, frames: FloatArray) -> FloatArray:
    """Rotations (..., J, 4) at fractional frames (...) of samples (T, J, 4) by spherical interpolation.

    >>> rotations_at(rot.from_yaw([[0.0], [1.0]]), np.array(0.5)).shape
    (1, 4)
    """
    before, after, share = _neighbours(frames, values)
    between = rot.slerp(values[before], values[after], share[..., 0])
    return _whole_frames_copied(between, values, before, after, share)


def _neighbours(frames: FloatArray, values: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """The whole frames before and after fractional ones, and the share of the way, shaped like the values."""
    before = np.clip(np.floor(frames).astype(np.int64), 0, max(len(values) - 2, 0))
    share = np.asarray(frames - before)
    return (
        before,
        np.minimum(before + 1, len(values) - 1),
        share.reshape(*share.shape, *[1] * (values.ndim - 1)),
    )


def _whole_frames_copied(
    between: FloatArray, values: FloatArray, before: IntArray, after: IntArray, share: FloatArray
) -> FloatArray:
    """Whole frames are copied, not computed: no bit changes, and a gap next to one does not reach it."""
    return np.where(share == 0.0, values[before], np.where(share == 1.0, values[after], between))


def frames_at_rate(n_frames: int, frame_time: float, fps: float) -> FloatArray:
    """Fractional frames at which a clip is sampled for another rate: from its first frame, as many as fit.

    >>> frames_at_rate(5, 0.25, 2.0).tolist()
    [0.0, 2.0, 4.0]
    """
    step = frame_time_of(fps) / frame_time
    if n_frames == 0:
        return np.zeros(0)
    return frames_by_step(n_frames, 1.0 if abs(step - 1.0) < SAME_RATE else step)


def frames_by_step(n_frames: int, step: float) -> FloatArray:
    """Fractional frames from the first one on, ``step`` apart, as many as fit.

    >>> frames_by_step(4, 1.5).tolist()
    [0.0, 1.5, 3.0]
    """
    # A hair of rounding must not lose the last frame.
    reach = (n_frames - 1) / step + 1e-9
    if reach >= MOST_FRAMES:
        raise ParameterError(
            f"sampling {n_frames} frames at steps of {step:g} makes more than {MOST_FRAMES} frames"
        )
    count = int(reach) + 1
    return np.asarray(np.minimum(np.arange(count) * step, n_frames - 1.0))
