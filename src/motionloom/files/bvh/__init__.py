"""Biovision hierarchy files: a skeleton and its channel values as text.

Reading goes through :mod:`hierarchy` (the joint tree), :mod:`motion` (rows of values) and :mod:`channels`
(values to rotations and positions); writing goes back the same way.
"""

from __future__ import annotations

from pathlib import Path

from motionloom.files.formats import Format
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.motion import Clip


def _read(path: Path, options: ReadOptions) -> Clip:
    from motionloom.files.bvh.read import read_bvh
    from motionloom.files.normalize import normalize_clip

    clip = read_bvh(
        path,
        frame_time=options.frame_time,
        root=options.root,
        all_rows=options.all_rows,
        max_memory=options.max_memory,
    )
    is_ours = bool(clip.source.unit)
    return normalize_clip(
        clip,
        unit=options.unit,
        up=options.up or (clip.source.up if is_ours else None),
        root_offset=options.root_offset or (clip.source.root_offset if is_ours else None),
        keep_rest_rows=options.keep_rest_rows or is_ours,
    )


def _write(clip: Clip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.bvh.write import write_bvh
    from motionloom.files.normalize import denormalize_clip
    from motionloom.files.up_axis import unrotate_rest

    written = denormalize_clip(unrotate_rest(clip), unit=options.unit, up=options.up)
    write_bvh(written, path, overwrite=options.overwrite)


FORMAT = Format(
    id="bvh",
    name="BVH",
    suffixes=(".bvh",),
    media_types=("text/plain",),
    read=_read,
    write=_write,
    read_options=("unit", "up", "root_offset", "keep_rest_rows", "all_rows", "root"),
    write_options=("unit", "up"),
    keeps=frozenset({"bone_lengths", "stretch", "tips", "source_units", "channels"}),
)
