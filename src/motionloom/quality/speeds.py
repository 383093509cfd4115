"""How fast joints move as seen from the body and turn against their parents, and how far bones stretch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.kinematics import angular_velocities
from motionloom.quality.checks import check_same_joints
from motionloom.quality.derivatives import CUTOFF, magnitudes, seen_from_body

SLOWEST = 0.01
"""Joints that nowhere become faster than this, m/s, do not move; their speeds are not compared."""

SHORTEST_BONE = 0.01
"""Metres; what lies nearer to its parent is no bone that could stretch."""


def joint_speeds(clip: Clip, *, cutoff: float | None = CUTOFF) -> FloatArray:
    """The peak speed (J,) of every joint as seen from the root, with axes that turn with the heading, m/s.

    Positions are smoothed at ``cutoff`` Hz first (:mod:`motionloom.quality.derivatives`), so that a glitch of
    one frame does not count as speed; None takes them as they are.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> speeds = joint_speeds(clip)
    >>> speeds[0], bool(2.0 < speeds[clip.skeleton.index("LeftFoot")] < 4.0)
    (np.float64(0.0), True)
    """
    return np.asarray(magnitudes(seen_from_body(clip), clip.frame_time, 1, cutoff).values.max(axis=0))


def turning_speeds(clip: Clip, *, cutoff: float | None = CUTOFF) -> FloatArray:
    """The peak angular speed (J,) of every joint against its parent, rad/s; of the root against the world.

    Angular velocities are smoothed at ``cutoff`` Hz first; None takes them as they are.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> bool(3.0 < turning_speeds(clip)[clip.skeleton.index("LeftLeg")] < 10.0)
    True
    """
    turning = angular_velocities(clip.rotations, clip.frame_time)
    return np.asarray(magnitudes(turning, clip.frame_time, 0, cutoff).values.max(axis=0))


def stretches(clip: Clip) -> FloatArray:
    """The largest change of each bone's length against the skeleton's (J,), as a share of it.

    The bone of a joint leads to it from its parent. Bones shorter than a centimetre, and the root, have 0.

    >>> from motionloom.synthesis import walk
    >>> float(stretches(walk(duration=1.0).clip).max())
    0.0
    """
    lengths = np.linalg.norm(clip.skeleton.offsets, axis=-1)
    if clip.translations is None or not clip.n_frames:
        return np.zeros(len(lengths))
    moved = np.abs(np.linalg.norm(clip.translations, axis=-1) - lengths).max(axis=0)
    bones = (lengths >= SHORTEST_BONE) & (clip.skeleton.parents >= 0)
    return np.where(bones, moved / np.where(bones, lengths, 1.0), 0.0)


def speed_ratios(clip: Clip, sources: Sequence[Clip], *, cutoff: float | None = CUTOFF) -> FloatArray:
    """The peak speed of every joint over its peak speed in the fastest source (J,).

    Joints that move nowhere have the ratio 0, joints that move in the clip only an infinite one.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> float(speed_ratios(clip, [clip]).max())
    1.0
    """
    if not sources:
        raise ParameterError("speeds are compared with those of the sources: sources is empty")
    check_same_joints(clip, sources)
    own = joint_speeds(clip, cutoff=cutoff)
    fastest = np.max([joint_speeds(source, cutoff=cutoff) for source in sources], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(fastest > SLOWEST, own / fastest, np.inf)
    return np.where(own > SLOWEST, ratios, 0.0)
