"""Bending the path: drag points of the root's path over the ground, and the body turns along with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from motionloom.annotation.ground import Surface
from motionloom.arrays import FloatArray, check_array, freeze
from motionloom.enforcement.report import EnforcementReport
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.body import on_body
from motionloom.motion.filters import smooth
from motionloom.motion.kinematics import velocities
from motionloom.motion.provenance import derive
from motionloom.motion.result import ClipLike, Result, check_clip
from motionloom.validation import check_number, check_positive
from motionloom.warping.curves import fit_eased_spline
from motionloom.warping.plants import ensure_plants, hold_plants

SMOOTHING_RADIUS = 0.5
"""Half the time over which the root's position is averaged into a path, seconds: the sway of a step averages
out within it."""

WALKING_SPEED = 0.3
"""Metres per second below which the direction of a path counts less and less: standing bodies do not turn."""

TIME_SLACK = 1e-6
"""Seconds by which a handle may lie beyond the clip's ends: rounding."""


@on_body
def bend_path(
    clip: ClipLike,
    handles: Mapping[float, npt.ArrayLike],
    *,
    ease: float | None = None,
    keep_plants: bool = True,
    ground: float | Surface | None = None,
) -> Result[EnforcementReport | None]:
    """Drag points of the root's path over the ground; the motion goes along and turns with the path.

    Parameters
    ----------
    clip
        Any clip that travels.
    handles
        Seconds of the clip -> (x, z) by which the path is dragged there, metres.
    ease
        Seconds over which a drag fades; None holds it before the first and after the last handle.
    keep_plants, ground
        As for :func:`motionloom.warp`; without them feet slide.

    Returns
    -------
    Result
        The motion along the new path; with ``keep_plants`` the report is that of :func:`motionloom.enforce`,
        else None.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0).clip
    >>> bent = bend_path(clip, {0.0: (0, 0), 1.5: (0.4, 0), 3.0: (0, 0)})
    >>> bool(bent.clip.root_positions[90, 0] - clip.root_positions[90, 0] > 0.3)
    True
    """
    clip = check_clip("bend_path", clip)
    times = _check_times(clip, handles)
    if ease is not None:
        ease = check_positive("ease, in seconds, or None to hold drags,", ease)
    drags = [check_array(f"the handle at {time:g} s", handles[time], (2,)) for time in times]
    if keep_plants:
        clip = ensure_plants(clip)[0]
    frame_times = np.arange(clip.n_frames, dtype=np.float64) * clip.frame_time
    drag = fit_eased_spline(times, drags, [ease] * len(times))(frame_times)
    result = _move_along(clip, _smooth_path(clip), drag)
    return Result(*hold_plants(clip, result, ground)) if keep_plants else Result(result, None)


def _check_times(clip: Clip, handles: Mapping[float, npt.ArrayLike]) -> list[float]:
    """Return the times of handles in order, seconds; all of them lie within the clip."""
    if not isinstance(handles, Mapping):
        raise ParameterError(
            f"must be a dict of seconds and drags (x, z), not {handles!r}", parameter="handles", value=handles
        )
    if not handles:
        raise ParameterError(
            "must name at least one moment at which the path is dragged", parameter="handles"
        )
    times = sorted(check_number("the time of a handle", time) for time in handles)
    for time in (times[0], times[-1]):
        if not -TIME_SLACK <= time <= clip.duration + TIME_SLACK:
            raise ParameterError(
                f"a handle is at {time:g} s, but the clip runs from 0 to {clip.duration:g} s"
            )
    return times


def _smooth_path(clip: Clip) -> FloatArray:
    """Return the path (T, 2) on the ground without the sway of steps, metres."""
    ground = clip.root_positions[:, [0, 2]]
    half = max(int(SMOOTHING_RADIUS / clip.frame_time), 1)
    return smooth(ground, half, ends="go on")


def _move_along(clip: Clip, path: FloatArray, drag: FloatArray) -> Clip:
    """Drag the path (T, 2) of a clip; the root's offset from it turns along."""
    dragged = path + drag
    before, after = velocities(path, clip.frame_time), velocities(dragged, clip.frame_time)
    cross = before[:, 1] * after[:, 0] - before[:, 0] * after[:, 1]
    yaws = np.unwrap(np.arctan2(cross, np.einsum("ti,ti->t", before, after)))
    speed = np.linalg.norm(before, axis=1)
    turn = rot.from_yaw(yaws * np.minimum(speed / WALKING_SPEED, 1.0))
    origins = np.stack([path[:, 0], np.zeros(len(path)), path[:, 1]], axis=-1)
    targets = np.stack([dragged[:, 0], np.zeros(len(path)), dragged[:, 1]], axis=-1)
    rotations = np.array(clip.rotations)
    rotations[:, 0] = rot.multiply(turn, rotations[:, 0])
    positions = targets + rot.rotate(turn, clip.root_positions - origins)
    return replace(
        clip,
        root_positions=freeze(positions),
        rotations=freeze(rotations),
        cyclic=False,
        provenance=derive(clip, "path bent"),
    )
