"""The built-in body as other programs would rig it, and measures of what became of a motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Tip, kinematics
from motionloom.retargeting.body_parts import SIDES, find_body_parts

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
