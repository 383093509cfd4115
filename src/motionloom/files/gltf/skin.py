"""The mesh of a glTF file that is skinned to its skeleton, with its materials and their textures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.gltf.builder import GENERATOR, STICKS
from motionloom.files.gltf.channels import choose_animation, nodes_of_animation
from motionloom.files.gltf.container import read_container
from motionloom.files.gltf.document import Entry, GltfDocument, read_accessor
from motionloom.files.gltf.nodes import Tree, find_joints, find_world_matrix, read_tree
from motionloom.files.load_save import load_clip
from motionloom.files.mesh_pieces import (
    MAX_BONES,
    MAX_TEXTURE_BYTES,
    MAX_VERTICES,
    MeshPiece,
    check_mesh_count,
    choose_bones,
    join_pieces,
    note_once,
)
from motionloom.files.text import unique_names
from motionloom.geometry import rotations as rot
from motionloom.jobs.budget import Budget
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.mesh_soles import MeshSole, find_mesh_soles
from motionloom.motion.skinned_mesh import (
    IMAGE_SIGNATURES,
    AlphaMode,
    Material,
    SkinnedMesh,
    find_normals,
    unit_vectors,
)

TRIANGLES = 4
"""The drawing mode of plain triangles."""

_DRACO = "KHR_draco_mesh_compression"

_ALPHA_MODES: dict[object, AlphaMode] = {"MASK": "mask", "BLEND": "blend"}


def read_character(path: Path, *, max_memory: int | None = None) -> tuple[Clip, SkinnedMesh]:
    """Read the motion of a file, and the mesh that is skinned to its skeleton.

    Vertices come out as the file's own renderer would show them, in metres.
    """
    budget = Budget(path, max_memory)
    document = GltfDocument(read_container(path, budget), budget)
    if not any(entry.indices("joints", "nodes") for entry in document.entries("skins")):
        raise FileFormatError(path, "has no skin: a character needs a mesh that is skinned to a skeleton")
    notes: list[str] = []
    tree = read_tree(document)
    moved = nodes_of_animation(choose_animation(document, None, []))
    nodes = find_joints(tree, moved, None, [])
    clip = load_clip(path, max_memory=max_memory)
    pieces = _read_pieces(tree, nodes, _Rest.of(tree, nodes, clip), notes)
    if not pieces:
        raise FileFormatError(path, "has no mesh that is skinned to its skeleton: there is nothing to show")
    return clip, join_pieces(path, clip, pieces, read_materials(document, notes), notes)


def add_soles(
    clip: Clip,
    *,
    animation: str | int | None = None,
    root: str | None = None,
    max_memory: int | None = None,
) -> Clip:
    """Return a clip whose character has the soles of the mesh in its glTF file.

    Parameters
    ----------
    clip
        A clip that was read from the file, now or before it was stored elsewhere. It stays as it is where it
        has no character, or where the file is gone or has no such soles: the motion can be read all the same.
    animation, root, max_memory
        As it was read.
    """
    character = clip.source.character
    if character is None:
        return clip
    try:
        soles = _read_soles(Path(character.path), clip, animation, root, max_memory)
    except (MotionloomError, OSError):
        return clip
    return clip.with_source(replace(clip.source, character=replace(character, soles=soles)), clip.provenance)


def _read_soles(
    path: Path, clip: Clip, animation: str | int | None, root: str | None, max_memory: int | None
) -> tuple[MeshSole, ...]:
    budget = Budget(path, max_memory)
    document = GltfDocument(read_container(path, budget), budget)
    if not document.count("skins") or not find_anatomy(clip.body.skeleton).legs:
        return ()
    tree = read_tree(document)
    nodes = find_joints(tree, nodes_of_animation(choose_animation(document, animation, [])), root, [])
    if unique_names([tree.names[node] for node in nodes]) != clip.skeleton.names:
        return ()  # the file has changed since, or the clip is of another one of its skeletons
    pieces = _read_pieces(tree, nodes, _Rest.of(tree, nodes, clip), [])
    return find_mesh_soles(join_pieces(path, clip, pieces, [], [])) if pieces else ()


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


def _read_pieces(tree: Tree, nodes: list[int], rest: _Rest, notes: list[str]) -> list[MeshPiece]:
    document = tree.document
    joints = {node: joint for joint, node in enumerate(nodes)}
    ours = document.content.get("asset", {}).get("generator") == GENERATOR
    pieces: list[MeshPiece] = []
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
                check_mesh_count(document.path, n_vertices, MAX_VERTICES, "vertices")
    if left_out:
        notes.append(f"{left_out} mesh{'es' if left_out > 1 else ''} apart from the skeleton left out")
    return pieces


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
    check_mesh_count(document.path, len(listed), MAX_BONES, "bones")
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
) -> MeshPiece | None:
    """Read triangles with one material; None where a primitive has lines or points, or is empty."""
    if _DRACO in primitive.object("extensions").values:
        raise FileFormatError(
            document.path,
            f"{primitive.where} is compressed ({_DRACO})",
            remedy="save the file without compression",
        )
    if primitive.integer("mode", TRIANGLES) != TRIANGLES:
        note_once(notes, "parts that are not plain triangles were left out")
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
    if len(positions) == 0:
        return None
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
    vertex_bones, weights = choose_bones(vertex_bones, weights, notes)
    return MeshPiece(
        positions,
        unit_vectors(find_normals(positions, triangles) if normals is None else normals),
        triangles,
        bones,
        vertex_bones,
        weights,
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


def read_materials(document: GltfDocument, notes: list[str]) -> list[Material]:
    """Return the materials of a file; a texture that cannot be read is left out with a note."""
    return [_read_material(document, entry, notes) for entry in document.entries("materials")]


def _read_material(document: GltfDocument, entry: Entry, notes: list[str]) -> Material:
    surface = entry.object("pbrMetallicRoughness")
    colour = surface.numbers("baseColorFactor", 4)
    red, green, blue, opacity = np.clip(np.ones(4) if colour is None else colour, 0.0, 1.0).tolist()
    name = entry.values.get("name")
    texture = None
    if "baseColorTexture" in surface.values:
        try:
            texture = _read_texture(document, surface.object("baseColorTexture"))
        except FileFormatError as error:
            notes.append(f"a texture was left out: {error.cause}")
    mode = _ALPHA_MODES.get(entry.text("alphaMode", "OPAQUE"), "opaque")
    return Material(
        name if isinstance(name, str) else "",
        (red, green, blue, 1.0 if mode == "opaque" else opacity),
        texture,
        entry.values.get("doubleSided") is True,
        mode,
        entry.number("alphaCutoff", Material.alpha_cutoff) if mode == "mask" else Material.alpha_cutoff,
    )


def _read_texture(document: GltfDocument, reference: Entry) -> bytes:
    texture = document.entry("textures", reference.index("index", "textures"))
    image = document.entry("images", texture.index("source", "images"))
    if "uri" in image.values:
        data = document.read_uri(image.text("uri"), f"{image.where}.uri")
    else:
        view = document.entry("bufferViews", image.index("bufferView", "bufferViews"))
        buffer = document.buffer(view.index("buffer", "buffers"))
        start, length = view.integer("byteOffset", 0), view.integer("byteLength")
        document.budget.claim(min(length, len(buffer)), image.where)
        data = bytes(buffer[start : start + length])
    if not data.startswith(IMAGE_SIGNATURES):
        raise FileFormatError(document.path, f"{image.where} is not a PNG, JPEG or WebP image")
    if len(data) > MAX_TEXTURE_BYTES:
        raise FileFormatError(document.path, f"{image.where} is larger than {MAX_TEXTURE_BYTES >> 20} MB")
    return data
