"""FBX files, read and written through Blender in a process of its own.

:mod:`blender` finds it, :mod:`worker` is the script that runs inside it, and :mod:`motion` goes between what
Blender holds and a clip.
"""

from __future__ import annotations

from pathlib import Path

from motionloom.files.formats import Format, Requirement
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.motion import Clip


def _read(path: Path, options: ReadOptions) -> Clip:
    from motionloom.files.fbx.read import read_fbx
    from motionloom.files.normalize import normalize_clip

    clip = read_fbx(
        path, frame_time=options.frame_time, animation=options.animation, max_memory=options.max_memory
    )
    return normalize_clip(
        clip,
        unit=options.unit,
        up=options.up,
        stated_up=clip.source.up,
        keep_rest_rows=options.keep_rest_rows,
    )


def _write(clip: Clip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.fbx.write import write_fbx, write_into_template
    from motionloom.files.template import find_template

    template = find_template(clip, options, FORMAT)
    if template is None:
        write_fbx(clip, path, overwrite=options.overwrite)
        return
    own = options.template == "source"  # then unit and axis are those with which it was read
    character = _read(
        template,
        ReadOptions(unit=clip.source.metres_per_unit if own else None, up=clip.source.up if own else None),
    )
    write_into_template(clip, path, template, character, overwrite=options.overwrite)


FORMAT = Format(
    id="fbx",
    name="FBX",
    suffixes=(".fbx",),
    media_types=("application/octet-stream",),
    read=_read,
    write=_write,
    read_options=("unit", "up", "keep_rest_rows", "animation"),
    write_options=("template",),
    keeps=frozenset({"bone_lengths", "stretch", "rest_rotations", "tips"}),
    several_animations=True,
    requires=Requirement("bpy", "Blender", "motionloom install-fbx"),
)
