"""A script that runs inside Blender: imports a motion file, notes where bones are, and exports it again.

``blender_session.py MOTION FPS RESULT EXPORT…`` writes names and heads (10 frames, J, 3), metres and Y up.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

N_FRAMES = 10


def open_motion(path: str) -> None:
    """Import a file by its ending."""
    import bpy

    ending = Path(path).suffix
    if ending == ".bvh":
        bpy.ops.import_anim.bvh(filepath=path, axis_forward="-Z", axis_up="Y", use_fps_scale=False)
    elif ending == ".glb":
        bpy.ops.import_scene.gltf(filepath=path)
    elif ending == ".fbx":
        bpy.ops.import_scene.fbx(filepath=path)
    else:
        bpy.ops.wm.usd_import(filepath=path)


def export_motion(path: str, last: int) -> None:
    """Export everything by the ending of the file."""
    import bpy

    ending = Path(path).suffix
    if ending == ".bvh":
        bpy.ops.export_anim.bvh(filepath=path, frame_start=bpy.context.scene.frame_start, frame_end=last)
    elif ending == ".glb":
        bpy.ops.export_scene.gltf(filepath=path, export_optimize_animation_size=False)
    elif ending == ".fbx":
        bpy.ops.export_scene.fbx(filepath=path, bake_anim_simplify_factor=0.0, add_leaf_bones=False)
    else:
        bpy.ops.wm.usd_export(filepath=path, export_animation=True)


def main(motion: str, fps: str, result: str, *exports: str) -> None:
    """Import, note and export."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = max(1, round(float(fps)))
    scene.render.fps_base = scene.render.fps / float(fps)
    open_motion(motion)
    armature: Any = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    first, last = armature.animation_data.action.frame_range
    scene.frame_start, scene.frame_end = round(first), round(last)
    fractions = np.round(np.linspace(0, round(last - first), N_FRAMES)).astype(int)
    heads = []
    for frame in fractions.tolist():
        scene.frame_set(round(first) + frame)
        heads.append([tuple(armature.matrix_world @ bone.head) for bone in armature.pose.bones])
    x, y, z = np.moveaxis(np.array(heads), -1, 0)
    names = np.array([bone.name for bone in armature.pose.bones])
    np.savez(result, frames=fractions, names=names, heads=np.stack([x, z, -y], axis=-1))
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    for path in exports:
        export_motion(path, round(last))


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :])
