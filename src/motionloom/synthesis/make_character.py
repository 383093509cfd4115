"""`make_character`: a skinned person or creature in code, whose soles and motions are known exactly.

The built-in motions are performed by the biped. Here they are fitted to a body of other proportions and other
feet: each foot turns about its own heel while its toes point up and about its own ball while its heel is
raised, so that its sole stays where the biped's was planted, and the legs reach it exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Skeleton
from motionloom.motion.kinematics import local_rotations
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.synthesis.biped import (
    HEEL_POINT,
    HIP_DROP,
    SIDES,
    TOE_OFFSET,
    TOE_THICKNESS,
    Side,
    joint,
)
from motionloom.synthesis.body_pose import lower_root
from motionloom.synthesis.character_mesh import LegJoints, make_character_mesh
from motionloom.synthesis.character_skeleton import (
    PROPORTIONS,
    BodyProportions,
    CharacterBody,
    CharacterJoint,
    JointNames,
    ProportionsName,
    build_skeleton,
    find_hand,
    list_joints,
)
from motionloom.synthesis.footwear import FOOTWEAR, FootShape, FootwearName, fit_foot
from motionloom.synthesis.jump import jump
from motionloom.synthesis.limbs import knee_axis, leg_rotations
from motionloom.synthesis.locomotion import jog, walk
from motionloom.synthesis.stand import idle
from motionloom.synthesis.synthetic_motion import MAX_FPS, SyntheticMotion
from motionloom.validation import check_choice, check_positive

Unit = Literal["m", "cm"]

RUN_SPEED = 3.6
"""Metres per second at which an adult runs."""

_MOTIONS: dict[str, Callable[..., SyntheticMotion]] = {
    "idle": lambda duration, fps: idle(duration=duration, fps=fps),
    "walk": lambda duration, fps: walk(duration=duration, fps=fps),
    "run": lambda duration, fps: jog(speed=RUN_SPEED, duration=duration, fps=fps),
    "jump": lambda duration, fps: jump(duration=duration, fps=fps),
}
_DURATIONS = {"idle": 4.0, "walk": 3.0, "run": 2.0, "jump": 2.4}
"""Seconds of the motions of an adult; time passes more slowly for larger bodies."""


@dataclass(frozen=True, eq=False)
class SyntheticSole:
    """The true geometry of one foot that stands flat, metres.

    Attributes
    ----------
    foot, toes
        Names of the joints that carry it.
    heel_height, thickness
        How high the bare heel and the bare ball of the foot are above the floor.
    toe_length
        From the toe joint to the tip of the sole.
    heel
        (3,) the hindmost point on the floor, in the frame of the foot joint; for paws that of the pad.
    ball, tip
        (3,) the points on the floor below the toe joint and at the tip, in the frame of the toe joint.
    heel_vertices, toe_vertices
        Vertices of the mesh on the floor: under the heel, which follow the foot alone, and under the toes,
        which follow the toes alone.
    """

    foot: str
    toes: str
    heel_height: float
    thickness: float
    toe_length: float
    heel: FloatArray
    ball: FloatArray
    tip: FloatArray
    heel_vertices: IntArray = field(repr=False)
    toe_vertices: IntArray = field(repr=False)


@dataclass(frozen=True, eq=False)
class SyntheticCharacter:
    """A character with a mesh and several motions; ``motionloom.save`` writes it as one glTF file.

    Attributes
    ----------
    mesh
        The mesh, skinned to the skeleton.
    motions
        "idle", "walk", "run" and "jump", with their ground truth.
    soles
        "left" and "right" → the true geometry of the sole.
    unit
        Length unit of the joints in files.
    """

    mesh: SkinnedMesh
    motions: Mapping[str, SyntheticMotion]
    soles: Mapping[Side, SyntheticSole]
    unit: Unit = "m"

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of mesh and motions."""
        return self.mesh.skeleton

    @property
    def clips(self) -> dict[str, Clip]:
        """The clips of the motions by name."""
        return {name: motion.clip for name, motion in self.motions.items()}


def make_character(
    *,
    footwear: FootwearName = "bare",
    proportions: ProportionsName | BodyProportions = "adult",
    joint_names: JointNames = "plain",
    fingers: bool = False,
    end_joints: bool = False,
    unit: Unit = "m",
    fps: float = 30.0,
) -> SyntheticCharacter:
    """Make a skinned character that idles, walks, runs and jumps with its soles on the floor.

    Parameters
    ----------
    footwear
        "bare", "shoes", "heels", "boots" or "paws".
    proportions
        "adult", "child", "giant", or sizes of the parts of the body.
    joint_names
        "plain" (``LeftFoot``), "mixamo" (``mixamorig:LeftFoot``) or "unreal" (``foot_l``).
    fingers
        Whether hands have five fingers of three joints, which keep their pose.
    end_joints
        Whether head, toes and fingers end in joints, as exporters add them, instead of tips.
    unit
        Length unit of the joints in files: "m", or "cm" below a node scaled by 0.01, as Blender writes.
    fps
        Frames per second.

    >>> character = make_character(footwear="heels", joint_names="mixamo")
    >>> sorted(character.clips), round(character.soles["left"].heel_height, 3)
    (['idle', 'jump', 'run', 'walk'], 0.07)
    """
    wear = FOOTWEAR[check_choice("footwear", footwear, get_args(FootwearName))]
    check_choice("joint_names", joint_names, get_args(JointNames))
    check_choice("unit", unit, get_args(Unit))
    if not isinstance(proportions, BodyProportions):
        proportions = PROPORTIONS[check_choice("proportions", proportions, get_args(ProportionsName))]
    for name, value in (("fingers", fingers), ("end_joints", end_joints)):
        if not isinstance(value, bool):
            raise ParameterError(f"must be True or False, not {value!r}", parameter=name, value=value)
    fps = check_positive("fps", fps, max=MAX_FPS / 2.5, unit="frames per second")

    body = CharacterBody(proportions, fit_foot(wear).scaled(proportions.scale * proportions.feet))
    joints = list_joints(body, fingers, end_joints)
    skeleton = build_skeleton(joints, joint_names)
    numbers = {row.name: n for n, row in enumerate(joints)}
    legs = [
        LegJoints(*(numbers[side.capitalize() + part] for part in ("Leg", "Foot", "ToeBase")))
        for side in SIDES
    ]
    hands = [find_hand(side, joints, skeleton, body.arm_size) for side in SIDES]
    mesh, feet = make_character_mesh(skeleton, legs, hands, body.foot)
    soles = {}
    for side, leg, foot in zip(SIDES, legs, feet, strict=True):
        ball = np.array([0.0, -body.foot.toe_height, 0.0])
        soles[side] = SyntheticSole(
            foot=skeleton.names[leg.foot],
            toes=skeleton.names[leg.toes],
            heel_height=body.foot.footwear.heel_height,
            thickness=body.foot.footwear.thickness,
            toe_length=body.foot.footwear.toe_length,
            heel=freeze(body.foot.heel_point),
            ball=freeze(ball),
            tip=freeze(ball + np.array([0.0, 0.0, body.foot.footwear.toe_length])),
            heel_vertices=foot.heel_vertices,
            toe_vertices=foot.toe_vertices,
        )
    # Bodies of all sizes move alike when time is scaled with the square root of the legs' length.
    slower = float(np.sqrt(body.leg_size))
    motions = {
        name: _fit_motion(make(_DURATIONS[name], fps * slower), body, joints, skeleton, soles, fps)
        for name, make in _MOTIONS.items()
    }
    return SyntheticCharacter(mesh, motions, soles, unit)


def _fit_motion(
    motion: SyntheticMotion,
    body: CharacterBody,
    joints: list[CharacterJoint],
    skeleton: Skeleton,
    soles: Mapping[Side, SyntheticSole],
    fps: float,
) -> SyntheticMotion:
    """Return a motion of the biped on another body, with its plants."""
    size, reference = body.leg_size, motion.clip.skeleton
    # All is done where the legs are as long as the biped's, and scaled in the end.
    foot, per_leg = body.foot.scaled(1.0 / size), 1.0 / body.proportions.legs
    positions, world = motion.clip.world_positions(), np.array(motion.clip.world_rotations())
    pelvis = world[:, 0]
    raised = foot.ankle_height + HEEL_POINT[1] + (per_leg - 1.0) * HIP_DROP
    root = motion.clip.root_positions + np.array([0.0, raised, 0.0])
    ankles, yaws, hips = {}, {}, {}
    for side in SIDES:
        rotation = world[:, joint(side, "Foot")]
        yaws[side] = rot.yaw_of(rotation)
        ankles[side] = positions[:, joint(side, "Foot")] + _shift_ankle(foot, rotation, yaws[side])
        hips[side] = root + rot.rotate(pelvis, per_leg * reference.offsets[joint(side, "UpLeg")])
    lowered = lower_root(np.zeros(len(root)), hips, ankles)[:, None] * [0.0, 1.0, 0.0]
    for side in SIDES:
        axis = knee_axis(rot.yaw_of(pelvis), yaws[side])
        thigh, shin = leg_rotations(hips[side] + lowered, ankles[side], axis)
        world[:, joint(side, "UpLeg")], world[:, joint(side, "Leg")] = thigh, shin
    local = local_rotations(reference.parents, world)

    rotations = np.empty((len(local), len(joints), 4))
    for n, row in enumerate(joints):
        rotations[:, n] = local[:, reference.index(row.name)] if row.bend is None else row.bend
    clip = Clip(
        skeleton, 1.0 / fps, freeze(size * (root + lowered)), freeze(rot.unroll(rot.normalize(rotations)))
    )
    plants = tuple(_fit_plant(plant, body, soles, yaws) for plant in motion.plants)
    return SyntheticMotion(clip, plants, motion.phase, size * motion.path)


def _shift_ankle(foot: FootShape, rotation: FloatArray, yaw: FloatArray) -> FloatArray:
    """Return how far (T, 3) the ankle of another foot is from the biped's, for rotations (T, 4) of both."""
    from_heel = HEEL_POINT - foot.heel_point
    from_ball = TOE_OFFSET - foot.toe_offset
    raised = np.array([0.0, foot.toe_height - TOE_THICKNESS, 0.0])
    flat, level = np.array([1.0, 0.0, 1.0]), rot.from_yaw(yaw)
    about_heel = rot.rotate(rotation, from_heel) - rot.rotate(level, from_heel * flat)
    about_ball = rot.rotate(rotation, from_ball) - rot.rotate(level, from_ball * flat) + raised
    toes_up = rot.rotate(rotation, [0.0, 0.0, 1.0])[:, 1:2] > 0.0
    return np.where(toes_up, about_heel, about_ball)


def _fit_plant(
    plant: Constraint,
    body: CharacterBody,
    soles: Mapping[Side, SyntheticSole],
    yaws: Mapping[Side, FloatArray],
) -> Constraint:
    """Return a plant of the biped where the other foot is planted."""
    side: Side = "left" if plant.joint.startswith("Left") else "right"
    sole, foot = soles[side], body.foot.scaled(1.0 / body.leg_size)
    heel = plant.kind == "heel"
    ahead = foot.heel_point - HEEL_POINT if heel else foot.toe_offset - TOE_OFFSET
    yaw = yaws[side][min(int(np.ceil(plant.start)), len(yaws[side]) - 1)]
    assert plant.target is not None
    target = plant.target + rot.rotate(rot.from_yaw(yaw), ahead * [1.0, 0.0, 1.0])
    return replace(
        plant,
        joint=sole.foot if heel else sole.toes,
        point=sole.heel if heel else sole.ball,
        target=body.leg_size * target,
    )
