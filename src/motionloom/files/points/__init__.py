"""Marker files: points without a skeleton, as C3D and TRC hold them."""

from __future__ import annotations

from pathlib import Path

from motionloom.files.formats import Format, Requirement
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.motion import PointClip


def _read_c3d(path: Path, options: ReadOptions) -> PointClip:
    from motionloom.files.normalize import normalize_points
    from motionloom.files.points.c3d import read_c3d

    clip = read_c3d(path, frame_time=options.frame_time, up=options.up, max_memory=options.max_memory)
    return normalize_points(clip, unit=options.unit)


def _write_c3d(clip: PointClip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.normalize import denormalize_points
    from motionloom.files.points.c3d import write_c3d

    write_c3d(denormalize_points(clip, unit=options.unit, up=options.up), path, overwrite=options.overwrite)


def _read_trc(path: Path, options: ReadOptions) -> PointClip:
    from motionloom.files.normalize import normalize_points
    from motionloom.files.points.trc import read_trc

    clip = read_trc(path, frame_time=options.frame_time, up=options.up, max_memory=options.max_memory)
    return normalize_points(clip, unit=options.unit)


def _write_trc(clip: PointClip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.normalize import denormalize_points
    from motionloom.files.points.trc import write_trc

    write_trc(denormalize_points(clip, unit=options.unit, up=options.up), path, overwrite=options.overwrite)


C3D = Format(
    id="c3d",
    name="C3D",
    suffixes=(".c3d",),
    media_types=("application/octet-stream",),
    read_points=_read_c3d,
    write_points=_write_c3d,
    read_options=("unit", "up"),
    write_options=("unit", "up"),
    keeps=frozenset({"source_units"}),
    requires=Requirement("c3d", "c3d", "pip install 'motionloom[c3d]'"),
)

TRC = Format(
    id="trc",
    name="TRC",
    suffixes=(".trc",),
    media_types=("text/tab-separated-values",),
    read_points=_read_trc,
    write_points=_write_trc,
    read_options=("unit", "up"),
    write_options=("unit", "up"),
    keeps=frozenset({"source_units"}),
)
