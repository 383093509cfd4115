"""Root motion: travel over the ground taken out of a clip and put back, and the joint that carries it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.arrangement import Arrangement
from motionloom.motion.body import take_body
from motionloom.motion.ground_path import MAX_SMOOTHING, SMOOTHING, GroundPath, ground_path
from motionloom.motion.provenance import derive
from motionloom.motion.result import ClipLike, check_clip
from motionloom.validation import check_choice, check_number

RootMotion = Literal["root", "hips", "nowhere"]
ROOT_MOTION: tuple[RootMotion, ...] = ("root", "hips", "nowhere")
"""What may carry the travel of a clip over the ground."""


def split_root(clip: ClipLike, *, smoothing: float = SMOOTHING) -> tuple[Clip, GroundPath]:
    """Split a clip into the motion in place, facing +Z over the origin, and the path over the ground.

    The path is smooth, so the sway of the hips stays in the body and feet do not slide sideways.
    :func:`join_root` puts both together again. A cyclic clip loops in place as it does along its path. A root
    joint that stands still stays where it is: the joint that carries the body is brought over the origin.
    Constraints are unchanged and their targets lie along the path, so put the travel back before you enforce
    them.

    Parameters
    ----------
    clip
        The motion.
    smoothing
        Standard deviation of the Gaussian that smooths the path, seconds; 0 removes all horizontal motion of
        the root.

    Returns
    -------
    Clip, GroundPath
        The motion in place, and the path over the ground.

    Raises
    ------
    ParameterError
        ``smoothing`` is no number of seconds.

    >>> from motionloom.synthesis import walk
    >>> in_place, path = split_root(walk(speed=1.2, duration=2.0).clip)
    >>> round(path.length, 1), bool(abs(in_place.root_positions[:, [0, 2]]).max() < 0.05)
    (2.4, True)
    """
    clip = check_clip("split_root", clip)
    duration = check_number("smoothing", smoothing, min=0.0, max=MAX_SMOOTHING, unit="seconds")
    body = clip.body
    values = ground_path(body, 0, duration)
    path = GroundPath(body.skeleton.names[0], clip.frame_time, freeze(values[:, :2]), freeze(values[:, 2]))
    headings = rot.inverse(rot.from_yaw(path.yaws))
    positions = rot.rotate(headings, body.root_positions - _offsets(path))
    return _move_root(body, positions, rot.multiply(headings, body.rotations[:, 0])), path


def join_root(clip: ClipLike, path: GroundPath) -> Clip:
    """Move an in-place clip along a path: the inverse of :func:`split_root`.

    Parameters
    ----------
    clip
        An in-place clip with as many frames as the path.
    path
        The path over the ground.

    Returns
    -------
    Clip
        The clip along the path.

    Raises
    ------
    ParameterError
        The path has another number of frames, or is no path.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> bool(abs(join_root(*split_root(clip)).root_positions - clip.root_positions).max() < 1e-12)
    True
    """
    clip = check_clip("join_root", clip)
    if not isinstance(path, GroundPath):
        raise ParameterError(
            f"must be a GroundPath, as returned by split_root, not a {type(path).__name__}", parameter="path"
        )
    if len(path) != clip.n_frames:
        raise ParameterError(
            f"the path has {len(path)} frames and the clip {clip.n_frames}",
            remedy="resample one of them first",
        )
    body = take_body(clip, clip.skeleton.index(path.joint))
    headings = rot.from_yaw(path.yaws)
    positions = rot.rotate(headings, body.root_positions) + _offsets(path)
    return _move_root(body, positions, rot.multiply(headings, body.rotations[:, 0]))


def move_root_motion(clip: ClipLike, to: RootMotion) -> Clip:
    """Let another joint carry the travel over the ground, or none; poses stay as they are.

    Parameters
    ----------
    clip
        The motion.
    to
        "root": the joint above the hips travels and turns with the body, as game engines want it; a rig whose
        root is the hips gets a joint named "root" above them. "hips": the joint above stays at the origin,
        and the hips carry everything. "nowhere": the body stays in place, facing +Z over the origin;
        :func:`split_root` also returns the path that this drops.

    Returns
    -------
    Clip
        The same motion, carried by another joint.

    Raises
    ------
    ParameterError
        ``to`` is none of these.

    >>> from motionloom.synthesis import walk
    >>> clip = move_root_motion(walk(speed=1.2, duration=2.0).clip, "root")
    >>> clip.skeleton.names[:2], round(float(clip.root_positions[-1, 2] - clip.root_positions[0, 2]), 1)
    (('root', 'Hips'), 2.4)
    """
    clip = check_clip("move_root_motion", clip)
    check_choice("to", to, ROOT_MOTION)
    if to == "nowhere":
        return split_root(clip)[0]
    body = clip.body
    own = body.arrangement
    if own is None:
        if to == "hips":
            return clip
        own = Arrangement.above(body)
    return replace(
        body, arrangement=own.carrying(to == "root"), provenance=derive(clip, "root moved")
    ).arranged()


def _offsets(path: GroundPath) -> FloatArray:
    return np.stack([path.positions[:, 0], np.zeros(len(path)), path.positions[:, 1]], axis=-1)


def _move_root(body: Clip, positions: FloatArray, rotations: FloatArray) -> Clip:
    """Give the joint that carries the body other world positions (T, 3) and rotations (T, 4)."""
    local = np.array(body.rotations)
    local[:, 0] = rotations
    return replace(
        body,
        root_positions=freeze(positions),
        rotations=freeze(local),
        provenance=derive(body, "root moved"),
    ).arranged()
