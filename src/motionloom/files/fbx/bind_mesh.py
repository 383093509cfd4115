"""Bind a skinned mesh to the bones of a motion, as Blender's armatures do it: in their one rest pose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import BoolArray, FloatArray
from motionloom.files.fbx.motion import WorldMotion
from motionloom.files.mesh_pieces import check_mesh_joints
from motionloom.geometry import rotations as rot
from motionloom.motion.skinned_mesh import BONES_PER_VERTEX, SkinnedMesh

MAX_BIND_ERROR = 1e-4
"""Metres by which the bones of a vertex may disagree about its place at rest. Where they disagree by more,
the mesh was bound in another pose than the one in which the skeleton rests."""


def bind_mesh(motion: WorldMotion, mesh: SkinnedMesh) -> tuple[WorldMotion, dict[str, npt.NDArray[Any]]]:
    """Return the motion with bones that rest as the mesh is bound, and the arrays that describe the mesh.

    A file may bind a mesh in any pose; an armature has its rest pose only. Joints that carry no vertex
    together with another joint keep their place on the joint above.

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
    names = [mesh.skeleton.names[joint] for joint in mesh.bones.tolist()]
    check_mesh_joints(mesh, motion.names)
    joints = np.array([motion.names.index(name) for name in names])
    vertices, normals, apart = _pose_at_rest(motion, mesh, joints)
    if apart > MAX_BIND_ERROR:
        motion = _rest_as_bound(motion, mesh, joints)
        vertices, normals, _ = _pose_at_rest(motion, mesh, joints)
    assert mesh.triangle_materials is not None
    arrays: dict[str, npt.NDArray[Any]] = {
        "mesh_vertices": vertices,
        "mesh_normals": normals,
        "mesh_triangles": mesh.triangles,
        "mesh_materials": mesh.triangle_materials,
        "mesh_bones": joints[mesh.vertex_bones],
        "mesh_weights": mesh.weights,
    }
    if mesh.texture_coordinates is not None:
        arrays["mesh_uv"] = mesh.texture_coordinates * [1.0, -1.0] + [0.0, 1.0]  # Blender counts from below
    for n, material in enumerate(mesh.materials):
        if material.texture is not None:
            arrays[f"texture{n}"] = np.frombuffer(material.texture, dtype=np.uint8)
    return motion, arrays


def _pose_at_rest(
    motion: WorldMotion, mesh: SkinnedMesh, joints: npt.NDArray[Any]
) -> tuple[FloatArray, FloatArray, float]:
    """Return vertices and normals (V, 3) at rest, and how far their bones disagree about them, metres."""
    matrices = _rest_matrices(motion)[joints] @ mesh.inverse_binds
    positions, turned = [], np.zeros_like(mesh.normals)
    for n in range(BONES_PER_VERTEX):
        own = matrices[mesh.vertex_bones[:, n]]
        positions.append(np.einsum("vij,vj->vi", own[:, :3, :3], mesh.positions) + own[:, :3, 3])
        turned += mesh.weights[:, n, None] * np.einsum("vij,vj->vi", own[:, :3, :3], mesh.normals)
    vertices = sum(mesh.weights[:, n, None] * position for n, position in enumerate(positions))
    distances = [np.linalg.norm(position - vertices, axis=1) for position in positions]
    apart = max(
        float(np.where(mesh.weights[:, n] > 0.0, far, 0.0).max(initial=0.0))
        for n, far in enumerate(distances)
    )
    length = np.linalg.norm(turned, axis=1, keepdims=True)
    return np.asarray(vertices), turned / np.where(length > 0.0, length, 1.0), apart


def _rest_matrices(motion: WorldMotion) -> FloatArray:
    matrices = np.tile(np.eye(4), (len(motion.names), 1, 1))
    matrices[:, :3, :3], matrices[:, :3, 3] = rot.to_matrix(motion.axes), motion.rest
    return matrices


def _rest_as_bound(motion: WorldMotion, mesh: SkinnedMesh, joints: npt.NDArray[Any]) -> WorldMotion:
    """Return the motion with joints at rest where the mesh is bound to them."""
    shared = _find_shared(mesh)
    before = _rest_matrices(motion)
    reference = int(
        np.argmax(np.where(shared, np.bincount(mesh.vertex_bones[:, 0], minlength=len(shared)), -1))
    )
    common = before[joints[reference]] @ mesh.inverse_binds[reference]
    bound = {
        int(joints[bone]): common @ np.linalg.inv(mesh.inverse_binds[bone]) for bone in np.flatnonzero(shared)
    }
    after = before.copy()
    for joint, parent in enumerate(motion.parents.tolist()):
        if joint in bound:
            after[joint] = bound[joint]
            after[joint, :3, :3] /= np.cbrt(np.linalg.det(bound[joint][:3, :3]))
        elif parent >= 0:
            after[joint] = after[parent] @ np.linalg.inv(before[parent]) @ before[joint]
    axes = rot.from_matrix(after[:, :3, :3])
    world = rot.multiply(motion.rotations, motion.axes)
    return replace(motion, rest=after[:, :3, 3], axes=axes, rotations=rot.multiply(world, rot.inverse(axes)))


def _find_shared(mesh: SkinnedMesh) -> BoolArray:
    """Tell for each bone whether it carries a vertex together with another one."""
    several = (mesh.weights > 0.0).sum(axis=1) > 1
    shared = np.zeros(len(mesh.bones), dtype=bool)
    shared[mesh.vertex_bones[several][mesh.weights[several] > 0.0]] = True
    return shared
