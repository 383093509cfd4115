"""`find_frame`: when a joint is at a moment of a clip, such as its apex, to a fraction of a frame."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from motionloom.annotation import signals
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, kinematics
from motionloom.motion.anatomy import facing
from motionloom.warping.moments import find_times

Extreme = Literal["apex", "highest", "lowest", "fastest"]

EXTREMES: tuple[Extreme, ...] = get_args(Extreme)

Moment = str | float
"""One of :data:`EXTREMES`, seconds, or words as in :mod:`motionloom.warping.moments`."""

SMOOTHING = 0.1
"""Seconds over which a track is averaged before its extreme is looked for: noise has maxima of its own."""

MAX_SHIFT = 0.15
"""Seconds around the expected frame in which an extreme is looked for first."""


def find_frame(clip: Clip, track: FloatArray, at: Moment, near: float | None = None) -> float:
    """Return the frame, with its fraction, of a moment.

    Parameters
    ----------
    clip
        The motion.
    track
        (T, 3) world positions of a joint, or of a point of it.
    at
        The moment.
    near
        The frame near which an extreme is looked for; by default the greatest one of the clip counts.
    """
    if not isinstance(at, str):
        frame = float(at) / clip.frame_time
        if frame > clip.n_frames - 1 + 1e-6:
            raise ParameterError(f"the clip lasts {clip.duration:.2f} s, so it has no moment at {at:g} s")
        return frame
    if at in EXTREMES:
        return find_peak(_extremeness(clip, track, at), clip.frame_time, near)
    return find_times(clip, at)[0] / clip.frame_time


def find_peak(values: FloatArray, frame_time: float, near: float | None = None) -> float:
    """Return the frame at which values (T,) are greatest, or the maximum that is uphill from ``near``.

    A parabola through three neighbouring values gives the fraction of the frame.

    >>> find_peak(np.array([0.0, 1.0, 3.0, 1.0, 0.0]), 1.0)
    2.0
    >>> find_peak(np.array([3.0, 1.0, 0.0, 1.0, 2.0]), 1.0, near=3.2)
    4.0
    """
    smooth = signals.smooth(values, frame_time, SMOOTHING)
    if near is None:
        peak = int(smooth.argmax())
    else:
        centre, reach = round(near), max(1, round(MAX_SHIFT / frame_time))
        first = int(np.clip(centre - reach, 0, len(smooth) - 1))
        peak = _climb(smooth, first + int(smooth[first : max(centre + reach, first) + 1].argmax()))
    if not 0 < peak < len(smooth) - 1:
        return float(peak)
    before, here, after = smooth[peak - 1 : peak + 2].tolist()
    bend = before - 2.0 * here + after
    return peak + (0.5 * (before - after) / bend if bend < 0.0 else 0.0)


def _climb(values: FloatArray, frame: int) -> int:
    """Return the first maximum uphill from a frame. It is found: each step leads to a greater value."""
    while True:
        neighbours = [n for n in (frame - 1, frame + 1) if 0 <= n < len(values)]
        best = max(neighbours, key=lambda n: float(values[n]), default=frame)
        if values[best] <= values[frame]:
            return frame
        frame = best


def _extremeness(clip: Clip, track: FloatArray, at: str) -> FloatArray:
    """Return values (T,) that are greatest at an extreme of a track (T, 3)."""
    if at == "fastest":
        return np.asarray(np.linalg.norm(kinematics.velocities(track, clip.frame_time), axis=-1))
    if at == "apex":
        body = clip.body
        local = rot.rotate(rot.inverse(rot.from_yaw(facing(body))), track - body.root_positions)
        return np.asarray(np.linalg.norm(local - local[0], axis=-1))
    return track[:, 1] if at == "highest" else -track[:, 1]
