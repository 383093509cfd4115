"""Bending the path: drag the way over the ground, and the body turns along it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from motionloom.annotation.floor import Surface
from motionloom.arrays import FloatArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.clip import check_clip
from motionloom.motion.kinematics import velocities
from motionloom.validation import check_number, check_positive
from motionloom.warping.curves import eased_curve
from motionloom.warping.plants import plants_found, with_plants_kept

STEADY_SECONDS = 0.5
"""Half the time over which the root's way is averaged into a path: a step sways to either side within it."""

WALKING = 0.3
"""Below this speed, m/s, the direction of a path means less and less; a body that stands is not turned."""

WITHIN = 1e-6
"""Seconds by which a handle may miss the clip's ends: rounding, not a wish."""


def bend_path(
    clip: Clip,
    handles: Mapping[float, npt.ArrayLike],
    *,
    ease: float | None = None,
    keep_plants: bool = True,
    ground: float | Surface | None = None,
) -> Clip:
    """Drag points of the root's path over the ground; the motion goes along and turns with the path.

    Parameters
    ----------
    clip
        Any clip that goes somewhere.
    handles
        Seconds of the clip and by how much (x, z) the path is dragged there, metres.
    ease
        Seconds over which a drag fades; None holds it from the first and to the last handle.
    keep_plants, ground
        As for :func:`motionloom.warp`; the feet would slide otherwise.

    Returns
    -------
    Clip
        The motion along the new path; with ``keep_plants`` its report is that of enforcement.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0).clip
    >>> bent = bend_path(clip, {0.0: (0, 0), 1.5: (0.4, 0), 3.0: (0, 0)})
    >>> bool(bent.root_positions[90, 0] - clip.root_positions[90, 0] > 0.3)
    True
    """
    check_clip("bend_path", clip)
    times = _checked_times(clip, handles)
    if ease is not None:
        ease = check_positive("ease, in seconds, or None to hold drags,", ease)
    drags = [check_array(f"the handle at {time:g} s", handles[time], (2,)) for time in times]
    if keep_plants:
        clip = plants_found(clip)[0]
    moments = np.arange(clip.n_frames, dtype=np.float64) * clip.frame_time
    drag = eased_curve(times, drags, [ease] * len(times))(moments)
    result = _along(clip, _steady(clip), drag)
    return with_plants_kept(clip, result, ground) if keep_plants else result


def _checked_times(clip: Clip, handles: Mapping[float, npt.ArrayLike]) -> list[float]:
    """The moments of handles in order, seconds; all of them within the clip."""
    if not isinstance(handles, Mapping):
        raise ParameterError(f"handles must be a dict of seconds and drags (x, z), not {handles!r}")
    if not handles:
        raise ParameterError("handles must name at least one moment at which the path is dragged")
    times = sorted(check_number("the time of a handle", time) for time in handles)
    for time in (times[0], times[-1]):
        if not -WITHIN <= time <= clip.duration + WITHIN:
            raise ParameterError(f"a handle is at {time:g} s, but the clip has 0 to {clip.duration:g} s")
    return times


def _steady(clip: Clip) -> FloatArray:
    """The path (T, 2) on the ground without the sway of steps, metres."""
    ground = clip.root_positions[:, [0, 2]]
    half = max(int(STEADY_SECONDS / clip.frame_time), 1)
    weights = 1.0 + np.cos(np.arange(-half, half + 1) * np.pi / (half + 1.0))
    padded = np.pad(ground, ((half, half), (0, 0)), mode="reflect", reflect_type="odd")
    columns = [np.convolve(column, weights / weights.sum(), mode="valid") for column in padded.T]
    return np.stack(columns, axis=-1)


def _along(clip: Clip, path: FloatArray, drag: FloatArray) -> Clip:
    """The clip with its path dragged (T, 2): what departs from the path turns along with it."""
    before, after = velocities(path, clip.frame_time), velocities(path + drag, clip.frame_time)
    crossed = before[:, 1] * after[:, 0] - before[:, 0] * after[:, 1]
    yaws = np.unwrap(np.arctan2(crossed, np.einsum("ti,ti->t", before, after)))
    speed = np.linalg.norm(before, axis=1)
    turn = rot.from_yaw(yaws * np.minimum(speed / WALKING, 1.0))
    way = path + drag
    flat = np.stack([path[:, 0], np.zeros(len(path)), path[:, 1]], axis=-1)
    moved = np.stack([way[:, 0], np.zeros(len(path)), way[:, 1]], axis=-1)
    turns = np.array(clip.rotations)
    turns[:, 0] = rot.multiply(turn, turns[:, 0])
    positions = moved + rot.rotate(turn, clip.root_positions - flat)
    return replace(clip, root_positions=freeze(positions), rotations=freeze(turns), cyclic=False, report=None)
