"""A script that runs inside Blender: makes a character, takes one through Blender, and notes what files hold.

``blender_character.py make FBX USD GLB`` makes a character as Mixamo has them: centimetres on an armature
scaled by 0.01, an A-pose, joints whose axes are turned, a skinned mesh with materials, and a short motion.
``blender_character.py again FBX OUT`` imports a file and exports it. ``blender_character.py note RESULT
FILE…`` notes for each file its bones, the rotations of its frames, and its mesh. ``blender_character.py skin
FILE RESULT FRAME…`` notes where the corners of its mesh are in some frames, counted from 0.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

N_FRAMES = 24
FPS = 30

# Name, parent, head in centimetres (Y up, A-pose), and where the bone's own Y axis points.
BONES: list[tuple[str, str, tuple[float, float, float], tuple[float, float, float], float]] = [
    ("mixamorig:Hips", "", (0, 100, 0), (0, 1, 0.05), 10),
    ("mixamorig:Spine", "mixamorig:Hips", (0, 112, -1), (0, 1, 0.1), -25),
    ("mixamorig:Neck", "mixamorig:Spine", (0, 150, -2), (0, 1, 0.2), 5),
    ("mixamorig:Head", "mixamorig:Neck", (0, 160, 0), (0, 1, 0), 0),
    ("mixamorig:HeadTop_End", "mixamorig:Head", (0, 180, 2), (0, 1, 0), 90),
    ("mixamorig:LeftArm", "mixamorig:Spine", (18, 145, -2), (1, -1, 0), 70),
    ("mixamorig:LeftForeArm", "mixamorig:LeftArm", (38, 125, -2), (1, -1, 0.1), -110),
    ("mixamorig:LeftHand", "mixamorig:LeftForeArm", (56, 107, 0), (1, -1, 0.3), 160),
    ("mixamorig:RightArm", "mixamorig:Spine", (-18, 145, -2), (-1, -1, 0), -70),
    ("mixamorig:RightForeArm", "mixamorig:RightArm", (-38, 125, -2), (-1, -1, 0.1), 110),
    ("mixamorig:RightHand", "mixamorig:RightForeArm", (-56, 107, 0), (-1, -1, 0.3), -160),
    ("mixamorig:LeftUpLeg", "mixamorig:Hips", (9, 94, 0), (0.05, -1, 0), 175),
    ("mixamorig:LeftLeg", "mixamorig:LeftUpLeg", (10, 53, 1), (0, -1, -0.05), 178),
    ("mixamorig:LeftFoot", "mixamorig:LeftLeg", (10, 10, -2), (0.1, -0.6, 0.8), -170),
    ("mixamorig:LeftToeBase", "mixamorig:LeftFoot", (11, 2, 10), (0, 0, 1), 120),
    ("mixamorig:RightUpLeg", "mixamorig:Hips", (-9, 94, 0), (-0.05, -1, 0), -175),
    ("mixamorig:RightLeg", "mixamorig:RightUpLeg", (-10, 53, 1), (0, -1, -0.05), -178),
    ("mixamorig:RightFoot", "mixamorig:RightLeg", (-10, 10, -2), (-0.1, -0.6, 0.8), 170),
    ("mixamorig:RightToeBase", "mixamorig:RightFoot", (-11, 2, 10), (0, 0, 1), -120),
]


def make(fbx: str, usd: str, glb: str) -> None:
    """Make the character and export it in three formats."""
    import bpy
    from mathutils import Euler, Vector

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, N_FRAMES
    armature = bpy.data.objects.new("Armature", bpy.data.armatures.new("Armature"))
    scene.collection.objects.link(armature)
    armature.rotation_euler = Euler((np.pi / 2, 0, 0))
    armature.scale = 0.01, 0.01, 0.01
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head, along, roll in BONES:
        bone = armature.data.edit_bones.new(name)
        bone.head = Vector(head)
        bone.tail = bone.head + 8.0 * Vector(along).normalized()
        bone.roll = np.radians(roll)
        bone.parent = armature.data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    add_body(armature)
    add_motion(armature)
    bpy.ops.export_scene.fbx(filepath=fbx, add_leaf_bones=False, bake_anim_simplify_factor=0.0)
    bpy.ops.wm.usd_export(filepath=usd, export_animation=True)
    bpy.ops.export_scene.gltf(filepath=glb, export_optimize_animation_size=False)


def add_body(armature: Any) -> None:
    """Add a mesh of one box per bone, each corner held by the bone and by its parent, in two materials."""
    import bpy

    mesh = bpy.data.meshes.new("Body")
    body = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(body)
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    corners: list[list[float]] = []
    faces: list[tuple[int, ...]] = []
    box = np.array([[x, y, z] for x in (-3, 3) for y in (-3, 3) for z in (-3, 3)], dtype=float)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    for _, _, head, along, _ in BONES:
        first = len(corners)
        corners += (box + np.array(head) + 4.0 * np.array(along)).tolist()
        faces += [tuple(first + corner for corner in side) for side in sides]
    mesh.from_pydata(corners, [], faces)
    mesh.uv_layers.new(name="UVMap").data.foreach_set(
        "uv", np.linspace(0.0, 1.0, 2 * len(mesh.loops)).astype(np.float32)
    )
    for colour in ("Skin", "Cloth"):
        mesh.materials.append(bpy.data.materials.new(colour))
    mesh.polygons.foreach_set("material_index", [n % 2 for n in range(len(faces))])
    for n, (name, parent, *_) in enumerate(BONES):
        own = 0.75 if parent else 1.0
        group = body.vertex_groups.get(name) or body.vertex_groups.new(name=name)
        group.add(range(8 * n, 8 * n + 8), own, "REPLACE")
        if parent:
            above = body.vertex_groups.get(parent) or body.vertex_groups.new(name=parent)
            above.add(range(8 * n, 8 * n + 8), 1.0 - own, "REPLACE")


def add_motion(armature: Any) -> None:
    """Let the hips travel and every joint swing."""
    from mathutils import Quaternion

    rng = np.random.default_rng(3)
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
        axis, size, start = rng.normal(size=3), rng.uniform(0.2, 0.6), rng.uniform(0, 6)
        for frame in range(1, N_FRAMES + 1):
            bone.rotation_quaternion = Quaternion(axis, size * np.sin(start + 0.2 * frame))
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            if bone.parent is None:
                bone.location = 0.3 * frame, 2.0 * np.sin(frame), 3.0 * frame
                bone.keyframe_insert("location", frame=frame)


def open_file(path: str) -> None:
    """Import a file by its suffix."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    suffix = Path(path).suffix
    if suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=path)
    elif suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=path, disable_bone_shape=True)
    else:
        bpy.ops.wm.usd_import(filepath=path)


def again(path: str, out: str) -> None:
    """Import an FBX file and export it: Blender's own round trip."""
    import bpy

    open_file(path)
    bpy.ops.export_scene.fbx(filepath=out, add_leaf_bones=False, bake_anim_simplify_factor=0.0)


def skin(path: str, result: str, *frames: str) -> None:
    """Note where corners (T, V, 3) are in the world, as Blender deforms them."""
    import bpy

    open_file(path)
    scene = bpy.context.scene
    armature = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    body = next(item for item in bpy.data.objects if item.type == "MESH")
    first = round(armature.animation_data.action.frame_range[0])
    corners = []
    for frame in map(int, frames):
        scene.frame_set(first + frame)
        shown = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        corners.append([tuple(shown.matrix_world @ corner.co) for corner in shown.data.vertices])
    np.savez(result, corners=corners)


def note(result: str, *paths: str) -> None:
    """Note what Blender finds in files."""
    found: dict[str, Any] = {}
    for n, path in enumerate(paths):
        open_file(path)
        found |= {f"{n}_{key}": value for key, value in notes().items()}
    np.savez(result, **found)


def notes() -> dict[str, Any]:
    """Note the bones in order, the rest and the frames in the parent's frame, and the mesh of the scene."""
    import bpy

    armature = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    bones = list(armature.data.bones)
    pose = [armature.pose.bones[bone.name] for bone in bones]
    noted: dict[str, Any] = {
        "names": [bone.name for bone in bones],
        "rest": [local(bone.matrix_local, bone.parent and bone.parent.matrix_local) for bone in bones],
        "scale": tuple(armature.matrix_world.to_scale()),
    }
    if armature.animation_data and armature.animation_data.action:
        first, last = armature.animation_data.action.frame_range
        frames, heads = [], []
        for frame in range(round(first), round(last) + 1):
            bpy.context.scene.frame_set(frame)
            frames.append([local(bone.matrix, bone.parent and bone.parent.matrix) for bone in pose])
            heads.append([tuple(armature.matrix_world @ bone.head) for bone in pose])
        noted |= {"frames": frames, "heads": heads}
    meshes = sorted((item for item in bpy.data.objects if item.type == "MESH"), key=lambda item: item.name)
    noted["meshes"] = [item.name for item in meshes]
    noted["corners"] = [
        tuple(item.matrix_world @ corner.co) for item in meshes for corner in item.data.vertices
    ]
    noted["faces"] = [tuple(side.vertices) for item in meshes for side in item.data.polygons]
    noted["uv"] = [tuple(each.uv) for item in meshes for layer in item.data.uv_layers for each in layer.data]
    noted["materials"] = [slot.material.name for item in meshes for slot in item.material_slots]
    noted["weights"] = [
        weights_of(item, corner, armature) for item in meshes for corner in item.data.vertices
    ]
    return noted


def local(matrix: Any, above: Any) -> Any:
    """Return the quaternion of a matrix in the frame of the bone above."""
    return tuple((above.inverted() @ matrix if above else matrix).to_quaternion())


def weights_of(item: Any, corner: Any, armature: Any) -> list[float]:
    """Return the weight of a corner for every bone in order."""
    given = {item.vertex_groups[each.group].name: each.weight for each in corner.groups}
    return [given.get(bone.name, 0.0) for bone in armature.data.bones]


if __name__ == "__main__":
    words = sys.argv[sys.argv.index("--") + 1 :]
    if words[0] == "make":
        make(*words[1:])
    elif words[0] == "again":
        again(*words[1:])
    elif words[0] == "skin":
        skin(*words[1:])
    else:
        note(*words[1:])
