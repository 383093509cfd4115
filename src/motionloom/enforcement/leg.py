"""Legs and arms: joint rotations and bone lengths that bring the end of a limb to its goal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, freeze, norm
from motionloom.enforcement.goals import EPSILON, JITTER_DURATION, LimbGoals, LimbPlan
from motionloom.enforcement.targets import HeldLimb
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import angles_of_lengths, lengths_at_angles, solve_limb
from motionloom.motion import Clip
from motionloom.motion.filters import smooth

MAX_BEND = 0.1
"""Radians by which a knee bends more or less at most while its bones can stretch instead: more is seen."""

SMALL = 5e-6
"""A limb whose end moves by less, metres, stays as it is: nearly straight knees make millimetres of it."""


@dataclass(frozen=True, eq=False)
class LimbMotion:
    """New values of a limb's joints.

    ``rotations`` maps joints to local rotations (T, 4), ``scales`` maps joints to factors (T,) on the bones
    that lead to them.
    """

    rotations: Mapping[int, FloatArray]
    scales: Mapping[int, FloatArray]


def move_limb(clip: Clip, plan: LimbPlan, root_shifts: FloatArray, stretch: float) -> LimbMotion:
    """Move the end of a limb as planned while the body moves by ``root_shifts``; other frames stay.

    Parameters
    ----------
    clip, plan
        The motion, and how the end of the limb moves.
    root_shifts
        (T, 3) how the body moves, metres.
    stretch
        Largest fraction by which bones grow or shrink.

    >>> from dataclasses import replace
    >>> from motionloom.annotation import Floor
    >>> from motionloom.enforcement.goals import plan_limb
    >>> from motionloom.annotation.ground import Ground
    >>> from motionloom.enforcement.targets import find_limbs
    >>> from motionloom.synthesis import stand
    >>> motion = stand(duration=0.5, fps=30)
    >>> clip = replace(motion.clip, constraints=motion.plants)
    >>> plan = plan_limb(clip, find_limbs(clip)[0][0], Ground(Floor(0.0)), 7.5)
    >>> lifted = move_limb(clip, plan, np.full((16, 3), [0, -0.1, 0]), 0.0)
    >>> [clip.skeleton.names[joint] for joint in lifted.scales]
    ['LeftFoot', 'LeftLeg']
    """
    limb, goals, shifts = plan.limb, plan.goals, plan.end_shifts - root_shifts
    positions, worlds, parents = clip.world_positions(), clip.world_rotations(), clip.skeleton.parents
    rotated = rot.multiply(goals.rotations, rot.inverse(worlds[:, limb.end]))
    moves = norm(shifts) > SMALL
    moves |= _differs(rotated[:, 1:]) | _differs(goals.flexions[:, 1:])
    if not moves.any():
        return LimbMotion({}, {})
    solution = solve_limb(
        parents,
        positions,
        worlds,
        limb.chain,
        positions[:, limb.end] + shifts,
        hinge=plan.hinge,
        end_rotations=goals.rotations,
        bending=bending_lengths(clip, limb, shifts, stretch),
        stretch=stretch,
    )
    rotations = {joint: solution.rotations[:, n] for n, joint in enumerate(limb.chain)}
    if goals.flex_joint >= 0:
        rotations[goals.flex_joint] = _flex_rotations(clip, limb, goals)
    for joint, new in rotations.items():
        before = clip.rotations[:, joint]
        rotations[joint] = np.where(moves[:, None], rot.nearer(new, before), before)
    bones, joint = [], limb.end
    while joint != limb.chain[0]:
        bones.append(joint)
        joint = int(parents[joint])
    return LimbMotion(rotations, dict.fromkeys(bones, np.where(moves, solution.scales, 1.0)))


def stretch_bones(clip: Clip, scales: Mapping[int, FloatArray]) -> FloatArray | None:
    """Return local joint positions (T, J, 3) with scaled bones; the clip's own where nothing stretches.

    ``scales`` maps joints to factors (T,) on the bones that lead to them.
    """
    if all(np.abs(scale - 1.0).max() <= EPSILON for scale in scales.values()):
        return clip.translations
    stretched = np.array(clip.local_positions())
    for joint, scale in scales.items():
        stretched[:, joint] *= scale[:, None]
    return freeze(stretched)


def bending_lengths(clip: Clip, limb: HeldLimb, shifts: FloatArray, stretch: float) -> FloatArray:
    """Return lengths (T,) of a limb for which its joint bends as its end moves by ``shifts`` (T, 3).

    They have no jitter, and knees whose bones may ``stretch`` do not bend visibly more or less.
    """
    positions = clip.world_positions()
    hip, knee, ankle = (positions[:, joint] for joint in limb.chain)
    lengths = norm(ankle - hip)
    changes = norm(ankle - hip + shifts) - lengths
    wanted = lengths + smooth(changes, JITTER_DURATION / clip.frame_time)
    if not limb.is_leg or stretch == 0.0:
        return np.asarray(wanted)
    thigh, shin = norm(knee - hip), norm(ankle - knee)
    before = angles_of_lengths(thigh, shin, lengths)
    change = MAX_BEND * np.tanh((angles_of_lengths(thigh, shin, wanted) - before) / MAX_BEND)
    return lengths_at_angles(thigh, shin, before + change)


def _flex_rotations(clip: Clip, limb: HeldLimb, goals: LimbGoals) -> FloatArray:
    """Return local rotations (T, 4) of the joint that bends between heel and toe."""
    worlds = clip.world_rotations()
    to_end = rot.inverse(worlds[:, limb.end])
    above = rot.multiply(to_end, worlds[:, clip.skeleton.parents[goals.flex_joint]])
    own = rot.multiply(to_end, worlds[:, goals.flex_joint])
    return rot.multiply(rot.inverse(above), rot.multiply(goals.flexions, own))


def _differs(offsets: FloatArray) -> BoolArray:
    return np.asarray(np.abs(offsets).max(axis=-1) > EPSILON)
