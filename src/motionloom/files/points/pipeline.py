"""Points without a skeleton, read and written: one call for every format that holds them."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path

from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.csv_tables import read_positions
from motionloom.files.endings import (
    HOLDING_POINTS,
    POINTS,
    READING,
    check_applies,
    checked_path,
    known_ending,
)
from motionloom.files.native import read_native
from motionloom.files.points.c3d import read_c3d, write_c3d
from motionloom.files.points.standard import points_from_standard, points_to_standard
from motionloom.files.points.trc import read_trc, write_trc
from motionloom.files.standard import ReadingChoices
from motionloom.motion import Clip, PointClip
from motionloom.motion.sampling import frame_time_of
from motionloom.motion.source import UpAxis


def load_points(
    path: str | PathLike[str],
    *,
    fps: float | None = None,
    unit: str | float | None = None,
    up: UpAxis | None = None,
) -> PointClip:
    """Read a clip of points without a skeleton, in metres and Y up; gaps are NaN.

    Parameters
    ----------
    path
        A ``.c3d``, ``.trc``, ``.csv`` or ``.npz`` file.
    fps, unit, up
        Frames per second, length unit and vertical axis, in place of what the file states or shows; ``.csv``
        and ``.npz`` files are always in metres and Y up.

    >>> import motionloom as ml
    >>> markers = ml.load_points("gait.c3d")     # doctest: +SKIP
    """
    path = checked_path(path)
    suffix = known_ending(path, HOLDING_POINTS, "read as points")
    check_applies(suffix, {"unit": unit, "up": up}, READING)
    ReadingChoices(unit=unit, up=up)
    frame_time = None if fps is None else frame_time_of(fps)
    if suffix in POINTS:
        read = read_c3d if suffix == ".c3d" else read_trc
        return points_to_standard(read(path, frame_time=frame_time), unit, up)
    if suffix == ".csv":
        return read_positions(path, frame_time=frame_time)
    clip = read_native(path)
    if not isinstance(clip, PointClip):
        raise FileFormatError(path, "holds a clip with a skeleton: read it with motionloom.load")
    return clip if frame_time is None else replace(clip, frame_time=frame_time)


def save_points(
    clip: Clip | PointClip,
    path: Path,
    suffix: str,
    unit: str | float | None,
    up: UpAxis | None,
    overwrite: bool,
) -> None:
    """Write points in the unit and axes of their source unless others are given; refuse what is none."""
    if isinstance(clip, Clip):
        raise ParameterError(f"{path}: {suffix} files hold points without a skeleton, and the clip has one")
    if suffix not in POINTS:
        known = ", ".join(HOLDING_POINTS)
        raise ParameterError(f"{path}: points without a skeleton are written to {known} files only")
    write = write_c3d if suffix == ".c3d" else write_trc
    write(points_from_standard(clip, unit, up), path, overwrite=overwrite)
