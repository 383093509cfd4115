"""`MovedLimb`: a limb whose end inverse kinematics moves, in a motion that is played live."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import Chain, find_hinge, solve_limb
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import Arm, Leg

MAX_EXTENSION = 0.99
"""Length of a leg from hip to ankle, as a fraction of its bones, up to which a foot is kept in its place: a
straight knee snaps."""


_PARENTS = np.array([-1, 0, -1, 2, -1, 4])
_CHAIN = (1, 3, 5)
"""The skeleton of one limb: the parents of its upper, middle and end joint, each before its joint."""


@dataclass(eq=False)
class MovedLimb:
    """A limb, the axis (3,) about which it bends, and how far (3,) its end is moved, metres."""

    chain: Chain
    hinge: FloatArray
    joints: list[int]
    """Its joints, each after its parent, which is -1 above a root."""
    shift: FloatArray = field(default_factory=lambda: np.zeros(3))
    stand: FloatArray | None = None
    """Where its foot stays, (3,); None while it goes where the motion takes it."""


def make_limb(example: Clip, limb: Leg | Arm, skeleton: Skeleton, left: FloatArray) -> MovedLimb:
    """Return a limb that can be moved and bends as in an example; ``left`` (3,) the body's left."""
    return MovedLimb(
        limb.chain,
        _find_hinge(example, limb, left),
        [each for joint in limb.chain for each in (int(skeleton.parents[joint]), joint)],
    )


def solve_limbs(limbs: Sequence[MovedLimb], positions: FloatArray, rotations: FloatArray) -> FloatArray:
    """Return local rotations (N, 3, 4) of the joints of N limbs whose ends are moved; all in one pass.

    Each limb becomes a frame of a small skeleton: its three joints, and the parent of each.
    """
    # The last row stands for the parent of a root.
    with_world = np.vstack([rotations, rot.IDENTITY])
    rows = np.array([limb.joints for limb in limbs])
    corners = positions[np.maximum(rows, 0)]
    return solve_limb(
        _PARENTS,
        corners,
        with_world[rows],
        _CHAIN,
        corners[:, 5] + np.array([limb.shift for limb in limbs]),
        hinge=np.array([limb.hinge for limb in limbs]),
    ).rotations


def keep_bent(shift: FloatArray, hip: FloatArray, knee: FloatArray, ankle: FloatArray) -> FloatArray:
    """Return as much of a shift (3,) of an ankle as leaves the leg no straighter than it may be.

    It may be as straight as it is anyway, or as :data:`MAX_EXTENSION` says.
    """
    return keep_within(ankle - hip, shift, max_length(hip, knee, ankle))


def max_length(hip: FloatArray, knee: FloatArray, ankle: FloatArray) -> float:
    """Return how long a leg may be from hip to ankle: as it is, or as :data:`MAX_EXTENSION` says, metres."""
    whole = float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))
    return max(float(np.linalg.norm(ankle - hip)), MAX_EXTENSION * whole)


def keep_within(start: FloatArray, offset: FloatArray, radius: float) -> FloatArray:
    """Return as much of an offset (3,) as ends within ``radius`` of the origin; none if it begins beyond.

    >>> keep_within(np.array([1.0, 0.0, 0.0]), np.array([4.0, 0.0, 0.0]), 2.0).tolist()
    [1.0, 0.0, 0.0]
    """
    if np.linalg.norm(start + offset) <= radius:
        return offset
    # |start + fraction * offset| = radius
    a, b, c = float(offset @ offset), float(start @ offset), float(start @ start) - radius * radius
    return offset * float(np.clip((np.sqrt(max(b * b - a * c, 0.0)) - b) / a, 0.0, 1.0)) if a else offset


def _find_hinge(example: Clip, limb: Leg | Arm, left: FloatArray) -> FloatArray:
    """Return the axis (3,) about which a limb bends in a clip."""
    sideways = -left if isinstance(limb, Leg) else left
    return find_hinge(example.world_positions(), example.world_rotations(), limb.chain, sideways)


def find_max_speed(clip: Clip, joint: int) -> float:
    """Return the largest speed of a joint in a clip, m/s."""
    velocities = clip.world_velocities()[:, joint]
    return float(np.linalg.norm(velocities, axis=-1).max())
