"""Read USD stages: the USD library looks into the file in a process of its own."""

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
from motionloom.files.detection import detect_up
from motionloom.files.json_fields import JsonFields
from motionloom.files.text import MAX_NUMBER, unreadable_error
from motionloom.files.units import UNITS, metres_per_unit
from motionloom.files.usd import FORMAT
from motionloom.files.workers import Exchange, read_exchange, run_worker, time_limit
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Source, Tip

_SCRIPT = Path(__file__).with_name("worker.py")


def read_usd(path: Path, *, frame_time: float | None = None, animation: str | int | None = None) -> Clip:
    """Read the animated skeleton of a stage in the stage's own unit and axes.

    The USD library runs in a process of its own, because damaged binary files keep it busy for minutes.

    Parameters
    ----------
    path
        The file.
    frame_time
        Seconds per frame, in place of the stage's own.
    animation
        Name of the SkelAnimation prim to read when there are several, or its number from 0.
    """
    FORMAT.check_installed()
    try:
        size = path.stat().st_size
        path.open("rb").close()
    except OSError as error:
        raise unreadable_error(path, error) from None
    with tempfile.TemporaryDirectory(prefix="motionloom-usd-") as folder:
        result = Path(folder, "motion.npz")
        command = [
            sys.executable,
            "-P",
            str(_SCRIPT),
            str(path.absolute()),
            str(result),
            "" if animation is None else str(animation),
        ]
        run_worker(command, path, "the USD library", time_limit(size))
        found = read_exchange(result, path)
    return clip_from(found, frame_time)


STILL = 1e-5
"""A bone whose length changes by less, as part of the longest, does not move: stages hold float32."""

UNSCALED = 1e-3
"""Scales this near to one are one: joints' scales have half precision."""

SHORTEST_QUATERNION = 1e-3
"""A shorter quaternion has no direction left."""


@dataclass(frozen=True)
class _Joints:
    """Local values of all joints in the skeleton's own space: (J, …) at rest and (T, J, …) over time."""

    names: tuple[str, ...]
    parents: list[int]
    rest_turns: FloatArray
    offsets: FloatArray
    turns: FloatArray
    places: FloatArray


def clip_from(found: Exchange, frame_time: float | None = None) -> Clip:
    """The clip that a stage holds; its source states unit and vertical axis where the stage does."""
    header = found.header
    notes = list(header.texts("notes"))
    try:
        joints = _placed(found, _with_one_root(header, _joints(found, notes)), notes)
        offsets, translations = _bones(joints.offsets, joints.places)
        skeleton = Skeleton(joints.names, np.array(joints.parents), offsets, joints.rest_turns)
        clip = Clip(
            skeleton,
            header.number("frame_time") if frame_time is None else frame_time,
            freeze(joints.places[:, 0].copy()),
            freeze(joints.turns),
            translations=translations,
            source=Source(str(found.path), "usd", unit=""),
        )
    except ParameterError as error:
        raise FileFormatError(found.path, f"holds no valid motion: {error}") from None
    clip = _with_extras(clip, header, notes, keep_frame_time=frame_time is not None)
    return replace(clip, source=_source(clip, header, notes))


def _joints(found: Exchange, notes: list[str]) -> _Joints:
    """Values of all joints: the animated ones over time, the others at rest."""
    names, parents = _names(found.header), [int(parent) for parent in found.header.several("parents")]
    rest, animated = found.array("rest"), found.array("animated").astype(np.int64)
    rest_turns, rest_scales = _turns_and_scales(rest[:, :3, :3])
    rotations = found.array("rotations")
    lengths = np.linalg.norm(rotations, axis=-1)
    if not np.isfinite(rotations).all() or lengths.min(initial=1.0) < SHORTEST_QUATERNION:
        raise FileFormatError(found.path, "has a rotation that is none: the file is damaged")
    n_frames = len(rotations)
    turns = np.tile(rest_turns, (n_frames, 1, 1))
    turns[:, animated] = rotations / lengths[..., None]
    places = np.tile(rest[:, 3, :3], (n_frames, 1, 1))
    places[:, animated] = found.array("translations")
    scales = np.tile(rest_scales, (n_frames, 1, 1))
    scales[:, animated] = found.array("scales")
    _check_sizes(found, rest, places, scales)
    if np.abs(scales - 1.0).max(initial=0.0) > UNSCALED:
        notes.append("joints have scales: they were put into the positions of the joints below")
        _scale_children(places, scales, parents)
    return _Joints(names, parents, rest_turns, rest[:, 3, :3], turns, places)


def _check_sizes(found: Exchange, *arrays: FloatArray) -> None:
    """Refuse lengths that no body has, and those that are no numbers."""
    for values in arrays:
        if not np.isfinite(values).all() or np.abs(values).max(initial=0.0) > MAX_NUMBER:
            raise FileFormatError(found.path, f"has a length that is no number or beyond {MAX_NUMBER:g}")


def _scale_children(places: FloatArray, scales: FloatArray, parents: list[int]) -> None:
    """Multiply positions (T, J, 3) by the scales (T, J, 3) of the joints above, in place."""
    for joint, parent in enumerate(parents):
        if parent >= 0:
            places[:, joint] *= scales[:, parent]
            scales[:, joint] *= scales[:, parent]


def _with_one_root(header: JsonFields, joints: _Joints) -> _Joints:
    """The joints below one root; several roots get a joint above them, where the skeleton's space is."""
    if joints.parents.count(-1) == 1:
        return joints
    name = header.text("skeleton")
    while name in joints.names:
        name += "_root"
    n_frames = len(joints.turns)
    still = np.broadcast_to(rot.IDENTITY, (n_frames, 1, 4))
    return _Joints(
        (name, *joints.names),
        [-1, *(parent + 1 for parent in joints.parents)],
        np.concatenate([rot.IDENTITY[None], joints.rest_turns]),
        np.concatenate([np.zeros((1, 3)), joints.offsets]),
        np.concatenate([still, joints.turns], axis=1),
        np.concatenate([np.zeros((n_frames, 1, 3)), joints.places], axis=1),
    )


def _placed(found: Exchange, joints: _Joints, notes: list[str]) -> _Joints:
    """The joints in the world: the transform of the skeleton's prim applied to the root and to lengths."""
    placements = found.array("placements")
    if np.array_equal(placements, np.eye(4)[None]):
        return joints
    _check_sizes(found, placements)
    turns, scales = _turns_and_scales(placements[:, :3, :3])
    if np.linalg.det(placements[:, :3, :3]).min() <= 0.0:
        raise FileFormatError(
            found.path, "places its skeleton by a mirrored or flat transform: apply it first"
        )
    if np.ptp(scales) > UNSCALED * scales.max():
        notes.append("the skeleton is scaled unevenly or changes its size: its mean size was taken")
    size, shift = float(scales.mean()), placements[:, 3, :3]
    places, rest = joints.places * size, joints.offsets * size
    places[:, 0] = rot.rotate(turns, places[:, 0]) + shift
    rest[0] = rot.rotate(turns[0], rest[0]) + shift[0]
    moved, at_rest = joints.turns.copy(), joints.rest_turns.copy()
    moved[:, 0] = rot.multiply(turns, moved[:, 0])
    at_rest[0] = rot.multiply(turns[0], at_rest[0])
    return replace(joints, rest_turns=at_rest, offsets=rest, turns=moved, places=places)


def _turns_and_scales(matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rotations (N, 4) and scales (N, 3) of the linear parts (N, 3, 3) of transforms for row vectors."""
    scales = np.linalg.norm(matrices, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        axes = np.where(scales[..., None] > 0.0, matrices / scales[..., None], np.eye(3))
    return rot.from_matrix(np.nan_to_num(axes).swapaxes(-1, -2)), scales


def _bones(offsets: FloatArray, places: FloatArray) -> tuple[FloatArray, FloatArray | None]:
    """Rest offsets (J, 3), and local positions (T, J, 3) where bones really move.

    Where they stay, but not at rest, their place in the motion is the offset.
    """
    still = STILL * np.abs(offsets[1:]).max(initial=0.0)
    if np.abs(places[:, 1:] - offsets[1:]).max(initial=0.0) <= still:
        return offsets, None
    if np.ptp(places[:, 1:], axis=0).max(initial=0.0) > still:
        return offsets, freeze(places)
    return np.concatenate([offsets[:1], places[0, 1:]]), None


def _names(header: JsonFields) -> tuple[str, ...]:
    """Unique joint names: those given beside the paths, the last words of the paths, or the paths."""
    paths = header.texts("joints")
    for names in (header.texts("names"), tuple(path.rpartition("/")[2] for path in paths)):
        if len(names) == len(set(names)) == len(paths):
            return names
    return paths


def _with_extras(clip: Clip, header: JsonFields, notes: list[str], keep_frame_time: bool) -> Clip:
    """The clip with what Motionloom wrote beside the animation; what does not fit is left out and noted."""
    text = header.values.get("extras")
    if not isinstance(text, str):
        return clip
    try:
        extras = JsonFields(header.path, json.loads(text))
        tips = tuple(
            Tip(int(tip.number("joint")), np.array(tip.vector("offset"))) for tip in extras.objects("tips")
        )
        whole = replace(
            clip, skeleton=replace(clip.skeleton, tips=tips), cyclic=extras.values.get("cyclic") is True
        )
        whole = annotations_from_dict(extras.values.get("annotations"), whole)
    except (MotionloomError, ValueError, RecursionError) as error:
        notes.append(f"its constraints, events and tips do not fit the motion and were left out: {error}")
        return clip
    stated = extras.values.get("frame_time")
    if not keep_frame_time and isinstance(stated, float) and isclose(stated, clip.frame_time, rel_tol=1e-12):
        whole = replace(whole, frame_time=stated)
    return whole


def _source(clip: Clip, header: JsonFields, notes: list[str]) -> Source:
    """Unit and axes that the stage states; a unit that it does not state is left to be detected."""
    source = replace(clip.source, notes=tuple(notes))
    if header.values.get("metres_per_unit") is not None:
        size = header.number("metres_per_unit")
        try:
            name = metres_per_unit(size)[0]
        except ParameterError as error:
            raise FileFormatError(header.path, f"states a wrong unit: {error}") from None
        name = next((known for known, value in UNITS.items() if isclose(value, size, rel_tol=1e-9)), name)
        source = replace(source, unit=name, metres_per_unit=size)
    up = header.values.get("up")
    return replace(source, up=up if up in ("y", "z") else detect_up(clip))
