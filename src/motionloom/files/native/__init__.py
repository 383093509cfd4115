"""Motionloom's own ``.npz`` files, which hold clips and registrations without loss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from motionloom.errors import FileFormatError, NoSkeletonError
from motionloom.files.formats import Format
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.messages import Operation
from motionloom.motion import Clip, PointClip


def _read(path: Path, options: ReadOptions) -> Clip:
    from motionloom.files.native.clips import read_native

    clip = read_native(path, options.max_memory)
    if not isinstance(clip, Clip):
        raise NoSkeletonError(
            path,
            "holds points without a skeleton",
            remedy=("read it with ", Operation("motionloom.load")),
        )
    clip = replace(clip, source=replace(clip.source, path=str(path)))
    return clip if options.frame_time is None else replace(clip, frame_time=options.frame_time)


def _read_points(path: Path, options: ReadOptions) -> PointClip:
    from motionloom.files.native.clips import read_native

    clip = read_native(path, options.max_memory)
    if not isinstance(clip, PointClip):
        raise FileFormatError(
            path, "holds a clip with a skeleton", remedy=("read it with ", Operation("motionloom.load"))
        )
    return clip if options.frame_time is None else replace(clip, frame_time=options.frame_time)


def _write(clip: Clip | PointClip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.native.clips import write_native

    write_native(clip, path, overwrite=options.overwrite)


FORMAT = Format(
    id="npz",
    name="Motionloom",
    suffixes=(".npz",),
    media_types=("application/zip",),
    read=_read,
    read_points=_read_points,
    write=_write,
    write_points=_write,
    keeps=frozenset(
        {
            "bone_lengths",
            "stretch",
            "rest_rotations",
            "tips",
            "annotations",
            "source_units",
            "channels",
        }
    ),
    keeps_of_points=frozenset({"events", "forces", "analog"}),
)
