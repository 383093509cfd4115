"""Inverse kinematics of keys that reach: the smallest turns of several joints that bring points to places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, norm
from motionloom.geometry import rotations as rot
from motionloom.ik.limb import find_hinge
from motionloom.ik.two_bone import hinge_axes
from motionloom.motion import Clip, Pose
from motionloom.motion.anatomy import Anatomy, Arm, Leg, find_anatomy
from motionloom.motion.kinematics import world_transforms

LIMB, COLLAR, SPINE = 1.0, 0.3, 0.12
"""How readily joints turn for a reach. The spine's share is small while the arm can do it, and grows where
the arm alone cannot."""


@dataclass(frozen=True, eq=False)
class Hinge:
    """An elbow or a knee: it bends about one axis and not past straight.

    Attributes
    ----------
    upper, middle, lower
        The joints at both ends and amid two bones.
    axis
        (3,) in the frame of the upper joint; turning about it straightens the limb.
    """

    upper: int
    middle: int
    lower: int
    axis: FloatArray


@dataclass(frozen=True, eq=False)
class Chain:
    """The joints that turn for one end, from the body outwards.

    Attributes
    ----------
    end
        The joint that shall reach.
    joints, readiness
        Indices of the joints, and how readily each turns.
    hinges
        Those of the joints that are elbows or knees, by index.
    keeps_world
        Whether the end keeps its rotation in the world: feet stay level, hands go with the forearm.
    """

    end: int
    joints: tuple[int, ...]
    readiness: tuple[float, ...]
    hinges: dict[int, Hinge]
    keeps_world: bool


def chain_to(clip: Clip, end: int) -> Chain:
    """The chain of joints that brings a joint to a place; the root is never part of it.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> chain = chain_to(clip, clip.skeleton.index("LeftHand"))
    >>> [clip.skeleton.names[joint] for joint in chain.joints]
    ['Spine', 'Spine1', 'Spine2', 'LeftShoulder', 'LeftArm', 'LeftForeArm']
    """
    anatomy = find_anatomy(clip.skeleton)
    parents = clip.skeleton.parents.tolist()
    joints: list[int] = []
    joint = parents[end]
    hips = {leg.hip for leg in anatomy.legs}
    while joint > 0:
        joints.insert(0, joint)
        joint = -1 if joint in hips else parents[joint]
    limbs: dict[int, Leg | Arm] = {leg.knee: leg for leg in anatomy.legs}
    limbs |= {arm.elbow: arm for arm in anatomy.arms}
    hinges = {joint: _hinge(clip, anatomy, limbs[joint]) for joint in joints if joint in limbs}
    readiness = tuple(_readiness_of(anatomy, parents, joint) for joint in joints)
    return Chain(end, tuple(joints), readiness, hinges, end in {leg.ankle for leg in anatomy.legs})


def _hinge(clip: Clip, anatomy: Anatomy, limb: Leg | Arm) -> Hinge:
    sideways = -anatomy.left if isinstance(limb, Leg) else anatomy.left
    axis = find_hinge(clip.world_positions(), clip.world_rotations(), limb.chain, sideways)
    return Hinge(*limb.chain, np.asarray(axis))


def _readiness_of(anatomy: Anatomy, parents: Sequence[int], joint: int) -> float:
    if joint in anatomy.spine:
        return SPINE
    collars = {above for arm in anatomy.arms for above in _ancestors(parents, arm.shoulder)}
    return COLLAR if joint in collars else LIMB


def _ancestors(parents: Sequence[int], joint: int) -> list[int]:
    found = []
    while parents[joint] >= 0:
        joint = parents[joint]
        found.append(joint)
    return found


HELD = 1e-8
"""Metres within which a point is where it shall be."""

MOST_STEPS = 80
"""Steps after which a place counts as out of reach; those within reach take about five."""

LONGEST_TURN = 0.3
"""Radians that a joint turns in one step: farther, the linear picture of a step is wrong."""

LEAST_BEND, FRESH_BEND = 0.03, 0.3
"""Radians: hinges stay bent by the first; one that is nearly straight and stuck is bent by the second."""

FIRST_DAMPING, MOST_DAMPING = 1e-3, 1e3
"""Metres squared per radian squared: damping of the first step, and that at which there is no way on."""

STALLED = 1e-4
"""Share by which the distance shrinks at least in a step that counts as a way on."""


@dataclass(frozen=True, eq=False)
class Goal:
    """A point of a chain's end, in the end's frame, and its place in the world, both (3,).

    ``rotation`` (4,) is what the end's rotation in the world shall be, or None for what it becomes.
    """

    chain: Chain
    point: FloatArray
    place: FloatArray
    rotation: FloatArray | None = None


class _Body:
    """One pose whose joints can be turned."""

    def __init__(self, pose: Pose) -> None:
        self.skeleton = pose.skeleton
        self.root, self.bones = pose.root_positions[None], pose.translations
        self.turns = np.array(pose.rotations)
        self.update()

    def update(self) -> None:
        bones = None if self.bones is None else self.bones[None]
        places, worlds = world_transforms(self.skeleton, self.root, self.turns[None], bones)
        self.places, self.worlds = places[0], worlds[0]

    def turned(self, joint: int, vector: FloatArray) -> None:
        """Turn a joint by a rotation vector (3,) in its own frame."""
        self.turns[joint] = rot.multiply(self.turns[joint], rot.from_rotation_vector(vector))

    def misses(self, goals: Sequence[Goal]) -> FloatArray:
        """From each goal's point to its place (G, 3), metres."""
        ends = [goal.chain.end for goal in goals]
        kept = [self.worlds[goal.chain.end] if goal.rotation is None else goal.rotation for goal in goals]
        arms = rot.rotate(np.array(kept), np.array([goal.point for goal in goals]))
        return np.asarray(np.array([goal.place for goal in goals]) - self.places[ends] - arms)


def smallest_turns(
    pose: Pose, goals: Sequence[Goal], fixed: frozenset[int] = frozenset()
) -> tuple[Mapping[int, FloatArray], FloatArray]:
    """Turns that bring all points to their places together, and the distances that are left.

    Damped Gauss–Newton steps over all chains at once; every step turns the joints as little as it can, ready
    ones more than others. Elbows and knees turn about their hinge.

    Parameters
    ----------
    pose
        One pose to start from.
    goals
        What shall be where.
    fixed
        Joints that must not turn.

    Returns
    -------
    turns, distances
        Rotation vectors (3,) by joint, radians in the joint's own frame, applied after what the pose has;
        and (G,) metres.

    >>> from motionloom.synthesis import stand
    >>> from motionloom.warping.chain_ik import chain_to
    >>> clip = stand(duration=0.5).clip
    >>> hand = clip.skeleton.index("LeftHand")
    >>> ahead = clip.world_positions()[0, hand] + [0.0, 0.1, 0.2]
    >>> _, left = smallest_turns(clip[0], [Goal(chain_to(clip, hand), np.zeros(3), ahead)])
    >>> bool(left[0] < 1e-6)
    True
    """
    body = _Body(pose)
    if not _approach(body, goals, fixed) and _bent_free(body, goals, fixed):
        _approach(body, goals, fixed)
    for goal in goals:
        _set_rotation(body, goal, fixed)
    body.update()
    changes = rot.to_rotation_vector(rot.multiply(rot.inverse(pose.rotations), body.turns))
    used = sorted({j for goal in goals for j in (*goal.chain.joints, goal.chain.end)} - fixed)
    return {joint: changes[joint] for joint in used}, norm(body.misses(goals))


def _approach(body: _Body, goals: Sequence[Goal], fixed: frozenset[int]) -> bool:
    """Turn joints until the points are in place, or until nothing helps; tells which."""
    damping = FIRST_DAMPING
    missed = float(np.linalg.norm(body.misses(goals)))
    for _ in range(MOST_STEPS):
        if missed < HELD:
            return True
        before = body.turns.copy()
        for joint, vector in _step(body, goals, fixed, damping).items():
            body.turned(joint, vector)
        body.update()
        now = float(np.linalg.norm(body.misses(goals)))
        if now < missed * (1.0 - STALLED):
            missed, damping = now, damping / 5.0
            continue
        body.turns = before
        body.update()
        damping *= 6.0
        if damping > MOST_DAMPING:
            break
    return missed < HELD


def _step(body: _Body, goals: Sequence[Goal], fixed: frozenset[int], damping: float) -> dict[int, FloatArray]:
    """One damped step: rotation vectors (3,) by joint, in the joints' own frames."""
    columns, owners = [], []
    for joint in sorted({joint for goal in goals for joint in goal.chain.joints} - fixed):
        hinge = _hinge_of(goals, joint)
        axes = rot.rotate(body.worlds[joint], np.eye(3)) if hinge is None else _hinge_axis(body, hinge)[None]
        for axis in axes:
            moves = [_moved(body, goal, joint, axis) for goal in goals]
            columns.append(np.concatenate(moves))
            owners.append((joint, axis))
    if not columns:
        return {}
    ready = np.array([_readiness(goals, joint) for joint, _ in owners])
    effect = np.array(columns).T
    missing = body.misses(goals).ravel()
    system = (effect * ready) @ effect.T + damping * np.eye(len(missing))
    angles = ready * (effect.T @ np.linalg.solve(system, missing))
    angles *= min(1.0, LONGEST_TURN / max(float(np.abs(angles).max()), LONGEST_TURN))
    turns: dict[int, FloatArray] = {}
    for (joint, axis), angle in zip(owners, angles.tolist(), strict=True):
        hinge = _hinge_of(goals, joint)
        allowed = angle if hinge is None else min(angle, max(_bend(body, hinge) - LEAST_BEND, 0.0))
        own = rot.rotate(rot.inverse(body.worlds[joint]), axis)
        turns[joint] = turns.get(joint, np.zeros(3)) + allowed * own
    return turns


def _moved(body: _Body, goal: Goal, joint: int, axis: FloatArray) -> FloatArray:
    """How (3,) a goal's point moves per radian of a joint about a world axis."""
    if joint not in goal.chain.joints:
        return np.zeros(3)
    place = body.places[goal.chain.end]
    if goal.rotation is None:
        place = place + rot.rotate(body.worlds[goal.chain.end], goal.point)
    return np.cross(axis, place - body.places[joint])


def _set_rotation(body: _Body, goal: Goal, fixed: frozenset[int]) -> None:
    """Give the end of a chain its rotation in the world."""
    end = goal.chain.end
    if goal.rotation is None or end in fixed:
        return
    body.update()
    above = body.worlds[body.skeleton.parents[end]]
    body.turns[end] = rot.multiply(rot.inverse(above), goal.rotation)


def _bent_free(body: _Body, goals: Sequence[Goal], fixed: frozenset[int]) -> bool:
    """Bend nearly straight hinges that have to draw in and see no way to; tells whether there were any."""
    freed = False
    for goal, miss in zip(goals, body.misses(goals), strict=True):
        for joint, hinge in goal.chain.hinges.items():
            limb = body.places[goal.chain.end] - body.places[hinge.upper]
            draws_in = np.linalg.norm(limb + miss) < np.linalg.norm(limb)
            if joint not in fixed and draws_in and _bend(body, hinge) < FRESH_BEND:
                own = rot.rotate(rot.inverse(body.worlds[joint]), _hinge_axis(body, hinge))
                body.turned(joint, -FRESH_BEND * own)
                freed = True
    body.update()
    return freed


def _hinge_of(goals: Sequence[Goal], joint: int) -> Hinge | None:
    return next((g.chain.hinges[joint] for g in goals if joint in g.chain.hinges), None)


def _readiness(goals: Sequence[Goal], joint: int) -> float:
    return next(g.chain.readiness[g.chain.joints.index(joint)] for g in goals if joint in g.chain.joints)


def _bones(body: _Body, hinge: Hinge) -> tuple[FloatArray, FloatArray]:
    upper, middle, lower = (body.places[joint] for joint in (hinge.upper, hinge.middle, hinge.lower))
    return middle - upper, lower - middle


def _hinge_axis(body: _Body, hinge: Hinge) -> FloatArray:
    upper, lower = _bones(body, hinge)
    usual = rot.rotate(body.worlds[hinge.upper], hinge.axis)
    return np.asarray(hinge_axes(upper[None], lower[None], usual)[0])


def _bend(body: _Body, hinge: Hinge) -> float:
    """How far a hinge is bent, radians; negative past straight."""
    upper, lower = _bones(body, hinge)
    axis = _hinge_axis(body, hinge)
    return float(np.arctan2(np.cross(lower, upper) @ axis, lower @ upper))
