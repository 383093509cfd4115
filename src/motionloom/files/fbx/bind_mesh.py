"""Bind a skinned mesh to the bones of a motion, as Blender's armatures do it: in their one rest pose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.files.bind_pose import find_bind_pose
from motionloom.files.fbx.motion import WorldMotion
from motionloom.geometry import rotations as rot
from motionloom.motion.skinned_mesh import SkinnedMesh


def bind_mesh(motion: WorldMotion, mesh: SkinnedMesh) -> tuple[WorldMotion, dict[str, npt.NDArray[Any]]]:
    """Return the motion with bones that rest as the mesh is bound, and the arrays that describe the mesh.

    Parameters
    ----------
    motion
        The bones; all joints of the mesh are among them.
    mesh
        The mesh.

    Returns
    -------
    WorldMotion
        The same motion, from the pose on in which the mesh is bound.
    dict
        Vertices and normals (V, 3) at rest, triangles (F, 3), materials (F,), texture coordinates (V, 2),
        bones of the motion and weights (V, 4).
    """
    rest = np.tile(np.eye(4), (len(motion.names), 1, 1))
    rest[:, :3, :3], rest[:, :3, 3] = rot.to_matrix(motion.axes), motion.rest
    pose = find_bind_pose(motion.names, motion.parents, rest, mesh)
    if pose.transforms is not rest:
        axes = rot.from_matrix(pose.transforms[:, :3, :3])
        rotations = rot.multiply(rot.multiply(motion.rotations, motion.axes), rot.inverse(axes))
        motion = replace(motion, rest=pose.transforms[:, :3, 3], axes=axes, rotations=rotations)
    assert mesh.triangle_materials is not None
    arrays: dict[str, npt.NDArray[Any]] = {
        "mesh_vertices": pose.vertices,
        "mesh_normals": pose.normals,
        "mesh_triangles": mesh.triangles,
        "mesh_materials": mesh.triangle_materials,
        "mesh_bones": pose.vertex_joints,
        "mesh_weights": mesh.weights,
    }
    if mesh.texture_coordinates is not None:
        arrays["mesh_uv"] = mesh.texture_coordinates * [1.0, -1.0] + [0.0, 1.0]  # Blender counts from below
    for n, material in enumerate(mesh.materials):
        if material.texture is not None:
            arrays[f"texture{n}"] = np.frombuffer(material.texture, dtype=np.uint8)
    return motion, arrays
