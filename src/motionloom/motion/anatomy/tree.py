"""The joint tree: ancestors, descendants, paths and lengths."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from motionloom.geometry import rotations
from motionloom.motion.skeleton import Skeleton, Tip

COINCIDENT = 1e-6
"""Points nearer to each other than this fraction of the skeleton's size coincide."""


def ancestors(skeleton: Skeleton, joint: int) -> list[int]:
    """Return the joint, its parent, and so on up to the root."""
    chain = [joint]
    while (parent := int(skeleton.parents[chain[-1]])) >= 0:
        chain.append(parent)
    return chain


def path_between(skeleton: Skeleton, top: int, bottom: int) -> list[int]:
    """Return the joints from ``top`` down to its descendant ``bottom``, both included."""
    up = ancestors(skeleton, bottom)
    return up[: up.index(top) + 1][::-1]


def common_ancestor(skeleton: Skeleton, joints: Iterable[int]) -> int:
    """Return the lowest joint above (or equal to) all the given ones; the root when none are given."""
    shared: list[int] | None = None
    for joint in joints:
        chain = ancestors(skeleton, joint)
        shared = chain if shared is None else [above for above in shared if above in set(chain)]
    return shared[0] if shared else 0


def subtree(skeleton: Skeleton, joint: int) -> list[int]:
    """Return the joint and everything below it, parents before children."""
    found = [joint]
    for current in found:
        found.extend(skeleton.children(current))
    return found


def count_below(skeleton: Skeleton) -> list[int]:
    """Return how many joints there are from each joint down, itself included."""
    counts = [1] * skeleton.n_joints
    for joint in range(skeleton.n_joints - 1, 0, -1):
        counts[int(skeleton.parents[joint])] += counts[joint]
    return counts


def size(skeleton: Skeleton) -> float:
    """Return the sum of all bone lengths below the root, tips included; in the skeleton's own unit."""
    ends = sum(float(np.linalg.norm(tip.offset)) for tip in skeleton.tips)
    return float(np.linalg.norm(skeleton.offsets[1:], axis=1).sum()) + ends


def bone(skeleton: Skeleton, joint: int) -> float:
    """Return the length of the bone from the joint's parent to it."""
    return float(np.linalg.norm(skeleton.offsets[joint]))


def length_between(skeleton: Skeleton, top: int, bottom: int) -> float:
    """Return the length of the bones from a joint down to one of its descendants."""
    return sum(bone(skeleton, joint) for joint in path_between(skeleton, top, bottom)[1:])


def end_point(skeleton: Skeleton, joint: int) -> Tip | None:
    """Return the point below a joint that lies farthest from it at rest, in the joint's frame, or None."""
    positions, rest_rotations = skeleton.rest_positions(), skeleton.rest_world_rotations()
    below = set(subtree(skeleton, joint))
    ends = [
        positions[tip.joint] + rotations.rotate(rest_rotations[tip.joint], tip.offset)
        for tip in skeleton.tips
        if tip.joint in below
    ]
    points = np.array([positions[j] for j in below] + ends) - positions[joint]
    distances = np.linalg.norm(points, axis=1)
    if distances.max() <= COINCIDENT * size(skeleton):
        return None
    return Tip(joint, rotations.rotate(rotations.inverse(rest_rotations[joint]), points[distances.argmax()]))


def has_tip(skeleton: Skeleton, joint: int) -> bool:
    """Return whether a tip lies away from the joint itself."""
    min_length = COINCIDENT * size(skeleton)
    return any(tip.joint == joint and np.linalg.norm(tip.offset) > min_length for tip in skeleton.tips)
