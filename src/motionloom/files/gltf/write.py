"""Writing a clip as a figure of sticks that moves."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.files.gltf.building import Building
from motionloom.files.gltf.container import write_container
from motionloom.files.gltf.extras import animation_extras, tip_extras
from motionloom.files.gltf.mesh import add_sticks
from motionloom.files.gltf.motion import add_animation
from motionloom.files.text import check_size
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.validation import check_string

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
