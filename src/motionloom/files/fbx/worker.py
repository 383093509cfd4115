"""Script that reads and writes FBX files; it runs inside Blender, in a process of its own.

``worker.py read FBX RESULT ANIMATION SAMPLES VERTICES`` writes a NumPy archive that describes the motion, and
the meshes of at most so many vertices where that is not 0; ``worker.py write MOTION FBX`` does the opposite,
and ``worker.py write MOTION FBX TEMPLATE`` gives the motion to the character of another FBX file. Joints are
described in Blender's world (metres, Z up): rest positions (J, 3) and rotations (J, 4), positions (T, J, 3),
and world rotations from the rest pose on (T, J, 4), w first. Nothing of Motionloom is imported here, and
Blender's modules only where they are used, so that other tools can import this file.
"""

import json
import math
import os
import runpy
import sys
from typing import Any, NoReturn

import numpy as np

FOLDER = os.path.dirname(os.path.abspath(__file__))

# By its path, because this is a script.
limit_memory = runpy.run_path(os.path.join(FOLDER, "..", "..", "jobs", "worker_memory.py"))["limit_memory"]

meshes = runpy.run_path(os.path.join(FOLDER, "worker_mesh.py"))

REFUSAL = "refused: "
"""Prefix of the line that says what is wrong with the file."""

TOO_LARGE = "too large: "
"""Prefix of the line that gives the frames and joints of a motion that would take too much memory."""

MIN_BONE = 1e-3
"""Metres; Blender removes bones without length."""

STICK_WIDTH = 0.1
"""Half the width of a stick, and where along it that is, as fractions of its length."""

STICKS = "Sticks"
"""Name of the mesh of sticks, which is no character."""

FBX_UNITS_PER_METRE = 100.0
"""The unit of FBX is a centimetre; files state theirs as a multiple of it."""

MAX_OFF_FRAME = 0.05
"""Frames by which the last key may miss a whole number of frames after the first."""

FIRST_FRAME = 0
"""The frame of Blender's timeline at which motion begins, so that its time in the file is zero."""


def refuse(sentence: str) -> NoReturn:
    """End with a sentence about the file."""
    print(f"{REFUSAL}{sentence}", flush=True)
    sys.exit(1)


def read(path: str, result: str, wanted: str, max_samples: str, max_vertices: str) -> None:
    """Read the first animated armature of an FBX file, of at most so many frames times joints."""
    import bpy

    armature = import_armature(path, use_custom_props=False)
    unread = choose_action(armature, wanted)
    items = [item for item in bpy.data.objects if item.type == "MESH"]
    skinned = any(not item.name.startswith(STICKS) for item in items)
    mesh_header, mesh_arrays = read_meshes(armature, path, int(max_vertices), int(max_samples))
    for item in items:
        if armature not in item.children_recursive:  # it would be deformed at every frame
            bpy.data.objects.remove(item)
    header, arrays = motion_of(armature, int(max_samples))
    header |= {"animations": unread, "skinned": skinned, **mesh_header}
    header_bytes = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(result, header=header_bytes, **arrays, **mesh_arrays)


def read_meshes(
    armature: Any, path: str, max_vertices: int, max_samples: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Describe the meshes of an armature in the world of the first frame; nothing where none are wanted."""
    if not max_vertices:
        return {}, {}
    frames = frames_of(armature, len(armature.data.bones), max_samples)
    go_to(frames[0])
    try:
        found: tuple[dict[str, Any], dict[str, Any]] = meshes["describe_meshes"](
            armature, STICKS, os.path.dirname(path), max_vertices
        )
        return found
    except meshes["TooManyVerticesError"] as error:
        refuse(
            f"has {error.args[0]:,} vertices or more, and a character may have {max_vertices:,}: "
            "reduce it in a 3D program"
        )


def go_to(frame: float) -> None:
    """Go to a frame of the timeline, which may be between two whole ones."""
    import bpy

    bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)


def import_armature(path: str, **options: Any) -> Any:
    """Import an FBX file into an empty scene and return the armature to read: animated, and the largest.

    Bones keep the axes that joints have in the file.
    """
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    try:
        bpy.ops.import_scene.fbx(filepath=path, ignore_leaf_bones=False, **options)
    except Exception as error:  # the importer raises whatever Python raises
        refuse(f"is not an FBX file that Blender reads, or is damaged ({type(error).__name__})")
    armatures = [item for item in bpy.data.objects if item.type == "ARMATURE"]
    if not armatures:
        refuse("holds no skeleton")
    armature = max(armatures, key=lambda item: (is_animated(item), len(item.data.bones)))
    disconnect(armature)
    return armature


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


def choose_action(armature: Any, wanted: str) -> list[str]:
    """Give the armature the requested action; names end with the take after a bar.

    Returns the names of all actions where one of several is read without being asked for.
    """
    import bpy

    takes = {action.name.rpartition("|")[2]: action for action in bpy.data.actions}
    if wanted:
        numbered = dict(zip(map(str, range(len(takes))), takes.values(), strict=True))
        if wanted not in takes and wanted not in numbered:
            refuse(f"holds no animation {wanted!r}: it has {', '.join(map(repr, takes)) or 'none'}")
        assign(armature, takes.get(wanted) or numbered[wanted])
        return []
    return list(takes) if len(takes) > 1 else []


def assign(armature: Any, action: Any) -> None:
    """Assign an action to the armature; since Blender 4.4 one of its slots must be chosen too."""
    data = armature.animation_data_create()
    data.action = action
    if len(getattr(action, "slots", ())):
        data.action_slot = action.slots[0]


def motion_of(armature: Any, max_samples: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return names, parents and the motion of an armature's bones in the world."""
    import bpy

    bones = list(armature.data.bones)  # parents first
    if not bones:
        refuse("holds a skeleton without joints")
    scene = bpy.context.scene
    frames = frames_of(armature, len(bones), max_samples)
    go_to(frames[0])
    rest = np.array(armature.matrix_world) @ np.array([bone.matrix_local for bone in bones])
    rest_axes = axes(rest)
    index = {bone.name: n for n, bone in enumerate(bones)}
    order = [index[bone.name] for bone in armature.pose.bones]
    # Frame by frame, since matrices of all frames would take several times what is kept of them.
    positions, rotations = np.empty((len(frames), len(bones), 3)), np.empty((len(frames), len(bones), 4))
    columns, matrices = np.empty(16 * len(bones), dtype=np.float32), np.empty((len(bones), 4, 4))
    for n, frame in enumerate(frames):
        go_to(frame)
        armature.pose.bones.foreach_get("matrix", columns)
        matrices[order] = columns.reshape(-1, 4, 4).swapaxes(-1, -2)
        world = np.array(armature.matrix_world) @ matrices
        positions[n] = world[:, :3, 3]
        rotations[n] = quaternions(axes(world) @ rest_axes.swapaxes(-1, -2))
    header = {
        "names": [bone.name for bone in bones],
        "parents": [-1 if bone.parent is None else index[bone.parent.name] for bone in bones],
        "armature": armature.name,
        "fps": scene.render.fps / scene.render.fps_base,
    }
    arrays = {
        "rest_positions": rest[:, :3, 3],
        "rest_rotations": quaternions(rest_axes),
        "positions": positions,
        "rotations": rotations,
    }
    return header, arrays


def frames_of(armature: Any, n_bones: int, max_samples: int) -> Any:
    """Return the frames (T,) of the timeline to read: whole steps from the first key to the last.

    Rates that are not whole numbers put keys a little off the frames; then the steps are stretched.
    """
    if not is_animated(armature):
        return np.array([float(FIRST_FRAME)])
    first, last = armature.animation_data.action.frame_range
    whole = round(last - first)
    if whole * n_bones > max_samples:
        print(f"{TOO_LARGE}{whole} {n_bones}", flush=True)
        sys.exit(1)
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


def write(motion: str, path: str, template: str = "") -> None:
    """Let an armature move as described, and export it: the one of a template, or a new one of sticks."""
    import bpy

    with np.load(motion, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    header = json.loads(arrays.pop("header").tobytes())
    if template:
        options = template_options(template)
        armature = import_armature(template)
        clear_animation(armature)
    else:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        options = {
            "object_types": {"ARMATURE", "MESH"},
            "apply_scale_options": "FBX_SCALE_ALL",
            "use_custom_props": True,
        }
        armature = build_armature(header, arrays)
        armature[header["mark"]] = 1
        if "mesh_vertices" in arrays:
            meshes["build_mesh"](armature, header, arrays)
            options |= {"path_mode": "COPY", "embed_textures": True}
        else:
            add_sticks(armature, header, arrays["tails"])
    scene, n_frames = bpy.context.scene, len(arrays["positions"])
    scene.name = header["animation"]  # the exporter names the take after it
    scene.render.fps = max(1, round(header["fps"]))
    scene.render.fps_base = scene.render.fps / header["fps"]
    scene.frame_start, scene.frame_end = FIRST_FRAME, FIRST_FRAME + max(0, n_frames - 1)
    if n_frames:
        animate(armature, header, arrays)
    if template:
        scene.frame_set(FIRST_FRAME)
        # Lengths in the file are the template's own; the unit that it states makes metres of them.
        scene.unit_settings.system = "METRIC"
        scene.unit_settings.scale_length = options.pop("unit") / FBX_UNITS_PER_METRE
        options["global_scale"] = 1.0 / scene.unit_settings.scale_length
    bpy.ops.export_scene.fbx(
        filepath=path,
        add_leaf_bones=False,
        bake_anim=n_frames > 0,
        bake_anim_use_all_bones=True,
        bake_anim_use_nla_strips=False,
        bake_anim_use_all_actions=False,
        bake_anim_force_startend_keying=True,
        bake_anim_step=1.0,
        bake_anim_simplify_factor=0.0,
        **options,
    )


def template_options(path: str) -> dict[str, Any]:
    """Return options of the exporter with which a file comes out as it is: axes, unit, pictures."""
    from io_scene_fbx import parse_fbx
    from io_scene_fbx.fbx_utils import RIGHT_HAND_AXES

    try:
        root, _ = parse_fbx.parse(path)
    except Exception as error:  # the parser raises whatever Python raises
        refuse(f"is not an FBX file that Blender reads, or is damaged ({type(error).__name__})")
    stated = {}
    for settings in (each for each in root.elems if each.id == b"GlobalSettings"):
        for entry in (entry for group in settings.elems for entry in group.elems if entry.props):
            stated[entry.props[0]] = entry.props[-1]
    key = tuple(
        (stated.get(b"%sAxis" % axis), stated.get(b"%sAxisSign" % axis))
        for axis in (b"Up", b"Front", b"Coord")
    )
    named = {axes: names for names, axes in RIGHT_HAND_AXES.items()}
    up, forward = named.get(key, ("Y", "-Z"))
    embedded = any(
        each.id == b"Content" and each.props and each.props[0]
        for objects in root.elems
        if objects.id == b"Objects"
        for video in objects.elems
        if video.id == b"Video"
        for each in video.elems
    )
    return {
        "unit": float(stated.get(b"UnitScaleFactor") or 1.0),
        "axis_up": up,
        "axis_forward": forward,
        "apply_scale_options": "FBX_SCALE_UNITS",
        "use_mesh_modifiers": False,  # shape keys are lost with them
        "use_custom_props": True,
        "path_mode": "COPY" if embedded else "AUTO",
        "embed_textures": embedded,
    }


def clear_animation(armature: Any) -> None:
    """Drop every action, and put the armature's bones to rest."""
    import bpy

    for item in bpy.data.objects:
        item.animation_data_clear()
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    bpy.context.view_layer.update()


def build_armature(header: dict[str, Any], arrays: dict[str, Any]) -> Any:
    """Build an armature whose bones are in the rest pose.

    Bones have the axes of the joints, or point to their children where joints have no axes of their own. The
    armature is Y up inside, as FBX is, and rotated as a whole: in the file it has no rotation.
    """
    import bpy
    from mathutils import Matrix, Quaternion, Vector

    to_y_up = Matrix.Rotation(-math.pi / 2.0, 4, "X")

    armature = bpy.data.objects.new(header["armature"], bpy.data.armatures.new(header["armature"]))
    armature.matrix_world = to_y_up.inverted()
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones: list[Any] = []
    for n, (name, parent) in enumerate(zip(header["names"], header["parents"], strict=True)):
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail = (to_y_up @ Vector(arrays[key][n]) for key in ("rest_positions", "tails"))
        if bone.length < MIN_BONE:
            bone.tail = bone.head + Vector((0.0, MIN_BONE, 0.0))
        if "rest_rotations" in arrays:
            own = Quaternion(arrays["rest_rotations"][n].tolist()).to_matrix().to_4x4()
            bone.matrix = Matrix.Translation(bone.head) @ to_y_up @ own
        bone.parent = bones[parent] if parent >= 0 else None
        bones.append(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    return armature


def add_sticks(armature: Any, header: dict[str, Any], tails: Any) -> None:
    """Give every bone a stick that moves with it, from its head to its tail (J, 3).

    Engines import a skeleton only with a mesh, and only the mesh defines the rest pose.
    """
    import bpy
    from mathutils import Vector

    sticks = bpy.data.meshes.new(STICKS)
    item = bpy.data.objects.new(STICKS, sticks)
    bpy.context.scene.collection.objects.link(item)
    item.parent = armature
    item.modifiers.new("Armature", "ARMATURE").object = armature
    corners: list[Any] = []
    into = armature.matrix_world.inverted()
    for name, tail in zip(header["names"], tails, strict=True):
        head = armature.data.bones[name].head_local
        along = into @ Vector(tail) - head
        side = STICK_WIDTH * along.length * along.orthogonal().normalized()
        front = STICK_WIDTH * along.length * along.cross(side).normalized()
        waist = head + STICK_WIDTH * along
        ring = [waist + side, waist + front, waist - side, waist - front]
        corners += [head, *ring, head + along]
    faces = [
        (first + end, first + 1 + side, first + 1 + (side + 1) % 4)
        for first in range(0, len(corners), 6)
        for end in (0, 5)
        for side in range(4)
    ]
    sticks.from_pydata([tuple(corner) for corner in corners], [], faces)
    for n, name in enumerate(header["names"]):
        item.vertex_groups.new(name=name).add(range(6 * n, 6 * n + 6), 1.0, "REPLACE")


def animate(armature: Any, header: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Key every bone in every frame; bones that the motion does not have rest on their parents."""
    import bpy

    positions, rotations = arrays["positions"], arrays["rotations"]
    joint_axes = arrays.get("rest_rotations")

    action = bpy.data.actions.new(header["animation"])
    assign(armature, action)
    world = np.array(armature.matrix_world)
    inverse, own_axes = np.linalg.inv(world), axes(world)
    moved = {name: n for n, name in enumerate(header["names"])}
    posed: dict[str, Any] = {}
    for bone in armature.data.bones:  # parents first
        rest, above = np.array(bone.matrix_local), np.eye(4)
        pose_above = np.broadcast_to(above, (len(positions), 4, 4))
        if bone.parent is not None:
            above, pose_above = np.array(bone.parent.matrix_local), posed[bone.parent.name]
        at_rest = np.linalg.inv(above) @ rest
        if bone.name not in moved:
            posed[bone.name] = pose_above @ at_rest
            continue
        n = moved[bone.name]
        pose = np.tile(np.eye(4), (len(positions), 1, 1))
        start = own_axes @ rest[:3, :3] if joint_axes is None else matrices_of(joint_axes[n : n + 1])[0]
        pose[:, :3, :3] = own_axes.T @ matrices_of(rotations[:, n]) @ start
        pose[:, :3, 3] = positions[:, n] @ inverse[:3, :3].T + inverse[:3, 3]
        posed[bone.name] = pose
        local = np.linalg.inv(at_rest) @ np.linalg.inv(pose_above) @ pose
        pose_bone = armature.pose.bones[bone.name]
        pose_bone.rotation_mode = "QUATERNION"
        key(armature, pose_bone.path_from_id("location"), local[:, :3, 3])
        signed = unroll_signs(quaternions(local[:, :3, :3]))
        key(armature, pose_bone.path_from_id("rotation_quaternion"), signed)
    assign(armature, action)


def matrices_of(rotations: Any) -> Any:
    """Return rotation matrices (T, 3, 3) of quaternions (T, 4)."""
    from mathutils import Quaternion

    return np.array([Quaternion(rotation.tolist()).to_matrix() for rotation in rotations])


def unroll_signs(rotations: Any) -> Any:
    """Return quaternions (T, 4) with signs such that neighbours lie in one hemisphere."""
    flips = np.einsum("ti,ti->t", rotations[1:], rotations[:-1]) < 0.0
    return rotations * np.concatenate([[1.0], np.where(np.logical_xor.accumulate(flips), -1.0, 1.0)])[:, None]


def key(armature: Any, path: str, values: Any) -> None:
    """Key values (T, C) in all frames of an armature's action, one curve per column."""
    action = armature.animation_data.action
    add_to = getattr(action, "fcurve_ensure_for_datablock", None)  # since 4.4; the older way ended with 5.0
    frames = np.arange(FIRST_FRAME, FIRST_FRAME + len(values))
    for column in range(values.shape[1]):
        if add_to is None:
            curve = action.fcurves.new(data_path=path, index=column)
        else:
            curve = add_to(armature, path, index=column)
        curve.keyframe_points.add(len(values))
        points = np.stack([frames, values[:, column]], axis=-1)
        curve.keyframe_points.foreach_set("co", points.astype(np.float32).ravel())
        curve.keyframe_points.foreach_set("interpolation", np.ones(len(values), dtype=np.int32))
        curve.update()


if __name__ == "__main__":
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    limit_memory()
    (read if words[0] == "read" else write)(*words[1:])
