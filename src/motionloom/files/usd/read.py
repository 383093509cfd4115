"""Read USD stages: the USD library runs in a process of its own, and what it finds becomes a clip."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass, replace
from math import isclose
from pathlib import Path

import numpy as np

from motionloom.annotation.sidecar import annotations_from_dict
from motionloom.arrays import FloatArray, freeze
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.notes import note_unread_animations
from motionloom.files.text import unreadable_error
from motionloom.files.units import UNITS, metres_per_unit
from motionloom.files.usd import FORMAT
from motionloom.geometry import rotations as rot
from motionloom.jobs.budget import Budget
from motionloom.jobs.workers import Exchange, max_samples, read_exchange, run_worker, time_limit
from motionloom.json_files import MAX_NUMBER, JsonFields
from motionloom.motion import Character, Clip, Skeleton, Source, Tip
from motionloom.motion.provenance import UpAxis

WORKER = (sys.executable, "-P", str(Path(__file__).with_name("worker.py")))
"""The command that runs the USD library in a process of its own, without its arguments."""


def read_usd(
    path: Path,
    *,
    frame_time: float | None = None,
    animation: str | int | None = None,
    max_memory: int | None = None,
) -> tuple[Clip, UpAxis | None]:
    """Read the animated skeleton of a stage in its own unit and axes, and the vertical axis that it states.

    The USD library runs in a process of its own, because damaged binary files keep it busy for minutes.

    Parameters
    ----------
    path
        The file.
    frame_time
        Seconds per frame, in place of the stage's own.
    animation
        Name of the SkelAnimation prim to read when there are several, or its number from 0.
    max_memory
        Bytes that reading may take, in place of the usual budget.
    """
    budget = Budget(path, max_memory)
    FORMAT.check_installed()
    try:
        size = path.stat().st_size
        path.open("rb").close()
    except OSError as error:
        raise unreadable_error(path, error) from None
    with tempfile.TemporaryDirectory(prefix="motionloom-usd-") as folder:
        result = Path(folder, "motion.npz")
        words = [
            str(path.absolute()),
            str(result),
            "" if animation is None else str(animation),
            str(max_samples(budget)),
        ]
        run_worker([*WORKER, "read", *words], path, "the USD library", time_limit(size), budget)
        found = read_exchange(result, path)
    return make_clip(found, frame_time)


MAX_STILL = 1e-5
"""A bone whose length changes by less, as a fraction of the longest, does not move: stages hold float32."""

MAX_UNSCALED = 1e-3
"""How far a scale may be from one and count as one: joints' scales have half precision."""

MIN_QUATERNION = 1e-3
"""A shorter quaternion has no direction."""


@dataclass(frozen=True)
class _JointValues:
    """Local values of all joints in the skeleton's own space: (J, …) at rest and (T, J, …) over time."""

    names: tuple[str, ...]
    parents: list[int]
    rest_rotations: FloatArray
    offsets: FloatArray
    rotations: FloatArray
    positions: FloatArray


def make_clip(found: Exchange, frame_time: float | None = None) -> tuple[Clip, UpAxis | None]:
    """Return the clip that a stage holds, and the vertical axis that it states.

    The source states a unit where the stage does.
    """
    header = found.header
    notes = [*header.texts("notes"), *note_unread_animations(header.texts("animations"))]
    try:
        joints = _apply_world_transform(found, _add_single_root(header, _read_joints(found, notes)), notes)
        offsets, translations = _find_stretch(joints.offsets, joints.positions)
        skeleton = Skeleton(joints.names, np.array(joints.parents), offsets, joints.rest_rotations)
        clip = Clip(
            skeleton,
            header.number("frame_time") if frame_time is None else frame_time,
            freeze(joints.positions[:, 0].copy()),
            freeze(joints.rotations),
            translations=translations,
            source=Source(str(found.path), "usd", unit=""),
        )
    except ParameterError as error:
        raise FileFormatError(found.path, f"holds no valid motion: {error}") from None
    clip = _apply_extras(clip, header, notes, keep_frame_time=frame_time is not None)
    source = _source(clip, header, notes)
    if header.flag("skinned"):
        source = replace(source, character=Character(str(found.path), clip.skeleton))
    up = header.values.get("up")
    return replace(clip, source=source), up if up in ("y", "z") else None


def _read_joints(found: Exchange, notes: list[str]) -> _JointValues:
    """Return values of all joints: the animated ones over time, the others at rest."""
    names, parents = _choose_names(found.header), [int(parent) for parent in found.header.several("parents")]
    rest, animated = found.array("rest"), found.array("animated").astype(np.int64)
    rest_rotations, rest_scales = _rotations_and_scales(rest[:, :3, :3])
    animated_rotations = found.array("rotations")
    lengths = np.linalg.norm(animated_rotations, axis=-1)
    if not np.isfinite(animated_rotations).all() or lengths.min(initial=1.0) < MIN_QUATERNION:
        raise FileFormatError(found.path, "has an invalid rotation: the file is damaged")
    n_frames = len(animated_rotations)
    rotations = np.tile(rest_rotations, (n_frames, 1, 1))
    rotations[:, animated] = animated_rotations / lengths[..., None]
    positions = np.tile(rest[:, 3, :3], (n_frames, 1, 1))
    positions[:, animated] = found.array("translations")
    scales = np.tile(rest_scales, (n_frames, 1, 1))
    scales[:, animated] = found.array("scales")
    _check_sizes(found, rest, positions, scales)
    if np.abs(scales - 1.0).max(initial=0.0) > MAX_UNSCALED:
        notes.append("joints have scales, which were applied to the positions of the joints below")
        _scale_children(positions, scales, parents)
    return _JointValues(names, parents, rest_rotations, rest[:, 3, :3], rotations, positions)


def _check_sizes(found: Exchange, *arrays: FloatArray) -> None:
    """Refuse lengths that no body has, and those that are not finite."""
    for values in arrays:
        if not np.isfinite(values).all() or np.abs(values).max(initial=0.0) > MAX_NUMBER:
            raise FileFormatError(found.path, f"has a length that is not finite or beyond {MAX_NUMBER:g}")


def _scale_children(positions: FloatArray, scales: FloatArray, parents: list[int]) -> None:
    """Multiply positions (T, J, 3) by the scales (T, J, 3) of the joints above, in place."""
    for joint, parent in enumerate(parents):
        if parent >= 0:
            positions[:, joint] *= scales[:, parent]
            scales[:, joint] *= scales[:, parent]


def _add_single_root(header: JsonFields, joints: _JointValues) -> _JointValues:
    """Return the joints below one root; several roots get a joint above them, at the skeleton's origin."""
    if joints.parents.count(-1) == 1:
        return joints
    name = header.text("skeleton")
    while name in joints.names:
        name += "_root"
    n_frames = len(joints.rotations)
    still = np.broadcast_to(rot.IDENTITY, (n_frames, 1, 4))
    return _JointValues(
        (name, *joints.names),
        [-1, *(parent + 1 for parent in joints.parents)],
        np.concatenate([rot.IDENTITY[None], joints.rest_rotations]),
        np.concatenate([np.zeros((1, 3)), joints.offsets]),
        np.concatenate([still, joints.rotations], axis=1),
        np.concatenate([np.zeros((n_frames, 1, 3)), joints.positions], axis=1),
    )


def _apply_world_transform(found: Exchange, joints: _JointValues, notes: list[str]) -> _JointValues:
    """Apply the world transform of the skeleton's prim to the root and to lengths."""
    placements = found.array("placements")
    if np.array_equal(placements, np.eye(4)[None]):
        return joints
    _check_sizes(found, placements)
    world, scales = _rotations_and_scales(placements[:, :3, :3])
    if np.linalg.det(placements[:, :3, :3]).min() <= 0.0:
        raise FileFormatError(
            found.path, "has a mirrored or flat transform on its skeleton", remedy="apply it first"
        )
    if np.ptp(scales) > MAX_UNSCALED * scales.max():
        notes.append("the skeleton is scaled unevenly or changes its size: its mean size was used")
    size, shift = float(scales.mean()), placements[:, 3, :3]
    positions, rest = joints.positions * size, joints.offsets * size
    positions[:, 0] = rot.rotate(world, positions[:, 0]) + shift
    rest[0] = rot.rotate(world[0], rest[0]) + shift[0]
    posed, at_rest = joints.rotations.copy(), joints.rest_rotations.copy()
    posed[:, 0] = rot.multiply(world, posed[:, 0])
    at_rest[0] = rot.multiply(world[0], at_rest[0])
    return replace(joints, rest_rotations=at_rest, offsets=rest, rotations=posed, positions=positions)


def _rotations_and_scales(matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Split the linear parts (N, 3, 3) of row-vector transforms into rotations (N, 4) and scales (N, 3)."""
    scales = np.linalg.norm(matrices, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        axes = np.where(scales[..., None] > 0.0, matrices / scales[..., None], np.eye(3))
    return rot.from_matrix(np.nan_to_num(axes).swapaxes(-1, -2)), scales


def _find_stretch(offsets: FloatArray, positions: FloatArray) -> tuple[FloatArray, FloatArray | None]:
    """Return rest offsets (J, 3), and local positions (T, J, 3) where bones really move.

    Where they stay, but not at rest, their position in the motion is the offset.
    """
    still = MAX_STILL * np.abs(offsets[1:]).max(initial=0.0)
    if np.abs(positions[:, 1:] - offsets[1:]).max(initial=0.0) <= still:
        return offsets, None
    if np.ptp(positions[:, 1:], axis=0).max(initial=0.0) > still:
        return offsets, freeze(positions)
    return np.concatenate([offsets[:1], positions[0, 1:]]), None


def _choose_names(header: JsonFields) -> tuple[str, ...]:
    """Return unique joint names: those given beside the paths, the last words of the paths, or the paths."""
    paths = header.texts("joints")
    for names in (header.texts("names"), tuple(path.rpartition("/")[2] for path in paths)):
        if len(names) == len(set(names)) == len(paths):
            return names
    return paths


def _apply_extras(clip: Clip, header: JsonFields, notes: list[str], keep_frame_time: bool) -> Clip:
    """Apply what Motionloom wrote beside the animation; what does not fit is dropped and noted."""
    text = header.values.get("extras")
    if not isinstance(text, str):
        return clip
    try:
        extras = JsonFields(header.path, json.loads(text), "the data that Motionloom wrote")
        tips = tuple(
            Tip(int(tip.number("joint")), np.array(tip.vector("offset"))) for tip in extras.objects("tips")
        )
        whole = replace(
            clip, skeleton=replace(clip.skeleton, tips=tips), cyclic=extras.values.get("cyclic") is True
        )
        whole = annotations_from_dict(extras.values.get("annotations"), whole)
    except (MotionloomError, ValueError, RecursionError) as error:
        notes.append(f"its constraints, events and tips do not fit the motion and were dropped: {error}")
        return clip
    stated = extras.values.get("frame_time")
    if not keep_frame_time and isinstance(stated, float) and isclose(stated, clip.frame_time, rel_tol=1e-12):
        whole = replace(whole, frame_time=stated)
    return whole


def _source(clip: Clip, header: JsonFields, notes: list[str]) -> Source:
    """Return the unit that the stage states; one that it does not state is detected later."""
    source = replace(clip.source, notes=tuple(notes))
    if header.values.get("metres_per_unit") is not None:
        size = header.number("metres_per_unit")
        try:
            name = metres_per_unit(size)[0]
        except ParameterError as error:
            raise FileFormatError(header.path, f"states an invalid unit: {error}") from None
        name = next((known for known, value in UNITS.items() if isclose(value, size, rel_tol=1e-9)), name)
        source = replace(source, unit=name, metres_per_unit=size)
    return source
