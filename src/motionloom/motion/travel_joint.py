"""The travel joint: the joint of a rig that carries the body over the ground.

Mostly it is the root. Many rigs have a joint above the hips that stays at the origin (game characters,
several capture systems) or only moves over the ground (Unreal's ``root``); then the hips carry the body.
"""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion.anatomy import find_anatomy, tree
from motionloom.motion.clip import Clip
from motionloom.motion.skeleton import Skeleton

STILL = 1e-3
"""A joint whose position varies by less than this stands still, metres: files round to a tenth of it."""

SAME_ROTATION = np.radians(0.5)
"""Rotations closer than this are the same: files round angles to a hundredth of a degree, and a body that is
alive tilts by several degrees."""

FLOOR_LEVEL = 0.25
"""A joint lies at floor level when it is lower than this fraction of the body's height. Hips of a standing
body lie at half of it."""

MIN_BODY_FRACTION = 0.5
"""Without legs to go by, the body hangs on the child that has more than this fraction of the joints."""


def find_travel_joint(clip: Clip) -> int:
    """Return the index of the joint that carries the body: the root, unless the root only holds it.

    On the way from the root to the hips, a joint is above the body when it stays upright and either lies at
    floor level, or keeps its height while the next joint moves in its frame. Without legs, the way leads to
    the child with most of the joints, and only the second rule counts: a crane stands on its base.

    >>> from motionloom.synthesis import walk
    >>> find_travel_joint(walk(duration=1.0).clip)
    0
    """
    joint = 0
    for below in path_to_hips(clip.skeleton)[1:]:
        if not _holds_body(clip, joint, below):
            break
        joint = below
    return joint


def path_to_hips(skeleton: Skeleton) -> list[int]:
    """Return the joints from the root down to where the legs begin."""
    legs = find_anatomy(skeleton).legs
    if len(legs) == 2:
        return tree.path_between(skeleton, 0, tree.common_ancestor(skeleton, [leg.hip for leg in legs]))
    sizes = tree.count_below(skeleton)
    path = [0]
    while children := skeleton.children(path[-1]):
        biggest = max(children, key=lambda child: sizes[child])
        if sizes[biggest] <= MIN_BODY_FRACTION * skeleton.n_joints:
            break
        path.append(biggest)
    return path


def _holds_body(clip: Clip, joint: int, below: int) -> bool:
    """Tell whether a joint only holds the body, which the next joint below it carries."""
    if not clip.n_frames or not _stays_upright(clip, joint):
        return False
    positions = clip.world_positions()
    height = positions[:, joint, 1]
    body = positions[:, tree.subtree(clip.skeleton, below), 1]
    low, high = np.median(body.min(axis=1)), np.median(body.max(axis=1))
    legged = len(find_anatomy(clip.skeleton).legs) == 2
    if legged and np.median(height) < low + FLOOR_LEVEL * (high - low):
        return True
    return bool(np.ptp(height) < STILL) and moves(clip.local_positions()[:, below])


def may_hold(clip: Clip, joint: int) -> bool:
    """Tell whether all joints above this one stay upright and at one height; no frames do not show it."""
    if not clip.n_frames:
        return False
    above = tree.ancestors(clip.skeleton, joint)[1:]
    heights = clip.world_positions()[:, above, 1]
    return all(_stays_upright(clip, j) for j in above) and bool((np.ptp(heights, axis=0) < STILL).all())


def _stays_upright(clip: Clip, joint: int) -> bool:
    """Tell whether a joint turns about the vertical alone."""
    # Most roots turn about more than the vertical, and then no other joint is looked at.
    world = clip.world_rotations()[:, joint] if joint else clip.rotations[:, 0]
    up = rot.rotate(rot.inverse(world), np.array([0.0, 1.0, 0.0]))
    return bool((np.linalg.norm(up - up[0], axis=1) < SAME_ROTATION).all())


def moves(positions: FloatArray) -> bool:
    """Tell whether positions (T, 3) change."""
    return bool((np.ptp(positions, axis=0) >= STILL).any())


def rotates(rotations: FloatArray) -> bool:
    """Tell whether rotations (T, 4) change."""
    cosines = np.abs((rotations * rotations[:1]).sum(axis=-1))
    return bool((cosines < np.cos(SAME_ROTATION / 2.0)).any())
