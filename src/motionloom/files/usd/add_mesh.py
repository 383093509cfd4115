"""Add a skinned mesh and its materials to a USD stage that is being made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.files.bind_pose import MAX_BIND_ERROR, BindPose, find_bind_pose, invert_binds
from motionloom.files.normalize import TO_Y_UP
from motionloom.geometry import rotations as rot
from motionloom.motion import Skeleton
from motionloom.motion.provenance import Source
from motionloom.motion.skinned_mesh import BONES_PER_VERTEX, Material, SkinnedMesh

ROUGHNESS = 0.8
"""How dull surfaces are, from 0 for a mirror to 1: those of a mannequin."""

_SUFFIXES = {b"\x89": ".png", b"\xff": ".jpg", b"R": ".webp"}
"""Suffix by the first byte of an image."""


@dataclass(frozen=True, eq=False)
class StageMesh:
    """A mesh as a stage takes it, in the unit and axes of the stage.

    Attributes
    ----------
    mesh
        Its triangles, weights, texture coordinates and materials.
    pose
        Its vertices and joints in the pose in which they are bound.
    textures
        The images that lie beside the stage: file name and content by the number of the material.
    """

    mesh: SkinnedMesh
    pose: BindPose
    textures: dict[int, tuple[str, bytes]]


def prepare_mesh(mesh: SkinnedMesh, skeleton: Skeleton, source: Source, path: Path) -> StageMesh:
    """Return a mesh in metres and Y up as a stage takes it.

    Parameters
    ----------
    mesh
        The mesh; the skeleton has joints of the names of its joints.
    skeleton
        The skeleton as it is written, in the unit and axes of the stage.
    source
        Which unit and axes those are.
    path
        The stage, after which the files of textures are named.
    """
    to_stage = np.eye(4)
    to_stage[:3, :3] = TO_Y_UP[source.up].T / source.metres_per_unit
    to_metres = np.linalg.inv(to_stage)
    rest = np.tile(np.eye(4), (skeleton.n_joints, 1, 1))
    rest[:, :3, :3] = rot.to_matrix(skeleton.rest_world_rotations())
    rest[:, :3, 3] = skeleton.rest_positions()
    pose = find_bind_pose(skeleton.names, skeleton.parents, to_metres @ rest @ to_stage, mesh)
    if pose.error > MAX_BIND_ERROR:
        pose = _keep_binds(pose, mesh)
    return StageMesh(
        _drop_degenerate(mesh),
        replace(
            pose,
            transforms=to_stage @ pose.transforms @ to_metres,
            vertices=pose.vertices @ to_stage[:3, :3].T,
            normals=pose.normals @ TO_Y_UP[source.up],
        ),
        {
            n: (f"{path.stem}_texture{n}{_SUFFIXES[material.texture[:1]]}", material.texture)
            for n, material in enumerate(mesh.materials)
            if material.texture is not None
        },
    )


def _drop_degenerate(mesh: SkinnedMesh) -> SkinnedMesh:
    """Return a mesh without triangles that have a corner twice: Blender drops all normals for one of them."""
    corners, owners = mesh.triangles, mesh.triangle_materials
    assert owners is not None
    proper = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
    return replace(mesh, triangles=corners[proper], triangle_materials=owners[proper])


def _keep_binds(pose: BindPose, mesh: SkinnedMesh) -> BindPose:
    """Return a mesh with its own bind transforms, which may scale and shear; that takes one per joint."""
    transforms = pose.transforms.copy()
    joints = np.empty(len(mesh.bones), dtype=np.int64)
    joints[mesh.vertex_bones] = pose.vertex_joints
    bones = np.unique(mesh.vertex_bones[mesh.weights > 0.0])
    if len(set(joints[bones].tolist())) < len(bones):
        raise ParameterError(
            f"parts of the mesh are bound in poses that differ by {1000 * pose.error:.1f} mm, and a USD "
            "skeleton has one bind pose",
            remedy="apply the scales of its parts in a 3D program, or save it as glTF",
        )
    transforms[joints[bones]] = invert_binds(mesh, bones)
    return replace(pose, transforms=transforms, vertices=mesh.positions, normals=mesh.normals)


def define_mesh(stage: Any, root: str, skeleton: str, surface: StageMesh) -> None:
    """Define the mesh below the root of a character, carried by a skeleton, and its materials."""
    from pxr import Gf, UsdGeom, UsdSkel, Vt

    mesh, pose = surface.mesh, surface.pose
    body = UsdGeom.Mesh.Define(stage, f"{root}/Body")
    points = pose.vertices.astype(np.float32)
    body.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    body.CreateExtentAttr(Vt.Vec3fArray.FromNumpy(np.array([points.min(axis=0), points.max(axis=0)])))
    body.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(mesh.triangles), 3, np.int32)))
    body.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(mesh.triangles.reshape(-1).astype(np.int32)))
    body.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    body.CreateDoubleSidedAttr(any(material.double_sided for material in mesh.materials))
    body.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(pose.normals.astype(np.float32)))
    body.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    if mesh.texture_coordinates is not None:
        from_below = mesh.texture_coordinates * [1.0, -1.0] + [0.0, 1.0]
        _create_coordinates(body, Vt.Vec2fArray.FromNumpy(from_below.astype(np.float32)))
    binding = UsdSkel.BindingAPI.Apply(body.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton])
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))
    weights = _single_weights(mesh)
    joints = np.where(weights > 0.0, pose.vertex_joints, 0).astype(np.int32)
    binding.CreateJointIndicesPrimvar(False, BONES_PER_VERTEX).Set(Vt.IntArray.FromNumpy(joints.reshape(-1)))
    binding.CreateJointWeightsPrimvar(False, BONES_PER_VERTEX).Set(
        Vt.FloatArray.FromNumpy(weights.reshape(-1))
    )
    _bind_materials(stage, root, body, surface)


def _create_coordinates(body: Any, values: Any) -> None:
    from pxr import Sdf, UsdGeom

    primvars = UsdGeom.PrimvarsAPI(body)
    primvars.CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex).Set(values)


def _single_weights(mesh: SkinnedMesh) -> FloatArray:
    singles = mesh.weights.astype(np.float32)
    return np.asarray(singles / singles.sum(axis=1, keepdims=True))


def _bind_materials(stage: Any, root: str, body: Any, surface: StageMesh) -> None:
    """Define the materials; each is bound to the whole mesh, or to the triangles that have it."""
    from pxr import UsdGeom, UsdShade, Vt

    mesh = surface.mesh
    assert mesh.triangle_materials is not None
    owners = np.unique(mesh.triangle_materials).tolist()
    UsdGeom.Scope.Define(stage, f"{root}/Materials")
    names = _name_materials([mesh.materials[n] for n in owners])
    binding = UsdShade.MaterialBindingAPI.Apply(body.GetPrim())
    for name, n in zip(names, owners, strict=True):
        texture = surface.textures.get(n)
        material = _define_material(
            stage, f"{root}/Materials/{name}", mesh.materials[n], texture and texture[0]
        )
        if len(owners) == 1:
            binding.Bind(material)
            return
        faces = np.flatnonzero(mesh.triangle_materials == n).astype(np.int32)
        part = binding.CreateMaterialBindSubset(name, Vt.IntArray.FromNumpy(faces))
        UsdShade.MaterialBindingAPI.Apply(part.GetPrim()).Bind(material)
    binding.SetMaterialBindSubsetsFamilyType(UsdGeom.Tokens.partition)


def _name_materials(materials: list[Material]) -> list[str]:
    """Return a name for every material that USD allows; equal names are numbered."""
    from pxr import Tf

    names: list[str] = []
    for material in materials:
        base = Tf.MakeValidIdentifier(material.name or "Material")
        name, number = base, 1
        while name in names:
            number += 1
            name = f"{base}_{number}"
        names.append(name)
    return names


def _define_material(stage: Any, path: str, look: Material, texture: str | None) -> Any:
    """Define a preview surface of the colour of a material, or of its texture multiplied by the colour."""
    from pxr import Gf, Sdf, UsdShade

    types = Sdf.ValueTypeNames
    material = UsdShade.Material.Define(stage, path)
    surface = UsdShade.Shader.Define(stage, f"{path}/Surface")
    surface.CreateIdAttr("UsdPreviewSurface")
    surface.CreateInput("roughness", types.Float).Set(ROUGHNESS)
    surface.CreateInput("metallic", types.Float).Set(0.0)
    opacity = surface.CreateInput("opacity", types.Float)
    opacity.Set(look.colour[3])
    if look.alpha_mode == "mask":
        surface.CreateInput("opacityThreshold", types.Float).Set(look.alpha_cutoff)
    colour = surface.CreateInput("diffuseColor", types.Color3f)
    colour.Set(Gf.Vec3f(*look.colour[:3]))
    material.CreateSurfaceOutput().ConnectToSource(surface.ConnectableAPI(), "surface")
    if texture is None:
        return material
    reader = UsdShade.Shader.Define(stage, f"{path}/Coordinates")
    reader.CreateIdAttr("UsdPrimvarReader_float2")
    reader.CreateInput("varname", types.String).Set("st")
    reader.CreateOutput("result", types.Float2)
    image = UsdShade.Shader.Define(stage, f"{path}/Texture")
    image.CreateIdAttr("UsdUVTexture")
    image.CreateInput("file", types.Asset).Set(Sdf.AssetPath(f"./{texture}"))
    image.CreateInput("sourceColorSpace", types.Token).Set("sRGB")
    for axis in ("wrapS", "wrapT"):
        image.CreateInput(axis, types.Token).Set("repeat")
    image.CreateInput("scale", types.Float4).Set(Gf.Vec4f(*look.colour[:3], 1.0))
    image.CreateInput("st", types.Float2).ConnectToSource(reader.ConnectableAPI(), "result")
    image.CreateOutput("rgb", types.Float3)
    colour.ConnectToSource(image.ConnectableAPI(), "rgb")
    if look.alpha_mode != "opaque":
        image.GetInput("scale").Set(Gf.Vec4f(*look.colour))
        image.CreateOutput("a", types.Float)
        opacity.ConnectToSource(image.ConnectableAPI(), "a")
    return material
