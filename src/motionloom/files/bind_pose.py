"""Find the one pose of a skeleton in which a mesh is bound to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray
from motionloom.errors import ParameterError
from motionloom.files.mesh_pieces import check_mesh_joints
from motionloom.motion.skinned_mesh import BONES_PER_VERTEX, SkinnedMesh

MAX_BIND_ERROR = 1e-4
"""Metres by which the bones of a vertex may disagree about its place at rest. Where they disagree by more,
the mesh was bound in another pose than the one in which the skeleton rests."""


@dataclass(frozen=True, eq=False)
class BindPose:
    """A mesh and the joints that carry it, in the pose in which the two were bound.

    Attributes
    ----------
    transforms
        (J, 4, 4) world transforms of the joints, without scale.
    vertices, normals
        (V, 3) the surface, metres.
    vertex_joints
        (V, 4) the joints that each vertex follows.
    error
        Metres by which the bones of a vertex disagree about its place, at worst.
    """

    transforms: FloatArray
    vertices: FloatArray
    normals: FloatArray
    vertex_joints: IntArray
    error: float


def find_bind_pose(names: Sequence[str], parents: IntArray, rest: FloatArray, mesh: SkinnedMesh) -> BindPose:
    """Return a mesh bound in the rest pose of a skeleton, or in another pose where its bones need that.

    A glTF file may bind a mesh in any pose, and parts of it in different spaces; armatures and UsdSkel
    skeletons have one bind pose. Joints that carry no vertex together with another joint keep their place on
    the joint above.

    Parameters
    ----------
    names, parents
        The joints of the skeleton; all joints that the mesh follows are among them.
    rest
        (J, 4, 4) world transforms of the joints at rest, metres.
    mesh
        The mesh.
    """
    check_mesh_joints(mesh, names)
    joints = np.array([names.index(mesh.skeleton.names[joint]) for joint in mesh.bones.tolist()])
    pose = _pose_mesh(rest, mesh, joints)
    if pose.error > MAX_BIND_ERROR:
        pose = _pose_mesh(_find_bound_transforms(parents, rest, mesh, joints), mesh, joints)
    return pose


def invert_binds(mesh: SkinnedMesh, bones: IntArray) -> FloatArray:
    """Return the bind transforms (B, 4, 4) of some bones; one that flattens the mesh is refused."""
    binds = mesh.inverse_binds[bones]
    flat = np.flatnonzero(np.linalg.matrix_rank(binds) < 4)
    if len(flat):
        name = mesh.skeleton.names[mesh.bones[bones[flat[0]]]]
        raise ParameterError(
            f"the mesh is bound to the joint {name!r} with a scale of zero, which no bind pose has",
            remedy="apply the scales of its parts in a 3D program, or save it as glTF",
        )
    return np.asarray(np.linalg.inv(binds))


def _pose_mesh(transforms: FloatArray, mesh: SkinnedMesh, joints: IntArray) -> BindPose:
    matrices = transforms[joints] @ mesh.inverse_binds
    positions, turned = [], np.zeros_like(mesh.normals)
    for n in range(BONES_PER_VERTEX):
        own = matrices[mesh.vertex_bones[:, n]]
        positions.append(np.einsum("vij,vj->vi", own[:, :3, :3], mesh.positions) + own[:, :3, 3])
        turned += mesh.weights[:, n, None] * np.einsum("vij,vj->vi", own[:, :3, :3], mesh.normals)
    vertices = np.asarray(sum(mesh.weights[:, n, None] * position for n, position in enumerate(positions)))
    distances = [np.linalg.norm(position - vertices, axis=1) for position in positions]
    error = max(
        float(np.where(mesh.weights[:, n] > 0.0, far, 0.0).max(initial=0.0))
        for n, far in enumerate(distances)
    )
    length = np.linalg.norm(turned, axis=1, keepdims=True)
    normals = turned / np.where(length > 0.0, length, 1.0)
    return BindPose(transforms, vertices, normals, joints[mesh.vertex_bones], error)


def _find_bound_transforms(
    parents: IntArray, rest: FloatArray, mesh: SkinnedMesh, joints: IntArray
) -> FloatArray:
    """Return world transforms (J, 4, 4) of joints where the mesh is bound to them."""
    shared = _find_shared(mesh)
    reference = int(
        np.argmax(np.where(shared, np.bincount(mesh.vertex_bones[:, 0], minlength=len(shared)), -1))
    )
    common = rest[joints[reference]] @ mesh.inverse_binds[reference]
    bones = np.flatnonzero(shared)
    bound = dict(zip(joints[bones].tolist(), common @ invert_binds(mesh, bones), strict=True))
    transforms = rest.copy()
    for joint, parent in enumerate(parents.tolist()):
        if joint in bound:
            transforms[joint] = bound[joint]
            transforms[joint, :3, :3] /= np.cbrt(np.linalg.det(bound[joint][:3, :3]))
        elif parent >= 0:
            transforms[joint] = transforms[parent] @ np.linalg.inv(rest[parent]) @ rest[joint]
    return transforms


def _find_shared(mesh: SkinnedMesh) -> BoolArray:
    """Tell for each bone whether it carries a vertex together with another one."""
    several = (mesh.weights > 0.0).sum(axis=1) > 1
    shared = np.zeros(len(mesh.bones), dtype=bool)
    shared[mesh.vertex_bones[several][mesh.weights[several] > 0.0]] = True
    return shared
