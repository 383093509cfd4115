"""Find and undo twists: limbs whose bones turn about themselves by half a turn, with every joint in place.

Where a knee or an elbow is straight, or bends a little to the wrong side, programs that fit a skeleton to
markers turn thigh and shin about themselves by half a turn, so that the joint bends to the usual side again,
and turn the foot back. No joint moves, so nobody sees it; but a blend with another clip lies half-way between
a limb and the same limb turned around, and is thrown about. Undone, all joints stay where they are, and the
end of the limb keeps its orientation: thigh and shin turn back, and the knee bends to the other side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import radians

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, dot, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy, tree
from motionloom.repair.bridge import fill_gap
from motionloom.repair.fault import Fault

MIN_TWIST = radians(140.0)
"""Smallest rotation about the bone between two frames that counts: half a turn, less the motion of a frame at
low rates. Arms that are thrown about turn by up to 115°."""

MAX_TWIST_SPEED = radians(3000.0)
"""Angular speed of a thigh or an upper arm that nobody reaches, rad/s: frames between two such steps lie on
the way from one side to the other, in clips that were resampled."""

MAX_STEP_RATIO = 0.6
"""Steps of all joints of the limb when a twist is undone, over those as they are: the end turns back too."""

MAX_BONE_STEP = radians(40.0)
"""Largest angle between directions of a bone before and after: the bones stay, and turn about themselves. A
knee that swings around the line from hip to ankle is another fault."""


def find_twists(clip: Clip, products: FloatArray, captured: BoolArray) -> list[Fault]:
    """Return the frames in which limbs are twisted.

    Where a limb changes sides, the side on which it is turned further away from the rest pose is wrong.

    Parameters
    ----------
    clip
        The motion.
    products
        (T - 1, J) inner products of each joint's rotation with the one a frame earlier.
    captured
        (J,) which joints to look at.
    """
    faults: list[Fault] = []
    anatomy = find_anatomy(clip.skeleton)
    limbs = [(leg.hip, leg.ankle) for leg in anatomy.legs] + [
        (arm.shoulder, arm.wrist) for arm in anatomy.arms
    ]
    # One fast step is needed for a twist: hardly any limb gets further.
    limit = np.cos(min(MIN_TWIST, MAX_TWIST_SPEED * clip.frame_time) / 2.0)
    for top, end in limbs:
        if captured[top] and captured[end] and np.abs(products[:, top]).min() < limit:
            faults += _find_limb_twists(clip, tree.path_between(clip.skeleton, top, end))
    return faults


def untwist(clip: Clip, twists: Sequence[Fault]) -> Clip:
    """Return the clip with twists undone."""
    rotations = np.array(clip.rotations)
    for fault in twists:
        _untwist(clip, fault, rotations)
    return replace(clip, rotations=freeze(rotations))


def _untwist(clip: Clip, fault: Fault, rotations: FloatArray) -> None:
    """Undo a twist in ``rotations`` (T, J, 4) of the clip, in place."""
    skeleton = clip.skeleton
    chain = tree.path_between(skeleton, skeleton.index(fault.joint), skeleton.index(fault.partner))
    axes, top = _bone_axes(clip, chain), clip.rotations[:, chain[0]]
    known = np.flatnonzero(_is_known(top, clip.frame_time))
    inside = known[(known >= fault.first) & (known <= fault.last)]
    first, last = int(inside[0]), int(inside[-1])
    edges = [
        float(_twist_angle(top[at], top[other], axes[0]))
        for at, other in ((first, fault.first - 1), (last, fault.last + 1))
        if 0 <= other < clip.n_frames
    ]
    start, end = edges[0], edges[-1]
    end += 2.0 * np.pi * round((start - end) / (2.0 * np.pi))
    angles = np.linspace(start, end, last - first + 1)
    part = slice(first, last + 1)
    twists_back = [rot.from_axis_angle(axis, angles) for axis in axes]
    for n, joint in enumerate(chain):
        own = rotations[part, joint]
        if n > 0:
            own = rot.multiply(rot.inverse(twists_back[n - 1]), own)
        rotations[part, joint] = rot.multiply(own, twists_back[n]) if n < len(twists_back) else own
    for gap in ((fault.first, first - 1), (last + 1, fault.last)):
        for joint in chain if gap[0] <= gap[1] else ():
            rotations[gap[0] : gap[1] + 1, joint] = fill_gap(rotations[:, joint], *gap, rotations=True)


def _find_limb_twists(clip: Clip, chain: list[int]) -> list[Fault]:
    axes, top = _bone_axes(clip, chain), clip.rotations[:, chain[0]]
    known = np.flatnonzero(_is_known(top, clip.frame_time))
    jumps = _twist_angle(top[known[1:]], top[known[:-1]], axes[0])
    changes = np.abs(jumps) > MIN_TWIST
    if not changes.any() or not all(
        _is_twist(clip, chain, axes, int(known[n]), int(known[n + 1]), float(jumps[n]))
        for n in np.flatnonzero(changes).tolist()
    ):
        # Among jumps of other kinds nobody knows which side a limb is on.
        return []
    sides = np.concatenate([[0], np.cumsum(changes) % 2])
    away = np.abs(_twist_angle(np.array([1.0, 0.0, 0.0, 0.0]), top[known], axes[0]))
    wrong = int(away[sides == 1].mean() > away[sides == 0].mean())
    faults = []
    edges = [0, *(np.flatnonzero(changes) + 1).tolist(), len(known)]
    for begin, stop in pairwise(edges):
        if sides[begin] != wrong:
            continue
        first = 0 if begin == 0 else int(known[begin - 1]) + 1
        last = clip.n_frames - 1 if stop == len(known) else int(known[stop]) - 1
        size = abs(float(jumps[begin - 1] if begin else jumps[stop - 1]))
        names = clip.skeleton.names
        faults.append(
            Fault(
                kind="twisted",
                joint=names[chain[0]],
                partner=names[chain[-1]],
                first=first,
                last=last,
                size=size,
            )
        )
    return faults


def _bone_axes(clip: Clip, chain: list[int]) -> list[FloatArray]:
    """Return the directions of the bones of a chain, each in the frame of the joint that it hangs on."""
    offsets = clip.skeleton.offsets[chain[1:]]
    return [offset / max(float(np.linalg.norm(offset)), 1e-12) for offset in offsets]


def _is_known(rotations: FloatArray, frame_time: float) -> BoolArray:
    """Return which frames (T,) are not on the way from one side to the other, between two fast steps."""
    angles = 2.0 * np.arccos(np.minimum(np.abs(dot(rotations[1:], rotations[:-1])), 1.0))
    between = (angles > MAX_TWIST_SPEED * frame_time) & (angles < MIN_TWIST)
    known = np.ones(len(rotations), dtype=np.bool_)
    known[1:-1] = ~(between[1:] & between[:-1])
    return known


def _twist_angle(of: FloatArray, to: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the angles by which rotations, turned about an axis of their own, come nearest to others."""
    step = rot.multiply(rot.inverse(of), to)
    angle = 2.0 * np.arctan2(step[..., 1:] @ axis, step[..., 0])
    return np.asarray((angle + np.pi) % (2.0 * np.pi) - np.pi)


def _is_twist(
    clip: Clip, chain: list[int], axes: list[FloatArray], before: int, after: int, angle: float
) -> bool:
    """Tell whether bones stay from one frame to another, and all joints step less with the bones turned."""
    own = turned = 0.0
    frames = [before, after]
    whole = clip.rotations[frames, chain[0]]
    for axis, joint in zip(axes, chain[1:], strict=True):
        here, there = rot.rotate(whole, axis)
        if float(here @ there) < np.cos(MAX_BONE_STEP):
            return False
        whole = rot.multiply(whole, clip.rotations[frames, joint])
    twists_back = [rot.from_axis_angle(axis, angle) for axis in axes]
    for n, joint in enumerate(chain):
        here, there = clip.rotations[before, joint], clip.rotations[after, joint]
        own += _angle_between(here, there)
        if n > 0:
            there = rot.multiply(rot.inverse(twists_back[n - 1]), there)
        if n < len(twists_back):
            there = rot.multiply(there, twists_back[n])
        turned += _angle_between(here, there)
    return turned < MAX_STEP_RATIO * own


def _angle_between(a: FloatArray, b: FloatArray) -> float:
    return float(2.0 * np.arccos(min(abs(float(np.vdot(a, b))), 1.0)))
