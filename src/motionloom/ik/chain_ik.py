"""Inverse kinematics of reach keys: small rotations of several joints that bring points to their targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, norm
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import find_hinge, hinge_axes
from motionloom.motion import Clip, Pose
from motionloom.motion.anatomy import Anatomy, Arm, Leg, find_anatomy
from motionloom.motion.kinematics import world_transforms

LIMB_MOBILITY, COLLAR_MOBILITY, SPINE_MOBILITY = 1.0, 0.3, 0.12
"""How readily joints rotate for a reach. The spine moves little while the arm can do it, and more where the
arm alone cannot."""

TOLERANCE = 1e-8
"""Metres within which a point is at its target."""

MAX_STEPS = 80
"""Steps after which a target counts as out of reach; targets within reach take about five."""

MAX_STEP_ANGLE = 0.3
"""Radians that a joint rotates in one step; the linear model of a step is wrong beyond it."""

MIN_BEND, UNLOCK_BEND = 0.03, 0.3
"""Radians: hinges stay bent by the first; one that is stuck nearly straight is bent by the second."""

INITIAL_DAMPING, MAX_DAMPING = 1e-3, 1e3
"""Damping of the first step, and that at which the search ends; metres squared per radian squared."""

MIN_PROGRESS = 1e-4
"""Fraction by which the distance must shrink in a step that counts as progress."""


@dataclass(frozen=True, eq=False)
class Hinge:
    """An elbow or a knee: it bends about one axis and not past straight.

    Attributes
    ----------
    upper, mid, lower
        The joint above the hinge, the hinge itself and the joint below it.
    axis
        (3,) in the frame of the upper joint; rotating about it straightens the limb.
    """

    upper: int
    mid: int
    lower: int
    axis: FloatArray


@dataclass(frozen=True, eq=False)
class Chain:
    """The joints that rotate for one end joint, from the body outwards.

    Attributes
    ----------
    end
        The joint that reaches.
    joints, mobility
        Indices of the joints, and how readily each rotates.
    hinges
        Those of the joints that are elbows or knees, by index.
    keeps_world
        Whether the end keeps its rotation in the world: feet stay level, hands go with the forearm.
    """

    end: int
    joints: tuple[int, ...]
    mobility: tuple[float, ...]
    hinges: dict[int, Hinge]
    keeps_world: bool


@dataclass(frozen=True, eq=False)
class Goal:
    """A point in the frame of a chain's end, and its target in the world, both (3,), metres.

    ``rotation`` (4,) is what the end's rotation in the world shall be, or None to leave it free.
    """

    chain: Chain
    point: FloatArray
    target: FloatArray
    rotation: FloatArray | None = None


def find_chain(clip: Clip, end: int) -> Chain:
    """Find the chain of joints that brings a joint to a target; the root is never part of it.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> chain = find_chain(clip, clip.skeleton.index("LeftHand"))
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
    bending = {joint: _make_hinge(clip, anatomy, limbs[joint]) for joint in joints if joint in limbs}
    mobility = tuple(_choose_mobility(anatomy, parents, joint) for joint in joints)
    return Chain(end, tuple(joints), mobility, bending, end in {leg.ankle for leg in anatomy.legs})


def solve_chains(
    pose: Pose, goals: Sequence[Goal], fixed: frozenset[int] = frozenset()
) -> tuple[Mapping[int, FloatArray], FloatArray]:
    """Find rotations that bring all points to their targets together, and the distances left.

    Damped Gauss–Newton steps over all chains at once; every step rotates the joints as little as it can,
    mobile ones more than others. Elbows and knees rotate about their hinge.

    Parameters
    ----------
    pose
        One pose to start from.
    goals
        Points and their targets.
    fixed
        Joints that must not rotate.

    Returns
    -------
    rotations, distances
        Rotation vectors (3,) by joint, radians in the joint's own frame, applied after the pose's rotation;
        and (G,) metres.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> hand = clip.skeleton.index("LeftHand")
    >>> ahead = clip.world_positions()[0, hand] + [0.0, 0.1, 0.2]
    >>> _, left = solve_chains(clip[0], [Goal(find_chain(clip, hand), np.zeros(3), ahead)])
    >>> bool(left[0] < 1e-6)
    True
    """
    body = _Body(pose)
    if not _converge(body, goals, fixed) and _unlock_hinges(body, goals, fixed):
        _converge(body, goals, fixed)
    for goal in goals:
        _set_end_rotation(body, goal, fixed)
    body.update()
    changes = rot.to_rotation_vector(rot.multiply(rot.inverse(pose.rotations), body.rotations))
    joints = sorted({j for goal in goals for j in (*goal.chain.joints, goal.chain.end)} - fixed)
    return {joint: changes[joint] for joint in joints}, norm(body.residuals(goals))


class _Body:
    """One pose whose joints can be rotated."""

    def __init__(self, pose: Pose) -> None:
        self.skeleton = pose.skeleton
        self.root, self.bones = pose.root_positions[None], pose.translations
        self.rotations = np.array(pose.rotations)
        self.update()

    def update(self) -> None:
        bones = None if self.bones is None else self.bones[None]
        positions, worlds = world_transforms(self.skeleton, self.root, self.rotations[None], bones)
        self.positions, self.world_rotations = positions[0], worlds[0]

    def rotate_joint(self, joint: int, vector: FloatArray) -> None:
        """Rotate a joint by a rotation vector (3,) in its own frame."""
        self.rotations[joint] = rot.multiply(self.rotations[joint], rot.from_rotation_vector(vector))

    def residuals(self, goals: Sequence[Goal]) -> FloatArray:
        """Return the vectors (G, 3) from each goal's point to its target, metres."""
        ends = [goal.chain.end for goal in goals]
        worlds = [self.world_rotations[g.chain.end] if g.rotation is None else g.rotation for g in goals]
        arms = rot.rotate(np.array(worlds), np.array([goal.point for goal in goals]))
        return np.asarray(np.array([goal.target for goal in goals]) - self.positions[ends] - arms)


def _converge(body: _Body, goals: Sequence[Goal], fixed: frozenset[int]) -> bool:
    """Rotate joints until the points are at their targets or no step helps; return whether they are."""
    damping = INITIAL_DAMPING
    distance = float(np.linalg.norm(body.residuals(goals)))
    for _ in range(MAX_STEPS):
        if distance < TOLERANCE:
            return True
        before = body.rotations.copy()
        for joint, vector in _gauss_newton_step(body, goals, fixed, damping).items():
            body.rotate_joint(joint, vector)
        body.update()
        now = float(np.linalg.norm(body.residuals(goals)))
        if now < distance * (1.0 - MIN_PROGRESS):
            distance, damping = now, damping / 5.0
            continue
        body.rotations = before
        body.update()
        damping *= 6.0
        if damping > MAX_DAMPING:
            break
    return distance < TOLERANCE


def _gauss_newton_step(
    body: _Body, goals: Sequence[Goal], fixed: frozenset[int], damping: float
) -> dict[int, FloatArray]:
    """Return one damped step: rotation vectors (3,) by joint, in the joints' own frames."""
    columns, owners = [], []
    for joint in sorted({joint for goal in goals for joint in goal.chain.joints} - fixed):
        hinge = _hinge_at(goals, joint)
        axes = (
            rot.rotate(body.world_rotations[joint], np.eye(3))
            if hinge is None
            else _hinge_axis(body, hinge)[None]
        )
        for axis in axes:
            columns.append(np.concatenate([_point_velocity(body, goal, joint, axis) for goal in goals]))
            owners.append((joint, axis))
    if not columns:
        return {}
    mobility = np.array([_mobility_at(goals, joint) for joint, _ in owners])
    jacobian = np.array(columns).T
    residuals = body.residuals(goals).ravel()
    system = (jacobian * mobility) @ jacobian.T + damping * np.eye(len(residuals))
    angles = mobility * (jacobian.T @ np.linalg.solve(system, residuals))
    angles *= min(1.0, MAX_STEP_ANGLE / max(float(np.abs(angles).max()), MAX_STEP_ANGLE))
    rotations: dict[int, FloatArray] = {}
    for (joint, axis), angle in zip(owners, angles.tolist(), strict=True):
        hinge = _hinge_at(goals, joint)
        allowed = angle if hinge is None else min(angle, max(_bend_angle(body, hinge) - MIN_BEND, 0.0))
        own = rot.rotate(rot.inverse(body.world_rotations[joint]), axis)
        rotations[joint] = rotations.get(joint, np.zeros(3)) + allowed * own
    return rotations


def _point_velocity(body: _Body, goal: Goal, joint: int, axis: FloatArray) -> FloatArray:
    """Return how (3,) a goal's point moves per radian of a joint about a world axis."""
    if joint not in goal.chain.joints:
        return np.zeros(3)
    position = body.positions[goal.chain.end]
    if goal.rotation is None:
        position = position + rot.rotate(body.world_rotations[goal.chain.end], goal.point)
    return np.cross(axis, position - body.positions[joint])


def _set_end_rotation(body: _Body, goal: Goal, fixed: frozenset[int]) -> None:
    """Give the end of a chain its rotation in the world."""
    end = goal.chain.end
    if goal.rotation is None or end in fixed:
        return
    body.update()
    above = body.world_rotations[body.skeleton.parents[end]]
    body.rotations[end] = rot.multiply(rot.inverse(above), goal.rotation)


def _unlock_hinges(body: _Body, goals: Sequence[Goal], fixed: frozenset[int]) -> bool:
    """Bend hinges that are stuck nearly straight where the limb must shorten; return whether any were."""
    unlocked = False
    for goal, residual in zip(goals, body.residuals(goals), strict=True):
        for joint, hinge in goal.chain.hinges.items():
            limb = body.positions[goal.chain.end] - body.positions[hinge.upper]
            shortens = np.linalg.norm(limb + residual) < np.linalg.norm(limb)
            if joint not in fixed and shortens and _bend_angle(body, hinge) < UNLOCK_BEND:
                own = rot.rotate(rot.inverse(body.world_rotations[joint]), _hinge_axis(body, hinge))
                body.rotate_joint(joint, -UNLOCK_BEND * own)
                unlocked = True
    body.update()
    return unlocked


def _make_hinge(clip: Clip, anatomy: Anatomy, limb: Leg | Arm) -> Hinge:
    sideways = -anatomy.left if isinstance(limb, Leg) else anatomy.left
    axis = find_hinge(clip.world_positions(), clip.world_rotations(), limb.chain, sideways)
    return Hinge(*limb.chain, np.asarray(axis))


def _choose_mobility(anatomy: Anatomy, parents: Sequence[int], joint: int) -> float:
    if joint in anatomy.spine:
        return SPINE_MOBILITY
    collars = {above for arm in anatomy.arms for above in _find_ancestors(parents, arm.shoulder)}
    return COLLAR_MOBILITY if joint in collars else LIMB_MOBILITY


def _find_ancestors(parents: Sequence[int], joint: int) -> list[int]:
    found = []
    while parents[joint] >= 0:
        joint = parents[joint]
        found.append(joint)
    return found


def _hinge_at(goals: Sequence[Goal], joint: int) -> Hinge | None:
    return next((g.chain.hinges[joint] for g in goals if joint in g.chain.hinges), None)


def _mobility_at(goals: Sequence[Goal], joint: int) -> float:
    return next(g.chain.mobility[g.chain.joints.index(joint)] for g in goals if joint in g.chain.joints)


def _bones(body: _Body, hinge: Hinge) -> tuple[FloatArray, FloatArray]:
    upper, mid, lower = (body.positions[joint] for joint in (hinge.upper, hinge.mid, hinge.lower))
    return mid - upper, lower - mid


def _hinge_axis(body: _Body, hinge: Hinge) -> FloatArray:
    upper, lower = _bones(body, hinge)
    usual = rot.rotate(body.world_rotations[hinge.upper], hinge.axis)
    return np.asarray(hinge_axes(upper[None], lower[None], usual)[0])


def _bend_angle(body: _Body, hinge: Hinge) -> float:
    """Return how far a hinge is bent, radians; negative past straight."""
    upper, lower = _bones(body, hinge)
    axis = _hinge_axis(body, hinge)
    return float(np.arctan2(np.cross(lower, upper) @ axis, lower @ upper))
