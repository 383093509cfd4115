"""An action of an armature as motion: what is seen when it plays, bone by bone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from .actions import assign
from .errors import Refusal
from .motion import Array, Motion
from .spaces import armature_space, directions, frames_per_second, matrices_of, metric

RECORD = "motionloom"
"""Custom property of an action with what its curves cannot hold, as JSON."""

INVENTED = "motionloom_invented_tail"
"""Custom property of bones whose tail only gives them a length, because their chain has no known end."""

MOST_VALUES = 50_000_000
"""Frames times bones of the largest action that is read."""

NEAR = 1e-3
"""Frames, or units of a matrix, by which a record may be beside what it describes."""

CHANNELS = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


def rest_motion(scene: Any, armature: Any) -> Motion:
    """The bones of an armature, without any frames."""
    bones = list(armature.data.bones)  # parents come first
    if not bones:
        raise Refusal(f"{armature.name}: the armature has no bones")
    placed = armature_space(scene, armature)
    index = {bone.name: n for n, bone in enumerate(bones)}
    heads, tails = (_applied(placed, np.array(ends)) for ends in _ends(bones))
    return Motion(
        armature.name,
        list(index),
        [-1 if bone.parent is None else index[bone.parent.name] for bone in bones],
        1.0 / frames_per_second(scene),
        heads,
        np.empty((0, len(bones), 3)),
        np.empty((0, len(bones), 3, 3)),
        [(n, tails[n].tolist()) for n, bone in enumerate(bones) if not (bone.children or bone.get(INVENTED))],
    )


def _ends(bones: list[Any]) -> tuple[list[Any], list[Any]]:
    return [tuple(bone.head_local) for bone in bones], [tuple(bone.tail_local) for bone in bones]


def _applied(matrix: Array, points: Array) -> Array:
    return np.asarray(points @ matrix[:3, :3].T + matrix[:3, 3])


def motion_of(scene: Any, armature: Any, action: Any) -> Motion:
    """Play an action and note where bones are; armature, scene and their state stay as they were.

    Plants and cycles that Motionloom found are taken over from the action's record, unless its keys or the
    armature's place have changed since.
    """
    bones = rest_motion(scene, armature)
    placed = armature_space(scene, armature)
    rest = placed @ matrices_of(bone.matrix_local for bone in armature.data.bones)
    if not armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        raise Refusal(
            f"{armature.name}: the armature is disabled in viewports, so it does not move: enable it"
        )
    record = _record(action, placed)
    frames = _frames(action, record["step"])
    if len(frames) * len(bones.names) > MOST_VALUES:
        raise Refusal(
            f"{action.name}: {len(frames)} frames of {len(bones.names)} bones are too large a motion"
        )
    with _played(scene, armature, action):
        posed = [armature.pose.bones[name] for name in bones.names]
        matrices = np.empty((len(frames), len(posed), 4, 4))
        for n, frame in enumerate(frames):
            scene.frame_set(int(frame // 1.0), subframe=frame % 1.0)
            (whole,) = matrices_of([armature.matrix_world])
            matrices[n] = whole @ matrices_of(bone.matrix for bone in posed)
    worlds = metric(scene, matrices)
    return Motion(
        action.name,
        bones.names,
        bones.parents,
        record["step"] / frames_per_second(scene),
        bones.rest,
        worlds[..., :3, 3],
        directions(worlds) @ directions(rest).swapaxes(-1, -2),
        bones.tips,
        record["cyclic"],
        record["constraints"],
        record["events"],
    )


def _frames(action: Any, step: float) -> Array:
    """The frames (T,) of the timeline at which an action is read."""
    first, last = action.frame_range
    return np.asarray(first + step * np.arange(int((last - first) / step + NEAR) + 1))


def write_record(action: Any, motion: Motion, step: float, placed: Array) -> None:
    """Keep with an action what its curves cannot hold."""
    record = {
        "step": step,
        "range": list(action.frame_range),
        "placed": placed.ravel().tolist(),
        "cyclic": motion.cyclic,
        "constraints": motion.constraints,
        "events": motion.events,
    }
    action[RECORD] = json.dumps(record)


def _record(action: Any, placed: Array) -> dict[str, Any]:
    """What was kept with an action; nothing but its step where the action or its armature has changed."""
    plain: dict[str, Any] = {"step": 1.0, "cyclic": False, "constraints": [], "events": []}
    if RECORD not in action:
        return plain
    record: dict[str, Any] = json.loads(action[RECORD])
    unmoved = np.allclose(record["placed"], placed.ravel(), rtol=0.0, atol=NEAR)
    if unmoved and np.allclose(record["range"], action.frame_range, rtol=0.0, atol=NEAR):
        return record
    return plain | {"step": record["step"]}


@contextmanager
def _played(scene: Any, armature: Any, action: Any) -> Iterator[None]:
    """Let one action alone move an armature, from the rest pose; afterwards all is as it was."""
    data = armature.animation_data or armature.animation_data_create()
    moment, fraction = scene.frame_current, scene.frame_subframe
    active, slot = data.action, getattr(data, "action_slot", None)
    settings = {"use_nla": False, "action_influence": 1.0, "action_blend_type": "REPLACE"}
    before = {name: getattr(data, name) for name in settings}
    pose_position, values = armature.data.pose_position, _channels(armature)
    try:
        for name, value in settings.items():
            setattr(data, name, value)
        armature.data.pose_position = "POSE"
        for bone in armature.pose.bones:
            bone.matrix_basis = Matrix.Identity(4)
        assign(armature, action)
        yield
    finally:
        data.action = active
        if slot is not None:
            data.action_slot = slot
        for name, value in before.items():
            setattr(data, name, value)
        armature.data.pose_position = pose_position
        for owner, name, value in values:
            setattr(owner, name, value)
        scene.frame_set(moment, subframe=fraction)


def _channels(armature: Any) -> list[tuple[Any, str, Any]]:
    """What the channels of an armature and of its bones hold at the moment."""
    owners = [armature, *armature.pose.bones]
    return [(owner, name, tuple(getattr(owner, name))) for owner in owners for name in CHANNELS]
