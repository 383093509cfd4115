"""Write a clip as glTF: a node per joint, a skinned mesh of sticks, and an animation keyed at every frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray
from motionloom.errors import ParameterError
from motionloom.files.gltf.builder import INDICES, VERTICES, Building
from motionloom.files.gltf.container import write_container
from motionloom.files.gltf.extras import animation_extras, tip_extras
from motionloom.files.text import check_size
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.validation import check_string

Singles = npt.NDArray[np.float32]

_FOUR = np.dtype(np.complex128)
"""A type as large as four single numbers: quaternions that only change place do so whole, which is faster."""

_BLOCK = 256
"""Frames that are put in order at a time; their numbers stay in the processor's cache meanwhile."""

_SURELY_NEAR = 0.7
"""Unit quaternions of which no number differs by more than this are less than √2 apart, and so in one
hemisphere: for most motion that is all there is to ask, and quicker to ask."""


def add_animation(
    building: Building,
    name: str,
    times: FloatArray,
    nodes: Sequence[int],
    rotations: FloatArray,
    translations: Mapping[int, FloatArray],
) -> dict[str, Any]:
    """Add an animation to a file and return its entry.

    Parameters
    ----------
    building
        The file in the making.
    name
        The animation's name.
    times
        (T,) seconds.
    nodes
        J nodes that turn.
    rotations
        (T, J, 4) their local rotations, w first.
    translations
        Local places (T, 3) by node.
    """
    n_frames = len(times)
    clock = building.add_array(times.astype("<f4"), bounds=True)
    turns = continuous_singles(rotations)
    turning = building.add_view(turns)
    outputs = [
        (node, "rotation", building.add_accessor(turns[n], turning, n * turns[n].nbytes))
        for n, node in enumerate(nodes)
    ]
    places = [np.ascontiguousarray(each, dtype="<f4") for each in translations.values()]
    moving = building.add_view(np.stack(places))
    outputs += [
        (node, "translation", building.add_accessor(place, moving, n * 12 * n_frames, bounds=True))
        for n, (node, place) in enumerate(zip(translations, places, strict=True))
    ]
    animation: dict[str, Any] = {
        "name": name,
        "samplers": [{"input": clock, "output": output} for _, _, output in outputs],
        "channels": [
            {"sampler": n, "target": {"node": node, "path": path}}
            for n, (node, path, _) in enumerate(outputs)
        ],
    }
    building.add("animations", animation)
    return animation


def continuous_singles(rotations: FloatArray) -> Singles:
    """Rotations (T, J, 4), w first, as (J, T, 4), w last, of single precision; neighbours in one hemisphere.

    >>> continuous_singles(np.array([[[1.0, 0, 0, 0]], [[-1.0, 0, 0, 0]]]))[0].tolist()
    [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]]
    """
    n_frames, n_joints = rotations.shape[:2]
    singles = np.empty((n_joints, n_frames, 4), dtype="<f4")
    _put_in_order(rotations, singles)
    for turns in singles:
        _make_continuous(turns)
    return singles


def _put_in_order(rotations: FloatArray, singles: Singles) -> None:
    """Put rotations (T, J, 4), w first, into ``singles`` (J, T, 4), w last."""
    whole = singles.view(_FOUR)[..., 0]
    scratch = np.empty((2, _BLOCK, *rotations.shape[1:]), dtype="<f4")
    for start in range(0, len(rotations), _BLOCK):
        block = rotations[start : start + _BLOCK]
        w_first, w_last = scratch[:, : len(block)]
        w_first[:] = block
        # All numbers move one place ahead, which is faster than moving three of every four.
        w_last.reshape(-1)[:-1] = w_first.reshape(-1)[1:]
        w_last[..., 3] = w_first[..., 0]
        whole[:, start : start + _BLOCK] = w_last.view(_FOUR)[..., 0].T


def _make_continuous(turns: Singles) -> None:
    """Turn the signs of one joint's quaternions (T, 4) so that neighbours lie in one hemisphere."""
    steps = turns[1:] - turns[:-1]
    if np.abs(steps, out=steps).max(initial=0.0) > _SURELY_NEAR:
        against = np.einsum("ti,ti->t", turns[1:], turns[:-1]) < 0.0
        turned = np.logical_xor.accumulate(against)
        np.negative(turns[1:], out=turns[1:], where=turned[:, None])
    turns += 0.0  # turns every −0 into 0


THICKNESS = 0.1
"""Half the width of a stick as a share of its length."""

THICKEST = 0.02
"""The largest half width as a share of the size of the whole figure."""

WAIST = 0.2
"""Where along a stick it is thickest, as a share of its length from the parent."""

LONE_SIZE = 0.05
"""Metres from the middle to the corners of what stands for a figure without any bones."""

COLOUR = (0.25, 0.45, 0.65, 1.0)

# Two pyramids, base to base: corner 0 at the joint, 1 to 4 around the waist, 5 at the end; seen from outside.
_FACES = np.array(
    [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [5, 1, 2], [5, 2, 3], [5, 3, 4], [5, 4, 1]], dtype=np.int64
)
_WAIST_CORNERS = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
_ALONG = np.array([0.0, 1.0, 0.0])


def add_sticks(building: Building, skeleton: Skeleton, origin: FloatArray) -> int:
    """Add the mesh of a figure, as it stands at rest with ``origin`` (3,) for zero, and return its index."""
    starts, ends, joints = _bones(skeleton)
    corners = _corners(starts - origin, ends - origin)
    faces = (np.arange(len(starts))[:, None, None] * len(corners[0]) + _FACES).reshape(-1)
    owners = np.zeros((corners.shape[0] * corners.shape[1], 4), dtype="<u2")
    owners[:, 0] = np.repeat(joints, corners.shape[1])
    weights = np.zeros(owners.shape, dtype="<f4")
    weights[:, 0] = 1.0
    material = {"baseColorFactor": list(COLOUR), "metallicFactor": 0.0, "roughnessFactor": 0.8}
    attributes = {
        "POSITION": building.add_array(corners.reshape(-1, 3).astype("<f4"), VERTICES, bounds=True),
        "JOINTS_0": building.add_array(owners, VERTICES),
        "WEIGHTS_0": building.add_array(weights, VERTICES),
    }
    primitive = {
        "attributes": attributes,
        "indices": building.add_array(faces.astype("<u4"), INDICES),
        "material": building.add("materials", {"name": "sticks", "pbrMetallicRoughness": material}),
    }
    return building.add("meshes", {"name": "sticks", "primitives": [primitive]})


def _bones(skeleton: Skeleton) -> tuple[FloatArray, FloatArray, IntArray]:
    """Start and end (N, 3) of each bone at rest, and the joint (N,) that carries it."""
    places, turns = skeleton.rest_positions(), skeleton.rest_world_rotations()
    joints = np.array([*skeleton.parents[1:], *(tip.joint for tip in skeleton.tips)], dtype=np.int64)
    tips = [places[joint] + rot.rotate(turns[joint], at) for joint, at in skeleton.tips]
    starts, ends = places[joints], np.array([*places[1:], *tips]).reshape(-1, 3)
    long = (starts != ends).any(axis=1)
    if not long.any():
        return places[:1] - LONE_SIZE * _ALONG, places[:1] + LONE_SIZE * _ALONG, np.zeros(1, dtype=np.int64)
    return starts[long], ends[long], joints[long]


def _corners(starts: FloatArray, ends: FloatArray) -> FloatArray:
    """The six corners (N, 6, 3) of each stick."""
    bones = ends - starts
    lengths = np.linalg.norm(bones, axis=1)
    size = np.linalg.norm(np.ptp(np.concatenate([starts, ends]), axis=0))
    widths = np.minimum(THICKNESS * lengths, max(THICKEST * float(size), 0.0))
    turns = rot.between(_ALONG, bones)
    around = rot.rotate(turns[:, None], _WAIST_CORNERS) * widths[:, None, None]
    waists = (starts + WAIST * bones)[:, None] + around
    return np.concatenate([starts[:, None], waists, ends[:, None]], axis=1)


GENERATOR = "motionloom"

FAR = 100.0
"""Metres from the origin up to which single precision keeps positions to a hundredth of a millimetre. Motion
farther away hangs on a node that stands where the motion is."""


def write_gltf(
    clip: Clip, path: str | PathLike[str], *, animation: str | None = None, overwrite: bool = False
) -> None:
    """Write a clip as a skeleton of nodes, a mesh of sticks skinned to it, and an animation.

    Parameters
    ----------
    clip
        At least one frame, in metres and Y up, as the format prescribes.
    path
        The file to make: ``.glb``, or ``.gltf`` for text with the numbers inside.
    animation
        The animation's name; by default that of the clip's own file, else of this one.
    overwrite
        Whether a file that is already there may be replaced.

    >>> import tempfile
    >>> dot = Clip(Skeleton(["Hips"], [-1], [[0, 1, 0]]), 0.1, [[0, 1, 0]], [[[1, 0, 0, 0]]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_gltf(dot, Path(folder, "dot.glb"))
    ...     Path(folder, "dot.glb").read_bytes()[:4]
    b'glTF'
    """
    check_writable(clip, path)
    skeleton, origin = clip.skeleton, _origin(clip)
    building = Building({"asset": {"version": "2.0", "generator": GENERATOR}, "scene": 0})
    top = _add_nodes(building, skeleton, origin)
    joints = list(range(skeleton.n_joints))
    mesh = add_sticks(building, skeleton, origin)
    bind = building.add_array(_inverse_bind(skeleton, origin))
    skin = building.add("skins", {"joints": joints, "skeleton": 0, "inverseBindMatrices": bind})
    sticks = building.add("nodes", {"name": "sticks", "mesh": mesh, "skin": skin})
    if origin.any():
        # A skinned mesh follows its joints and not its own node, so it need not hang on the origin.
        building.add("scenes", {"nodes": [top, sticks]})
    else:
        building.add("scenes", {"nodes": [0, sticks]})
    add_clip(building, clip, animation_name(clip, path, animation), joints, clip.root_positions - origin)
    write_container(path, building.content, building.parts, overwrite)


def check_writable(clip: Clip, path: str | PathLike[str]) -> None:
    """Refuse a clip that a glTF file cannot hold."""
    if len(clip) == 0:
        raise ParameterError("a glTF file needs at least one frame: the clip has none")
    for values in (clip.root_positions, clip.skeleton.offsets, clip.translations):
        if values is not None:
            check_size(Path(path), float(np.abs(values).max(initial=0.0)))


def animation_name(clip: Clip, path: str | PathLike[str], wanted: str | None) -> str:
    """What an animation is called: as asked for, else as the clip's own file, else as this one."""
    if wanted is not None:
        return check_string("the name of an animation", wanted)
    return Path(clip.source.path or path).stem


def add_clip(
    building: Building, clip: Clip, name: str, nodes: list[int], roots: FloatArray
) -> dict[str, Any]:
    """Add a clip's motion as an animation of J nodes whose first is at ``roots`` (T, 3) in its parent."""
    translations = {nodes[0]: roots}
    if clip.translations is not None:
        translations |= {node: clip.translations[:, joint] for joint, node in enumerate(nodes) if joint}
    times = np.arange(len(clip), dtype=np.float64) * clip.frame_time
    animation = add_animation(building, name, times, nodes, clip.rotations, translations)
    animation["extras"] = animation_extras(clip)
    return animation


def _origin(clip: Clip) -> FloatArray:
    """Where the node stands on which far motion hangs; zero for motion near the world's origin."""
    if np.abs(clip.root_positions).max() <= FAR:
        return np.zeros(3)
    middle: FloatArray = np.rint((clip.root_positions.min(axis=0) + clip.root_positions.max(axis=0)) / 2.0)
    return middle


def _add_nodes(building: Building, skeleton: Skeleton, origin: FloatArray) -> int:
    """Add a node per joint in order, and one to hang them on where they are far; return the top one."""
    for joint, name in enumerate(skeleton.names):
        place = skeleton.offsets[joint] - (origin if joint == 0 else 0.0)
        entry: dict[str, Any] = {"name": name}
        if skeleton.children(joint):
            entry["children"] = list(skeleton.children(joint))
        if place.any():
            entry["translation"] = place.tolist()
        if (skeleton.rest_rotations[joint] != rot.IDENTITY).any():
            entry["rotation"] = skeleton.rest_rotations[joint][[1, 2, 3, 0]].tolist()
        extras = tip_extras(skeleton, joint)
        building.add("nodes", entry | ({"extras": extras} if extras else {}))
    if not origin.any():
        return 0
    return building.add("nodes", {"name": "origin", "children": [0], "translation": origin.tolist()})


def _inverse_bind(skeleton: Skeleton, origin: FloatArray) -> FloatArray:
    """What takes the figure at rest into each joint's frame: matrices (J, 16), column after column."""
    turns = rot.inverse(skeleton.rest_world_rotations())
    places = skeleton.rest_positions() - origin
    matrices = np.zeros((skeleton.n_joints, 4, 4), dtype="<f4")
    matrices[:, :3, :3] = rot.to_matrix(turns).swapaxes(1, 2)
    matrices[:, 3, :3] = -rot.rotate(turns, places)
    matrices[:, 3, 3] = 1.0
    return matrices.reshape(-1, 16)
