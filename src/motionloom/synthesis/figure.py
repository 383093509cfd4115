"""From trunk, feet and arms to a clip: the one place where a pose of the whole body is put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint
from motionloom.motion.kinematics import local_rotations
from motionloom.synthesis.body import SIDES, STANDING_HEIGHT, Side, biped, joint, offset
from motionloom.synthesis.footsteps import FootMotion, Stance, plants_of
from motionloom.synthesis.limbs import FOLDED_LEG, highest_root, hip_offset, knee_axis, leg_rotations, lowered
from motionloom.synthesis.result import SyntheticMotion


@dataclass(frozen=True)
class TrunkMoves:
    """What pelvis, chest and head do over T frames; angles are yaw, pitch (forward), roll in radians.

    Attributes
    ----------
    ground
        (T, 3) the place on the floor below the body, metres.
    heading
        (T,) where the body faces, radians.
    shift
        (T, 3) of the pelvis from standing upright at that place: left, up, forward, metres.
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
    """The settled trunk: ``root`` (T, 3), and world rotations (T, 4) from pelvis to head by joint name."""

    root: FloatArray
    heading: FloatArray
    turns: Mapping[str, FloatArray]

    @property
    def facing(self) -> FloatArray:
        """The heading as rotations (T, 4)."""
        return rot.from_yaw(self.heading)

    def hip(self, side: Side) -> FloatArray:
        """World positions (T, 3) of a hip."""
        return np.asarray(self.root + hip_offset(side, self.turns["Hips"]))

    def shoulder(self, side: Side) -> FloatArray:
        """World positions (T, 3) of a shoulder joint, where the upper arm begins."""
        name = side.capitalize()
        place = self.root
        for parent, child in (("Hips", "Spine"), ("Spine", "Spine1"), ("Spine1", "Spine2")):
            place = place + rot.rotate(self.turns[parent], offset(child))
        return np.asarray(
            place + rot.rotate(self.turns["Spine2"], offset(name + "Shoulder") + offset(name + "Arm"))
        )


@dataclass(frozen=True)
class Arm:
    """World rotations (T, 4) of an upper arm and a forearm."""

    upper: FloatArray
    fore: FloatArray


@dataclass(frozen=True)
class Leg:
    """World rotations (T, 4) of thigh and shin, and the foot they carry."""

    thigh: FloatArray
    shin: FloatArray
    foot: FootMotion


def settled(moves: TrunkMoves, feet: Mapping[Side, FootMotion]) -> Trunk:
    """Place the trunk over the feet, lowering it smoothly where a leg would otherwise be too short.

    >>> from motionloom.synthesis.standing import side_by_side, standing, staying
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: staying(foot, time) for side, foot in side_by_side(0.2, 0.0).items()}
    >>> body = standing(time, 2.0, feet)
    >>> trunk = settled(body.moves, body.feet)
    >>> bool((trunk.root[:, 1] < STANDING_HEIGHT).all()), trunk.root.shape
    (True, (2, 3))
    """
    facing = rot.from_yaw(moves.heading)
    pelvis, chest, head = (
        rot.multiply(facing, rot.from_euler(angles, "YXZ"))
        for angles in (moves.pelvis, moves.chest, moves.head)
    )
    aside = moves.shift * [1.0, 0.0, 1.0]
    root = moves.ground + rot.rotate(facing, aside)
    limits = [highest_root(root + hip_offset(side, pelvis), feet[side].ankle) for side in SIDES]
    if any(np.isnan(limit).any() for limit in limits):
        raise ParameterError(
            "the legs are too short for these steps: ask for a lower speed, a wider curve or a smaller turn"
        )
    root[:, 1] = lowered(STANDING_HEIGHT + moves.shift[:, 1], limits)

    spine = _shared(pelvis, chest, 3)
    neck = _shared(chest, head, 2)
    names = ("Hips", "Spine", "Spine1", "Spine2", "Neck", "Head")
    return Trunk(root, moves.heading, dict(zip(names, (pelvis, *spine, *neck), strict=True)))


def _shared(start: FloatArray, end: FloatArray, n_joints: int) -> list[FloatArray]:
    """World rotations of the joints of a chain that share the turn from ``start`` to ``end`` evenly."""
    turn = rot.to_rotation_vector(rot.multiply(rot.inverse(start), end))
    shares = [rot.from_rotation_vector(turn * (n / n_joints)) for n in range(1, n_joints + 1)]
    return [rot.multiply(start, share) for share in shares]


def standing_leg(trunk: Trunk, side: Side, foot: FootMotion) -> Leg:
    """The leg that puts a foot exactly where it is, its knee pointing between body and foot.

    >>> from motionloom.synthesis.standing import side_by_side, standing, staying
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: staying(foot, time) for side, foot in side_by_side(0.2, 0.0).items()}
    >>> body = standing(time, 2.0, feet)
    >>> standing_leg(body.trunk, "left", body.feet["left"]).shin.shape
    (2, 4)
    """
    hip = trunk.hip(side)
    nearest = float(np.linalg.norm(foot.ankle - hip, axis=-1).min())
    if nearest < FOLDED_LEG:
        raise ParameterError(
            f"the {side} foot comes within {nearest:.2f} m of its hip; a folded leg is {FOLDED_LEG:.2f} m "
            "long: ask for less crouch, less lift or a lower speed"
        )
    thigh, shin = leg_rotations(hip, foot.ankle, knee_axis(trunk.heading, foot.yaw))
    return Leg(thigh, shin, foot)


def posed(trunk: Trunk, legs: Mapping[Side, Leg], arms: Mapping[Side, Arm], fps: float) -> Clip:
    """The clip of a whole body whose parts have their world rotations.

    >>> from motionloom.synthesis.standing import side_by_side, standing, staying
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: staying(foot, time) for side, foot in side_by_side(0.2, 0.0).items()}
    >>> body = standing(time, 2.0, feet)
    >>> from motionloom.synthesis.standing import easy_arm
    >>> arms = {side: easy_arm(body.trunk, side) for side in SIDES}
    >>> posed(body.trunk, {side: body.leg(side) for side in SIDES}, arms, fps=2.0)
    Clip(2 frames at 2 fps, 22 joints, 0 constraints, 0 events)
    """
    skeleton = biped()
    world = np.empty((len(trunk.root), skeleton.n_joints, 4))
    for name, turn in trunk.turns.items():
        world[:, skeleton.index(name)] = turn
    for side in SIDES:
        arm, leg = arms[side], legs[side]
        turns = {
            "Shoulder": trunk.turns["Spine2"],
            "Arm": arm.upper,
            "ForeArm": arm.fore,
            "Hand": arm.fore,
            "UpLeg": leg.thigh,
            "Leg": leg.shin,
            "Foot": leg.foot.rotation,
            "ToeBase": leg.foot.toe_rotation,
        }
        for name, turn in turns.items():
            world[:, joint(side, name)] = turn
    local = rot.unroll(rot.normalize(local_rotations(skeleton.parents, world)))
    return Clip(skeleton, 1.0 / fps, freeze(trunk.root), freeze(local))


def performed(
    clip: Clip,
    stances: Mapping[Side, Sequence[Stance]],
    phase: FloatArray,
    ground: FloatArray,
    holds: tuple[Constraint, ...] = (),
) -> SyntheticMotion:
    """The clip together with its truth.

    >>> from motionloom.synthesis.stand import stand
    >>> motion = stand(duration=1.0, fps=2.0)
    >>> performed(motion.clip, {"left": [], "right": []}, motion.phase, motion.path).plants
    ()
    """
    plants = [plant for side in SIDES for plant in plants_of(side, stances[side], clip.fps, clip.n_frames)]
    ordered = tuple(sorted(plants, key=lambda plant: (plant.start, plant.joint)))
    return SyntheticMotion(clip, ordered, phase, ground, holds)
