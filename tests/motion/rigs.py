"""Rigs that hold a body in other ways: below a joint that stays put, or that moves over the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Tip
from motionloom.motion.ground_path import ground_path


def hold_still(clip: Clip, name: str = "root") -> Clip:
    """Return the clip below a joint that stays at the origin."""
    own, n_frames = clip.skeleton, clip.n_frames
    skeleton = Skeleton(
        (name, *own.names),
        np.array([-1, *(own.parents + 1)]),
        np.concatenate([np.zeros((1, 3)), own.offsets]),
        np.concatenate([rot.IDENTITY[None], own.rest_rotations]),
        tuple(Tip(tip.joint + 1, tip.offset) for tip in own.tips),
    )
    bones = np.concatenate([np.zeros((n_frames, 1, 3)), clip.local_positions()], axis=1)
    bones[:, 1] = clip.root_positions
    still = np.broadcast_to(rot.IDENTITY, (n_frames, 1, 4))
    return replace(
        clip,
        skeleton=skeleton,
        root_positions=np.zeros((n_frames, 3)),
        rotations=np.concatenate([still, clip.rotations], axis=1),
        translations=bones,
        source=replace(clip.source, channels=None),
    )


def carry_on_ground(clip: Clip, name: str = "root") -> Clip:
    """Return the clip below a joint that goes along right below the body, and turns with it."""
    held = hold_still(clip, name)
    path = ground_path(clip, 0, 0.0)
    roots = np.column_stack([path[:, 0], np.zeros(len(path)), path[:, 1]])
    turns = rot.from_yaw(path[:, 2])
    rotations, bones = np.array(held.rotations), np.array(held.translations)
    rotations[:, 0] = turns
    rotations[:, 1] = rot.multiply(rot.inverse(turns), clip.rotations[:, 0])
    bones[:, 1] = rot.rotate(rot.inverse(turns), clip.root_positions - roots)
    return replace(held, root_positions=roots, rotations=rotations, translations=bones)


def add_helpers(clip: Clip, feet: tuple[str, str] = ("LeftFoot", "RightFoot")) -> Clip:
    """Return a clip below a root with helper joints as Unreal has them: they follow the feet."""
    held = carry_on_ground(clip)
    own, world = held.skeleton, (held.world_positions(), held.world_rotations())
    names = ("ik_foot_root", "ik_foot_l", "ik_foot_r")
    first, rest = own.n_joints, own.rest_positions()
    where = [np.zeros(3), *(rest[own.index(foot)] for foot in feet)]
    skeleton = Skeleton(
        (*own.names, *names),
        np.concatenate([own.parents, [0, first, first]]),
        np.concatenate([own.offsets, where]),
        np.concatenate([own.rest_rotations, np.tile(rot.IDENTITY, (3, 1))]),
        own.tips,
    )
    back = rot.inverse(held.rotations[:, 0])
    locals_ = [(np.zeros((clip.n_frames, 3)), np.tile(rot.IDENTITY, (clip.n_frames, 1)))]
    for foot in feet:
        joint = own.index(foot)
        offset = world[0][:, joint] - held.root_positions
        locals_.append((rot.rotate(back, offset), rot.multiply(back, world[1][:, joint])))
    bones = np.stack([position for position, _ in locals_], axis=1)
    rotations = np.stack([rotation for _, rotation in locals_], axis=1)
    return replace(
        held,
        skeleton=skeleton,
        rotations=np.concatenate([held.rotations, rotations], axis=1),
        translations=np.concatenate([np.array(held.translations), bones], axis=1),
    )


UNREAL = {
    "Hips": "pelvis",
    "Spine": "spine_01",
    "Spine1": "spine_02",
    "Spine2": "spine_03",
    "Neck": "neck_01",
    "Head": "head",
    **{
        f"{side}{part}": f"{name}_{side[0].lower()}"
        for side in ("Left", "Right")
        for part, name in {
            "UpLeg": "thigh",
            "Leg": "calf",
            "Foot": "foot",
            "ToeBase": "ball",
            "Shoulder": "clavicle",
            "Arm": "upperarm",
            "ForeArm": "lowerarm",
            "Hand": "hand",
        }.items()
    },
}
"""Names of the built-in body's joints in Unreal's skeleton."""


def name_as_unreal(clip: Clip) -> Clip:
    """Return a clip of the built-in body as Unreal has it: a root on the ground, twist joints, helpers."""
    held = add_helpers(clip)
    own = held.skeleton
    twisted = [own.index(name) for name in ("LeftUpLeg", "RightUpLeg", "LeftArm", "RightArm")]
    names = tuple(UNREAL.get(name, name) for name in own.names)
    twists = [f"{names[joint][:-2]}_twist_01{names[joint][-2:]}" for joint in twisted]
    halves = np.array([0.5 * own.offsets[np.flatnonzero(own.parents == joint)[0]] for joint in twisted])
    skeleton = Skeleton(
        (*names, *twists),
        np.concatenate([own.parents, twisted]),
        np.concatenate([own.offsets, halves]),
        np.concatenate([own.rest_rotations, np.tile(rot.IDENTITY, (len(twists), 1))]),
        own.tips,
    )
    still = np.broadcast_to(rot.IDENTITY, (clip.n_frames, len(twists), 4))
    bones = np.broadcast_to(halves, (clip.n_frames, *halves.shape))
    return replace(
        held,
        skeleton=skeleton,
        rotations=np.concatenate([held.rotations, still], axis=1),
        translations=np.concatenate([np.array(held.translations), bones], axis=1),
    )
