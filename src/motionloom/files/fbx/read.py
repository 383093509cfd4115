"""Read FBX files through Blender."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.fbx.blender import WORKER, blender_command
from motionloom.files.fbx.motion import METRES_MARK, WorldMotion, make_clip, split_frames
from motionloom.files.fbx.structure import check_structure
from motionloom.files.normalize import TO_Y_UP
from motionloom.files.notes import note_unread_animations
from motionloom.files.text import unreadable_error
from motionloom.geometry import rotations as rot
from motionloom.jobs.budget import Budget
from motionloom.jobs.workers import Exchange, max_samples, read_exchange, run_worker, time_limit
from motionloom.json_files import MAX_NUMBER
from motionloom.motion import Character, Clip, Source
from motionloom.motion.anatomy import body_height
from motionloom.motion.sampling import frame_time_of

LIKELY_HEIGHTS = 0.3, 4.0
"""Metres; a body outside was not stored in the unit that its file states, so the unit is detected."""

RATE_PRECISION = 1e-6
"""Relative; Blender keeps frame rates in single precision, so usual rates this near are meant."""

MIN_QUATERNION = 1e-3
"""A shorter quaternion has no direction."""


@dataclass(frozen=True)
class FbxMotion:
    """What an FBX file holds.

    Attributes
    ----------
    clip
        The motion in the file's unit, Y up.
    bones
        All bones in the world, those that become tips of the clip's skeleton too.
    found
        What Blender found, with meshes where they were asked for.
    """

    clip: Clip
    bones: WorldMotion
    found: Exchange


def read_fbx(
    path: Path,
    *,
    frame_time: float | None = None,
    animation: str | int | None = None,
    max_memory: int | None = None,
    max_vertices: int = 0,
) -> FbxMotion:
    """Read the first animated skeleton of a file, Y up; joints keep the axes that the file gives them.

    Parameters
    ----------
    path
        The file.
    frame_time
        Seconds per frame, in place of the file's own.
    animation
        Name of the take to read when there are several, or its number from 0.
    max_memory
        Bytes that reading may take, in place of the usual budget.
    max_vertices
        Vertices that meshes may have; 0 reads none.
    """
    budget = Budget(path, max_memory)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None
    command = blender_command(WORKER)
    check_structure(path, content, budget)
    with tempfile.TemporaryDirectory(prefix="motionloom-fbx-") as folder:
        result = Path(folder, "motion.npz")
        words = [
            "read",
            str(path.absolute()),
            str(result),
            "" if animation is None else str(animation),
            str(max_samples(budget)),
            str(max_vertices),
        ]
        run_worker([*command, *words], path, "Blender", time_limit(len(content)), budget)
        found = read_exchange(result, path)
    try:
        motion = _check_motion(found).with_one_root(found.header.text("armature"))
        source = Source(
            str(path), "fbx", unit="", notes=tuple(note_unread_animations(found.header.texts("animations")))
        )
        clip = make_clip(motion, frame_time or _frame_time(found.header.number("fps")), source)
        if found.header.flag("skinned"):
            clip = replace(clip, source=replace(source, character=Character(str(path), clip.skeleton)))
    except (ParameterError, IndexError, ValueError) as error:
        raise FileFormatError(path, f"holds no valid motion: {error}") from None
    return FbxMotion(_state_unit(clip, is_ours=METRES_MARK.encode() in content), motion, found)


def _check_motion(found: Exchange) -> WorldMotion:
    """Return what Blender found, rotated so that Y is up; sizes and numbers are checked first.

    Positions and rotations of all frames are changed in place, since they are large.
    """
    positions, rotations = found.array("positions"), found.array("rotations")
    rest, axes = found.array("rest_positions"), found.array("rest_rotations")
    for values in (rest, axes):
        check_numbers(found.path, values, is_rotation=values is axes)
    for part in split_frames(max(len(positions), len(rotations))):
        check_numbers(found.path, positions[part])
        check_numbers(found.path, rotations[part], is_rotation=True)
        positions[part] = _y_up(positions[part])
        rotations[part, ..., 1:] = _y_up(rotations[part, ..., 1:])
        rotations[part] = rot.normalize(rotations[part])
    parents = np.array(found.header.several("parents"), dtype=np.int64)
    names = found.header.texts("names")
    # The world turns under the joints: their own axes keep their names.
    axes = rot.multiply(rot.from_matrix(TO_Y_UP["z"]), rot.normalize(axes))
    return WorldMotion(names, parents, _y_up(rest), axes, positions, rotations)


def check_numbers(path: Path, values: FloatArray, is_rotation: bool = False) -> None:
    """Refuse numbers that are not finite, and rotations without a direction."""
    if not np.isfinite(values).all() or np.abs(values).max(initial=0.0) > MAX_NUMBER:
        raise FileFormatError(path, f"has a value that is not finite or beyond {MAX_NUMBER:g}")
    if is_rotation and np.linalg.norm(values, axis=-1).min(initial=1.0) < MIN_QUATERNION:
        raise FileFormatError(path, "has an invalid rotation: the file is damaged")


def _y_up(vectors: FloatArray) -> FloatArray:
    return vectors @ TO_Y_UP["z"].T


def _frame_time(fps: float) -> float:
    """Return seconds per frame; film and television rates are exact although Blender rounds them."""
    for usual in (round(fps), round(fps) * 1000.0 / 1001.0, round(fps, 2)):
        if usual > 0 and abs(fps - usual) <= RATE_PRECISION * usual:
            return frame_time_of(usual)
    return frame_time_of(fps)


def _state_unit(clip: Clip, is_ours: bool) -> Clip:
    """State metres as the clip's unit in files of ours, where that makes a likely body, or without a body."""
    height = None if is_ours else body_height(clip.skeleton)
    if height and not LIKELY_HEIGHTS[0] <= height <= LIKELY_HEIGHTS[1]:
        return clip
    return replace(clip, source=replace(clip.source, unit="m"))
