"""Motion as comma-separated tables for spreadsheets and statistics: metres, Y up, one row per frame.

Positions: ``frame,time,LeftFoot.x,LeftFoot.y,LeftFoot.z,…``, world positions of joints or points, empty where
a point was not seen. Rotations: ``frame,time,Hips.x,Hips.y,Hips.z,Hips.qw,Hips.qx,Hips.qy,Hips.qz,…``, the
world position of the root and local unit quaternions; where bones really move, local positions of the other
joints too. A table of rotations has its skeleton beside it in ``NAME.skeleton.csv``: a row per joint with its
parent, its rest offset and its rest rotation; rows without a joint are tips. The last column of the motion is
empty and named after the mark of that table, by which one can tell that the two belong together.
"""

from __future__ import annotations

from pathlib import Path

from motionloom.errors import ParameterError
from motionloom.files.formats import Format
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.messages import Argument
from motionloom.motion import Clip, PointClip


def _read(path: Path, options: ReadOptions) -> Clip:
    from motionloom.files.csv.read import read_rotations, read_skeleton
    from motionloom.files.load_save import load_clip
    from motionloom.files.normalize import normalize_clip

    skeleton = None
    if options.skeleton is not None:
        is_table = options.skeleton.suffix.lower() == ".csv"
        skeleton = (
            read_skeleton(options.skeleton)
            if is_table
            else load_clip(options.skeleton, max_memory=options.max_memory).skeleton
        )
    clip = read_rotations(
        path, skeleton=skeleton, frame_time=options.frame_time, max_memory=options.max_memory
    )
    return normalize_clip(clip, up=clip.source.up, keep_rest_rows=True)


def _read_points(path: Path, options: ReadOptions) -> PointClip:
    from motionloom.files.csv.read import read_positions

    return read_positions(path, frame_time=options.frame_time, max_memory=options.max_memory)


def _write(clip: Clip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.csv.write import write_positions, write_rotations

    write = write_positions if options.layout == "positions" else write_rotations
    write(clip, path, overwrite=options.overwrite)


def _write_points(clip: PointClip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.csv.write import write_positions

    if options.layout == "rotations":
        raise ParameterError((f"{path}: ", Argument("layout", "rotations"), " is for clips with a skeleton"))
    write_positions(clip, path, overwrite=options.overwrite)


def _find_beside(path: Path) -> tuple[Path, ...]:
    from motionloom.files.csv.read import skeleton_path

    skeleton = skeleton_path(path)
    return (skeleton,) if skeleton.is_file() else ()


FORMAT = Format(
    id="csv",
    name="CSV",
    suffixes=(".csv",),
    media_types=("text/csv",),
    read=_read,
    read_points=_read_points,
    write=_write,
    write_points=_write_points,
    read_options=("skeleton",),
    write_options=("layout",),
    layouts=("positions", "rotations"),
    keeps=frozenset({"bone_lengths", "stretch", "rest_rotations", "tips"}),
    prescribes_metres=True,
    find_beside=_find_beside,
)
