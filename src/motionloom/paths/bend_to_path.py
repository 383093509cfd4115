"""`bend_to_path`: a motion that nearly follows a path, moved over the ground until it does.

Every frame is moved as a whole: shifted by a curve of low frequency, so that steps and sway stay as they are,
and rotated as that curve rotates the direction of travel. Curve and rotation are smoothing splines whose
stiffness grows where they would bend or stretch the motion further than feet can be planted (path editing,
Gleicher 2001, with bounds).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.geometry.banded import factor_banded
from motionloom.geometry.ground_transform import rotate_on_ground
from motionloom.motion import Clip
from motionloom.motion.body import on_body
from motionloom.motion.filters import smooth_gaussian
from motionloom.motion.ground_path import ground_track
from motionloom.paths.path import Line
from motionloom.paths.stations import find_stations

STIFFNESS = 0.3
"""Seconds: what happens within less is left to the body. A stride takes about one."""

YAW_STIFFNESS = 0.4
"""Seconds, likewise for the rotation."""

MAX_STRETCH = 0.2
"""Fraction by which the bend may change how far the body travels: a step of 70 cm changes by 14 cm."""

MAX_BEND_RATE = np.radians(60.0)
"""Radians per second by which the bend may turn the body while it walks: 36° while a foot stands, half to
either side."""

MAX_FACING_TURN = np.radians(30.0)
"""Radians by which the body is turned to a given facing, away from how its take goes: steps of a walk that is
turned further would cross."""

FREE_SPEED = 0.25
"""Metres per second that the bend may always add: a body that stands shifts its weight so fast."""

STIFFER = 3.0
"""Factor on the stiffness, to the fourth power of seconds, where the bend exceeds its bounds."""

MAX_ROUNDS = 10
"""Times that the stiffness is raised."""

SPREAD = 0.35
"""Seconds to either side of an excess over which the bend gets stiffer."""

PINNED = 1e4
"""Weight of frames whose place is given: actions, start and end."""

MIN_TRAVEL = 0.15
"""Metres per second below which the direction of travel says little about the rotation of the body."""

N_PASSES = 3
"""Times that the places on the path which frames are moved to are found anew."""


@dataclass(frozen=True)
class Pin:
    """Where a frame has to be.

    Attributes
    ----------
    position
        (2,) x and z, or None for any.
    yaw
        Facing in radians, or None for any.
    """

    position: FloatArray | None = None
    yaw: float | None = None


@on_body
def bend_to_path(
    clip: Clip, path: Line, *, pins: Mapping[int, Pin] | None = None, stations: FloatArray | None = None
) -> Clip:
    """Move the frames of a motion over the ground so that it follows a path.

    Parameters
    ----------
    clip
        The motion; it follows the path more or less already.
    path
        The path. Where it has facings, the body turns to them.
    pins
        Where frames have to be: actions, the end.
    stations
        (T,) metres along the path that frames are moved to; by default those that are nearest.

    Returns
    -------
    Clip
        The motion, with feet that may slide: plant them with :func:`motionloom.enforce`.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=4.0, fps=30).clip
    >>> bent = bend_to_path(clip, Line([[0, 0], [0.1, 2], [0.4, 4]], smooth=True))
    >>> bool(ground_track(bent)[-1, 0] > 0.25)
    True
    """
    track = ground_track(clip)
    shifts, yaws = _fit_bend(track, clip.frame_time, path, dict(pins or {}), stations)
    return move_frames(clip, track, shifts, yaws)


def move_frames(clip: Clip, track: FloatArray, shifts: FloatArray, yaws: FloatArray) -> Clip:
    """Rotate each frame by yaws (T,) about the body's place on a track (T, 3) and shift it by (T, 2)."""
    offsets = _offsets(track, shifts, yaws)
    x, z = rotate_on_ground(yaws, clip.root_positions[:, 0], clip.root_positions[:, 2])
    roots = np.column_stack([x + offsets[:, 0], clip.root_positions[:, 1], z + offsets[:, 1]])
    rotations = np.array(clip.rotations)
    rotations[:, 0] = rot.multiply(rot.from_yaw(yaws), rotations[:, 0])
    constraints = tuple(
        c if c.target is None else replace(c, target=_row_at(yaws, offsets, c.start, c.end).apply(c.target))
        for c in clip.constraints
    )
    return replace(clip, root_positions=freeze(roots), rotations=freeze(rotations), constraints=constraints)


def _row_at(yaws: FloatArray, offsets: FloatArray, start: float, end: float) -> GroundTransform:
    """Return the transform of the frame between two others."""
    frame = int(np.clip(round(0.5 * (start + end)), 0, len(yaws) - 1))
    return GroundTransform(float(yaws[frame]), float(offsets[frame, 0]), float(offsets[frame, 1]))


def _offsets(track: FloatArray, shifts: FloatArray, yaws: FloatArray) -> FloatArray:
    """Return x and z (T, 2) of the transforms that rotate about the track's points and then shift."""
    x, z = rotate_on_ground(yaws, track[:, 0], track[:, 1])
    return np.column_stack([track[:, 0] - x, track[:, 1] - z]) + shifts


def _fit_bend(
    track: FloatArray, frame_time: float, path: Line, pins: dict[int, Pin], stations: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return shifts (T, 2) and yaws (T,) that bend a track to a path."""
    n_frames = len(track)
    smooth = smooth_gaussian(track, STIFFNESS / frame_time)
    weights = np.ones(n_frames)
    shifts = np.zeros((n_frames, 2))
    fixed = {frame: pin.position for frame, pin in pins.items() if pin.position is not None}
    for frame in fixed:
        weights[frame] = PINNED
    for n in range(N_PASSES):
        # Stations first of a smooth track, so that sway does not move frames along the path.
        at = find_stations(path, smooth[:, :2] + shifts) if stations is None else stations
        residual = path.at(at) - track[:, :2]
        for frame, position in fixed.items():
            residual[frame] = position - track[frame, :2]
        bounded = n == N_PASSES - 1
        shifts = _fit_shifts(residual, weights, smooth[:, :2], frame_time, bounded)
    return shifts, _fit_yaws(track, smooth, shifts, at, frame_time, path, pins)


def _fit_shifts(
    residual: FloatArray, weights: FloatArray, smooth: FloatArray, frame_time: float, bounded: bool
) -> FloatArray:
    """Return smooth shifts (T, 2) that follow the residual as far as they stretch and bend little enough."""
    n_frames = len(residual)
    stiffness = np.full(max(n_frames - 2, 0), (STIFFNESS / frame_time) ** 4)
    shifts = _smooth(residual, weights, stiffness)
    velocity = np.gradient(smooth, frame_time, axis=0) if n_frames > 1 else np.zeros_like(smooth)
    speed = np.linalg.norm(velocity, axis=1)
    for _ in range(MAX_ROUNDS if bounded and n_frames > 1 else 0):
        change = np.linalg.norm(np.gradient(shifts, frame_time, axis=0), axis=1)
        rotation = _bend_angles(velocity, shifts, frame_time)
        rate = np.abs(np.gradient(rotation, frame_time))
        travels = speed > MIN_TRAVEL
        along = np.abs((np.gradient(shifts, frame_time, axis=0) * velocity).sum(axis=1)) / np.maximum(
            speed, 1e-6
        )
        excess = np.where(
            travels, (along > MAX_STRETCH * speed + 0.1) | (rate > MAX_BEND_RATE), change > FREE_SPEED
        )
        if not excess.any():
            break
        stiffness *= np.where(_spread(excess, SPREAD / frame_time)[1:-1], STIFFER, 1.0)
        shifts = _smooth(residual, weights, stiffness)
    return shifts


def _fit_yaws(
    track: FloatArray,
    smooth: FloatArray,
    shifts: FloatArray,
    stations: FloatArray,
    frame_time: float,
    path: Line,
    pins: dict[int, Pin],
) -> FloatArray:
    """Return smooth rotations (T,) of frames: those of the direction of travel, or to the given facing."""
    n_frames = len(track)
    velocity = np.gradient(smooth[:, :2], frame_time, axis=0) if n_frames > 1 else np.zeros((n_frames, 2))
    speed = np.linalg.norm(velocity, axis=1)
    wanted = _bend_angles(velocity, shifts, frame_time)
    weights = np.minimum(speed / MIN_TRAVEL, 1.0) ** 2 + 1e-4
    if path.facings is not None:
        facing = np.interp(stations, path.stations, path.facings)
        wanted += np.clip(_wrap(facing - smooth[:, 2] - wanted), -MAX_FACING_TURN, MAX_FACING_TURN)
        weights = np.ones(n_frames)
    for frame, pin in pins.items():
        if pin.yaw is not None:
            wanted[frame] += _wrap(pin.yaw - track[frame, 2] - wanted[frame])
            weights[frame] = PINNED
    stiffness = np.full(max(n_frames - 2, 0), (YAW_STIFFNESS / frame_time) ** 4)
    return _smooth(wanted[:, None], weights, stiffness)[:, 0]


def _bend_angles(velocity: FloatArray, shifts: FloatArray, frame_time: float) -> FloatArray:
    """Return the angles (T,) by which shifts rotate the direction of travel; 0 where nothing travels."""
    if len(velocity) < 2:
        return np.zeros(len(velocity))
    bent = velocity + np.gradient(shifts, frame_time, axis=0)
    angles = np.arctan2(bent[:, 0], bent[:, 1]) - np.arctan2(velocity[:, 0], velocity[:, 1])
    travels = np.linalg.norm(velocity, axis=1) > MIN_TRAVEL
    if not travels.any():
        return np.zeros(len(velocity))
    frames = np.flatnonzero(travels)
    return np.interp(np.arange(len(velocity)), frames, np.unwrap(_wrap(angles[frames])))


def _smooth(values: FloatArray, weights: FloatArray, stiffness: FloatArray) -> FloatArray:
    """Return the curve (T, D) with the smallest Σ weights |curve − values|² + Σ stiffness |curve''|²."""
    n = len(values)
    if n < 3:
        return np.array(values)
    bands = np.zeros((3, n))
    bands[0] = weights
    bands[0, :-2] += stiffness
    bands[0, 1:-1] += 4.0 * stiffness
    bands[0, 2:] += stiffness
    bands[1, :-2] -= 2.0 * stiffness
    bands[1, 1:-1] -= 2.0 * stiffness
    bands[2, :-2] += stiffness
    return factor_banded(bands).solve(weights[:, None] * values)


def _spread(mask: BoolArray, width: float) -> BoolArray:
    """Return a mask (T,) that also holds frames within ``width`` of those that the mask holds."""
    reach = 2 * int(np.ceil(width)) + 1
    return (
        np.convolve(mask, np.ones(reach), mode="same") > 0.5
        if len(mask) >= reach
        else np.full_like(mask, mask.any())
    )


def _wrap(angle: FloatArray) -> FloatArray:
    """Return angles between −π and π."""
    return np.asarray((angle + np.pi) % (2.0 * np.pi) - np.pi)
