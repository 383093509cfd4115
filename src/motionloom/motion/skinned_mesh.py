"""`SkinnedMesh`: the surface of a character with its normals, and which joints carry it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

from motionloom.arrays import FloatArray, IntArray, as_read_only, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion.clip import Clip
from motionloom.motion.skeleton import Skeleton

BONES_PER_VERTEX = 4
"""Bones that a vertex follows, as graphics cards take them."""

IMAGE_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")
"""First bytes of PNG, JPEG and WebP files, which are the textures that pages and engines draw."""

AlphaMode = Literal["opaque", "mask", "blend"]

MAX_WEIGHT_ERROR = 1e-3
"""How far the weights of a vertex may be from a sum of one: files keep them in single bytes."""


@dataclass(frozen=True)
class Material:
    """How a part of a mesh looks.

    Attributes
    ----------
    name
        Its name in the file.
    colour
        Red, green, blue and opacity, each 0 to 1; colours are linear. A texture is multiplied by it.
    texture
        The bytes of an image file (PNG, JPEG or WebP), or None.
    double_sided
        Whether the surface is seen from behind as well.
    alpha_mode
        What the opacity of colour and texture does: nothing ("opaque"), cut out what lies below
        ``alpha_cutoff`` ("mask"), as in cards of hair, or let what lies behind show through ("blend").
    alpha_cutoff
        The opacity, 0 to 1, below which a mask is cut out.
    """

    name: str = ""
    colour: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    texture: bytes | None = field(default=None, repr=False)
    double_sided: bool = False
    alpha_mode: AlphaMode = "opaque"
    alpha_cutoff: float = 0.5

    def __post_init__(self) -> None:
        if self.alpha_mode not in get_args(AlphaMode):
            raise ParameterError(
                f"must be opaque, mask or blend, not {self.alpha_mode!r}",
                parameter="alpha_mode",
                value=self.alpha_mode,
            )
        if self.texture is not None and not self.texture.startswith(IMAGE_SIGNATURES):
            raise ParameterError("must be the bytes of a PNG, JPEG or WebP file", parameter="texture")


@dataclass(frozen=True, eq=False)
class SkinnedMesh:
    """A mesh whose vertices follow the joints of a skeleton, by linear blend skinning.

    A bone is a joint together with the transform that takes vertices into the joint's frame. Files may bind
    parts of a mesh differently, so a joint may have several bones.

    Attributes
    ----------
    skeleton
        The joints, in metres and Y up.
    positions, normals
        (V, 3) vertices and unit normals as they are stored, which is where the inverse binds expect them.
    triangles
        (F, 3) vertices of each triangle, counter-clockwise seen from outside.
    bones
        (B,) the joint of each bone.
    inverse_binds
        (B, 4, 4) from stored vertices to the frame of the joint.
    vertex_bones, weights
        (V, 4) the bones that each vertex follows, and how much; weights sum to one.
    materials
        How the parts look.
    triangle_materials
        (F,) the material of each triangle.
    texture_coordinates
        (V, 2) where each vertex lies in the texture, from its top left corner; None without textures.
    notes
        Sentences about what was left out when the mesh was read.

    >>> from motionloom.synthesis import make_mannequin, walk
    >>> clip = walk(duration=0.5, fps=30).clip
    >>> mesh = make_mannequin(clip)
    >>> mesh.vertices(clip, [0, 10]).shape == (2, mesh.n_vertices, 3)
    True
    """

    skeleton: Skeleton
    positions: FloatArray = field(repr=False)
    normals: FloatArray = field(repr=False)
    triangles: IntArray = field(repr=False)
    bones: IntArray = field(repr=False)
    inverse_binds: FloatArray = field(repr=False)
    vertex_bones: IntArray = field(repr=False)
    weights: FloatArray = field(repr=False)
    materials: tuple[Material, ...] = (Material(),)
    triangle_materials: IntArray | None = field(default=None, repr=False)
    texture_coordinates: FloatArray | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n_vertices, n_bones = len(self.positions), len(self.bones)
        if n_vertices == 0:
            raise ParameterError("a mesh needs vertices, and this one has none")
        shapes: dict[str, tuple[int, ...]] = {
            "positions": (n_vertices, 3),
            "normals": (n_vertices, 3),
            "inverse_binds": (n_bones, 4, 4),
            "weights": (n_vertices, BONES_PER_VERTEX),
        }
        if self.texture_coordinates is not None:
            shapes["texture_coordinates"] = (n_vertices, 2)
        for name, shape in shapes.items():
            object.__setattr__(self, name, check_array(name, getattr(self, name), shape))
        if self.triangle_materials is None:
            object.__setattr__(self, "triangle_materials", np.zeros(len(self.triangles), np.int64))
        limits = {
            "triangles": n_vertices,
            "bones": self.skeleton.n_joints,
            "vertex_bones": n_bones,
            "triangle_materials": len(self.materials),
        }
        for name, limit in limits.items():
            values = as_read_only(getattr(self, name), np.int64)
            if values.size and not (values.min() >= 0 and values.max() < limit):
                raise ParameterError(f"must hold indices from 0 to {limit - 1}", parameter=name)
            object.__setattr__(self, name, values)
        if np.abs(self.weights.sum(axis=1) - 1.0).max(initial=0.0) > MAX_WEIGHT_ERROR:
            raise ParameterError("the weights of each vertex must sum to one")

    @property
    def n_vertices(self) -> int:
        """Number of vertices."""
        return len(self.positions)

    def vertices(self, clip: Clip, frames: list[int] | IntArray | None = None) -> FloatArray:
        """Return where the vertices are (T, V, 3) in frames of a clip of the same skeleton, metres.

        Parameters
        ----------
        clip
            A motion whose joints have the names of the mesh's.
        frames
            Which frames; all by default.
        """
        if clip.skeleton.names != self.skeleton.names:
            raise ParameterError(
                "the clip has other joints than the mesh", remedy="retarget it to the mesh's skeleton first"
            )
        chosen = np.arange(clip.n_frames) if frames is None else np.asarray(frames)
        positions, rotations = clip.world_positions()[chosen], clip.world_rotations()[chosen]
        linear = rot.to_matrix(rotations)[:, self.bones] @ self.inverse_binds[:, :3, :3]
        moved = rot.rotate(rotations[:, self.bones], self.inverse_binds[:, :3, 3]) + positions[:, self.bones]
        result = np.zeros((len(chosen), self.n_vertices, 3))
        for n in range(BONES_PER_VERTEX):
            bones, weight = self.vertex_bones[:, n], self.weights[:, n, None]
            result += weight * (np.einsum("tvij,vj->tvi", linear[:, bones], self.positions) + moved[:, bones])
        return freeze(result)


def find_normals(positions: FloatArray, triangles: IntArray) -> FloatArray:
    """Return normals (V, 3), averaged over the triangles around each vertex and not of unit length.

    >>> find_normals(np.eye(3), np.array([[0, 1, 2]])).tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    a, b, c = (positions[triangles[:, n]] for n in range(3))
    normals = np.zeros_like(positions)
    for n in range(3):
        np.add.at(normals, triangles[:, n], np.cross(b - a, c - a))
    return normals


def unit_vectors(vectors: FloatArray) -> FloatArray:
    """Return vectors (V, 3) of length one; those without a direction point up.

    >>> unit_vectors(np.array([[0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.where(length > 0.0, vectors / np.where(length > 0.0, length, 1.0), [0.0, 1.0, 0.0]))
