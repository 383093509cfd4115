"""Write clips as glTF: a node per joint, a skinned mesh of sticks, and animations keyed at every frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray
from motionloom.errors import ParameterError
from motionloom.files.gltf.add_mesh import add_mesh
from motionloom.files.gltf.builder import GENERATOR, INDICES, STICKS, VERTICES, GltfBuilder
from motionloom.files.gltf.container import write_container
from motionloom.files.gltf.extras import animation_extras, tip_extras
from motionloom.files.normalize import scale_clip
from motionloom.files.text import check_size
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.validation import check_string

Singles = npt.NDArray[np.float32]

_FOUR = np.dtype(np.complex128)
"""A type as large as four float32 numbers: copying quaternions whole is faster."""

_BLOCK = 256
"""Frames that are reordered at a time, so that their numbers stay in the processor's cache."""

_MAX_SAFE_STEP = 0.7
"""Unit quaternions of which no component differs by more than this are less than √2 apart, and so in one
hemisphere: a quick test that most motion passes."""


WIDTH = 0.1
"""Half the width of a stick as a fraction of its length."""

MAX_WIDTH = 0.02
"""The largest half width as a fraction of the size of the whole skeleton."""

WAIST = 0.2
"""Where along a stick it is widest, as a fraction of its length from the parent."""

LONE_SIZE = 0.05
"""Metres from the center to the corners of the shape of a skeleton without bones."""

COLOUR = (0.25, 0.45, 0.65, 1.0)

# Two pyramids, base to base: corner 0 at the joint, 1 to 4 around the waist, 5 at the end; seen from outside.
_FACES = np.array(
    [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [5, 1, 2], [5, 2, 3], [5, 3, 4], [5, 4, 1]], dtype=np.int64
)
_WAIST_CORNERS = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
_ALONG = np.array([0.0, 1.0, 0.0])


MAX_DISTANCE = 100.0
"""Metres from the origin up to which single precision keeps positions to a hundredth of a millimetre. Motion
farther away gets a parent node near it."""


def write_gltf(
    clip: Clip,
    path: str | PathLike[str],
    *,
    animation: str | None = None,
    mesh: SkinnedMesh | None = None,
    overwrite: bool = False,
) -> None:
    """Write a clip as a skeleton of nodes, a mesh skinned to it, and an animation.

    Parameters
    ----------
    clip
        At least one frame, in metres and Y up, as the format prescribes.
    path
        The file to make: ``.glb``, or ``.gltf`` for text with the numbers inside.
    animation
        The animation's name; by default that of the clip's own file, else of this one.
    mesh
        The mesh; a stick figure by default.
    overwrite
        Replace an existing file.

    >>> import tempfile
    >>> dot = Clip(Skeleton(["Hips"], [-1], [[0, 1, 0]]), 0.1, [[0, 1, 0]], [[[1, 0, 0, 0]]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_gltf(dot, Path(folder, "dot.glb"))
    ...     Path(folder, "dot.glb").read_bytes()[:4]
    b'glTF'
    """
    write_animations({animation_name(clip, path, animation): clip}, path, mesh=mesh, overwrite=overwrite)


def write_animations(
    clips: Mapping[str, Clip],
    path: str | PathLike[str],
    *,
    mesh: SkinnedMesh | None = None,
    unit: float = 1.0,
    overwrite: bool = False,
) -> None:
    """Write clips of one skeleton as animations of one file.

    Parameters
    ----------
    clips
        Name of an animation -> its clip; as in :func:`write_gltf`.
    path, mesh, overwrite
        As in :func:`write_gltf`.
    unit
        Metres per unit of the joints; other than metres are below a node that scales them to metres.

    >>> import tempfile
    >>> from motionloom.synthesis import kick
    >>> kicks = {name: kick(side=name, duration=1.0, fps=30).clip for name in ("left", "right")}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_animations(kicks, Path(folder, "kicks.glb"))
    """
    first = next(iter(clips.values()))
    for name, clip in clips.items():
        check_writable(clip, path)
        if clip.skeleton != first.skeleton:
            raise ParameterError(f"the animations of a file have one skeleton, but that of {name!r} differs")
    origin = _origin(clips.values())
    if unit != 1.0:
        clips = {name: scale_clip(clip, 1.0 / unit) for name, clip in clips.items()}
        mesh = None if mesh is None else _scale_binds(mesh, 1.0 / unit)
    skeleton, base = next(iter(clips.values())).skeleton, origin / unit
    builder = GltfBuilder({"asset": {"version": "2.0", "generator": GENERATOR}, "scene": 0})
    top = _add_nodes(builder, skeleton, base, unit)
    joints = list(range(skeleton.n_joints))
    if mesh is not None:
        shown = add_mesh(builder, mesh, skeleton)
    else:
        sticks = add_sticks(builder, skeleton, base)
        bind = builder.add_array(_inverse_bind(skeleton, base))
        skin = builder.add("skins", {"joints": joints, "skeleton": 0, "inverseBindMatrices": bind})
        shown = builder.add("nodes", {"name": STICKS, "mesh": sticks, "skin": skin})
    # A skinned mesh follows its joints and not its own node, so it needs no parent.
    builder.add("scenes", {"nodes": [top, shown]})
    for name, clip in clips.items():
        add_clip(builder, clip, name, joints, clip.root_positions - base)
    write_container(path, builder.content, builder.parts, overwrite)


def check_writable(clip: Clip, path: str | PathLike[str]) -> None:
    """Refuse a clip that a glTF file cannot hold."""
    if len(clip) == 0:
        raise ParameterError("a glTF file needs at least one frame: the clip has none")
    for values in (clip.root_positions, clip.skeleton.offsets, clip.translations):
        if values is not None:
            check_size(Path(path), float(np.abs(values).max(initial=0.0)))


def animation_name(clip: Clip, path: str | PathLike[str], wanted: str | None) -> str:
    """Return the name of an animation: as requested, else as the clip's own file, else as this one."""
    if wanted is not None:
        return check_string("animation", wanted)
    return Path(clip.source.path or path).stem


def add_clip(
    builder: GltfBuilder, clip: Clip, name: str, nodes: list[int], roots: FloatArray
) -> dict[str, Any]:
    """Add a clip's motion as an animation of J nodes whose first is at ``roots`` (T, 3) in its parent."""
    translations = {nodes[0]: roots}
    if clip.translations is not None:
        translations |= {node: clip.translations[:, joint] for joint, node in enumerate(nodes) if joint}
    times = np.arange(len(clip), dtype=np.float64) * clip.frame_time
    animation = add_animation(builder, name, times, nodes, clip.rotations, translations)
    animation["extras"] = animation_extras(clip)
    return animation


def _origin(clips: Iterable[Clip]) -> FloatArray:
    """Return the position of a parent node for motion far away; zero for motion near the world's origin."""
    roots = np.concatenate([clip.root_positions for clip in clips])
    if np.abs(roots).max() <= MAX_DISTANCE:
        return np.zeros(3)
    center: FloatArray = np.rint((roots.min(axis=0) + roots.max(axis=0)) / 2.0)
    return center


def _scale_binds(mesh: SkinnedMesh, factor: float) -> SkinnedMesh:
    """Return a mesh whose vertices stay what they are and whose joints count in another unit."""
    return replace(mesh, inverse_binds=mesh.inverse_binds * np.array([[factor], [factor], [factor], [1.0]]))


def _add_nodes(builder: GltfBuilder, skeleton: Skeleton, origin: FloatArray, unit: float) -> int:
    """Add a node per joint in order, and a parent where they are far away or not in metres; return the top
    one.

    ``origin`` (3,) is in units of ``unit`` metres.
    """
    for joint, name in enumerate(skeleton.names):
        position = skeleton.offsets[joint] - (origin if joint == 0 else 0.0)
        entry: dict[str, Any] = {"name": name}
        if skeleton.children(joint):
            entry["children"] = list(skeleton.children(joint))
        if position.any():
            entry["translation"] = position.tolist()
        if (skeleton.rest_rotations[joint] != rot.IDENTITY).any():
            entry["rotation"] = skeleton.rest_rotations[joint][[1, 2, 3, 0]].tolist()
        extras = tip_extras(skeleton, joint)
        builder.add("nodes", entry | ({"extras": extras} if extras else {}))
    if unit == 1.0 and not origin.any():
        return 0
    parent: dict[str, Any] = {"name": "origin", "children": [0]}
    if origin.any():
        parent["translation"] = (origin * unit).tolist()
    if unit != 1.0:
        parent["scale"] = [unit] * 3
    return builder.add("nodes", parent)


def _inverse_bind(skeleton: Skeleton, origin: FloatArray) -> FloatArray:
    """Return the inverse of each joint's world transform at rest: matrices (J, 16), column by column."""
    quaternions = rot.inverse(skeleton.rest_world_rotations())
    positions = skeleton.rest_positions() - origin
    matrices = np.zeros((skeleton.n_joints, 4, 4), dtype="<f4")
    matrices[:, :3, :3] = rot.to_matrix(quaternions).swapaxes(1, 2)
    matrices[:, 3, :3] = -rot.rotate(quaternions, positions)
    matrices[:, 3, 3] = 1.0
    return matrices.reshape(-1, 16)


def add_animation(
    builder: GltfBuilder,
    name: str,
    times: FloatArray,
    nodes: Sequence[int],
    rotations: FloatArray,
    translations: Mapping[int, FloatArray],
) -> dict[str, Any]:
    """Add an animation to a file and return its entry.

    Parameters
    ----------
    builder
        The file under construction.
    name
        The animation's name.
    times
        (T,) seconds.
    nodes
        J nodes that rotate.
    rotations
        (T, J, 4) their local rotations, w first.
    translations
        Local positions (T, 3) by node.
    """
    n_frames = len(times)
    time_accessor = builder.add_array(times.astype("<f4"), bounds=True)
    quaternions = convert_rotations(rotations)
    rotation_view = builder.add_view(quaternions)
    outputs = [
        (node, "rotation", builder.add_accessor(quaternions[n], rotation_view, n * quaternions[n].nbytes))
        for n, node in enumerate(nodes)
    ]
    positions = [np.ascontiguousarray(each, dtype="<f4") for each in translations.values()]
    position_view = builder.add_view(np.stack(positions))
    outputs += [
        (node, "translation", builder.add_accessor(place, position_view, n * 12 * n_frames, bounds=True))
        for n, (node, place) in enumerate(zip(translations, positions, strict=True))
    ]
    animation: dict[str, Any] = {
        "name": name,
        "samplers": [{"input": time_accessor, "output": output} for _, _, output in outputs],
        "channels": [
            {"sampler": n, "target": {"node": node, "path": path}}
            for n, (node, path, _) in enumerate(outputs)
        ],
    }
    builder.add("animations", animation)
    return animation


def convert_rotations(rotations: FloatArray) -> Singles:
    """Return rotations (T, J, 4), w first, as float32 (J, T, 4), w last; neighbours in one hemisphere.

    >>> convert_rotations(np.array([[[1.0, 0, 0, 0]], [[-1.0, 0, 0, 0]]]))[0].tolist()
    [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]]
    """
    n_frames, n_joints = rotations.shape[:2]
    singles = np.empty((n_joints, n_frames, 4), dtype="<f4")
    _reorder(rotations, singles)
    for quaternions in singles:
        _make_continuous(quaternions)
    return singles


def _reorder(rotations: FloatArray, singles: Singles) -> None:
    """Put rotations (T, J, 4), w first, into ``singles`` (J, T, 4), w last."""
    whole = singles.view(_FOUR)[..., 0]
    scratch = np.empty((2, _BLOCK, *rotations.shape[1:]), dtype="<f4")
    for start in range(0, len(rotations), _BLOCK):
        block = rotations[start : start + _BLOCK]
        w_first, w_last = scratch[:, : len(block)]
        w_first[:] = block
        # Shifting all numbers by one is faster than moving three of every four.
        w_last.reshape(-1)[:-1] = w_first.reshape(-1)[1:]
        w_last[..., 3] = w_first[..., 0]
        whole[:, start : start + _BLOCK] = w_last.view(_FOUR)[..., 0].T


def _make_continuous(quaternions: Singles) -> None:
    """Flip the signs of one joint's quaternions (T, 4) so that neighbours lie in one hemisphere."""
    steps = quaternions[1:] - quaternions[:-1]
    if np.abs(steps, out=steps).max(initial=0.0) > _MAX_SAFE_STEP:
        against = np.einsum("ti,ti->t", quaternions[1:], quaternions[:-1]) < 0.0
        turned = np.logical_xor.accumulate(against)
        np.negative(quaternions[1:], out=quaternions[1:], where=turned[:, None])
    quaternions += 0.0  # replaces −0 by 0


def add_sticks(builder: GltfBuilder, skeleton: Skeleton, origin: FloatArray) -> int:
    """Add a mesh with a stick for each bone at rest, relative to ``origin`` (3,), and return its index.

    Viewers have nothing else to show.
    """
    starts, ends, joints = _bones(skeleton)
    corners = _corners(starts - origin, ends - origin)
    faces = (np.arange(len(starts))[:, None, None] * len(corners[0]) + _FACES).reshape(-1)
    owners = np.zeros((corners.shape[0] * corners.shape[1], 4), dtype="<u2")
    owners[:, 0] = np.repeat(joints, corners.shape[1])
    weights = np.zeros(owners.shape, dtype="<f4")
    weights[:, 0] = 1.0
    material = {"baseColorFactor": list(COLOUR), "metallicFactor": 0.0, "roughnessFactor": 0.8}
    attributes = {
        "POSITION": builder.add_array(corners.reshape(-1, 3).astype("<f4"), VERTICES, bounds=True),
        "JOINTS_0": builder.add_array(owners, VERTICES),
        "WEIGHTS_0": builder.add_array(weights, VERTICES),
    }
    primitive = {
        "attributes": attributes,
        "indices": builder.add_array(faces.astype("<u4"), INDICES),
        "material": builder.add("materials", {"name": "sticks", "pbrMetallicRoughness": material}),
    }
    return builder.add("meshes", {"name": "sticks", "primitives": [primitive]})


def _bones(skeleton: Skeleton) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return start and end (N, 3) of each bone at rest, and the joint (N,) that carries it."""
    positions, quaternions = skeleton.rest_positions(), skeleton.rest_world_rotations()
    joints = np.array([*skeleton.parents[1:], *(tip.joint for tip in skeleton.tips)], dtype=np.int64)
    tips = [positions[joint] + rot.rotate(quaternions[joint], at) for joint, at in skeleton.tips]
    starts, ends = positions[joints], np.array([*positions[1:], *tips]).reshape(-1, 3)
    long = (starts != ends).any(axis=1)
    if not long.any():
        return (
            positions[:1] - LONE_SIZE * _ALONG,
            positions[:1] + LONE_SIZE * _ALONG,
            np.zeros(1, dtype=np.int64),
        )
    return starts[long], ends[long], joints[long]


def _corners(starts: FloatArray, ends: FloatArray) -> FloatArray:
    """Return the six corners (N, 6, 3) of each stick."""
    bones = ends - starts
    lengths = np.linalg.norm(bones, axis=1)
    size = np.linalg.norm(np.ptp(np.concatenate([starts, ends]), axis=0))
    widths = np.minimum(WIDTH * lengths, max(MAX_WIDTH * float(size), 0.0))
    quaternions = rot.between(_ALONG, bones)
    around = rot.rotate(quaternions[:, None], _WAIST_CORNERS) * widths[:, None, None]
    waists = (starts + WAIST * bones)[:, None] + around
    return np.concatenate([starts[:, None], waists, ends[:, None]], axis=1)
