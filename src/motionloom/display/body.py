"""The shape a skeleton is drawn with: bones with a thickness, sides, a head and feet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.motion import Clip, Pose, Skeleton
from motionloom.motion.anatomy import Anatomy, find_anatomy
from motionloom.motion.kinematics import world_points

THIN, THICK = 0.0075, 0.0185
"""Radius of a limb at its free end, and its gain towards the trunk, as fractions of the figure's height."""

HEAD_RADIUS = 0.056
"""Radius of the head as a fraction of the figure's height."""


class Side(IntEnum):
    """The side of the body a point belongs to."""

    CORE = 0
    LEFT = 1
    RIGHT = 2


@dataclass(frozen=True, eq=False)
class Body:
    """How a skeleton is drawn. Its P points are the J joints, then the tips.

    Attributes
    ----------
    bones
        (B, 2) the points each bone joins, the one nearer the root first.
    chains
        The bones as limbs: chains of points from one branching to the next or to a free end.
    sides
        (P,) the `Side` of each point.
    radii
        (P,) thickness at each point, metres.
    head
        The two points between which the head sits, or None.
    feet
        The point whose path is drawn on the floor, for each leg.
    height
        Size of the figure in metres.
    """

    bones: IntArray
    chains: tuple[tuple[int, ...], ...]
    sides: IntArray
    radii: FloatArray
    head: tuple[int, int] | None
    feet: tuple[int, ...]
    height: float


def body_points(pose: Pose) -> FloatArray:
    """Return world positions (..., P, 3) of the joints and, after them, the tips."""
    joints, rotations = pose.world_positions(), pose.world_rotations()
    tips = pose.skeleton.tips
    if not tips:
        return joints
    owners = np.array([tip.joint for tip in tips], dtype=np.int64)
    offsets = np.array([tip.offset for tip in tips])
    lead, n_joints = joints.shape[:-2], joints.shape[-2]
    ends = world_points(joints.reshape(-1, n_joints, 3), rotations.reshape(-1, n_joints, 4), owners, offsets)
    return np.concatenate([joints, ends.reshape(*lead, len(tips), 3)], axis=-2)


def find_body(clip: Clip) -> Body:
    """Return the shape that a clip's skeleton is drawn with; bone lengths are those of its first frame."""
    skeleton, anatomy = clip.skeleton, find_anatomy(clip.skeleton)
    first = body_points(clip.at(0.0))
    parents = _point_parents(skeleton)
    height = _height(clip, first)
    children = np.flatnonzero(parents >= 0)
    sides = _sides(anatomy, parents)
    return Body(
        bones=freeze(np.column_stack([parents[children], children])),
        chains=_chains(parents, sides),
        sides=freeze(sides),
        radii=freeze(_radii(first, parents, height)),
        head=_head(skeleton, anatomy),
        feet=tuple(leg.ankle if leg.toe is None else leg.toe for leg in anatomy.legs),
        height=height,
    )


def _point_parents(skeleton: Skeleton) -> IntArray:
    owners = np.array([tip.joint for tip in skeleton.tips], dtype=np.int64)
    return np.concatenate([skeleton.parents, owners])


def _chains(parents: IntArray, sides: IntArray) -> tuple[tuple[int, ...], ...]:
    """Chain bones from one branching, or change of side, to the next."""
    children: list[list[int]] = [[] for _ in parents]
    for point, parent in enumerate(parents.tolist()):
        if parent >= 0:
            children[parent].append(point)

    def continues(point: int) -> bool:
        return len(children[point]) == 1 and sides[children[point][0]] == sides[point]

    chains = []
    for start, offspring in enumerate(children):
        if parents[start] >= 0 and continues(start):
            continue
        for point in offspring:
            chain = [start, point]
            while continues(chain[-1]):
                chain.append(children[chain[-1]][0])
            chains.append(tuple(chain))
    return tuple(chains)


def _height(clip: Clip, first: FloatArray) -> float:
    """Return the largest extent of the figure at rest or in its first frame.

    A skeleton without extent gets a fraction of its path, or a metre, so that a single joint shows.
    """
    rest = clip.skeleton.rest_positions()
    extent = float(max(np.ptp(rest, axis=0).max(), np.ptp(first, axis=0).max()))
    if extent > 0.0:
        return extent
    return 0.1 * float(np.ptp(clip.root_positions, axis=0).max()) or 1.0


def _sides(anatomy: Anatomy, parents: IntArray) -> IntArray:
    """Return the side of each point; hips and shoulders count as trunk, so that limbs begin below them."""
    sides = np.full(len(parents), Side.CORE, dtype=np.int64)
    for left, right in anatomy.pairs:
        sides[left], sides[right] = Side.LEFT, Side.RIGHT
    for point, parent in enumerate(parents.tolist()):
        if parent >= 0 and sides[point] == Side.CORE:
            sides[point] = sides[parent]
    for socket in [leg.hip for leg in anatomy.legs] + [arm.shoulder for arm in anatomy.arms]:
        while socket >= 0 and sides[socket] != Side.CORE:
            sides[socket] = Side.CORE
            socket = int(parents[socket])
    return sides


def _radii(points: FloatArray, parents: IntArray, height: float) -> FloatArray:
    """Return the thickness at each point: it grows with the longest chain below the point."""
    if len(parents) == 1:
        return np.array([HEAD_RADIUS * height])
    reach = np.zeros(len(parents))
    for point in range(len(parents) - 1, 0, -1):
        parent = parents[point]
        length = float(np.linalg.norm(points[point] - points[parent]))
        reach[parent] = max(reach[parent], reach[point] + length)
    return np.asarray(height * (THIN + THICK * np.sqrt(np.minimum(2.0 * reach / height, 1.0))))


def _head(skeleton: Skeleton, anatomy: Anatomy) -> tuple[int, int] | None:
    """Return the head joint and its tip; without a tip, the joint twice."""
    if anatomy.head is None:
        return None
    tips = [number for number, tip in enumerate(skeleton.tips) if tip.joint == anatomy.head]
    return anatomy.head, skeleton.n_joints + tips[0] if tips else anatomy.head
