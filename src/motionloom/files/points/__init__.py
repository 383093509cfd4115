"""Marker files: points without a skeleton, as C3D and TRC hold them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.formats import Format
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.motion import PointClip


def _read_c3d(path: Path, options: ReadOptions) -> PointClip:
    from motionloom.files.normalize import normalize_points
    from motionloom.files.points.c3d import read_c3d
    from motionloom.files.points.c3d_plates import push_up

    clip = read_c3d(path, frame_time=options.frame_time, up=options.up, max_memory=options.max_memory)
    clip = normalize_points(clip, unit=options.unit)
    plates, notes = push_up(clip.force_plates)
    return replace(clip, force_plates=plates, source=clip.source.noting(*notes))


def _write_c3d(clip: PointClip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.normalize import denormalize_points
    from motionloom.files.points.c3d_write import write_c3d

    write_c3d(denormalize_points(clip, unit=options.unit, up=options.up), path, overwrite=options.overwrite)


def _read_trc(path: Path, options: ReadOptions) -> PointClip:
    from motionloom.files.normalize import normalize_points
    from motionloom.files.points.ground_forces import find_ground_forces, read_ground_forces
    from motionloom.files.points.trc import read_timed_trc

    memory = options.max_memory
    clip, start = read_timed_trc(path, frame_time=options.frame_time, up=options.up, max_memory=memory)
    clip = normalize_points(clip, unit=options.unit)
    table = options.forces or next(iter(find_ground_forces(path)), None)
    if table is None:
        return clip
    try:
        plates = read_ground_forces(table, up=clip.source.up, first_time=start, max_memory=memory)
    except MotionloomError as error:
        if options.forces is not None:
            raise
        return replace(clip, source=clip.source.noting(f"the ground forces beside it were not read: {error}"))
    if options.forces is not None and not plates:
        raise FileFormatError(table, "has no ground forces: no columns end in vx, vy, vz and px, py, pz")
    if not plates:
        return clip
    note = f"ground forces were read from {table.name}"
    return replace(clip, force_plates=plates, source=clip.source.noting(note))


def _find_forces(path: Path) -> list[Path]:
    from motionloom.files.points.ground_forces import find_ground_forces

    return find_ground_forces(path)[:1]


def _write_trc(clip: PointClip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.normalize import denormalize_points
    from motionloom.files.points.ground_forces import WRITTEN, write_ground_forces
    from motionloom.files.points.trc import write_trc

    written = denormalize_points(clip, unit=options.unit, up=options.up)
    write_trc(written, path, overwrite=options.overwrite)
    if clip.force_plates:
        table = path.with_name(path.stem + WRITTEN)
        write_ground_forces(clip, table, up=written.source.up, overwrite=options.overwrite)


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
    keeps_of_points=frozenset({"events", "forces", "analog"}),
)

TRC = Format(
    id="trc",
    name="TRC",
    suffixes=(".trc",),
    media_types=("text/tab-separated-values",),
    read_points=_read_trc,
    write_points=_write_trc,
    read_options=("unit", "up", "forces"),
    write_options=("unit", "up"),
    keeps=frozenset({"source_units"}),
    keeps_of_points=frozenset({"forces"}),
    companions=(".mot", ".sto"),
    find_beside=_find_forces,
)
