"""Values between frames, frame times and frame rates.

Every stage takes values between frames from :func:`sample_vectors` and :func:`sample_rotations`. The method
is the curve through the samples:

- ``"linear"``: straight lines, and slerp between rotations, as players do.
- ``"catmull_rom"``: cubics with continuous velocity. Where time is stretched, straight lines would show a
  corner at every sample. Values continue along straight lines before the first sample and after the last.
- ``"lagrange"``: the cubic through the four nearest samples. It does not flatten peaks, which makes it the
  most accurate for smooth motion; its velocity may jump a little at samples.

Cubic interpolation of rotations works on their components, which are normalised afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.validation import (
    MAX_FRAME_TIME,
    MIN_FRAME_TIME,
    check_choice,
    check_frame_time,
    check_positive,
)

if TYPE_CHECKING:
    from motionloom.motion.motion import Motion

Interpolation = Literal["linear", "catmull_rom", "lagrange"]

SAME_RATE = 1e-3
"""Relative difference below which two frame rates count as equal (CMU writes 120 Hz as .0083333 s)."""

MAX_FRAMES = 10_000_000
"""Frames that a clip may be resampled to: a day at 100 frames per second. More is a slip of a number."""

WHOLE_FRAME = 1e-6
"""A moment this near to a frame, in frames, is that frame; the rest is rounding."""

STENCIL = 4
"""Samples that take part in a Lagrange cubic."""


class SampledMotion:
    """Rate and duration of a motion, whose frames lie at equal steps of time; the base of clips."""

    @property
    def fps(self: Motion) -> float:
        """Frames per second."""
        return rate_of(self.frame_time)

    @property
    def duration(self: Motion) -> float:
        """Seconds from the first frame to the last."""
        return max(self.n_frames - 1, 0) * self.frame_time

    def __len__(self: Motion) -> int:
        return self.n_frames


def sample_vectors(values: FloatArray, frames: FloatArray, method: Interpolation = "linear") -> FloatArray:
    """Return values (*N, ...) at fractional frames of any shape (*N), 0 to T - 1, of samples (T, ...).

    Linear sampling copies whole frames bit for bit.

    >>> sample_vectors(np.array([[0.0], [1.0], [4.0], [9.0]]), np.array([1.5])).tolist()
    [[2.5]]
    >>> sample_vectors(np.array([[0.0], [1.0], [4.0], [9.0]]), np.array([1.5]), "catmull_rom").tolist()
    [[2.25]]
    """
    check_choice("method", method, get_args(Interpolation))
    if np.ndim(frames) != 1:
        flat = sample_vectors(values, np.ravel(frames), method)
        return flat.reshape(*np.shape(frames), *values.shape[1:])
    if method == "catmull_rom":
        return _catmull_rom(values, frames)
    if method == "lagrange":
        first, weights = _lagrange_weights(frames, len(values))
        return _weigh(values, first, weights)
    before, after, fraction = _neighbours(frames, values)
    between = values[before] * (1.0 - fraction) + values[after] * fraction
    return _copy_whole_frames(between, values, before, after, fraction)


def sample_rotations(values: FloatArray, frames: FloatArray, method: Interpolation = "linear") -> FloatArray:
    """Return rotations (*N, ..., 4) at fractional frames of any shape (*N) of samples (T, ..., 4).

    Linear sampling is spherical. It and Catmull-Rom cubics copy whole frames bit for bit.

    >>> sample_rotations(rot.from_yaw([[0.0], [1.0]]), np.array(0.5)).shape
    (1, 4)
    >>> spin = rot.from_yaw(np.array([[0.0], [0.2], [0.4], [0.6]]))
    >>> rot.yaw_of(sample_rotations(spin, np.array([1.5]), "catmull_rom")).round(6).tolist()
    [[0.3]]
    """
    check_choice("method", method, get_args(Interpolation))
    if np.ndim(frames) != 1:
        flat = sample_rotations(values, np.ravel(frames), method)
        return flat.reshape(*np.shape(frames), *values.shape[1:])
    if method == "catmull_rom":
        cubic = rot.normalize(_catmull_rom(rot.unroll(values), frames))
        is_whole = frames == np.floor(frames)
        cubic[is_whole] = values[frames[is_whole].astype(np.int64)]
        return cubic
    if method == "lagrange":
        first, weights = _lagrange_weights(frames, len(values))
        low = int(first.min(initial=0))
        part = rot.unroll(values[low : int(first.max(initial=0)) + weights.shape[1]])
        return rot.normalize(_weigh(part, first - low, weights))
    before, after, fraction = _neighbours(frames, values)
    between = rot.slerp(values[before], values[after], fraction[..., 0])
    return _copy_whole_frames(between, values, before, after, fraction)


def check_frames(frames: npt.ArrayLike, n_frames: int) -> FloatArray:
    """Return fractional frames (...) as an array; all must lie inside a clip of ``n_frames``.

    >>> check_frames([0, 1.5], n_frames=3).tolist()
    [0.0, 1.5]
    """
    try:
        wanted = np.asarray(frames, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"must be a number or an array of numbers, not {frames!r}", parameter="frames", value=frames
        ) from None
    if n_frames == 0:
        raise ParameterError("the clip has no frames to sample")
    # Rounding errors beyond the ends are meant to be the ends.
    bad = ~((wanted >= -WHOLE_FRAME) & (wanted <= n_frames - 1 + WHOLE_FRAME))
    if bad.any():
        raise ParameterError(
            f"frame {wanted[bad].flat[0]:g} lies outside the clip: it has frames 0 to {n_frames - 1}"
        )
    return np.clip(wanted, 0.0, n_frames - 1)


def check_slice(frames: slice, n_frames: int) -> tuple[int, int]:
    """Return first frame and step of a slice, which must run forward.

    >>> check_slice(slice(2, None, 3), 10)
    (2, 3)
    """
    try:
        first, _, step = frames.indices(n_frames)
    except ValueError:
        raise ParameterError("a clip is sliced with a step of 1 or more frames, not 0") from None
    except TypeError:
        raise ParameterError(
            f"a clip is sliced with whole frames, not {frames.start}:{frames.stop}:{frames.step}",
            remedy="use clip.at([...]) for poses between frames",
        ) from None
    if step < 1:
        raise ParameterError(
            f"a clip is sliced with a positive step, not {step}",
            remedy="use clip.reversed() to run it backwards",
        )
    return first, step


def frame_time_of(fps: float) -> float:
    """Return the seconds per frame of a rate, which must be positive and of a sensible size.

    >>> frame_time_of(20)
    0.05
    """
    value = check_positive("fps", fps)
    if not 1.0 / MAX_FRAME_TIME <= value <= 1.0 / MIN_FRAME_TIME:
        raise ParameterError(
            f"must lie between {1.0 / MAX_FRAME_TIME:g} and {1.0 / MIN_FRAME_TIME:g}, not {value:g}",
            parameter="fps",
            value=value,
        )
    return check_frame_time(1.0 / value)


def rate_of(frame_time: float) -> float:
    """Return the frames per second; exactly a whole number where the frame time is its reciprocal as a float.

    >>> rate_of(1 / 120), round(rate_of(0.0083333), 5)
    (120.0, 120.00048)
    """
    fps = 1.0 / frame_time
    whole = float(round(fps))
    return whole if whole > 0 and 1.0 / whole == frame_time else fps


def frames_at_rate(n_frames: int, frame_time: float, fps: float) -> FloatArray:
    """Return the fractional frames at which to sample a clip for another rate: from frame 0, as many as fit.

    >>> frames_at_rate(5, 0.25, 2.0).tolist()
    [0.0, 2.0, 4.0]
    """
    step = frame_time_of(fps) / frame_time
    if n_frames == 0:
        return np.zeros(0)
    return frames_by_step(n_frames, 1.0 if abs(step - 1.0) < SAME_RATE else step)


def frames_by_step(n_frames: int, step: float) -> FloatArray:
    """Return fractional frames from frame 0 on, ``step`` apart, as many as fit.

    >>> frames_by_step(4, 1.5).tolist()
    [0.0, 1.5, 3.0]
    """
    # Rounding must not lose the last frame.
    steps = (n_frames - 1) / step + 1e-9
    if steps >= MAX_FRAMES:
        raise ParameterError(
            f"sampling {n_frames} frames at steps of {step:g} makes more than {MAX_FRAMES} frames"
        )
    return np.asarray(np.minimum(np.arange(int(steps) + 1) * step, n_frames - 1.0))


def _neighbours(frames: FloatArray, values: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the whole frames before and after each, and the fraction between, shaped like the values."""
    before = np.clip(np.floor(frames).astype(np.int64), 0, max(len(values) - 2, 0))
    fraction = np.asarray(frames - before)
    return (
        before,
        np.minimum(before + 1, len(values) - 1),
        fraction.reshape(*fraction.shape, *[1] * (values.ndim - 1)),
    )


def _copy_whole_frames(
    between: FloatArray, values: FloatArray, before: IntArray, after: IntArray, fraction: FloatArray
) -> FloatArray:
    """Copy whole frames instead of computing them: no bit changes, and a gap next to one does not spread."""
    return np.where(fraction == 0.0, values[before], np.where(fraction == 1.0, values[after], between))


def _catmull_rom(values: FloatArray, frames: FloatArray) -> FloatArray:
    if len(values) < 2:
        return np.repeat(values, len(frames), axis=0)
    before, after = 2.0 * values[:1] - values[1:2], 2.0 * values[-1:] - values[-2:-1]
    rows = np.concatenate([before, values, after, after])
    whole = np.floor(frames).astype(np.int64)
    t = (frames - whole).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(
        t * (-0.5 + t * (1.0 - 0.5 * t)) * rows[whole]
        + (1.0 + t * t * (-2.5 + 1.5 * t)) * rows[whole + 1]
        + t * (0.5 + t * (2.0 - 1.5 * t)) * rows[whole + 2]
        + t * t * (-0.5 + 0.5 * t) * rows[whole + 3]
    )


def _lagrange_weights(frames: FloatArray, n_frames: int) -> tuple[IntArray, FloatArray]:
    """Return the first sample (N,) of each stencil and the weights (N, W) of it and the next ones."""
    width = min(STENCIL, n_frames)
    first = np.clip(np.floor(frames).astype(np.int64) - 1, 0, n_frames - width)
    nodes = np.arange(width)
    weights = np.ones((len(frames), width))
    for node in nodes:
        for other in nodes[nodes != node]:
            weights[:, node] *= (frames - first - other) / (node - other)
    return first, weights


def _weigh(values: FloatArray, first: IntArray, weights: FloatArray) -> FloatArray:
    stencils = values[first[:, None] + np.arange(weights.shape[1])]
    return np.asarray(np.einsum("nw,nw...->n...", weights, stencils))
