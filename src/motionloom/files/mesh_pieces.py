"""Join the pieces of a skinned mesh, which have their own vertices, bones and material each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import FileFormatError, ParameterError
from motionloom.motion import Clip
from motionloom.motion.skinned_mesh import BONES_PER_VERTEX, Material, SkinnedMesh

MAX_VERTICES = 400_000
"""Vertices of a mesh that a page can still draw smoothly; characters of games have up to 100,000."""

MAX_BONES = 1000
"""Bones of all skins together: rigs with faces and fingers have up to 500."""

MAX_TEXTURE_BYTES = 64 << 20
"""Bytes of one texture; those of film characters stay below."""


@dataclass(frozen=True)
class MeshPiece:
    """A part of a mesh with one material; indices count from its own first vertex and bone.

    Attributes
    ----------
    positions, normals
        (V, 3) vertices and unit normals as they are stored.
    triangles
        (F, 3) vertices of each triangle.
    bones
        The joint and the inverse bind (4, 4) of each bone.
    vertex_bones, weights
        (V, 4) the bones that each vertex follows, and how much.
    coordinates
        (V, 2) where each vertex lies in the texture, or None.
    material
        The number of its material in the file; −1 for none.
    """

    positions: FloatArray
    normals: FloatArray
    triangles: IntArray
    bones: list[tuple[int, FloatArray]]
    vertex_bones: IntArray
    weights: FloatArray
    coordinates: FloatArray | None
    material: int


def check_mesh_count(path: Path, count: int, limit: int, what: str) -> None:
    """Refuse a file with more vertices or bones than a character may have."""
    if count > limit:
        raise FileFormatError(
            path,
            f"has {count:,} {what} or more, and a character may have {limit:,}",
            remedy="reduce it in a 3D program",
        )


def check_mesh_joints(mesh: SkinnedMesh, names: Sequence[str]) -> None:
    """Refuse a mesh that follows a joint which is not among these names."""
    followed = (mesh.skeleton.names[joint] for joint in mesh.bones.tolist())
    foreign = next((name for name in followed if name not in names), None)
    if foreign is not None:
        raise ParameterError(
            f"the mesh follows the joint {foreign!r}, which the clip does not have",
            remedy="make it for the clip's skeleton, or retarget the clip to the mesh's",
        )


def choose_bones(bones: IntArray, weights: FloatArray, notes: list[str]) -> tuple[IntArray, FloatArray]:
    """Return the four bones (V, 4) with the largest weights, which then sum to one."""
    weights = np.maximum(weights, 0.0)
    if bones.shape[1] > BONES_PER_VERTEX:
        order = np.argsort(-weights, axis=1, kind="stable")
        bones = np.take_along_axis(bones, order, axis=1)[:, :BONES_PER_VERTEX]
        weights = np.take_along_axis(weights, order, axis=1)
        if (weights[:, BONES_PER_VERTEX:] > 0.0).any():
            note_once(notes, "vertices follow the four bones with the largest weights, not all of theirs")
        weights = weights[:, :BONES_PER_VERTEX]
    padding = ((0, 0), (0, BONES_PER_VERTEX - bones.shape[1]))
    bones, weights = np.pad(bones, padding), np.pad(weights, padding)
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), [[1.0, 0.0, 0.0, 0.0]])
    return bones, weights


def note_once(notes: list[str], note: str) -> None:
    """Add a note that is not there yet."""
    if note not in notes:
        notes.append(note)


def join_pieces(
    path: Path, clip: Clip, pieces: list[MeshPiece], materials: list[Material], notes: list[str]
) -> SkinnedMesh:
    """Return the pieces as one mesh, whose bones are listed once."""
    keys: dict[tuple[int, bytes], int] = {}
    bones: list[tuple[int, FloatArray]] = []
    vertex_bones, triangles, first = [], [], 0
    for piece in pieces:
        numbers = []
        for joint, bind in piece.bones:
            key = joint, np.round(bind, 9).tobytes()
            if key not in keys:
                keys[key] = len(bones)
                bones.append((joint, bind))
            numbers.append(keys[key])
        vertex_bones.append(np.array(numbers)[piece.vertex_bones])
        triangles.append(piece.triangles + first)
        first += len(piece.positions)
    listed = sorted({piece.material for piece in pieces})
    owners = [np.full(len(piece.triangles), listed.index(piece.material)) for piece in pieces]
    coordinates = [
        np.zeros((len(piece.positions), 2)) if piece.coordinates is None else piece.coordinates
        for piece in pieces
    ]
    textured = any(0 <= n < len(materials) and materials[n].texture for n in listed)
    check_mesh_count(path, len(bones), MAX_BONES, "bones")
    return SkinnedMesh(
        clip.skeleton,
        freeze(np.concatenate([piece.positions for piece in pieces])),
        freeze(np.concatenate([piece.normals for piece in pieces])),
        np.concatenate(triangles),
        np.array([joint for joint, _ in bones]),
        freeze(np.array([bind for _, bind in bones])),
        np.concatenate(vertex_bones),
        freeze(np.concatenate([piece.weights for piece in pieces])),
        tuple(materials[n] if 0 <= n < len(materials) else Material() for n in listed),
        np.concatenate(owners),
        freeze(np.concatenate(coordinates)) if textured else None,
        tuple(notes),
    )
