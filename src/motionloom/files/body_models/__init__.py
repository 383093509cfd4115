"""Motion of the SMPL body models: files of the AMASS collection, and the joint tree of the models."""

from __future__ import annotations

from pathlib import Path

from motionloom.files.body_models.smpl import smpl_skeleton
from motionloom.files.formats import Format
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.motion import Clip

__all__ = ["FORMAT", "smpl_skeleton"]


def _is_amass(path: Path) -> bool:
    from motionloom.files.body_models.amass import is_amass

    return is_amass(path)


def _read(path: Path, options: ReadOptions) -> Clip:
    from motionloom.files.body_models.amass import read_amass
    from motionloom.files.normalize import normalize_clip

    # The reader makes it Y up: only the motion is rotated, the skeleton stands at rest as before.
    clip = read_amass(path, frame_time=options.frame_time, up=options.up, max_memory=options.max_memory)
    return normalize_clip(clip, up=clip.source.up, keep_rest_rows=True)


def _write(clip: Clip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.body_models.amass import write_amass

    write_amass(clip, path, overwrite=options.overwrite)


FORMAT = Format(
    id="amass",
    name="AMASS",
    suffixes=(".npz",),
    media_types=("application/zip",),
    read=_read,
    write=_write,
    read_options=("up",),
    write_options=("layout",),
    layouts=("amass",),
    recognize=_is_amass,
    prescribes_metres=True,
    prescribes_up="z",
)
