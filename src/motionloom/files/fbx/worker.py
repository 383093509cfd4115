"""Script that reads and writes FBX files; it runs inside Blender, in a process of its own.

``worker.py read FBX RESULT [ANIMATION]`` writes a NumPy archive that describes the motion;
``worker.py write MOTION FBX`` does the opposite. Both describe joints in Blender's world (metres, Z up):
rest positions (J, 3), positions (T, J, 3), and world rotations from the rest pose on (T, J, 4), w first.
Nothing of Motionloom is imported here, and Blender's modules only where they are used, so that other tools
can import this file.
"""

import json
import sys
from typing import Any, NoReturn

import numpy as np

REFUSAL = "refused: "
"""Prefix of the line that says what is wrong with the file."""

MAX_VALUES = 50_000_000
"""Frames times joints of the largest motion that is read."""

MIN_BONE = 1e-3
"""Metres; Blender removes bones without length."""

STICK_WIDTH = 0.1
"""Half the width of a stick, and where along it that is, as fractions of its length."""

MAX_OFF_FRAME = 0.05
"""Frames by which the last key may miss a whole number of frames after the first."""

FIRST_FRAME = 0
"""The frame of Blender's timeline at which motion begins, so that its time in the file is zero."""


def refuse(sentence: str) -> NoReturn:
    """End with a sentence about the file."""
    print(f"{REFUSAL}{sentence}", flush=True)
    sys.exit(1)


def read(path: str, result: str, wanted: str = "") -> None:
    """Read the first animated armature of an FBX file."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    try:
        bpy.ops.import_scene.fbx(filepath=path, use_custom_props=False, ignore_leaf_bones=False)
    except Exception as error:  # the importer raises whatever Python raises
        refuse(f"is not an FBX file that Blender reads, or is damaged ({type(error).__name__})")
    armatures = [item for item in bpy.data.objects if item.type == "ARMATURE"]
    if not armatures:
        refuse("holds no skeleton")
    armature = max(armatures, key=lambda item: (is_animated(item), len(item.data.bones)))
    notes: list[str] = []
    choose_action(armature, wanted, notes)
    disconnect(armature)
    header, arrays = motion_of(armature)
    header["notes"] = notes
    header_bytes = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(result, header=header_bytes, **arrays)


def disconnect(armature: Any) -> None:
    """Disconnect bones from their parents; the importer connects them, and then they cannot move apart."""
    import bpy

    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")


def is_animated(item: Any) -> bool:
    """Tell whether an object has an action."""
    return bool(item.animation_data and item.animation_data.action)


def choose_action(armature: Any, wanted: str, notes: list[str]) -> None:
    """Give the armature the requested action; names end with the take after a bar."""
    import bpy

    takes = {action.name.rpartition("|")[2]: action for action in bpy.data.actions}
    if wanted:
        numbered = dict(zip(map(str, range(len(takes))), takes.values(), strict=True))
        if wanted not in takes and wanted not in numbered:
            refuse(f"holds no animation {wanted!r}: it has {', '.join(map(repr, takes)) or 'none'}")
        assign(armature, takes.get(wanted) or numbered[wanted])
    elif len(takes) > 1:
        names = ", ".join(map(repr, takes))
        hint = "one was read (animation= or --animation selects another)"
        notes.append(f"the file holds {len(takes)} animations ({names}): {hint}")


def assign(armature: Any, action: Any) -> None:
    """Assign an action to the armature; since Blender 4.4 one of its slots must be chosen too."""
    data = armature.animation_data_create()
    data.action = action
    if len(getattr(action, "slots", ())):
        data.action_slot = action.slots[0]


def motion_of(armature: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return names, parents and the motion of an armature's bones in the world."""
    import bpy

    bones = list(armature.data.bones)  # parents first
    if not bones:
        refuse("holds a skeleton without joints")
    scene = bpy.context.scene
    frames = frames_of(armature)
    if len(frames) * len(bones) > MAX_VALUES:
        refuse(f"has too large a motion: {len(frames)} frames of {len(bones)} joints")
    matrices = np.empty((len(frames), len(bones), 4, 4))
    pose_bones = [armature.pose.bones[bone.name] for bone in bones]
    for n, frame in enumerate(frames):
        scene.frame_set(int(frame), subframe=frame % 1.0)
        world = np.array(armature.matrix_world)
        matrices[n] = world @ np.array([bone.matrix for bone in pose_bones])
    rest = np.array(armature.matrix_world) @ np.array([bone.matrix_local for bone in bones])
    index = {bone.name: n for n, bone in enumerate(bones)}
    header = {
        "names": [bone.name for bone in bones],
        "parents": [-1 if bone.parent is None else index[bone.parent.name] for bone in bones],
        "armature": armature.name,
        "fps": scene.render.fps / scene.render.fps_base,
    }
    arrays = {
        "rest_positions": rest[:, :3, 3],
        "positions": matrices[:, :, :3, 3],
        "rotations": quaternions(axes(matrices) @ axes(rest).swapaxes(-1, -2)),
    }
    return header, arrays


def frames_of(armature: Any) -> Any:
    """Return the frames (T,) of the timeline to read: whole steps from the first key to the last.

    Rates that are not whole numbers put keys a little off the frames; then the steps are stretched.
    """
    if not is_animated(armature):
        return np.array([float(FIRST_FRAME)])
    first, last = armature.animation_data.action.frame_range
    whole = round(last - first)
    if abs(last - first - whole) > MAX_OFF_FRAME:
        return first + np.arange(int(last - first) + 1)
    return np.linspace(first, last, whole + 1)


def axes(matrices: Any) -> Any:
    """Return the rotations (…, 3, 3) of transforms (…, 4, 4) that may scale."""
    linear = matrices[..., :3, :3]
    return linear / np.linalg.norm(linear, axis=-2, keepdims=True)


def quaternions(matrices: Any) -> Any:
    """Return quaternions (…, 4), w first, of rotation matrices (…, 3, 3)."""
    from mathutils import Matrix

    flat = matrices.reshape(-1, 3, 3)
    found = np.array([tuple(Matrix(m.tolist()).to_quaternion()) for m in flat], dtype=np.float64)
    return found.reshape(*matrices.shape[:-2], 4)


def write(motion: str, path: str) -> None:
    """Build an armature that moves as described, and export it."""
    import bpy

    with np.load(motion, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    header = json.loads(arrays.pop("header").tobytes())
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene, n_frames = bpy.context.scene, len(arrays["positions"])
    scene.name = header["animation"]  # the exporter names the take after it
    scene.render.fps = max(1, round(header["fps"]))
    scene.render.fps_base = scene.render.fps / header["fps"]
    scene.frame_start, scene.frame_end = FIRST_FRAME, FIRST_FRAME + max(0, n_frames - 1)
    armature = build_armature(header, arrays["rest_positions"], arrays["tails"])
    add_sticks(armature)
    if n_frames:
        animate(armature, header, arrays["positions"], arrays["rotations"])
    bpy.ops.export_scene.fbx(
        filepath=path,
        object_types={"ARMATURE", "MESH"},
        add_leaf_bones=False,
        bake_anim=n_frames > 0,
        bake_anim_use_all_bones=True,
        bake_anim_use_nla_strips=False,
        bake_anim_use_all_actions=False,
        bake_anim_force_startend_keying=True,
        bake_anim_step=1.0,
        bake_anim_simplify_factor=0.0,
        apply_scale_options="FBX_SCALE_ALL",
    )


def build_armature(header: dict[str, Any], head_positions: Any, tail_positions: Any) -> Any:
    """Build an armature whose bones are in the rest pose."""
    import bpy
    from mathutils import Vector

    armature = bpy.data.objects.new(header["armature"], bpy.data.armatures.new(header["armature"]))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones: list[Any] = []
    for name, parent, head, tail in zip(
        header["names"], header["parents"], head_positions, tail_positions, strict=True
    ):
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail = Vector(head), Vector(tail)
        if bone.length < MIN_BONE:
            bone.tail = bone.head + Vector((0.0, 0.0, MIN_BONE))
        bone.parent = bones[parent] if parent >= 0 else None
        bones.append(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def add_sticks(armature: Any) -> None:
    """Give every bone a stick that moves with it.

    Engines import a skeleton only with a mesh, and only the mesh defines the rest pose.
    """
    import bpy

    sticks = bpy.data.meshes.new("Sticks")
    item = bpy.data.objects.new("Sticks", sticks)
    bpy.context.scene.collection.objects.link(item)
    item.parent = armature
    item.modifiers.new("Armature", "ARMATURE").object = armature
    corners: list[Any] = []
    for bone in armature.data.bones:
        side, front = (
            STICK_WIDTH * bone.length * bone.x_axis,
            STICK_WIDTH * bone.length * bone.z_axis,
        )
        waist = bone.head_local + STICK_WIDTH * (bone.tail_local - bone.head_local)
        ring = [waist + side, waist + front, waist - side, waist - front]
        corners += [bone.head_local, *ring, bone.tail_local]
    faces = [
        (first + end, first + 1 + side, first + 1 + (side + 1) % 4)
        for first in range(0, len(corners), 6)
        for end in (0, 5)
        for side in range(4)
    ]
    sticks.from_pydata([tuple(corner) for corner in corners], [], faces)
    for n, bone in enumerate(armature.data.bones):
        item.vertex_groups.new(name=bone.name).add(range(6 * n, 6 * n + 6), 1.0, "REPLACE")


def animate(armature: Any, header: dict[str, Any], positions: Any, rotations: Any) -> None:
    """Key every bone in every frame."""
    import bpy

    action = bpy.data.actions.new(header["animation"])
    rest = [np.array(armature.data.bones[name].matrix_local) for name in header["names"]]
    worlds: list[Any] = []
    for n, (name, parent) in enumerate(zip(header["names"], header["parents"], strict=True)):
        world = np.tile(np.eye(4), (len(positions), 1, 1))
        world[:, :3, :3] = matrices_of(rotations[:, n]) @ rest[n][:3, :3]
        world[:, :3, 3] = positions[:, n]
        worlds.append(world)
        above = np.eye(4) if parent < 0 else worlds[parent]
        rest_above = np.eye(4) if parent < 0 else rest[parent]
        local = np.linalg.inv(np.linalg.inv(rest_above) @ rest[n]) @ np.linalg.inv(above) @ world
        bone = armature.pose.bones[name]
        bone.rotation_mode = "QUATERNION"
        key(action, bone.path_from_id("location"), local[:, :3, 3])
        key(action, bone.path_from_id("rotation_quaternion"), unroll_signs(quaternions(local[:, :3, :3])))
    assign(armature, action)


def matrices_of(rotations: Any) -> Any:
    """Return rotation matrices (T, 3, 3) of quaternions (T, 4)."""
    from mathutils import Quaternion

    return np.array([Quaternion(turn.tolist()).to_matrix() for turn in rotations])


def unroll_signs(rotations: Any) -> Any:
    """Return quaternions (T, 4) with signs such that neighbours lie in one hemisphere."""
    flips = np.einsum("ti,ti->t", rotations[1:], rotations[:-1]) < 0.0
    return rotations * np.concatenate([[1.0], np.where(np.logical_xor.accumulate(flips), -1.0, 1.0)])[:, None]


def key(action: Any, path: str, values: Any) -> None:
    """Key values (T, C) in all frames, one curve per column."""
    frames = np.arange(FIRST_FRAME, FIRST_FRAME + len(values))
    for column in range(values.shape[1]):
        curve = action.fcurves.new(data_path=path, index=column)
        curve.keyframe_points.add(len(values))
        points = np.stack([frames, values[:, column]], axis=-1)
        curve.keyframe_points.foreach_set("co", points.astype(np.float32).ravel())
        curve.keyframe_points.foreach_set("interpolation", np.ones(len(values), dtype=np.int32))
        curve.update()


if __name__ == "__main__":
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    (read if words[0] == "read" else write)(*words[1:])
