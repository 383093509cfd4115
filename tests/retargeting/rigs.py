"""The built-in body as other programs would rig it, and measures of what became of a motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.cycles import cyclify
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Tip, kinematics
from motionloom.motion.anatomy import tree
from motionloom.retargeting.body_parts import SIDES, find_body_parts
from motionloom.retargeting.root_motion import move_root_motion
from tests.motion.rigs import add_helpers, carry_on_ground, hold_still, name_as_unreal

BONES = (("thigh", "shin"), ("shin", "foot"), ("upper arm", "forearm"), ("forearm", "hand"))

HANGING = {
    f"{side}{part}": rot.from_axis_angle([0.0, 0.0, 1.0], sign * np.pi / 2)
    for side, sign in (("Left", -1.0), ("Right", 1.0))
    for part in ("Arm", "ForeArm", "Hand")
}
"""Turns of the arms of a T-pose that let them hang, by the joints of the built-in body."""


def renamed(clip: Clip, names: tuple[str, ...]) -> Clip:
    """The clip without annotations and with other joint names."""
    return replace(clip, skeleton=replace(clip.skeleton, names=names), constraints=(), events=())


def rerigged(clip: Clip, turns: dict[str, FloatArray]) -> Clip:
    """The same motion of a body whose rest pose has joints turned by so much in the world; bones stay."""
    skeleton = clip.skeleton
    rests = np.array([turns.get(name, rot.IDENTITY) for name in skeleton.names])
    world = rot.multiply(clip.world_rotations(), rot.inverse(rests))
    offsets = np.array(skeleton.offsets)
    offsets[1:] = rot.rotate(rests[skeleton.parents[1:]], offsets[1:])
    tips = tuple(Tip(tip.joint, rot.rotate(rests[tip.joint], tip.offset)) for tip in skeleton.tips)
    return replace(
        clip,
        skeleton=replace(skeleton, offsets=offsets, tips=tips),
        rotations=rot.normalize(kinematics.local_rotations(skeleton.parents, world)),
        constraints=tuple(
            replace(c, point=rot.rotate(rests[skeleton.index(c.joint)], c.point)) for c in clip.constraints
        ),
    )


def with_static_root(clip: Clip) -> Clip:
    """The clip below a joint that stands still at the origin, as in Bandai's files."""
    skeleton, n_frames = clip.skeleton, clip.n_frames
    below = Skeleton(
        ("joint_Root", *skeleton.names),
        np.array([-1, *(skeleton.parents + 1)]),
        np.concatenate([np.zeros((1, 3)), skeleton.offsets]),
        tips=tuple(Tip(tip.joint + 1, tip.offset) for tip in skeleton.tips),
    )
    moved = np.tile(below.offsets, (n_frames, 1, 1))
    moved[:, 1] = clip.root_positions
    still = np.broadcast_to(rot.IDENTITY, (n_frames, 1, 4))
    return replace(
        clip,
        skeleton=below,
        root_positions=np.zeros((n_frames, 3)),
        rotations=np.concatenate([still, clip.rotations], axis=1),
        translations=moved,
    )


def bone_ways(clip: Clip) -> dict[str, FloatArray]:
    """The ways (T, 3) along the bones of limbs, by side and upper part."""
    joints, places = find_body_parts(clip.skeleton).joints, clip.world_positions()
    return {
        f"{side} {upper}": places[:, joints[f"{side} {lower}"]] - places[:, joints[f"{side} {upper}"]]
        for side in SIDES
        for upper, lower in BONES
    }


def angles(a: FloatArray, b: FloatArray) -> FloatArray:
    """Angles (...) in degrees between vectors (..., 3)."""
    sines, cosines = np.linalg.norm(np.cross(a, b), axis=-1), np.einsum("...i,...i", a, b)
    return np.asarray(np.degrees(np.arctan2(sines, cosines)))


def planted_heights(clip: Clip) -> FloatArray:
    """Heights (N,) of all planted points in all frames of their plants, metres."""
    heights = []
    for plant in clip.constraints:
        frames = np.arange(int(np.ceil(plant.start)), min(int(plant.end), clip.n_frames - 1) + 1)
        joint = clip.skeleton.index(plant.joint)
        places = kinematics.world_points(
            clip.world_positions()[frames], clip.world_rotations()[frames], [joint], [plant.point]
        )
        heights.append(places[:, 0, 1])
    return np.concatenate(heights)


def reframed(clip: Clip, turns: FloatArray) -> Clip:
    """The same motion of the same body whose joints have other axes (J, 4), which its rest rotations tell."""
    skeleton = clip.skeleton
    framed = rerigged(clip, dict(zip(skeleton.names, turns, strict=True)))
    rests = kinematics.local_rotations(skeleton.parents, rot.inverse(turns))
    return replace(framed, skeleton=replace(framed.skeleton, rest_rotations=rot.normalize(rests)))


def bare(clip: Clip) -> Clip:
    """The clip as a file without annotations has it."""
    return replace(clip, constraints=(), events=())


def _kept(clip: Clip, names: list[str]) -> Clip:
    """The clip with these joints in this order, each on a joint of the list that comes before it."""
    own = clip.skeleton
    joints = [own.index(name) for name in names]
    number = {joint: n for n, joint in enumerate(joints)}
    skeleton = Skeleton(
        tuple(names),
        np.array([number.get(int(own.parents[joint]), -1) for joint in joints]),
        own.offsets[joints],
        own.rest_rotations[joints],
        tuple(Tip(number[tip.joint], tip.offset) for tip in own.tips if tip.joint in number),
    )
    moved = clip.translations
    return replace(
        bare(clip),
        skeleton=skeleton,
        rotations=clip.rotations[:, joints],
        translations=None if moved is None else moved[:, joints],
    )


def without(clip: Clip, *starts: str) -> Clip:
    """The clip without these joints and all below them."""
    own = clip.skeleton
    gone = {joint for name in starts for joint in tree.subtree(own, own.index(name))}
    return _kept(clip, [name for joint, name in enumerate(own.names) if joint not in gone])


def in_breadth_order(clip: Clip) -> Clip:
    """The clip with its joints listed level by level, the last branch first."""
    own = clip.skeleton
    depths = [len(tree.ancestors(own, joint)) for joint in range(own.n_joints)]
    order = sorted(range(own.n_joints), key=lambda joint: (depths[joint], -joint))
    return _kept(clip, [own.names[joint] for joint in order])


def with_joints_below(clip: Clip, joints: Mapping[str, tuple[str, npt.ArrayLike]]) -> Clip:
    """The clip with more joints that do not turn: name -> the joint each hangs on, and its offset."""
    own, count = clip.skeleton, len(joints)
    names = [*own.names, *joints]
    bones = np.array([offset for _, offset in joints.values()], dtype=float)
    skeleton = Skeleton(
        tuple(names),
        np.array([*own.parents, *(names.index(above) for above, _ in joints.values())]),
        np.concatenate([own.offsets, bones]),
        np.concatenate([own.rest_rotations, np.tile(rot.IDENTITY, (count, 1))]),
        own.tips,
    )
    still = np.tile(rot.IDENTITY, (clip.n_frames, count, 1))
    moved = clip.translations
    if moved is not None:
        moved = np.concatenate([moved, np.tile(bones, (clip.n_frames, 1, 1))], axis=1)
    return replace(
        bare(clip),
        skeleton=skeleton,
        rotations=np.concatenate([clip.rotations, still], axis=1),
        translations=moved,
    )


def with_joint_above(clip: Clip, name: str, above: str, fraction: float = 0.0) -> Clip:
    """The clip with a joint at a fraction of the bone that leads to the joint ``name``; 0 is no length."""
    own = clip.skeleton
    joint = own.index(name)
    offset = own.offsets[joint]
    grown = with_joints_below(clip, {above: (own.names[own.parents[joint]], fraction * offset)})
    names = [*own.names[:joint], above, *own.names[joint:]]
    parents = np.array(grown.skeleton.parents)
    parents[joint] = own.n_joints
    offsets = np.array(grown.skeleton.offsets)
    offsets[joint] = (1.0 - fraction) * offset
    order = [grown.skeleton.index(each) for each in names]
    number = {each: n for n, each in enumerate(order)}
    skeleton = Skeleton(
        tuple(names),
        np.array([number[parents[each]] if parents[each] >= 0 else -1 for each in order]),
        offsets[order],
        grown.skeleton.rest_rotations[order],
        tuple(Tip(number[tip.joint], tip.offset) for tip in own.tips),
    )
    return replace(grown, skeleton=skeleton, rotations=grown.rotations[:, order], translations=None)


def with_bones(clip: Clip, change: Callable[[str, FloatArray], FloatArray], tips: bool = True) -> Clip:
    """The clip with other bones: ``change`` gives the offset of each joint but the root, and of each tip."""
    own = clip.skeleton
    offsets = [own.offsets[0], *(change(own.names[j], own.offsets[j]) for j in range(1, own.n_joints))]
    ends = tuple(Tip(tip.joint, change(own.names[tip.joint] + " tip", tip.offset)) for tip in own.tips)
    return replace(bare(clip), skeleton=replace(own, offsets=np.array(offsets), tips=ends if tips else ()))


def scaled(clip: Clip, factor: float) -> Clip:
    """The clip in another size."""
    larger = with_bones(clip, lambda _, offset: offset * factor)
    skeleton = replace(larger.skeleton, offsets=factor * clip.skeleton.offsets)
    return replace(larger, skeleton=skeleton, root_positions=factor * clip.root_positions)


def with_stretching_bones(clip: Clip) -> Clip:
    """The clip with bones that get a hundredth longer and shorter."""
    waves = 1.0 + 0.01 * np.sin(np.arange(clip.n_frames) / 5.0)[:, None, None]
    return replace(bare(clip), translations=clip.skeleton.offsets * waves)


def hang_feet_on_root(clip: Clip) -> Clip:
    """The clip below a still root, on which the feet hang beside the body, as in rigs with IK."""
    held = hold_still(clip)
    own = held.skeleton
    feet = [own.index(f"{side}Foot") for side in ("Left", "Right")]
    parents, bones, rotations = np.array(own.parents), np.array(held.translations), np.array(held.rotations)
    offsets = np.array(own.offsets)
    parents[feet] = 0
    bones[:, feet] = held.world_positions()[:, feet]
    rotations[:, feet] = held.world_rotations()[:, feet]
    offsets[feet] = own.rest_positions()[feet]
    return replace(
        bare(held),
        skeleton=replace(own, parents=parents, offsets=offsets),
        rotations=rotations,
        translations=bones,
    )


def lie_in_z_up(clip: Clip) -> Clip:
    """The clip below an armature that turns Z up into Y up, as exporters of Blender have it."""
    held = hold_still(clip, "Armature")
    own = held.skeleton
    turn = rot.from_axis_angle([1.0, 0.0, 0.0], -np.pi / 2)
    back = rot.inverse(turn)
    rotations, bones = np.array(held.rotations), np.array(held.translations)
    rotations[:, 0] = turn
    rotations[:, 1] = rot.multiply(back, rotations[:, 1])
    bones[:, 1] = rot.rotate(back, bones[:, 1])
    rest, offsets = np.array(own.rest_rotations), np.array(own.offsets)
    rest[0], rest[1], offsets[1] = turn, back, rot.rotate(back, offsets[1])
    return replace(
        held,
        skeleton=replace(own, rest_rotations=rest, offsets=offsets),
        rotations=rotations,
        translations=bones,
    )


def stood_on_four(clip: Clip) -> Clip:
    """A four-legged body that walks: the built-in body's legs, twice, below a level spine."""
    leg = (("UpLeg", -0.03), ("Leg", -0.44), ("Foot", -0.42))
    names, parents, offsets, turns = ["Hips", "Spine"], [-1, 0], [[0.0, 0.97, 0.0], [0.0, 0.0, 0.7]], {}
    for prefix, above in (("", "Hips"), ("Fore", "Spine")):
        for side, sign in (("Left", 1.0), ("Right", -1.0)):
            upper = above
            for part, drop in leg:
                name = f"{side}{prefix}{part}"
                parents.append(names.index(upper))
                names.append(name)
                offsets.append([0.09 * sign if part == "UpLeg" else 0.0, drop, 0.0])
                turns[name] = f"{side}{part}"
                upper = name
    names += ["Neck", "Head", "Tail"]
    parents += [1, len(names) - 3, 0]
    offsets += [[0.0, 0.2, 0.1], [0.0, 0.1, 0.2], [0.0, 0.0, -0.3]]
    rotations = np.tile(rot.IDENTITY, (clip.n_frames, len(names), 1))
    for n, name in enumerate(names):
        if name in turns:
            rotations[:, n] = clip.rotations[:, clip.skeleton.index(turns[name])]
    skeleton = Skeleton(tuple(names), np.array(parents), np.array(offsets))
    return replace(bare(clip), skeleton=skeleton, rotations=rotations, translations=None)


def as_chain(clip: Clip, n_joints: int) -> Clip:
    """A chain of joints without limbs that goes where the clip's root goes."""
    skeleton = Skeleton(
        tuple(f"link{n}" for n in range(n_joints)),
        np.arange(-1, n_joints - 1),
        np.tile([0.0, 0.0, -0.2], (n_joints, 1)),
    )
    rotations = clip.rotations[:, [n % clip.skeleton.n_joints for n in range(n_joints)]]
    return replace(bare(clip), skeleton=skeleton, rotations=rotations, translations=None)


def hold_pose(clip: Clip, n_frames: int) -> Clip:
    """The first pose of a clip, held."""
    rows = np.zeros(n_frames, dtype=np.int64)
    return replace(bare(clip), root_positions=clip.root_positions[rows], rotations=clip.rotations[rows])


def _named(clip: Clip, pattern: Callable[[int, str], str]) -> Clip:
    return renamed(clip, tuple(pattern(n, name) for n, name in enumerate(clip.skeleton.names)))


def _as_mixamo(_: int, name: str) -> str:
    return f"mixamorig:{name}"


def _as_blender(_: int, name: str) -> str:
    side = next((side for side in ("Left", "Right") if name.startswith(side)), "")
    kind = {"UpLeg": "thigh", "Leg": "shin", "Arm": "upper_arm", "ForeArm": "forearm", "ToeBase": "toe"}
    part = name.removeprefix(side)
    return f"{kind.get(part, part.lower())}.{side[0]}" if side else name.lower()


def _to_nothing(*ends: str) -> Callable[[str, FloatArray], FloatArray]:
    """Shorten bones whose names end so to nothing."""
    return lambda name, offset: np.zeros(3) if name.endswith(ends) else offset


FINGERS = {
    name: (above, offset)
    for side, sign in (("Left", 1.0), ("Right", -1.0))
    for name, above, offset in (
        (f"{side}HandIndex1", f"{side}Hand", [0.09 * sign, 0.0, 0.03]),
        (f"{side}HandIndex2", f"{side}HandIndex1", [0.04 * sign, 0.0, 0.0]),
        (f"{side}HandThumb1", f"{side}Hand", [0.03 * sign, -0.02, 0.05]),
    )
}
END_JOINTS = {
    f"{side}{part}_End": (f"{side}{part}", offset)
    for side, sign in (("Left", 1.0), ("Right", -1.0))
    for part, offset in (("Hand", [0.18 * sign, 0.0, 0.0]), ("ToeBase", [0.0, -0.02, 0.07]))
}
TWISTS = {
    f"{name}Twist": (name, [0.0, -0.2, 0.0]) for name in ("LeftUpLeg", "RightUpLeg", "LeftLeg", "RightLeg")
}

SAME_BODY: dict[str, Callable[[Clip], Clip]] = {
    "plain": bare,
    "annotated": lambda clip: clip,
    "no end sites": partial(with_bones, change=lambda _, offset: offset, tips=False),
    "end sites without length": partial(with_bones, change=_to_nothing(" tip")),
    "end joints": lambda clip: with_joints_below(clip, END_JOINTS),
    "end joints without length": lambda clip: with_joints_below(
        clip, {name: (above, [0.0, 0.0, 0.0]) for name, (above, _) in END_JOINTS.items()}
    ),
    "fingers": lambda clip: with_joints_below(clip, FINGERS),
    "prop": lambda clip: with_joints_below(clip, {"Sword": ("RightHand", [0.0, 0.0, 1.0])}),
    "twist joints": lambda clip: with_joints_below(clip, TWISTS),
    "twist joints in the chain": lambda clip: with_joint_above(clip, "LeftLeg", "LeftUpLegTwist", 0.5),
    "hip joints without length": lambda clip: with_joint_above(
        with_joint_above(clip, "LeftUpLeg", "LHipJoint"), "RightUpLeg", "RHipJoint"
    ),
    "joint without length named like a thigh": lambda clip: with_joint_above(
        with_joint_above(clip, "LeftUpLeg", "LeftThigh"), "RightUpLeg", "RightThigh"
    ),
    "still joint above the hips": lambda clip: with_static_root(bare(clip)),
    "root on the ground": lambda clip: carry_on_ground(bare(clip)),
    "two joints above the hips": lambda clip: hold_still(carry_on_ground(bare(clip)), "Armature"),
    "helper joints": lambda clip: add_helpers(bare(clip)),
    "Z up below an armature": lambda clip: lie_in_z_up(bare(clip)),
    "feet on the root": hang_feet_on_root,
    "names of Mixamo": lambda clip: _named(clip, _as_mixamo),
    "names of Blender": lambda clip: _named(clip, _as_blender),
    "names that say nothing": lambda clip: _named(clip, lambda n, _: f"b{n}"),
    "Unreal": lambda clip: name_as_unreal(bare(clip)),
    "hanging arms at rest": lambda clip: rerigged(bare(clip), HANGING),
    "other axes": lambda clip: reframed(
        bare(clip), rot.normalize(np.random.default_rng(1).normal(size=(clip.skeleton.n_joints, 4)))
    ),
    "other order": in_breadth_order,
    "24 frames per second": lambda clip: bare(clip).resampled(24.0),
}
"""The built-in body with the same bones, as other programs rig it; all of it does what the clip does."""

OTHER_BODY: dict[str, Callable[[Clip], Clip]] = {
    "small": lambda clip: scaled(clip, 0.6),
    "large below a still joint": lambda clip: with_static_root(scaled(clip, 1.4)),
    "small with other names": lambda clip: _named(scaled(clip, 0.6), _as_mixamo),
    "in centimetres": lambda clip: scaled(clip, 100.0),
    "feet and hands without length": partial(
        with_bones, change=_to_nothing("ToeBase", "Hand", "Hand tip", "ToeBase tip")
    ),
    "trunk without length": partial(with_bones, change=_to_nothing("Spine", "Spine1", "Spine2", "Neck")),
    "legs without length": partial(with_bones, change=_to_nothing("Leg", "Foot", "ToeBase", "ToeBase tip")),
    "no bone has length": partial(with_bones, change=lambda _name, _offset: np.zeros(3)),
    "bones that stretch": with_stretching_bones,
    "no arms": lambda clip: without(clip, "LeftShoulder", "RightShoulder"),
    "one arm": lambda clip: without(clip, "LeftShoulder"),
    "no head": lambda clip: without(clip, "Neck"),
    "no feet": lambda clip: without(clip, "LeftFoot", "RightFoot"),
    "no legs": lambda clip: without(clip, "LeftUpLeg", "RightUpLeg"),
    "one leg": lambda clip: without(clip, "RightUpLeg"),
    "a loop": lambda clip: cyclify(clip, cycles=1).clip,
    "a loop in place": lambda clip: move_root_motion(cyclify(clip, cycles=1), "nowhere"),
    "four legs": stood_on_four,
    "a chain": lambda clip: as_chain(clip, 6),
    "a single joint": lambda clip: as_chain(clip, 1),
    "a still pose": lambda clip: hold_pose(clip, 40),
    "two frames": lambda clip: bare(clip[:2]),
    "one frame": lambda clip: bare(clip[:1]),
    "no frames": lambda clip: bare(clip[:0]),
}
"""Bodies of which not all can do what the clip does, and clips too short to do anything."""


RIGS = {**SAME_BODY, **OTHER_BODY}
"""Functions that put a clip of the built-in body on other rigs, by what they are."""
