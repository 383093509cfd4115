"""The mesh of an FBX file that is skinned to its skeleton, read together with its motion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.errors import FileFormatError
from motionloom.files.fbx.motion import WorldMotion
from motionloom.files.fbx.read import check_numbers, read_fbx
from motionloom.files.mesh_pieces import (
    MAX_BONES,
    MAX_VERTICES,
    MeshPiece,
    check_mesh_count,
    choose_bones,
    join_pieces,
)
from motionloom.files.normalize import TO_Y_UP, normalize_clip
from motionloom.geometry import rotations as rot
from motionloom.jobs.workers import Exchange
from motionloom.motion import Clip
from motionloom.motion.skinned_mesh import IMAGE_SIGNATURES, Material, SkinnedMesh, unit_vectors

_Bones = list[tuple[int, FloatArray]]


def read_character(path: Path, *, max_memory: int | None = None) -> tuple[Clip, SkinnedMesh]:
    """Read the motion of a file, and the mesh that is skinned to its skeleton, by one run of Blender.

    Vertices come out where Blender's armature would move them, in metres.
    """
    read = read_fbx(path, max_memory=max_memory, max_vertices=MAX_VERTICES)
    clip = normalize_clip(read.clip, stated_up=read.clip.source.up)
    header = read.found.header
    check_mesh_count(path, len(read.bones.names), MAX_BONES, "bones")
    n_meshes = int(header.number("meshes"))
    if n_meshes < 1:
        raise FileFormatError(path, "has no skin: a character needs a mesh that is skinned to a skeleton")
    notes = list(header.texts("mesh_notes"))
    to_metres = clip.source.metres_per_unit * TO_Y_UP[clip.source.up]
    bones = _find_bones(read.bones, clip, to_metres)
    pieces: list[MeshPiece] = []
    for n in range(n_meshes):
        mesh = _Mesh(read.found, n, len(read.bones.names) - len(header.texts("names")))
        pieces += mesh.split(bones, to_metres @ TO_Y_UP["z"], notes)
        check_mesh_count(path, sum(len(piece.positions) for piece in pieces), MAX_VERTICES, "vertices")
    if not pieces:
        raise FileFormatError(path, "has no mesh that is skinned to its skeleton: there is nothing to show")
    return clip, join_pieces(path, clip, pieces, _read_materials(read.found), notes)


def _find_bones(motion: WorldMotion, clip: Clip, to_metres: FloatArray) -> _Bones:
    """Return joint and inverse bind (4, 4) of every bone; a bone that became a tip follows the joint above.

    The pose in which the mesh is bound is the rest pose of the armature. The skeleton of the clip may rest
    otherwise.
    """
    scale = np.cbrt(np.linalg.det(to_metres))
    turn = to_metres / scale
    joints = {name: joint for joint, name in enumerate(clip.skeleton.names)}
    inverse = rot.to_matrix(rot.inverse(motion.axes))
    bones: _Bones = []
    for bone in range(len(motion.names)):
        above = bone
        while motion.names[above] not in joints and motion.parents[above] >= 0:
            above = int(motion.parents[above])
        bind = np.eye(4)
        bind[:3, :3] = turn @ inverse[above] @ turn.T
        bind[:3, 3] = -bind[:3, :3] @ (to_metres @ motion.rest[above])
        bones.append((joints.get(motion.names[above], 0), bind))
    return bones


class _Mesh:
    """One mesh as Blender describes it; its numbers are checked, since they come from a file."""

    def __init__(self, found: Exchange, number: int, n_added: int) -> None:
        self.path = found.path

        def read(name: str, width: int) -> FloatArray:
            values = found.array(f"mesh{number}_{name}").reshape(-1, width)
            check_numbers(self.path, values)
            return values

        self.vertices = read("vertices", 3)
        self.corners = self._indices(read("corners", 1)[:, 0], len(self.vertices))
        self.normals = read("normals", 3)
        self.triangles = self._indices(read("triangles", 3), len(self.corners))
        self.materials = read("materials", 1)[:, 0].astype(np.int64)
        has_uv = f"mesh{number}_uv" in found.arrays
        self.coordinates = read("uv", 2) if has_uv else None
        rows = read("weights", 3)
        self.owners = self._indices(rows[:, 0], len(self.vertices))
        self.bones = rows[:, 1].astype(np.int64) + n_added
        self.weights = rows[:, 2]

    def _indices(self, values: FloatArray, limit: int) -> IntArray:
        if values.size and not 0 <= values.min() <= values.max() < limit:
            raise FileFormatError(self.path, "has triangles or weights of vertices that it does not have")
        return values.astype(np.int64)

    def split(self, bones: _Bones, to_metres: FloatArray, notes: list[str]) -> Iterator[MeshPiece]:
        """Yield the parts with one material each; corners that are alike become one vertex."""
        owners, fractions = choose_bones(*self._tabulate_weights(), notes)
        turn = to_metres / np.cbrt(np.linalg.det(to_metres))
        for material in np.unique(self.materials).tolist():
            chosen = self.triangles[self.materials == material]
            described = [self.corners[chosen.reshape(-1), None], self.normals[chosen.reshape(-1)].round(4)]
            if self.coordinates is not None:
                described.append(self.coordinates[chosen.reshape(-1)])
            _, first, numbers = np.unique(
                np.concatenate(described, axis=1), axis=0, return_index=True, return_inverse=True
            )
            kept = chosen.reshape(-1)[first]
            vertices = self.corners[kept]
            coordinates = None
            if self.coordinates is not None:
                coordinates = self.coordinates[kept] * [1.0, -1.0] + [0.0, 1.0]  # from the top, as in images
            yield MeshPiece(
                self.vertices[vertices] @ to_metres.T,
                unit_vectors(self.normals[kept] @ turn.T),
                numbers.reshape(-1, 3),
                bones,
                owners[vertices],
                fractions[vertices],
                coordinates,
                material,
            )

    def _tabulate_weights(self) -> tuple[IntArray, FloatArray]:
        """Return bones and weights (V, K) of all vertices, where K is the most that one has."""
        order = np.argsort(self.owners, kind="stable")
        counts = np.bincount(self.owners, minlength=len(self.vertices))
        column = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        shape = len(self.vertices), max(1, int(counts.max(initial=0)))
        bones, weights = np.zeros(shape, np.int64), np.zeros(shape)
        bones[self.owners[order], column] = self.bones[order]
        weights[self.owners[order], column] = self.weights[order]
        return bones, weights


def _read_materials(found: Exchange) -> list[Material]:
    materials = []
    for n, look in enumerate(found.header.objects("materials")):
        red, green, blue, opacity = np.clip(
            [float(value) for value in look.several("colour")[:4]], 0.0, 1.0
        ).tolist()
        stored = found.arrays.get(f"texture{n}")
        texture = None if stored is None else stored.tobytes()
        if texture is not None and not texture.startswith(IMAGE_SIGNATURES):
            texture = None
        colour = red, green, blue, opacity
        materials.append(Material(look.text("name"), colour, texture, look.flag("double_sided")))
    return materials
