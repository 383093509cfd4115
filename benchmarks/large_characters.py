"""Characters of any size: a mannequin with more triangles, and textures of noise."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

import motionloom as ml
from motionloom.motion import Clip
from motionloom.motion.skinned_mesh import Material, SkinnedMesh

MEGABYTE = 1_000_000


def split_triangles(mesh: SkinnedMesh) -> SkinnedMesh:
    """Split every triangle into four; a new vertex follows the bones of one end of its edge."""
    assert mesh.triangle_materials is not None
    first = mesh.triangles.reshape(-1)
    second = np.roll(mesh.triangles, -1, axis=1).reshape(-1)
    normals = mesh.normals[first] + mesh.normals[second]
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(lengths > 0.1, normals / np.maximum(lengths, 0.1), mesh.normals[first])
    middles = np.arange(len(first)).reshape(-1, 3) + len(mesh.positions)
    (a, b, c), (ab, bc, ca) = mesh.triangles.T, middles.T
    corners = np.concatenate([np.stack(each, 1) for each in ((a, ab, ca), (b, bc, ab), (c, ca, bc))])
    uv = mesh.texture_coordinates
    return replace(
        mesh,
        positions=np.concatenate([mesh.positions, (mesh.positions[first] + mesh.positions[second]) / 2]),
        normals=np.concatenate([mesh.normals, normals]),
        triangles=np.concatenate([corners, middles]),
        vertex_bones=np.concatenate([mesh.vertex_bones, mesh.vertex_bones[first]]),
        weights=np.concatenate([mesh.weights, mesh.weights[first]]),
        triangle_materials=np.tile(mesh.triangle_materials, 4),
        texture_coordinates=None if uv is None else np.concatenate([uv, (uv[first] + uv[second]) / 2]),
    )


def noise_texture(n_bytes: int) -> bytes:
    """Return a PNG image of about this size, which nothing can compress."""
    side = max(int((n_bytes / 3) ** 0.5), 4)
    pixels = np.random.default_rng(1).integers(0, 256, (side, side, 3), dtype=np.uint8)
    written = BytesIO()
    Image.fromarray(pixels).save(written, "png", compress_level=1)
    return written.getvalue()


def save_character(body: Clip, mesh: SkinnedMesh, path: Path, n_bytes: int) -> Path:
    """Write a character of about this size: its texture makes up for what the mesh does not fill."""
    bare = ml.save(body[:1], path, mesh=replace(mesh, materials=(Material(),) * len(mesh.materials)))
    texture = noise_texture(max(n_bytes - bare.stat().st_size, 64))
    uv = mesh.texture_coordinates
    if uv is None:
        uv = mesh.positions[:, :2]
    textured = replace(
        mesh, materials=(Material(texture=texture),) * len(mesh.materials), texture_coordinates=uv
    )
    return ml.save(body[:1], path, mesh=textured, overwrite=True)
