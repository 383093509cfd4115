"""Knees, elbows and the seat: hold joints that have one bone between them and the body, or none.

A foot is reached by two bones, so the body can stay where it is. Hips that sit are the body: it moves until
they are on their target. A knee on the ground lies at the thigh's length from its hip: the body moves until
both lengths of thighs and upper arms fit, the bone then points at the target, and shin and foot follow.
Where knee and foot are both held, the knee bears the load and counts first; an elbow gives way to its hand.

A body that is held elsewhere cannot come to an elbow: hips that sit are where they are, and the chest moves
against them by some centimetres in any capture. The collar bone then turns until the shoulder is an upper
arm's length away from the elbow, as shoulders do.
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

MIN_LEVER = 0.02
"""Collar bones and hands shorter than this, metres, cannot move a shoulder or a wrist by turning."""

MAX_TURN = 0.6
"""Radians by which collar bones and hands turn at most; people raise their shoulders by about as much."""

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
            moved = np.where(held[:, None], _move_to_sphere(moved, centres, radii, stretch), moved)
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
    held, goals = _find_joint_goals(clip, limb)
    ends, end_rotations = clip.world_positions()[:, far], clip.world_rotations()[:, far]
    stays = np.zeros(clip.n_frames, dtype=np.bool_)
    if outer is not None:
        stays = np.any([point.is_held(clip.n_frames) for point in outer.points], axis=0)
    is_arm = limb.name.endswith("elbow")
    if is_arm:
        # The hand turns about its contact until the wrist is a forearm's length away from the elbow.
        lengths = norm(ends - clip.world_positions()[:, inner])
        if outer is not None:
            contact = outer.points[0].positions(clip)
            # A hand that could not be reached comes within reach where the shoulder moves.
            missing = outer.points[0].targets(clip.n_frames) - contact
            missing = np.where((held & outer.points[0].is_held(clip.n_frames))[:, None], missing, 0.0)
            contact, ends = contact + missing, ends + missing
            turn = _find_fitting_turn(contact, ends, goals, lengths, held & stays, width, stretch)
            ends = contact + rot.rotate(turn, ends - contact)
            end_rotations = rot.multiply(turn, end_rotations)
        goals = np.where(stays[:, None], _move_to_sphere(goals, ends, lengths, stretch), goals)
        clip = _turn_collar_bone(clip, limb, held, goals, width, stretch)
    positions, worlds, parents = clip.world_positions(), clip.world_rotations(), clip.skeleton.parents
    shifts = spread(np.where(held[:, None], goals - positions[:, inner], 0.0), held, width)
    if is_arm:
        free = positions[:, inner] + shifts
        swivelled = _swivel(positions[:, limb.chain], ends, free) - positions[:, inner]
        shifts = np.where(
            (stays & ~held & _differ(shifts, ends - positions[:, far]))[:, None], swivelled, shifts
        )
    moves = _differ(shifts, np.where(stays[:, None], ends - positions[:, far], 0.0))
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
    to_far = np.where(stays[:, None], ends - reached, lower)
    bend = rot.between(lower, to_far)
    low_room = _find_stretch_range(source, clip, (inner, far), stretch)
    low_scale = np.where(stays, np.clip(norm(to_far) / np.maximum(norm(lower), EPSILON), *low_room), 1.0)
    # 3. Local rotations, top down; the end keeps its rotation in the world.
    new_worlds = {upper: rot.multiply(aim, worlds[:, upper]), inner: rot.multiply(bend, worlds[:, inner])}
    new_worlds[far] = end_rotations
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


def _turn_collar_bone(
    clip: Clip, limb: HeldLimb, held: BoolArray, goals: FloatArray, width: float, stretch: float
) -> Clip:
    """Turn a collar bone until the shoulder is an upper arm's length from the goals (T, 3) of an elbow.

    The arm keeps its rotation in the world. A joint is a collar bone if it carries one shoulder alone.
    """
    upper, parents = limb.chain[0], clip.skeleton.parents
    collar = int(parents[upper])
    if collar <= 0 or (parents == collar).sum() > 1:
        return clip
    positions, worlds = clip.world_positions(), clip.world_rotations()
    shoulder = positions[:, upper]
    lengths = norm(positions[:, limb.end] - shoulder)
    turn = _find_fitting_turn(positions[:, collar], shoulder, goals, lengths, held, width, stretch)
    if np.abs(turn[:, 1:]).max() <= EPSILON:
        return clip
    rotations = np.array(clip.rotations)
    new = rot.multiply(turn, worlds[:, collar])
    for joint, above, world in (
        (collar, worlds[:, int(parents[collar])], new),
        (upper, new, worlds[:, upper]),
    ):
        rotations[:, joint] = rot.nearer(rot.multiply(rot.inverse(above), world), clip.rotations[:, joint])
    return replace(clip, rotations=freeze(rotations))


def _find_fitting_turn(
    pivots: FloatArray,
    points: FloatArray,
    goals: FloatArray,
    lengths: FloatArray,
    held: BoolArray,
    width: float,
    stretch: float,
) -> FloatArray:
    """Return rotations (T, 4) about pivots that bring points to a bone's length from goals.

    ``pivots``, ``points`` and ``goals`` are (T, 3), ``lengths`` (T,) of the bone between points and goals,
    metres. Rotations are found in the frames that are ``held`` (T,) and ease out over ``width`` frames.
    """
    arm, to_goal = points - pivots, goals - pivots
    sides = norm(arm), norm(to_goal)
    product = np.maximum(sides[0] * sides[1], EPSILON)
    # The angle at the pivot at which the third side of the triangle is the bone.
    third = norm(_move_to_sphere(points, goals, lengths, stretch) - goals)
    now = np.arccos(np.clip(dot(arm, to_goal) / product, -1.0, 1.0))
    fitting = np.arccos(np.clip((sides[0] ** 2 + sides[1] ** 2 - third**2) / (2.0 * product), -1.0, 1.0))
    axes = np.cross(to_goal, arm)
    size = norm(axes)
    known = (
        held & (sides[0] > MIN_LEVER) & (size > EPSILON) & (np.abs(third - norm(points - goals)) > EPSILON)
    )
    angles = np.where(known, np.clip(fitting - now, -MAX_TURN, MAX_TURN), 0.0)
    return rot.from_rotation_vector(spread(axes * (angles / np.maximum(size, EPSILON))[:, None], held, width))


def _move_to_sphere(points: FloatArray, centres: FloatArray, radii: FloatArray, stretch: float) -> FloatArray:
    """Return the points (T, 3), moved to a bone's length (T,) from the centres (T, 3), stretch included."""
    offsets = points - centres
    lengths = np.maximum(norm(offsets), EPSILON)
    room = BONE_ROOM * stretch * radii
    wanted = np.clip(lengths, radii - room, radii + room)
    return np.asarray(centres + offsets * (wanted / lengths)[:, None])


def _swivel(chain: FloatArray, ends: FloatArray, goals: FloatArray) -> FloatArray:
    """Return the positions (T, 3) nearest to the goals that an elbow can take between shoulder and wrist.

    They lie on a circle about the line from the shoulder to the wrist, which is at ``ends`` (T, 3); ``chain``
    (T, 3, 3) are shoulder, elbow and wrist before.
    """
    start, joint, end = np.moveaxis(chain, 1, 0)
    upper, lower = norm(joint - start), norm(end - joint)
    distance = np.maximum(norm(ends - start), EPSILON)
    axis = (ends - start) / distance[:, None]
    along = np.clip((upper**2 - lower**2 + distance**2) / (2.0 * distance), -upper, upper)
    radius = np.sqrt(upper**2 - along**2)
    across = goals - start - dot(goals - start, axis)[:, None] * axis
    size = np.maximum(norm(across), EPSILON)
    return np.asarray(start + along[:, None] * axis + across * (radius / size)[:, None])


def _differ(*offsets: FloatArray) -> BoolArray:
    """Return in which frames (T,) any of the offsets (T, 3) is more than rounding."""
    return np.asarray(np.any([np.abs(each).max(axis=-1) > EPSILON for each in offsets], axis=0))


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
