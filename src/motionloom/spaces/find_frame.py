"""`find_frame`: when a joint is at a moment of a clip, such as its apex, to a fraction of a frame."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, kinematics
from motionloom.motion.anatomy import facing
from motionloom.motion.filters import average_window
from motionloom.spaces.measures import extend_track
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
        The frame near which an extreme is looked for; by default the greatest one of the clip counts. In a
        cyclic clip it may lie before the first frame or after the last one, and so may the result.
    """
    if not isinstance(at, str):
        frame = float(at) / clip.frame_time
        if frame > clip.n_frames - 1 + 1e-6:
            raise ParameterError(f"the clip lasts {clip.duration:.2f} s, so it has no moment at {at:g} s")
        return frame
    if at in EXTREMES:
        values = _extremeness(clip, track, at)
        if not clip.cyclic:
            return find_peak(values, clip.frame_time, near)
        return _find_cyclic_peak(values, clip.frame_time, near)
    return find_times(clip, at)[0] / clip.frame_time


def find_peak(values: FloatArray, frame_time: float, near: float | None = None) -> float:
    """Return the frame at which values (T,) are greatest, or the maximum that is uphill from ``near``.

    A parabola through three neighbouring values gives the fraction of the frame.

    >>> find_peak(np.array([0.0, 1.0, 3.0, 1.0, 0.0]), 1.0)
    2.0
    >>> find_peak(np.array([3.0, 1.0, 0.0, 1.0, 2.0]), 1.0, near=3.2)
    4.0
    """
    smooth = average_window(values, frame_time, SMOOTHING)
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


def _find_cyclic_peak(values: FloatArray, frame_time: float, near: float | None) -> float:
    """Return the frame at which values (T,) of one cycle are greatest: within the cycle, or near a frame."""
    n_frames = len(values)
    smooth = average_window(np.tile(values, 3), frame_time, SMOOTHING)[n_frames : 2 * n_frames]
    expected = float(smooth.argmax()) if near is None else near
    # The cycle is repeated around the expected frame, so that no end is near.
    first = round(expected) - n_frames
    around = np.take(values, np.arange(first, first + 2 * n_frames + 1), mode="wrap")
    peak = first + find_peak(around, frame_time, expected - first)
    return peak % n_frames if near is None else peak


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
        return track_speeds(clip, track)
    if at == "apex":
        body = clip.body
        local = rot.rotate(rot.inverse(rot.from_yaw(facing(body))), track - body.root_positions)
        return np.asarray(np.linalg.norm(local - local[0], axis=-1))
    return track[:, 1] if at == "highest" else -track[:, 1]


def track_speeds(clip: Clip, track: FloatArray) -> FloatArray:
    """Return how fast (T,) a track (T, 3) of world positions moves, m/s; across the seam of a cycle too.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(speed=1.2, duration=2.0).clip
    >>> bool(abs(track_speeds(clip, clip.root_positions).mean() - 1.2) < 0.05)
    True
    """
    n_frames = clip.n_frames
    long = extend_track(clip, track) if clip.cyclic else track
    speeds = np.linalg.norm(kinematics.velocities(long, clip.frame_time), axis=-1)
    return np.asarray(speeds[n_frames : 2 * n_frames] if clip.cyclic else speeds)
