"""Pose the whole body: place the trunk over the feet, solve legs and arms, and make a clip of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint
from motionloom.motion.kinematics import local_rotations
from motionloom.synthesis.biped import SIDES, STANDING_HEIGHT, Side, biped, joint, offset, sign
from motionloom.synthesis.footsteps import FootMotion, Stance, plant_constraints
from motionloom.synthesis.limbs import (
    FOLDED_LEG,
    arm_rotations,
    hip_offset,
    knee_axis,
    leg_rotations,
    limit_height,
    max_root_height,
)
from motionloom.synthesis.synthetic_motion import SyntheticMotion


@dataclass(frozen=True)
class TrunkMotion:
    """The motion of pelvis, chest and head over T frames; angles are yaw, pitch (forward), roll in radians.

    Attributes
    ----------
    ground
        (T, 3) the position on the floor below the body, metres.
    heading
        (T,) where the body faces, radians.
    shift
        (T, 3) offset of the pelvis from standing upright there: left, up, forward, metres.
    pelvis, chest, head
        (T, 3) angles with respect to the heading.
    """

    ground: FloatArray
    heading: FloatArray
    shift: FloatArray
    pelvis: FloatArray
    chest: FloatArray
    head: FloatArray


@dataclass(frozen=True)
class Trunk:
    """The trunk placed over the feet: ``root`` (T, 3), and world rotations (T, 4) by joint name, pelvis to
    head.
    """

    root: FloatArray
    heading: FloatArray
    rotations: Mapping[str, FloatArray]

    @property
    def facing(self) -> FloatArray:
        """Return the heading as rotations (T, 4)."""
        return rot.from_yaw(self.heading)

    def hip(self, side: Side) -> FloatArray:
        """Return the world positions (T, 3) of a hip."""
        return np.asarray(self.root + hip_offset(side, self.rotations["Hips"]))

    def shoulder(self, side: Side) -> FloatArray:
        """Return the world positions (T, 3) of a shoulder joint, where the upper arm begins."""
        name = side.capitalize()
        position = self.root
        for parent, child in (("Hips", "Spine"), ("Spine", "Spine1"), ("Spine1", "Spine2")):
            position = position + rot.rotate(self.rotations[parent], offset(child))
        return np.asarray(
            position + rot.rotate(self.rotations["Spine2"], offset(name + "Shoulder") + offset(name + "Arm"))
        )


@dataclass(frozen=True)
class ArmPose:
    """World rotations (T, 4) of an upper arm and a forearm."""

    upper: FloatArray
    fore: FloatArray


@dataclass(frozen=True)
class LegPose:
    """World rotations (T, 4) of thigh and shin, and the foot they carry."""

    thigh: FloatArray
    shin: FloatArray
    foot: FootMotion


def place_trunk(motion: TrunkMotion, feet: Mapping[Side, FootMotion]) -> Trunk:
    """Place the trunk over the feet, lowering it smoothly where a leg would otherwise be too short.

    >>> from motionloom.synthesis.stand import place_feet, stand_on, keep_standing
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: keep_standing(foot, time) for side, foot in place_feet(0.2, 0.0).items()}
    >>> body = stand_on(time, 2.0, feet)
    >>> trunk = place_trunk(body.trunk_motion, body.feet)
    >>> bool((trunk.root[:, 1] < STANDING_HEIGHT).all()), trunk.root.shape
    (True, (2, 3))
    """
    facing = rot.from_yaw(motion.heading)
    pelvis, chest, head = (
        rot.multiply(facing, rot.from_euler(angles, "YXZ"))
        for angles in (motion.pelvis, motion.chest, motion.head)
    )
    root = motion.ground + rot.rotate(facing, motion.shift * [1.0, 0.0, 1.0])
    hips = {side: root + hip_offset(side, pelvis) for side in SIDES}
    ankles = {side: feet[side].ankle for side in SIDES}
    root[:, 1] = lower_root(STANDING_HEIGHT + motion.shift[:, 1], hips, ankles)

    spine = _distribute(pelvis, chest, 3)
    neck = _distribute(chest, head, 2)
    names = ("Hips", "Spine", "Spine1", "Spine2", "Neck", "Head")
    return Trunk(root, motion.heading, dict(zip(names, (pelvis, *spine, *neck), strict=True)))


def lower_root(
    heights: FloatArray, hips: Mapping[Side, FloatArray], ankles: Mapping[Side, FloatArray]
) -> FloatArray:
    """Return the heights (T,) of a root, lowered smoothly where a leg would not reach its ankle, metres.

    Parameters
    ----------
    heights
        (T,) how high the root would be if the legs were long enough.
    hips
        (T, 3) where the hips are while the root is on the floor.
    ankles
        (T, 3) where the ankles are.

    >>> hips = {side: np.zeros((2, 3)) for side in SIDES}
    >>> lowered = lower_root(np.array([0.5, 1.0]), hips, hips)
    >>> bool(lowered[0] > 0.499), bool(lowered[1] < 0.9)
    (True, True)
    """
    limits = [max_root_height(hips[side], ankles[side]) for side in SIDES]
    if any(np.isnan(limit).any() for limit in limits):
        raise ParameterError(
            "the legs are too short for these steps",
            remedy="ask for a lower speed, a wider curve or a smaller turn",
        )
    return limit_height(heights, limits)


def _distribute(start: FloatArray, end: FloatArray, n_joints: int) -> list[FloatArray]:
    """Distribute the rotation from ``start`` to ``end`` evenly over the joints of a chain."""
    vector = rot.to_rotation_vector(rot.multiply(rot.inverse(start), end))
    fractions = (n / n_joints for n in range(1, n_joints + 1))
    return [rot.multiply(start, rot.from_rotation_vector(vector * fraction)) for fraction in fractions]


def solve_leg(trunk: Trunk, side: Side, foot: FootMotion) -> LegPose:
    """Solve the leg that reaches a foot exactly, its knee pointing between body and foot.

    >>> from motionloom.synthesis.stand import place_feet, stand_on, keep_standing
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: keep_standing(foot, time) for side, foot in place_feet(0.2, 0.0).items()}
    >>> body = stand_on(time, 2.0, feet)
    >>> solve_leg(body.trunk, "left", body.feet["left"]).shin.shape
    (2, 4)
    """
    hip = trunk.hip(side)
    nearest = float(np.linalg.norm(foot.ankle - hip, axis=-1).min())
    if nearest < FOLDED_LEG:
        raise ParameterError(
            f"the {side} foot comes within {nearest:.2f} m of its hip; a folded leg is {FOLDED_LEG:.2f} m "
            "long",
            remedy="ask for less crouch, less lift or a lower speed",
        )
    thigh, shin = leg_rotations(hip, foot.ankle, knee_axis(trunk.heading, foot.yaw))
    return LegPose(thigh, shin, foot)


def pose_body(trunk: Trunk, legs: Mapping[Side, LegPose], arms: Mapping[Side, ArmPose], fps: float) -> Clip:
    """Make the clip of a whole body from the world rotations of its parts.

    >>> from motionloom.synthesis.stand import place_feet, stand_on, keep_standing
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: keep_standing(foot, time) for side, foot in place_feet(0.2, 0.0).items()}
    >>> body = stand_on(time, 2.0, feet)
    >>> from motionloom.synthesis.stand import rest_arm
    >>> arms = {side: rest_arm(body.trunk, side) for side in SIDES}
    >>> pose_body(body.trunk, {side: body.leg(side) for side in SIDES}, arms, fps=2.0)
    Clip(2 frames at 2 fps, 22 joints, 0 constraints, 0 events)
    """
    skeleton = biped()
    world = np.empty((len(trunk.root), skeleton.n_joints, 4))
    for name, rotation in trunk.rotations.items():
        world[:, skeleton.index(name)] = rotation
    for side in SIDES:
        arm, leg = arms[side], legs[side]
        rotations = {
            "Shoulder": trunk.rotations["Spine2"],
            "Arm": arm.upper,
            "ForeArm": arm.fore,
            "Hand": arm.fore,
            "UpLeg": leg.thigh,
            "Leg": leg.shin,
            "Foot": leg.foot.rotation,
            "ToeBase": leg.foot.toe_rotation,
        }
        for name, rotation in rotations.items():
            world[:, joint(side, name)] = rotation
    local = rot.unroll(rot.normalize(local_rotations(skeleton.parents, world)))
    return Clip(skeleton, 1.0 / fps, freeze(trunk.root), freeze(local))


def assemble_motion(
    clip: Clip,
    stances: Mapping[Side, Sequence[Stance]],
    phase: FloatArray,
    ground: FloatArray,
    holds: tuple[Constraint, ...] = (),
) -> SyntheticMotion:
    """Return the clip together with its ground truth.

    >>> from motionloom.synthesis.stand import stand
    >>> motion = stand(duration=1.0, fps=2.0)
    >>> assemble_motion(motion.clip, {"left": [], "right": []}, motion.phase, motion.path).plants
    ()
    """
    plants = [
        plant for side in SIDES for plant in plant_constraints(side, stances[side], clip.fps, clip.n_frames)
    ]
    ordered = tuple(sorted(plants, key=lambda plant: (plant.start, plant.joint)))
    return SyntheticMotion(clip, ordered, phase, ground, holds)


@dataclass(frozen=True)
class ArmAngles:
    """Angles (T,) of an arm in radians; all zero is an arm that hangs straight down.

    Attributes
    ----------
    flexion, abduction
        Of the upper arm, forward and away from the body.
    inward
        Rotation of the upper arm about its length, which brings a bent forearm across the body.
    elbow
        Bend of the elbow.
    """

    flexion: FloatArray
    abduction: FloatArray
    inward: FloatArray
    elbow: FloatArray


def hang_arm(trunk: Trunk, side: Side, angles: ArmAngles) -> ArmPose:
    """Pose an arm by its angles relative to the chest.

    >>> from motionloom.synthesis.stand import place_feet, stand_on, keep_standing
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: keep_standing(foot, time) for side, foot in place_feet(0.2, 0.0).items()}
    >>> body = stand_on(time, 2.0, feet)
    >>> straight_down = ArmAngles(*np.zeros((4, 2)))
    >>> upper = hang_arm(body.trunk, "right", straight_down).upper
    >>> rot.rotate(upper[0], [-1.0, 0.0, 0.0]).round(9) + 0.0
    array([ 0., -1.,  0.])
    """
    mirror = [1.0, 1.0, sign(side), sign(side)]
    x, y, z = np.eye(3)
    # For the left arm, which lies along +X at rest; the right one is its mirror image.
    upper = rot.multiply(
        rot.from_axis_angle(x, -angles.flexion), rot.from_axis_angle(z, angles.abduction - np.pi / 2.0)
    )
    upper = rot.multiply(upper, rot.from_axis_angle(x, angles.inward)) * mirror
    bend = rot.from_axis_angle(y, -angles.elbow) * mirror
    world = rot.multiply(trunk.rotations["Spine2"], upper)
    return ArmPose(world, rot.multiply(world, bend))


def reach_arm(trunk: Trunk, side: Side, wrist: FloatArray) -> ArmPose:
    """Solve an arm whose wrist is at the world positions (T, 3).

    >>> from motionloom.synthesis.stand import place_feet, stand_on, keep_standing
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: keep_standing(foot, time) for side, foot in place_feet(0.2, 0.0).items()}
    >>> body = stand_on(time, 2.0, feet)
    >>> wrist = body.trunk.shoulder("left") + [0.0, 0.0, 0.4]
    >>> reach_arm(body.trunk, "left", wrist).fore.shape
    (2, 4)
    """
    return ArmPose(*arm_rotations(side, trunk.shoulder(side), wrist, trunk.facing))


GUARD = (-0.06, 0.02, 0.27)
"""Position of a guarding fist, before the chin, relative to its shoulder: outward, up, ahead, metres."""


def guard_arm(trunk: Trunk, side: Side, fist: FloatArray | None = None) -> ArmPose:
    """Solve an arm with its fist at ``fist`` (T, 3): outward, up, ahead of the shoulder, metres; None guards.

    >>> from motionloom.synthesis.stand import place_feet, stand_on, keep_standing
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: keep_standing(foot, time) for side, foot in place_feet(0.2, 0.0).items()}
    >>> body = stand_on(time, 2.0, feet)
    >>> guard_arm(body.trunk, "left").upper.shape
    (2, 4)
    """
    outward = np.array([sign(side), 1.0, 1.0])
    offset = rot.rotate(trunk.facing, outward * (np.asarray(GUARD) if fist is None else fist))
    return reach_arm(trunk, side, trunk.shoulder(side) + offset)
