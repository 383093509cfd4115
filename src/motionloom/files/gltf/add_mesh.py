"""Add a skinned mesh to a glTF file that is being built."""

from __future__ import annotations

from typing import Any

import numpy as np

from motionloom.errors import ParameterError
from motionloom.files.gltf.builder import INDICES, VERTICES, GltfBuilder
from motionloom.files.mesh_pieces import check_mesh_joints
from motionloom.messages import Argument
from motionloom.motion import Skeleton
from motionloom.motion.skinned_mesh import Material, SkinnedMesh

ROUGHNESS = 0.8
"""How dull surfaces are, from 0 for a mirror to 1: those of a mannequin."""

_IMAGE_TYPES = {b"\x89": "image/png", b"\xff": "image/jpeg", b"R": "image/webp"}
"""Media type by the first byte of an image."""


def add_mesh(builder: GltfBuilder, mesh: SkinnedMesh, skeleton: Skeleton) -> int:
    """Add a mesh and its skin, and return the index of the node that shows it.

    Parameters
    ----------
    builder
        The file, in which node n is joint n of the skeleton.
    mesh
        The mesh; the skeleton has joints of the names of its joints.
    skeleton
        The skeleton that is written.
    """
    names = [mesh.skeleton.names[joint] for joint in mesh.bones.tolist()]
    check_mesh_joints(mesh, skeleton.names)
    if len(set(names)) < len(names):
        raise ParameterError(
            "the mesh binds a joint twice, which one skin cannot",
            remedy=("name its file with ", Argument("template"), " instead"),
        )
    attributes = {
        "POSITION": builder.add_array(mesh.positions.astype("<f4"), VERTICES, bounds=True),
        "NORMAL": builder.add_array(_single_units(mesh), VERTICES),
        "JOINTS_0": builder.add_array(_weighted_bones(mesh), VERTICES),
        "WEIGHTS_0": builder.add_array(_single_weights(mesh), VERTICES),
    }
    if mesh.texture_coordinates is not None:
        attributes["TEXCOORD_0"] = builder.add_array(mesh.texture_coordinates.astype("<f4"), VERTICES)
    primitives = []
    assert mesh.triangle_materials is not None
    for n, material in enumerate(mesh.materials):
        triangles = mesh.triangles[mesh.triangle_materials == n]
        if len(triangles):
            indices = builder.add_array(triangles.reshape(-1).astype("<u4"), INDICES)
            look = _add_material(builder, material)
            primitives.append({"attributes": attributes, "indices": indices, "material": look})
    binds = np.ascontiguousarray(mesh.inverse_binds.transpose(0, 2, 1).reshape(-1, 16).astype("<f4"))
    skin = builder.add(
        "skins",
        {
            "joints": [skeleton.index(name) for name in names],
            "inverseBindMatrices": builder.add_array(binds),
        },
    )
    shown = builder.add("meshes", {"name": "body", "primitives": primitives})
    return builder.add("nodes", {"name": "body", "mesh": shown, "skin": skin})


def _single_units(mesh: SkinnedMesh) -> np.ndarray[Any, Any]:
    singles = mesh.normals.astype("<f4")
    return np.asarray(singles / np.linalg.norm(singles, axis=1, keepdims=True))


def _weighted_bones(mesh: SkinnedMesh) -> np.ndarray[Any, Any]:
    # Validators refuse a bone that is named without a weight.
    return np.where(mesh.weights.astype("<f4") > 0.0, mesh.vertex_bones, 0).astype("<u2")


def _single_weights(mesh: SkinnedMesh) -> np.ndarray[Any, Any]:
    singles = mesh.weights.astype("<f4")
    return np.asarray(singles / singles.sum(axis=1, keepdims=True))


def _add_material(builder: GltfBuilder, material: Material) -> int:
    look: dict[str, Any] = {
        "baseColorFactor": list(material.colour),
        "metallicFactor": 0.0,
        "roughnessFactor": ROUGHNESS,
    }
    if material.texture is not None:
        view = builder.add_view(np.frombuffer(material.texture, np.uint8))
        image = builder.add("images", {"bufferView": view, "mimeType": _IMAGE_TYPES[material.texture[:1]]})
        look["baseColorTexture"] = {"index": builder.add("textures", {"source": image})}
    entry: dict[str, Any] = {"name": material.name, "pbrMetallicRoughness": look}
    if material.double_sided:
        entry["doubleSided"] = True
    if material.alpha_mode == "mask":
        entry |= {"alphaMode": "MASK", "alphaCutoff": material.alpha_cutoff}
    elif material.alpha_mode == "blend" or material.colour[3] < 1.0:
        entry["alphaMode"] = "BLEND"
    return builder.add("materials", entry)
