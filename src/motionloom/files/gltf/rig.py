"""From nodes that rotate, move and scale to a skeleton whose joints only rotate and move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.files.gltf.channels import Channel
from motionloom.files.gltf.extras import read_tips
from motionloom.files.gltf.frame_grid import Grid
from motionloom.files.gltf.nodes import Placement, Tree, placement, taken_apart, world_matrix
from motionloom.files.text import renaming_notes, unique_names
from motionloom.geometry import rotations as rot
from motionloom.motion import Skeleton, Tip

SINGLE = 1e-5
"""How far a scale may be from one, and a joint from its rest place as a share of the largest bone: single
precision keeps about seven digits, and programs calculate with them."""


@dataclass(frozen=True)
class Placements:
    """Places of J nodes in their parents over T frames: (T, J, 3), (T, J, 4) with w first, (T, J, 3)."""

    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray


@dataclass(frozen=True)
class Figure:
    """The joints that were chosen from a file.

    Attributes
    ----------
    nodes
        The J nodes, parents before children.
    parents
        (J,) joint index of each joint's parent.
    above
        (4, 4) what the nodes above the root do to the figure; they stand still.
    rest
        Where each node stands in its parent at rest, over one frame.
    skeleton
        The same as joints, lengths as in the scene.
    """

    nodes: tuple[int, ...]
    parents: IntArray
    above: FloatArray
    rest: Placements
    skeleton: Skeleton


def read_figure(tree: Tree, nodes: Sequence[int], notes: list[str]) -> Figure:
    """The figure that nodes, parents before children, make up at rest."""
    joints = {node: joint for joint, node in enumerate(nodes)}
    parents = np.array([-1, *(joints[tree.parents[node]] for node in nodes[1:])])
    above = world_matrix(tree, tree.parents[nodes[0]])
    stands = [placement(tree.document, node) for node in nodes]
    rest = Placements(
        np.array([[each.translation for each in stands]]),
        np.array([[each.rotation for each in stands]]),
        np.array([[each.scale for each in stands]]),
    )
    places, turns = as_joints(rest, parents, above)
    size = taken_apart(above).scale[0]
    tips = [
        Tip(joint, size * offset)
        for joint, node in enumerate(nodes)
        for offset in read_tips(tree.document.entry("nodes", node))
    ]
    given = [tree.names[node] for node in nodes]
    names = unique_names(given)
    notes += renaming_notes("joint", given, names)
    skeleton = Skeleton(names, parents, places[0], turns[0], tuple(tips))
    return Figure(tuple(nodes), parents, above, rest, skeleton)


def posed(figure: Figure, channels: Sequence[Channel], grid: Grid) -> tuple[FloatArray, FloatArray]:
    """Local places (T, J, 3), the root's in the scene, and local rotations (T, J, 4) at all frames."""
    held = figure.rest
    shape = (grid.n_frames, len(figure.nodes))
    moving = Placements(
        np.broadcast_to(held.translations, (*shape, 3)).copy(),
        np.broadcast_to(held.rotations, (*shape, 4)).copy(),
        # Scales hardly ever move; where none does they are not spread over the frames.
        held.scales
        if all(channel.path != "scale" for channel in channels)
        else np.broadcast_to(held.scales, (*shape, 3)).copy(),
    )
    arrays = {"translation": moving.translations, "rotation": moving.rotations, "scale": moving.scales}
    joints = {node: joint for joint, node in enumerate(figure.nodes)}
    for channel in channels:
        arrays[channel.path][:, joints[channel.node]] = channel.at_frames(grid)
    return as_joints(moving, figure.parents, figure.above)


def as_joints(placed: Placements, parents: IntArray, above: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Local places (T, J, 3), the root's in the scene, and rotations (T, J, 4) of nodes that may scale.

    World positions come out as the scene has them, whatever the scales; rotations are those of the nodes.
    """
    base = taken_apart(above)
    turns = placed.rotations
    if (base.rotation != rot.IDENTITY).any():
        turns = turns.copy()
        turns[:, 0] = rot.multiply(base.rotation, turns[:, 0])
    even = np.ptp(base.scale) <= SINGLE * np.abs(base.scale).max()
    if not even or np.abs(placed.scales - 1.0).max() > SINGLE:
        return freeze(_places_with_scales(placed, parents, above, base)), freeze(turns)
    if np.array_equal(above, np.eye(4)):
        return freeze(placed.translations), freeze(turns)
    places = placed.translations * base.scale[0]
    places[:, 0] = placed.translations[:, 0] @ above[:3, :3].T + above[:3, 3]
    return freeze(places), freeze(turns)


def _places_with_scales(
    placed: Placements, parents: IntArray, above: FloatArray, base: Placement
) -> FloatArray:
    """Local places (T, J, 3) that give the world positions of nodes whose scales their children inherit."""
    places = np.empty_like(placed.translations)
    worlds: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    local = rot.to_matrix(placed.rotations) * placed.scales[..., None, :]
    for joint, parent in enumerate(parents.tolist()):
        stretch, origin, turn = (above[:3, :3], above[:3, 3], base.rotation) if parent < 0 else worlds[parent]
        offset = np.einsum("...ij,...j->...i", stretch, placed.translations[:, joint])
        places[:, joint] = origin + offset if parent < 0 else rot.rotate(rot.inverse(turn), offset)
        worlds.append(
            (stretch @ local[:, joint], origin + offset, rot.multiply(turn, placed.rotations[:, joint]))
        )
    return places


def moving_places(places: FloatArray, offsets: FloatArray) -> FloatArray | None:
    """Local places (T, J, 3) where joints other than the root leave their rest place (J, 3), else None."""
    reach = SINGLE * max(float(np.abs(offsets[1:]).max(initial=0.0)), 1e-3)
    still = np.abs(places[:, 1:] - offsets[1:]).max(initial=0.0) <= reach
    return None if still else places
