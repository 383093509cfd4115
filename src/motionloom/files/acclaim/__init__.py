"""Acclaim's pair of files: an ASF holds the skeleton, an AMC the motion of its joints."""

from __future__ import annotations

from pathlib import Path

from motionloom.files.formats import Format
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.motion import Clip


def _read(path: Path, options: ReadOptions) -> Clip:
    from motionloom.files.acclaim.read import read_acclaim
    from motionloom.files.normalize import normalize_clip

    return normalize_clip(
        read_acclaim(path, options.skeleton, options.frame_time, options.max_memory),
        unit=options.unit,
        up=options.up,
        keep_rest_rows=options.keep_rest_rows,
    )


def _write(clip: Clip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.acclaim.write import write_acclaim
    from motionloom.files.normalize import denormalize_clip

    write_acclaim(denormalize_clip(clip, unit=options.unit, up=options.up), path, options.overwrite)


def _find_beside(path: Path) -> tuple[Path, ...]:
    from motionloom.files.acclaim.read import find_skeleton

    return (find_skeleton(path),)


FORMAT = Format(
    id="amc",
    name="AMC",
    suffixes=(".amc",),
    media_types=("text/plain",),
    read=_read,
    write=_write,
    read_options=("unit", "up", "keep_rest_rows", "skeleton"),
    write_options=("unit", "up"),
    keeps=frozenset({"bone_lengths", "stretch", "tips", "source_units", "channels"}),
    companions=(".asf",),
    find_beside=_find_beside,
)
