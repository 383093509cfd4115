"""From nodes that rotate, move and scale to a skeleton whose joints only rotate and move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.files.gltf.channels import Channel
from motionloom.files.gltf.extras import read_tips
from motionloom.files.gltf.frame_grid import FrameGrid
from motionloom.files.gltf.nodes import (
    NodeTransform,
    Tree,
    decompose_matrix,
    find_world_matrix,
    read_transform,
)
from motionloom.files.text import renaming_notes, unique_names
from motionloom.geometry import rotations as rot
from motionloom.motion import Skeleton, Tip

SINGLE_PRECISION = 1e-5
"""How far a scale may be from one, and a joint from its rest position as a fraction of the largest bone:
single precision keeps about seven digits, and programs calculate with them."""


@dataclass(frozen=True)
class NodeTransforms:
    """Transforms of J nodes in their parents over T frames: (T, J, 3), (T, J, 4) with w first, (T, J, 3)."""

    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray


@dataclass(frozen=True)
class Rig:
    """The joints of a file, as nodes and as a skeleton.

    Attributes
    ----------
    nodes
        The J nodes, parents before children.
    parents
        (J,) joint index of each joint's parent.
    above
        (4, 4) transform of the nodes above the root, which stand still.
    rest
        The transform of each node in its parent at rest, over one frame.
    skeleton
        The joints, with lengths as in the scene.
    """

    nodes: tuple[int, ...]
    parents: IntArray
    above: FloatArray
    rest: NodeTransforms
    skeleton: Skeleton


def read_rig(tree: Tree, nodes: Sequence[int], notes: list[str]) -> Rig:
    """Return the rig that nodes, parents before children, make up at rest."""
    joints = {node: joint for joint, node in enumerate(nodes)}
    parents = np.array([-1, *(joints[tree.parents[node]] for node in nodes[1:])])
    above = find_world_matrix(tree, tree.parents[nodes[0]])
    transforms = [read_transform(tree.document, node) for node in nodes]
    rest = NodeTransforms(
        np.array([[each.translation for each in transforms]]),
        np.array([[each.rotation for each in transforms]]),
        np.array([[each.scale for each in transforms]]),
    )
    positions, rotations = resolve_scales(rest, parents, above)
    size = decompose_matrix(above).scale[0]
    tips = [
        Tip(joint, size * offset)
        for joint, node in enumerate(nodes)
        for offset in read_tips(tree.document.entry("nodes", node))
    ]
    given = [tree.names[node] for node in nodes]
    names = unique_names(given)
    notes += renaming_notes("joint", given, names)
    skeleton = Skeleton(names, parents, positions[0], rotations[0], tuple(tips))
    return Rig(tuple(nodes), parents, above, rest, skeleton)


def pose_rig(rig: Rig, channels: Sequence[Channel], grid: FrameGrid) -> tuple[FloatArray, FloatArray]:
    """Return local positions (T, J, 3), the root's in the scene, and rotations (T, J, 4) at all frames."""
    shape = (grid.n_frames, len(rig.nodes))
    moving = NodeTransforms(
        np.broadcast_to(rig.rest.translations, (*shape, 3)).copy(),
        np.broadcast_to(rig.rest.rotations, (*shape, 4)).copy(),
        # Scales hardly ever move; where none does they are not spread over the frames.
        rig.rest.scales
        if all(channel.path != "scale" for channel in channels)
        else np.broadcast_to(rig.rest.scales, (*shape, 3)).copy(),
    )
    arrays = {"translation": moving.translations, "rotation": moving.rotations, "scale": moving.scales}
    joints = {node: joint for joint, node in enumerate(rig.nodes)}
    for channel in channels:
        arrays[channel.path][:, joints[channel.node]] = channel.at_frames(grid)
    return resolve_scales(moving, rig.parents, rig.above)


def resolve_scales(
    transforms: NodeTransforms, parents: IntArray, above: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return local positions (T, J, 3), the root's in the scene, and rotations (T, J, 4) without scales.

    World positions are those of the scene, whatever the scales; rotations are those of the nodes.
    """
    base = decompose_matrix(above)
    rotations = transforms.rotations
    if (base.rotation != rot.IDENTITY).any():
        rotations = rotations.copy()
        rotations[:, 0] = rot.multiply(base.rotation, rotations[:, 0])
    even = np.ptp(base.scale) <= SINGLE_PRECISION * np.abs(base.scale).max()
    if not even or np.abs(transforms.scales - 1.0).max() > SINGLE_PRECISION:
        return freeze(_resolve_uneven_scales(transforms, parents, above, base)), freeze(rotations)
    if np.array_equal(above, np.eye(4)):
        return freeze(transforms.translations), freeze(rotations)
    positions = transforms.translations * base.scale[0]
    positions[:, 0] = transforms.translations[:, 0] @ above[:3, :3].T + above[:3, 3]
    return freeze(positions), freeze(rotations)


def _resolve_uneven_scales(
    transforms: NodeTransforms, parents: IntArray, above: FloatArray, base: NodeTransform
) -> FloatArray:
    """Return local positions (T, J, 3) that give the world positions of nodes with inherited scales."""
    positions = np.empty_like(transforms.translations)
    worlds: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    local = rot.to_matrix(transforms.rotations) * transforms.scales[..., None, :]
    for joint, parent in enumerate(parents.tolist()):
        stretch, origin, rotation = (
            (above[:3, :3], above[:3, 3], base.rotation) if parent < 0 else worlds[parent]
        )
        offset = np.einsum("...ij,...j->...i", stretch, transforms.translations[:, joint])
        positions[:, joint] = origin + offset if parent < 0 else rot.rotate(rot.inverse(rotation), offset)
        worlds.append(
            (
                stretch @ local[:, joint],
                origin + offset,
                rot.multiply(rotation, transforms.rotations[:, joint]),
            )
        )
    return positions


def find_moving_positions(positions: FloatArray, offsets: FloatArray) -> FloatArray | None:
    """Return local positions (T, J, 3) where joints below the root leave their offsets (J, 3), else None."""
    reach = SINGLE_PRECISION * max(float(np.abs(offsets[1:]).max(initial=0.0)), 1e-3)
    still = np.abs(positions[:, 1:] - offsets[1:]).max(initial=0.0) <= reach
    return None if still else positions
