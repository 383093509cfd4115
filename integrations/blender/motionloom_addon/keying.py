"""Motion as a new action of an armature: every bone keyed in every frame, in its own rotation mode."""

from __future__ import annotations

from typing import Any

import numpy as np
from mathutils import Matrix, Quaternion

from .actions import NewAction
from .errors import Refusal
from .exchange import write_record
from .motion import Array, Motion
from .spaces import armature_space, directions, frames_per_second, matrices_of

WHOLE = "Object Transforms"
"""Group of the curves that move an armature as a whole."""


FAR = 1e-3
"""Metres by which a connected bone may miss its place before that is worth a sentence."""


def action_of(
    scene: Any, armature: Any, motion: Motion, first: float, hold_object: bool = False
) -> tuple[Any, list[str]]:
    """Make an action of a motion that has the armature's bones; it is not made the active one.

    Returns the action, and a sentence where the armature cannot follow the motion.

    Parameters
    ----------
    scene
        Whose frame rate and unit count.
    armature
        The object; bones that the motion lacks stay at rest.
    motion
        T frames; the armature's bones by name.
    first
        The frame of the timeline at which the action begins.
    hold_object
        Whether to key where the armature is as a whole, because other actions of it move that.
    """
    if not any(bone.name in motion.names for bone in armature.data.bones):
        raise Refusal(f"{motion.name}: the motion has none of the bones of {armature.name}")
    placed = armature_space(scene, armature)
    step = frames_per_second(scene) * motion.frame_time
    frames: Array = first + step * np.arange(len(motion.positions), dtype=np.float64)
    made = NewAction(armature, motion.name, frames)
    poses = _poses(armature, motion, placed)
    notes: list[str] = []
    for bone in armature.pose.bones:
        local = _local(bone, poses)
        missed = _missed(bone, local, float(np.linalg.norm(placed[:3, 0])))
        if missed > FAR:
            notes.append(f"{bone.name} is connected and misses its place by up to {1000 * missed:.0f} mm")
        made.key(bone.path_from_id("location"), local[:, :3, 3], bone.name)
        made.key(*_rotation(bone, local), bone.name)
        made.key(bone.path_from_id("scale"), np.ones((len(local), 3)), bone.name)
    if hold_object:
        _hold(made, armature)
    write_record(made.action, motion, step, placed)
    if motion.cyclic:
        made.action.use_frame_range, made.action.use_cyclic = True, True
        made.action.frame_start, made.action.frame_end = made.frames[0], made.frames[-1]
    return made.action, notes


def _missed(bone: Any, local: Array, metres_per_unit: float) -> float:
    """How far a bone is from its place, metres: connected ones do not leave their parent's tail."""
    if not bone.bone.use_connect:
        return 0.0
    return float(np.linalg.norm(local[:, :3, 3], axis=-1).max(initial=0.0)) * metres_per_unit


def _poses(armature: Any, motion: Motion, placed: Array) -> dict[str, Array]:
    """The transform (T, 4, 4) of each bone in the armature's space."""
    back = np.linalg.inv(placed)
    own = directions(placed)
    found: dict[str, Array] = {}
    for bone in armature.data.bones:  # parents come first
        (rest,) = matrices_of([bone.matrix_local])
        if bone.name not in motion.names:
            found[bone.name] = np.tile(rest, (len(motion.positions), 1, 1))
            if bone.parent is not None:
                (rest_above,) = matrices_of([bone.parent.matrix_local])
                found[bone.name] = found[bone.parent.name] @ np.linalg.inv(rest_above) @ rest
            continue
        n = motion.names.index(bone.name)
        pose = np.tile(np.eye(4), (len(motion.positions), 1, 1))
        pose[:, :3, :3] = own.T @ motion.turns[:, n] @ own @ rest[:3, :3]
        pose[:, :3, 3] = motion.positions[:, n] @ back[:3, :3].T + back[:3, 3]
        found[bone.name] = pose
    return found


def _local(bone: Any, poses: dict[str, Array]) -> Array:
    """The transform (T, 4, 4) of a bone's channels."""
    pose = poses[bone.name]
    if bone.parent is None:
        return np.asarray(np.linalg.inv(matrices_of([bone.bone.matrix_local])) @ pose)
    above = poses[bone.parent.name]
    rest, rest_above = matrices_of([bone.bone.matrix_local, bone.parent.bone.matrix_local])
    if bone.bone.use_inherit_rotation and bone.bone.use_local_location:
        return np.asarray(np.linalg.inv(np.linalg.inv(rest_above) @ rest) @ np.linalg.inv(above) @ pose)
    return matrices_of(
        bone.bone.convert_local_to_pose(
            Matrix(one),
            bone.bone.matrix_local,
            parent_matrix=Matrix(up),
            parent_matrix_local=bone.parent.bone.matrix_local,
            invert=True,
        )
        for one, up in zip(pose.tolist(), above.tolist(), strict=True)
    )


def _rotation(bone: Any, local: Array) -> tuple[str, Array]:
    """The channel that turns a bone, and its values (T, C)."""
    turns = quaternions(local[:, :3, :3])
    if bone.rotation_mode == "QUATERNION":
        return bone.path_from_id("rotation_quaternion"), turns
    if bone.rotation_mode == "AXIS_ANGLE":
        return bone.path_from_id("rotation_axis_angle"), _axes_and_angles(turns)
    return bone.path_from_id("rotation_euler"), _angles(turns, bone.rotation_mode)


def quaternions(matrices: Array) -> Array:
    """Quaternions (T, 4), w first, of rotations (T, 3, 3); neighbours lie in one hemisphere.

    Of the four ways to tell a quaternion by a matrix, each takes the one that divides by the most.
    """
    m = np.moveaxis(matrices, 0, -1)
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = m
    ways = np.array(
        [
            [1 + xx + yy + zz, zy - yz, xz - zx, yx - xy],
            [zy - yz, 1 + xx - yy - zz, yx + xy, xz + zx],
            [xz - zx, yx + xy, 1 - xx + yy - zz, zy + yz],
            [yx - xy, xz + zx, zy + yz, 1 - xx - yy + zz],
        ]
    )
    best = np.einsum("iit->it", ways).argmax(axis=0)
    turns = ways[best, :, np.arange(len(matrices))]
    turns = turns / np.linalg.norm(turns, axis=-1, keepdims=True)
    flips = np.einsum("ti,ti->t", turns[1:], turns[:-1]) < 0.0
    signs = np.where(np.logical_xor.accumulate(flips), -1.0, 1.0)
    return np.asarray(turns * np.concatenate([[1.0], signs])[: len(turns), None])


def _axes_and_angles(turns: Array) -> Array:
    length = np.linalg.norm(turns[:, 1:], axis=-1, keepdims=True)
    axes = np.where(length > 0.0, turns[:, 1:] / np.where(length > 0.0, length, 1.0), [0.0, 1.0, 0.0])
    return np.concatenate([2.0 * np.arctan2(length, turns[:, :1]), axes], axis=-1)


def _angles(turns: Array, order: str) -> Array:
    """Euler angles (T, 3), each near to the one before."""
    angles: list[Any] = []
    for turn in turns.tolist():
        angles.append(Quaternion(turn).to_euler(order, *angles[-1:]))
    return np.array([tuple(angle) for angle in angles])


def _hold(made: NewAction, armature: Any) -> None:
    rotation = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    for path in ("location", rotation.get(armature.rotation_mode, "rotation_euler"), "scale"):
        values = np.array(tuple(getattr(armature, path)))
        made.key(path, np.broadcast_to(values, (len(made.frames), len(values))), WHOLE)
