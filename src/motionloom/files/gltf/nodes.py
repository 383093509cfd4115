"""The node tree of a glTF file, and which of its nodes are the joints of a figure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.gltf.document import Document, Entry
from motionloom.geometry import rotations as rot

MOST_JOINTS = 2000
"""No figure comes near it; damaged files must not make us compute for minutes."""

_UNIT = 1e-12
"""How far the length of a quaternion may be from one to be taken digit for digit."""

_NOT_JOINTS = ("mesh", "camera")
"""What a node carries that is part of the scene and not of a figure's tree."""


@dataclass(frozen=True)
class Tree:
    """The nodes of a file: names as the file gives them, and the parent of each, −1 for the top ones."""

    document: Document
    names: tuple[str, ...]
    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]

    def above(self, node: int) -> list[int]:
        """The node and all that it hangs on, from the bottom up."""
        chain = []
        while node >= 0:
            chain.append(node)
            node = self.parents[node]
        return chain

    def below(self, tops: Iterable[int]) -> set[int]:
        """The nodes and all that hangs on them."""
        found: set[int] = set()
        pending = list(tops)
        while pending:
            node = pending.pop()
            if node not in found:
                found.add(node)
                pending.extend(self.children[node])
        return found


def read_tree(document: Document) -> Tree:
    """The node tree, or an error when it is no tree."""
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
    """Every node must hang on a top node, not too deep; nodes have one parent each, so only cycles do not."""
    level = [node for node, parent in enumerate(tree.parents) if parent < 0]
    n_reached = depth = 0
    while level:
        n_reached, depth = n_reached + len(level), depth + 1
        if depth > MOST_JOINTS:
            raise FileFormatError(tree.document.path, f"its nodes are nested more than {MOST_JOINTS} deep")
        level = [child for node in level for child in tree.children[node]]
    if n_reached < len(tree.parents):
        tree.document.refuse("nodes", "must hang on one another without a cycle")


def find_joints(tree: Tree, moved: set[int], root: str | None, notes: list[str]) -> list[int]:
    """The nodes that are joints of the figure to read, parents before children.

    With skins: the joints of the skin that the animation moves most, those of other skins on the same figure,
    the nodes between them, and nodes above that move too. Without: what the animation moves, and all below.

    Parameters
    ----------
    tree
        The nodes.
    moved
        The nodes that the chosen animation moves.
    root
        The name of the node to take as the figure's root, or None to find it.
    notes
        Gets a sentence for what is left out.
    """
    skins = [entry.indices("joints", "nodes") for entry in tree.document.entries("skins")]
    skins = [joints for joints in skins if joints]
    listed = _skinned(tree, skins, moved) if skins else _unskinned(tree, moved)
    if root is not None:
        top = _named(tree, root)
        inside = tree.below([top])
        listed = [top, *(node for joints in [*skins, listed] for node in joints if node in inside)]
    if not listed:
        raise FileFormatError(
            tree.document.path, "holds no skin and no animation of nodes: there is no motion"
        )
    joints = _closed(tree, _one_tree(tree, _few(tree, listed), notes))
    return _few(tree, joints)


def _skinned(tree: Tree, skins: Sequence[list[int]], moved: set[int]) -> list[int]:
    main = max(skins, key=lambda joints: (len(set(joints) & moved), len(joints)))
    top = _meeting(tree, _few(tree, main))
    if top < 0:
        return main
    carrying = [node for node in tree.above(top) if node in moved]
    inside = tree.below([top])
    others = [node for joints in skins for node in joints if node in inside]
    return [*reversed(carrying), *main, *others]


def _unskinned(tree: Tree, moved: set[int]) -> list[int]:
    """What moves and all that hangs on it, except what is only there to be seen."""
    return [
        node
        for node in sorted(tree.below(moved))
        if node in moved or not any(key in tree.document.entry("nodes", node).values for key in _NOT_JOINTS)
    ]


def _few(tree: Tree, nodes: Sequence[int]) -> list[int]:
    """The nodes without repetitions, or an error when they are too many for a figure."""
    different = list(dict.fromkeys(nodes))
    if len(different) > MOST_JOINTS:
        raise FileFormatError(tree.document.path, f"holds a figure of more than {MOST_JOINTS} joints")
    return different


def _named(tree: Tree, root: str) -> int:
    if root not in tree.names:
        raise ParameterError(f"{tree.document.path} has no node {root!r} to take as the root")
    return tree.names.index(root)


def _meeting(tree: Tree, nodes: Sequence[int]) -> int:
    """The lowest node on which all the given ones hang, or −1."""
    common = tree.above(nodes[0])
    for node in nodes[1:]:
        chain = set(tree.above(node))
        common = [each for each in common if each in chain]
    return common[0] if common else -1


def _one_tree(tree: Tree, listed: Sequence[int], notes: list[str]) -> list[int]:
    """The nodes of the largest tree where they hang on several."""
    tops: dict[int, list[int]] = {}
    for node in listed:
        tops.setdefault(tree.above(node)[-1], []).append(node)
    largest = max(tops.values(), key=len)
    if len(tops) > 1:
        top = tree.names[_meeting(tree, largest)]
        notes.append(
            f"the moving nodes hang on {len(tops)} trees; the largest, {top!r}, was read "
            "(root= or --root chooses another)"
        )
    return largest


def _closed(tree: Tree, listed: Sequence[int]) -> list[int]:
    """The nodes and all between them and where they meet, in the given order, parents before children."""
    top = _meeting(tree, listed)
    ordered: dict[int, None] = {}
    for node in listed:
        chain = tree.above(node)
        for each in reversed(chain[: chain.index(top) + 1]):
            ordered.setdefault(each)
    return list(ordered)


@dataclass(frozen=True)
class Placement:
    """A node's place in its parent: translation (3,), rotation (4,) w first, scale (3,)."""

    translation: FloatArray
    rotation: FloatArray
    scale: FloatArray

    def matrix(self) -> FloatArray:
        """The same as a matrix (4, 4)."""
        matrix = np.eye(4)
        matrix[:3, :3] = rot.to_matrix(self.rotation) * self.scale
        matrix[:3, 3] = self.translation
        return matrix


def placement(document: Document, node: int) -> Placement:
    """Where a node stands at rest."""
    entry = document.entry("nodes", node)
    matrix = entry.numbers("matrix", 16)
    if matrix is not None:
        return taken_apart(matrix.reshape(4, 4).T)
    translation, turn, scale = entry.numbers("translation", 3), _turn(entry), entry.numbers("scale", 3)
    return Placement(
        np.zeros(3) if translation is None else translation,
        turn,
        np.ones(3) if scale is None else scale,
    )


def _turn(entry: Entry) -> FloatArray:
    turn = entry.numbers("rotation", 4)
    if turn is None:
        return rot.IDENTITY
    length = float(np.linalg.norm(turn))
    if length == 0.0:
        entry.refuse("rotation", "a unit quaternion")
    turn = turn[[3, 0, 1, 2]]
    return turn if abs(length - 1.0) < _UNIT else rot.normalize(turn)


def taken_apart(matrix: FloatArray) -> Placement:
    """Translation, rotation and scale of a matrix (4, 4); a reflection goes into the scale."""
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    if not (scale > 0.0).all():
        return Placement(matrix[:3, 3], rot.IDENTITY, scale)
    if np.linalg.det(matrix[:3, :3]) < 0.0:
        scale = -scale
    return Placement(matrix[:3, 3], rot.from_matrix(matrix[:3, :3] / scale), scale)


def world_matrix(tree: Tree, node: int) -> FloatArray:
    """The matrix (4, 4) of a node in the scene at rest; that of −1 is the identity."""
    matrix = np.eye(4)
    for each in tree.above(node):
        matrix = placement(tree.document, each).matrix() @ matrix
    return matrix
