"""`load_skinned_mesh`: the mesh of a glTF file that is skinned to its skeleton."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.budget import Budget
from motionloom.files.gltf.builder import GENERATOR, STICKS
from motionloom.files.gltf.channels import choose_animation, nodes_of_animation
from motionloom.files.gltf.container import read_container
from motionloom.files.gltf.document import Entry, GltfDocument, read_accessor
from motionloom.files.gltf.materials import read_materials
from motionloom.files.gltf.nodes import Tree, find_joints, find_world_matrix, read_tree
from motionloom.files.load_save import load
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.skinned_mesh import BONES_PER_VERTEX, Material, SkinnedMesh
from motionloom.validation import check_path

MAX_VERTICES = 400_000
"""Vertices of a mesh that a page can still draw smoothly; characters of games have up to 100,000."""

MAX_BONES = 1000
"""Bones of all skins together: rigs with faces and fingers have up to 500."""

TRIANGLES = 4
"""The drawing mode of plain triangles."""

_DRACO = "KHR_draco_mesh_compression"


@dataclass(frozen=True)
class _Piece:
    """A part of the mesh with one material; indices count from its own first vertex and bone."""

    positions: FloatArray
    normals: FloatArray
    triangles: IntArray
    bones: list[tuple[int, FloatArray]]
    vertex_bones: IntArray
    weights: FloatArray
    coordinates: FloatArray | None
    material: int


def load_skinned_mesh(path: str | PathLike[str], *, max_memory: int | None = None) -> SkinnedMesh:
    """Load the mesh of a ``.glb``, ``.gltf`` or ``.vrm`` file that is skinned to its skeleton.

    Vertices come out as the file's own renderer would show them, in metres. What a renderer could do without
    is left out with a note: textures that are damaged, vertices that follow more than four bones.

    Parameters
    ----------
    path
        The file.
    max_memory
        Bytes that reading may take, in place of the usual budget.

    Returns
    -------
    SkinnedMesh
        The mesh; its skeleton is that of ``motionloom.load(path)``.

    >>> import motionloom as ml
    >>> mesh = ml.load_skinned_mesh("hero.glb")                         # doctest: +SKIP
    >>> clip = ml.retarget(ml.load("walk.bvh"), mesh.skeleton)          # doctest: +SKIP
    >>> mesh.vertices(clip).shape                                       # doctest: +SKIP
    (120, 8431, 3)
    """
    place = check_path(path)
    budget = Budget(place, max_memory)
    document = GltfDocument(read_container(place, budget), budget)
    if not any(entry.indices("joints", "nodes") for entry in document.entries("skins")):
        raise FileFormatError(place, "has no skin: a character needs a mesh that is skinned to a skeleton")
    notes: list[str] = []
    tree = read_tree(document)
    moved = nodes_of_animation(choose_animation(document, None, []))
    nodes = find_joints(tree, moved, None, [])
    clip = load(place, max_memory=max_memory)
    pieces = _read_pieces(tree, nodes, _Rest.of(tree, nodes, clip), notes)
    if not pieces:
        raise FileFormatError(place, "has no mesh that is skinned to its skeleton: there is nothing to show")
    return _join(clip, pieces, read_materials(document, notes), notes)


@dataclass(frozen=True)
class _Rest:
    """The rig at rest: matrices of nodes as the file has them, and of joints as they were loaded.

    Joints lose their scale when they are loaded; what follows a joint takes it over.
    """

    tree: Tree
    to_metres: FloatArray
    back: FloatArray

    @classmethod
    def of(cls, tree: Tree, nodes: list[int], clip: Clip) -> _Rest:
        skeleton = clip.skeleton
        rotations, positions = skeleton.rest_world_rotations(), skeleton.rest_positions()
        loaded = np.tile(np.eye(4), (len(nodes), 1, 1))
        loaded[:, :3, :3], loaded[:, :3, 3] = rot.to_matrix(rotations), positions
        to_metres = np.eye(4)
        to_metres[:3, :3] *= clip.source.metres_per_unit
        return cls(tree, to_metres, np.asarray(np.linalg.inv(loaded), np.float64))

    def bind(self, joint: int, node: int, bind: FloatArray) -> FloatArray:
        """Return the inverse bind (4, 4) of a loaded joint, given that (4, 4) of its node."""
        return np.asarray(self.back[joint] @ self.to_metres @ find_world_matrix(self.tree, node) @ bind)


def _read_pieces(tree: Tree, nodes: list[int], rest: _Rest, notes: list[str]) -> list[_Piece]:
    document = tree.document
    joints = {node: joint for joint, node in enumerate(nodes)}
    ours = document.content.get("asset", {}).get("generator") == GENERATOR
    pieces: list[_Piece] = []
    left_out = n_vertices = 0
    for node, entry in enumerate(document.entries("nodes")):
        if "mesh" not in entry.values or (ours and entry.values.get("name") == STICKS):
            continue
        bones = _find_bones(tree, node, entry, joints, rest)
        if bones is None:
            left_out += 1
            continue
        mesh = document.entry("meshes", entry.index("mesh", "meshes"))
        for primitive in mesh.objects("primitives"):
            piece = _read_primitive(document, primitive, bones, "skin" in entry.values, notes)
            if piece is not None:
                pieces.append(piece)
                n_vertices += len(piece.positions)
                _check_count(document, n_vertices, MAX_VERTICES, "vertices")
    if left_out:
        notes.append(f"{left_out} mesh{'es' if left_out > 1 else ''} apart from the skeleton left out")
    return pieces


def _check_count(document: GltfDocument, count: int, limit: int, what: str) -> None:
    if count > limit:
        raise FileFormatError(
            document.path,
            f"has {count:,} {what} or more, and a character may have {limit:,}: reduce it in a 3D program",
        )


def _find_bones(
    tree: Tree, node: int, entry: Entry, joints: dict[int, int], rest: _Rest
) -> list[tuple[int, FloatArray]] | None:
    """Return joint and inverse bind of the bones of a node with a mesh; None where none carries it."""
    document = tree.document
    if "skin" not in entry.values:
        # A rigid mesh follows the joint that its node hangs from.
        carrier = next((each for each in tree.above(node) if each in joints), None)
        if carrier is None:
            return None
        joint = joints[carrier]
        return [(joint, np.asarray(rest.back[joint] @ rest.to_metres @ find_world_matrix(tree, node)))]
    skin = document.entry("skins", entry.index("skin", "skins"))
    listed = skin.indices("joints", "nodes")
    _check_count(document, len(listed), MAX_BONES, "bones")
    if any(each not in joints for each in listed):
        return None
    binds = np.tile(np.eye(4), (len(listed), 1, 1))
    if "inverseBindMatrices" in skin.values:
        found = read_accessor(document, skin.index("inverseBindMatrices", "accessors"), "MAT4")
        if len(found) < len(listed):
            document.refuse(skin.where, f"has {len(listed)} joints and {len(found)} inverse bind matrices")
        binds = found[: len(listed)].reshape(-1, 4, 4).transpose(0, 2, 1)
    return [(joints[each], rest.bind(joints[each], each, binds[n])) for n, each in enumerate(listed)]


def _read_primitive(
    document: GltfDocument,
    primitive: Entry,
    bones: list[tuple[int, FloatArray]],
    is_skinned: bool,
    notes: list[str],
) -> _Piece | None:
    """Read triangles with one material; None where a primitive has lines or points."""
    if _DRACO in primitive.object("extensions").values:
        raise FileFormatError(
            document.path, f"{primitive.where} is compressed ({_DRACO}): save the file without compression"
        )
    if primitive.integer("mode", TRIANGLES) != TRIANGLES:
        _note_once(notes, "parts that are not plain triangles were left out")
        return None
    attributes = primitive.object("attributes")
    if "POSITION" not in attributes.values:
        return None

    def read(name: str, kind: str) -> FloatArray | None:
        if name not in attributes.values:
            return None
        values = read_accessor(document, attributes.index(name, "accessors"), kind)
        if len(values) != len(positions):
            document.refuse(f"{attributes.where}.{name}", f"has not {len(positions)} elements")
        return values

    positions = read_accessor(document, attributes.index("POSITION", "accessors"), "VEC3")
    triangles = _read_triangles(document, primitive, len(positions))
    normals = read("NORMAL", "VEC3")
    vertex_bones, weights = np.zeros((len(positions), 1), np.int64), np.ones((len(positions), 1))
    if is_skinned:
        sets = [n for n in range(8) if f"JOINTS_{n}" in attributes.values]
        owners = [read(f"JOINTS_{n}", "VEC4") for n in sets]
        fractions = [read(f"WEIGHTS_{n}", "VEC4") for n in sets]
        if not sets or any(each is None for each in fractions):
            document.refuse(attributes.where, "has no joints and weights, although its node has a skin")
        vertex_bones = np.concatenate([each for each in owners if each is not None], axis=1).astype(np.int64)
        weights = np.concatenate([each for each in fractions if each is not None], axis=1)
        if vertex_bones.size and not 0 <= vertex_bones.min() <= vertex_bones.max() < len(bones):
            document.refuse(attributes.where, f"names a joint that is none of the {len(bones)} of its skin")
        vertex_bones, weights = _choose_bones(vertex_bones, weights, notes)
    padding = ((0, 0), (0, BONES_PER_VERTEX - vertex_bones.shape[1]))
    return _Piece(
        positions,
        _unit(_find_normals(positions, triangles) if normals is None else normals),
        triangles,
        bones,
        np.pad(vertex_bones, padding),
        np.pad(weights, padding),
        read("TEXCOORD_0", "VEC2"),
        primitive.index("material", "materials") if "material" in primitive.values else -1,
    )


def _read_triangles(document: GltfDocument, primitive: Entry, n_vertices: int) -> IntArray:
    if "indices" not in primitive.values:
        indices = np.arange(n_vertices)
    else:
        at = primitive.index("indices", "accessors")
        indices = read_accessor(document, at, "SCALAR")[:, 0].astype(np.int64)
    if len(indices) % 3 or (len(indices) and not 0 <= indices.min() <= indices.max() < n_vertices):
        document.refuse(primitive.where, f"has triangles of other vertices than its {n_vertices}")
    return np.asarray(indices.reshape(-1, 3))


def _choose_bones(bones: IntArray, weights: FloatArray, notes: list[str]) -> tuple[IntArray, FloatArray]:
    """Return the four bones (V, 4) with the largest weights, which then sum to one."""
    weights = np.maximum(weights, 0.0)
    if bones.shape[1] > BONES_PER_VERTEX:
        order = np.argsort(-weights, axis=1, kind="stable")
        bones = np.take_along_axis(bones, order, axis=1)[:, :BONES_PER_VERTEX]
        weights = np.take_along_axis(weights, order, axis=1)
        if (weights[:, BONES_PER_VERTEX:] > 0.0).any():
            _note_once(notes, "vertices follow the four bones with the largest weights, not all of theirs")
        weights = weights[:, :BONES_PER_VERTEX]
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), [[1.0, 0.0, 0.0, 0.0]])
    return bones, weights


def _find_normals(positions: FloatArray, triangles: IntArray) -> FloatArray:
    """Return normals (V, 3), averaged over the triangles around each vertex."""
    a, b, c = (positions[triangles[:, n]] for n in range(3))
    normals = np.zeros_like(positions)
    for n in range(3):
        np.add.at(normals, triangles[:, n], np.cross(b - a, c - a))
    return normals


def _unit(vectors: FloatArray) -> FloatArray:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.where(length > 0.0, vectors / np.where(length > 0.0, length, 1.0), [0.0, 1.0, 0.0]))


def _note_once(notes: list[str], note: str) -> None:
    if note not in notes:
        notes.append(note)


def _join(clip: Clip, pieces: list[_Piece], materials: list[Material], notes: list[str]) -> SkinnedMesh:
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
    if len(bones) > MAX_BONES:
        raise MotionloomError(
            f"{clip.source.path} has {len(bones):,} bones, and a character may have {MAX_BONES:,}: "
            "reduce it in a 3D program"
        )
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
