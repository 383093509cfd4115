"""Body measures: proportions of adults, body height and heading."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations
from motionloom.motion.anatomy import tree
from motionloom.motion.anatomy.body_axes import SNAP
from motionloom.motion.anatomy.find_anatomy import Arm, Leg, find_anatomy
from motionloom.motion.anatomy.thresholds import ANKLE_HEIGHT, HEAD_LENGTH, HIP_HEIGHT, KNEE_HEIGHT, MAX_HEAD
from motionloom.motion.skeleton import Skeleton

if TYPE_CHECKING:
    from motionloom.motion.clip import Clip

MIN_HEADING = 0.5
"""Below this length of the summed forward directions (four where the body is upright) a frame has no heading
of its own, as during a handstand."""


@lru_cache(maxsize=256)
def body_height(skeleton: Skeleton) -> float | None:
    """Return the standing height of a body in the skeleton's own unit, from bone lengths; None without legs.

    Leg, spine and head are added up along the bones, so the rest pose and its axes do not matter. The height
    of the ankle above the sole comes from an adult's proportions, and so does the head, or everything above
    the hips, where the skeleton does not have it.

    >>> legs = ["LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    >>> down, aside = [0, -0.43, 0], [0.1, 0, 0]
    >>> body = Skeleton(
    ...     ["Hips", *legs], [-1, 0, 1, 2, 0, 4, 5], [[0, 1, 0], aside, down, down, [-0.1, 0, 0], down, down]
    ... )
    >>> round(body_height(body), 2)
    1.75
    """
    anatomy = find_anatomy(skeleton)
    if not anatomy.legs:
        return None
    legs = float(np.mean([_leg_length(skeleton, leg) for leg in anatomy.legs]))
    if anatomy.head is None:
        return legs / HIP_HEIGHT
    positions = skeleton.rest_positions()
    hips = positions[[leg.hip for leg in anatomy.legs]].mean(axis=0)
    # A single leg does not show the centre between the hips.
    lift = float(np.linalg.norm(positions[anatomy.pelvis] - hips)) if len(anatomy.legs) == 2 else 0.0
    spine = sum(tree.bone(skeleton, joint) for joint in anatomy.spine[1:])
    below_head = legs + lift + spine
    return below_head + _head_length(skeleton, anatomy.head, below_head)


def facing(clip: Clip) -> FloatArray:
    """Return the heading (T,) of the body in each frame: yaw in radians, 0 along +Z, positive towards +X.

    Forward is perpendicular to the left–right axes of hips and shoulders, once relative to the vertical and
    once relative to the trunk: the first works when the body bends, the second when it leans sideways. Frames
    without a heading take it from their neighbours. The yaw is continuous past ±π; the first frame lies
    within. A body without limbs has the heading of its root.

    >>> from motionloom.motion import Clip
    >>> dot = Skeleton(["root"], [-1], [[0, 0, 0]])
    >>> facing(Clip(dot, 0.1, [[0, 1, 0]], [[rotations.from_yaw(0.5)]])).round(9)
    array([0.5])
    """
    forward = np.zeros((clip.n_frames, 3))
    for joint, left, ahead in _find_carriers(clip.skeleton):
        rest = rotations.inverse(clip.skeleton.rest_world_rotations()[joint])
        turned = rotations.multiply(clip.world_rotations()[:, joint], rest)
        across = rotations.rotate(turned, left)
        # The cross product with the vertical, without the part along it.
        forward[:, 0] -= across[:, 2]
        forward[:, 2] += across[:, 0]
        forward += rotations.rotate(turned, ahead)
    strength = np.hypot(forward[:, 0], forward[:, 2])
    yaws = np.arctan2(forward[:, 0], forward[:, 2])
    frames = np.arange(len(yaws))
    sure = strength >= MIN_HEADING
    if not sure.any():
        return yaws
    return np.interp(frames, frames[sure], np.unwrap(yaws[sure]))


def body_positions(clip: Clip) -> FloatArray:
    """Return joint positions (T, J, 3) relative to the root, with axes that turn with the heading, metres.

    Only the heading is removed, not the whole rotation of the root: the tilt of a captured pelvis is noisy,
    and would make all other joints as noisy.

    >>> from motionloom.synthesis import stand
    >>> relative = body_positions(stand(duration=1.0).clip)
    >>> relative.shape[1], relative[:, 0].any()
    (22, np.False_)
    """
    positions = clip.world_positions()
    back = rotations.from_yaw(-facing(clip))[:, None]
    return rotations.rotate(back, positions - positions[:, :1])


def _leg_length(skeleton: Skeleton, leg: Leg) -> float:
    """Return the length from the hip down to the sole."""
    shin = tree.length_between(skeleton, leg.knee, leg.ankle)
    sole = shin * ANKLE_HEIGHT / (KNEE_HEIGHT - ANKLE_HEIGHT)
    return tree.length_between(skeleton, leg.hip, leg.ankle) + sole


def _head_length(skeleton: Skeleton, head: int, below: float) -> float:
    top = tree.end_point(skeleton, head)
    if top is None:
        return below * HEAD_LENGTH / (1.0 - HEAD_LENGTH)
    return min(float(np.linalg.norm(top.offset)), MAX_HEAD * below)


@lru_cache(maxsize=256)
def _find_carriers(skeleton: Skeleton) -> tuple[tuple[int, FloatArray, FloatArray], ...]:
    """Return the joints that carry both legs and both arms, or the root; their left and forward axes (3,)."""
    anatomy = find_anatomy(skeleton)
    limbs = [pair for pair in (anatomy.legs, anatomy.arms) if len(pair) == 2]
    carriers = [_carrier(skeleton, pair, anatomy.left) for pair in limbs] or [(0, anatomy.left)]
    return tuple((joint, left, _units(np.cross(left, anatomy.up))) for joint, left in carriers)


def _carrier(skeleton: Skeleton, limbs: Sequence[Leg | Arm], left: FloatArray) -> tuple[int, FloatArray]:
    """Find the joint that carries a left and a right limb, and the axis (3,) from right to left at rest.

    The axis is the left axis of the rest pose, since measured shoulders are tilted by a few degrees. Only
    where the limbs deviate much from it at rest, the line between their first joints counts.
    """
    ends = [limb.chain[0] for limb in limbs]
    carrier = tree.common_ancestor(skeleton, ends)
    positions = skeleton.rest_positions()
    paths = [tree.path_between(skeleton, carrier, end)[1:] for end in ends]
    lines = [positions[a] - positions[b] for a, b in zip(*paths, strict=False)]
    min_length = tree.COINCIDENT * tree.size(skeleton)
    line = _units(next((line for line in lines if np.linalg.norm(line) > min_length), left))
    return carrier, left if line @ left >= SNAP else line


def _units(vectors: FloatArray) -> FloatArray:
    """Normalize vectors (..., 3); zero vectors stay."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))
