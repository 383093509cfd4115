"""Read the node tree of a glTF file, and find which of its nodes are joints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.gltf.document import Entry, GltfDocument
from motionloom.files.notes import Note
from motionloom.geometry import rotations as rot
from motionloom.messages import Argument

MAX_JOINTS = 2000
"""No rig comes near it; damaged files must not make us compute for minutes."""

_UNIT = 1e-12
"""How far the length of a quaternion may be from one to be taken digit for digit."""

_SCENE_PARTS = ("mesh", "camera")
"""What a node carries that is part of the scene and not of a skeleton."""


@dataclass(frozen=True)
class Tree:
    """The nodes of a file: names as the file gives them, and the parent of each, −1 for the top ones."""

    document: GltfDocument
    names: tuple[str, ...]
    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]

    def above(self, node: int) -> list[int]:
        """Return the node and all its ancestors, from the bottom up."""
        chain = []
        while node >= 0:
            chain.append(node)
            node = self.parents[node]
        return chain

    def below(self, tops: Iterable[int]) -> set[int]:
        """Return the nodes and all their descendants."""
        found: set[int] = set()
        pending = list(tops)
        while pending:
            node = pending.pop()
            if node not in found:
                found.add(node)
                pending.extend(self.children[node])
        return found


def read_tree(document: GltfDocument) -> Tree:
    """Read the node tree, or fail where it is not a tree."""
    entries = document.entries("nodes")
    parents = [-1] * len(entries)
    children = tuple(tuple(entry.indices("children", "nodes")) for entry in entries)
    for node, entry in enumerate(entries):
        for child in children[node]:
            if parents[child] >= 0 or child == node:
                document.refuse(entry.where, f"shares its child {child} with another node")
            parents[child] = node
    names = tuple(entry.text("name", f"node_{node}") for node, entry in enumerate(entries))
    tree = Tree(document, names, tuple(parents), children)
    _check_depth(tree)
    return tree


def _check_depth(tree: Tree) -> None:
    """Refuse nodes that no top node leads to, or that are too deep; with one parent each, only cycles are."""
    level = [node for node, parent in enumerate(tree.parents) if parent < 0]
    n_reached = depth = 0
    while level:
        n_reached, depth = n_reached + len(level), depth + 1
        if depth > MAX_JOINTS:
            raise FileFormatError(tree.document.path, f"its nodes are nested more than {MAX_JOINTS} deep")
        level = [child for node in level for child in tree.children[node]]
    if n_reached < len(tree.parents):
        tree.document.refuse("nodes", "must be connected without a cycle")


def find_joints(tree: Tree, moved: set[int], root: str | None, notes: list[str]) -> list[int]:
    """Return the nodes that are joints of the rig to read, parents before children.

    With skins: the joints of the skin that the animation moves most, those of other skins on the same rig,
    the nodes between them, and nodes above that move too. Without: what the animation moves, and all below.

    Parameters
    ----------
    tree
        The nodes.
    moved
        The nodes that the chosen animation moves.
    root
        The name of the root node, or None to find it.
    notes
        Receives a sentence about what is dropped.
    """
    skins = [entry.indices("joints", "nodes") for entry in tree.document.entries("skins")]
    skins = [joints for joints in skins if joints]
    listed = _find_skin_joints(tree, skins, moved) if skins else _find_animated_nodes(tree, moved)
    if root is not None:
        top = _find_named(tree, root)
        inside = tree.below([top])
        listed = [top, *(node for joints in [*skins, listed] for node in joints if node in inside)]
    if not listed:
        raise FileFormatError(tree.document.path, "holds no motion: it has no skin and no animation of nodes")
    joints = _add_nodes_between(tree, _select_tree(tree, _limit(tree, listed), notes))
    return _limit(tree, joints)


def _find_skin_joints(tree: Tree, skins: Sequence[list[int]], moved: set[int]) -> list[int]:
    main = max(skins, key=lambda joints: (len(set(joints) & moved), len(joints)))
    top = _common_ancestor(tree, _limit(tree, main))
    if top < 0:
        return main
    carrying = [node for node in tree.above(top) if node in moved]
    inside = tree.below([top])
    others = [node for joints in skins for node in joints if node in inside]
    return [*reversed(carrying), *main, *others]


def _find_animated_nodes(tree: Tree, moved: set[int]) -> list[int]:
    """Return the nodes that move and all below them, except meshes and cameras."""
    return [
        node
        for node in sorted(tree.below(moved))
        if node in moved or not any(key in tree.document.entry("nodes", node).values for key in _SCENE_PARTS)
    ]


def _limit(tree: Tree, nodes: Sequence[int]) -> list[int]:
    """Return the nodes without repetitions, or an error when they are too many for a rig."""
    different = list(dict.fromkeys(nodes))
    if len(different) > MAX_JOINTS:
        raise FileFormatError(tree.document.path, f"holds a rig of more than {MAX_JOINTS} joints")
    return different


def _find_named(tree: Tree, root: str) -> int:
    if root not in tree.names:
        raise ParameterError(f"{tree.document.path} has no node {root!r} for the root")
    return tree.names.index(root)


def _common_ancestor(tree: Tree, nodes: Sequence[int]) -> int:
    """Return the lowest common ancestor of the nodes, or −1."""
    common = tree.above(nodes[0])
    for node in nodes[1:]:
        chain = set(tree.above(node))
        common = [each for each in common if each in chain]
    return common[0] if common else -1


def _select_tree(tree: Tree, listed: Sequence[int], notes: list[str]) -> list[int]:
    """Return the nodes of the largest tree where they are in several."""
    tops: dict[int, list[int]] = {}
    for node in listed:
        tops.setdefault(tree.above(node)[-1], []).append(node)
    biggest = max(tops.values(), key=len)
    if len(tops) > 1:
        top = tree.names[_common_ancestor(tree, biggest)]
        text = f"the moving nodes are in {len(tops)} trees: the largest, {top!r}, was read"
        notes.append(Note("root", text, remedy=("select another with ", Argument("root"))))
    return biggest


def _add_nodes_between(tree: Tree, listed: Sequence[int]) -> list[int]:
    """Return the nodes and all between them and their common ancestor, in the given order, parents first."""
    top = _common_ancestor(tree, listed)
    ordered: dict[int, None] = {}
    for node in listed:
        chain = tree.above(node)
        for each in reversed(chain[: chain.index(top) + 1]):
            ordered.setdefault(each)
    return list(ordered)


@dataclass(frozen=True)
class NodeTransform:
    """A node's transform in its parent: translation (3,), rotation (4,) w first, scale (3,)."""

    translation: FloatArray
    rotation: FloatArray
    scale: FloatArray

    def matrix(self) -> FloatArray:
        """Return the same as a matrix (4, 4)."""
        matrix = np.eye(4)
        matrix[:3, :3] = rot.to_matrix(self.rotation) * self.scale
        matrix[:3, 3] = self.translation
        return matrix


def read_transform(document: GltfDocument, node: int) -> NodeTransform:
    """Return the transform of a node at rest."""
    entry = document.entry("nodes", node)
    matrix = entry.numbers("matrix", 16)
    if matrix is not None:
        return decompose_matrix(matrix.reshape(4, 4).T)
    translation, rotation, scale = (
        entry.numbers("translation", 3),
        _read_rotation(entry),
        entry.numbers("scale", 3),
    )
    return NodeTransform(
        np.zeros(3) if translation is None else translation,
        rotation,
        np.ones(3) if scale is None else scale,
    )


def _read_rotation(entry: Entry) -> FloatArray:
    rotation = entry.numbers("rotation", 4)
    if rotation is None:
        return rot.IDENTITY
    length = float(np.linalg.norm(rotation))
    if length == 0.0:
        entry.refuse("rotation", "a unit quaternion")
    rotation = rotation[[3, 0, 1, 2]]
    return rotation if abs(length - 1.0) < _UNIT else rot.normalize(rotation)


def decompose_matrix(matrix: FloatArray) -> NodeTransform:
    """Return translation, rotation and scale of a matrix (4, 4); a reflection goes into the scale."""
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    if not (scale > 0.0).all():
        return NodeTransform(matrix[:3, 3], rot.IDENTITY, scale)
    if np.linalg.det(matrix[:3, :3]) < 0.0:
        scale = -scale
    return NodeTransform(matrix[:3, 3], rot.from_matrix(matrix[:3, :3] / scale), scale)


def find_world_matrix(tree: Tree, node: int) -> FloatArray:
    """Return the matrix (4, 4) of a node in the scene at rest; that of −1 is the identity."""
    matrix = np.eye(4)
    for each in tree.above(node):
        matrix = read_transform(tree.document, each).matrix() @ matrix
    return matrix
