"""Knees, elbows and the seat: hold joints that have one bone between them and the body, or none.

A foot is reached by two bones, so the body can stay where it is. Hips that sit are the body: it moves until
they are on their target. A knee on the ground lies at the thigh's length from its hip: the body moves until
both lengths of thighs and upper arms fit, the bone then points at the target, and shin and foot follow.
Where knee and foot are both held, the knee bears the load and counts first; an elbow gives way to its hand,
and only swivels about the line from the shoulder to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, dot, freeze, norm
from motionloom.enforcement.goals import EPSILON
from motionloom.enforcement.spread import spread
from motionloom.enforcement.targets import HeldLimb
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip

N_ROUNDS = 40
"""Rounds of moving the body to the length of one bone after the other; four bones agree after some twenty."""

BONE_ROOM = 0.5
"""Fraction of the allowed stretch that the body leaves to bones, so that they reach with some to spare."""


def shift_to_seat(clip: Clip, seats: Sequence[HeldLimb], shifts: FloatArray, width: float) -> FloatArray:
    """Return shifts (T, 3) of the body with which held hips are on their targets.

    They ease out over ``width`` frames.

    >>> shift_to_seat(None, (), np.zeros((2, 3)), 7.5).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    for seat in seats:
        for point in seat.points:
            held = point.is_held(clip.n_frames)
            missing = point.targets(clip.n_frames) - point.positions(clip) - shifts
            shifts = shifts + spread(np.where(held[:, None], missing, 0.0), held, width)
    return shifts


def shift_to_bones(
    clip: Clip, limbs: Sequence[HeldLimb], shifts: FloatArray, width: float, stretch: float
) -> FloatArray:
    """Return shifts (T, 3) of the body with which held knees and elbows are a bone's length away from it.

    Parameters
    ----------
    clip, limbs
        The motion, and its held knees and elbows.
    shifts
        (T, 3) how the body moves so far, metres.
    width
        Number of frames over which corrections ease out.
    stretch
        Largest fraction by which bones grow or shrink.
    """
    if not limbs:
        return shifts
    spheres = [_find_bone_sphere(clip, limb) for limb in limbs]
    any_held = np.any([held for held, _, _ in spheres], axis=0)
    moved = np.array(shifts)
    for _ in range(N_ROUNDS):
        for held, centres, radii in spheres:
            offsets = moved - centres
            lengths = np.maximum(norm(offsets), EPSILON)
            room = BONE_ROOM * stretch * radii
            wanted = np.clip(lengths, radii - room, radii + room)
            moved = np.where(held[:, None], centres + offsets * (wanted / lengths)[:, None], moved)
    return np.asarray(shifts + spread(np.where(any_held[:, None], moved - shifts, 0.0), any_held, width))


def _find_bone_sphere(clip: Clip, limb: HeldLimb) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Return when a joint is held (T,), and which shifts of the body fit: centres (T, 3), radii (T,)."""
    upper = clip.world_positions()[:, limb.chain[0]]
    held, goals = _find_joint_goals(clip, limb)
    return held, goals - upper, norm(clip.world_positions()[:, limb.end] - upper)


def _find_joint_goals(clip: Clip, limb: HeldLimb) -> tuple[BoolArray, FloatArray]:
    """Return in which frames (T,) a knee or elbow is held, and where the joint has to be (T, 3)."""
    joint = clip.world_positions()[:, limb.end]
    held = np.zeros(clip.n_frames, dtype=np.bool_)
    goals = np.array(joint)
    for point in limb.points:
        own = point.is_held(clip.n_frames)
        moved = point.targets(clip.n_frames) - point.positions(clip)
        goals = np.where(own[:, None], joint + moved, goals)
        held |= own
    return held, goals


def hold_knees_and_elbows(
    source: Clip, clip: Clip, limbs: Sequence[HeldLimb], width: float, stretch: float
) -> Clip:
    """Point thighs and upper arms at held knees and elbows; what hangs on them follows, or stays if held.

    Parameters
    ----------
    source
        The captured motion, whose bones may stretch.
    clip
        The same with its feet and hands on their goals.
    limbs
        All held limbs; those with one bone are moved.
    width
        Number of frames over which corrections ease out.
    stretch
        Largest fraction by which bones grow or shrink.
    """
    two_bones = {limb.chain[1]: limb for limb in limbs if limb.n_bones == 2}
    for limb in limbs:
        if limb.n_bones == 1:
            outer = two_bones.get(limb.end)
            clip = _hold_joint(source, clip, limb, outer, width, stretch)
    return clip


def _hold_joint(
    source: Clip, clip: Clip, limb: HeldLimb, outer: HeldLimb | None, width: float, stretch: float
) -> Clip:
    upper, inner, far = limb.chain[0], limb.end, limb.tail
    positions, worlds, parents = clip.world_positions(), clip.world_rotations(), clip.skeleton.parents
    held, goals = _find_joint_goals(clip, limb)
    stays = np.zeros(clip.n_frames, dtype=np.bool_)
    if outer is not None:
        stays = np.any([point.is_held(clip.n_frames) for point in outer.points], axis=0)
    if outer is not None and not outer.is_leg:
        goals = np.where(stays[:, None], _swivel(positions, limb, goals), goals)
    shifts = spread(np.where(held[:, None], goals - positions[:, inner], 0.0), held, width)
    moves = np.abs(shifts).max(axis=-1) > EPSILON
    if not moves.any():
        return clip
    # 1. The upper bone points at the goal and stretches by what is missing.
    bone = positions[:, inner] - positions[:, upper]
    wanted = bone + shifts
    room = _find_stretch_range(source, clip, (upper, inner), stretch)
    scale = np.clip(norm(wanted) / np.maximum(norm(bone), EPSILON), *room)
    aim = rot.between(bone, wanted)
    reached = positions[:, upper] + rot.rotate(aim, bone) * scale[:, None]
    # 2. The lower bone goes along, or points at a foot or hand that is held.
    lower = positions[:, far] - positions[:, inner]
    to_far = np.where(stays[:, None], positions[:, far] - reached, lower)
    bend = rot.between(lower, to_far)
    low_room = _find_stretch_range(source, clip, (inner, far), stretch)
    low_scale = np.where(stays, np.clip(norm(to_far) / np.maximum(norm(lower), EPSILON), *low_room), 1.0)
    # 3. Local rotations, top down; the end keeps its rotation in the world.
    new_worlds = {upper: rot.multiply(aim, worlds[:, upper]), inner: rot.multiply(bend, worlds[:, inner])}
    new_worlds[far] = worlds[:, far]
    rotations, local = np.array(clip.rotations), np.array(clip.local_positions())
    for joint in (upper, inner, far):
        above = int(parents[joint])
        turned = _find_rotation_above(worlds, new_worlds, clip, joint, limb)
        new = rot.multiply(rot.inverse(turned), new_worlds[joint]) if above >= 0 else new_worlds[joint]
        before = clip.rotations[:, joint]
        rotations[:, joint] = np.where(moves[:, None], rot.nearer(new, before), before)
    for top, end, factors in ((upper, inner, scale), (inner, far, low_scale)):
        joint = end
        while joint != top:
            local[:, joint] *= np.where(moves, factors, 1.0)[:, None]
            joint = int(parents[joint])
    rigid = (
        clip.translations is None and max(np.abs(scale - 1.0).max(), np.abs(low_scale - 1.0).max()) <= EPSILON
    )
    return replace(clip, rotations=freeze(rotations), translations=None if rigid else freeze(local))


def _swivel(positions: FloatArray, limb: HeldLimb, goals: FloatArray) -> FloatArray:
    """Return the places (T, 3) nearest to the goals that an elbow can take while shoulder and hand stay.

    They lie on a circle about the line from the shoulder to the hand.
    """
    start, joint, end = (positions[:, j] for j in limb.chain)
    axis = end - start
    axis = axis / np.maximum(norm(axis), EPSILON)[:, None]
    bone = joint - start
    along = dot(bone, axis)[:, None] * axis
    radius = norm(bone - along)
    across = goals - start - dot(goals - start, axis)[:, None] * axis
    size = norm(across)
    directed = (size > EPSILON) & (radius > EPSILON)
    reached = start + along + across * (radius / np.maximum(size, EPSILON))[:, None]
    return np.where(directed[:, None], reached, joint)


def _find_rotation_above(
    worlds: FloatArray, new_worlds: dict[int, FloatArray], clip: Clip, joint: int, limb: HeldLimb
) -> FloatArray:
    """Return the new world rotation (T, 4) of the parent of a joint of the limb.

    Joints between two of the limb keep their local rotations, so they turn with the one above.
    """
    parents = clip.skeleton.parents
    above = int(parents[joint])
    if above < 0 or joint == limb.chain[0]:
        return worlds[:, above]
    top = above
    while top not in new_worlds:
        top = int(parents[top])
    turn = rot.multiply(new_worlds[top], rot.inverse(worlds[:, top]))
    return rot.multiply(turn, worlds[:, above])


def _find_stretch_range(
    source: Clip, clip: Clip, bone: tuple[int, int], stretch: float
) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and largest factors (T,) on a bone that keep it near its captured length."""
    start, end = bone
    captured, now = (
        norm(each.world_positions()[:, end] - each.world_positions()[:, start]) for each in (source, clip)
    )
    ratio = captured / np.maximum(now, EPSILON)
    return np.minimum((1.0 - stretch) * ratio, 1.0), np.maximum((1.0 + stretch) * ratio, 1.0)
