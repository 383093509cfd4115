"""A script that runs inside Blender: imports a GLB or USD file and notes where skinned vertices are.

``blender_skin.py FILE FPS RESULT`` writes the vertices (V, 3) of all meshes in the last frame, sorted, metres
and Y up, and the number of vertex groups.
"""

import sys
from typing import Any

import numpy as np


def main(path: str, fps: str, result: str) -> None:
    """Import and note."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = round(float(fps))
    if path.endswith(".glb"):
        bpy.ops.import_scene.gltf(filepath=path)
    else:
        bpy.ops.wm.usd_import(filepath=path)
    armature: Any = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    scene.frame_set(round(armature.animation_data.action.frame_range[1]))
    graph = bpy.context.evaluated_depsgraph_get()
    found, groups = [], set()
    for item in bpy.data.objects:
        if item.type != "MESH" or not any(each.type == "ARMATURE" for each in item.modifiers):
            continue
        groups |= {group.name for group in item.vertex_groups}
        posed = item.evaluated_get(graph)
        for vertex in posed.data.vertices:
            x, y, z = posed.matrix_world @ vertex.co
            found.append((x, z, -y))
    np.savez(result, vertices=np.array(found), groups=len(groups))


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :])
