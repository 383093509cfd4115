"""FBX files, read and written through Blender in a process of its own.

:mod:`blender` finds it, :mod:`worker` is the script that runs inside it, and :mod:`motion` goes between what
Blender holds and a clip. :mod:`skin` reads the mesh of a character along with its motion.
"""

from __future__ import annotations

from pathlib import Path

from motionloom.files.formats import Format, Requirement
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.motion import Clip
from motionloom.motion.skinned_mesh import SkinnedMesh


def _read(path: Path, options: ReadOptions) -> Clip:
    from motionloom.files.fbx.read import read_fbx
    from motionloom.files.normalize import normalize_clip

    found = read_fbx(
        path, frame_time=options.frame_time, animation=options.animation, max_memory=options.max_memory
    )
    return normalize_clip(
        found.clip,
        unit=options.unit,
        up=options.up,
        stated_up=found.clip.source.up,
        keep_rest_rows=options.keep_rest_rows,
    )


def _read_character(path: Path, max_memory: int | None) -> tuple[Clip, SkinnedMesh]:
    from motionloom.files.fbx.skin import read_character

    return read_character(path, max_memory=max_memory)


def _is_there() -> bool:
    from motionloom.files.fbx.blender import is_blender_there

    return is_blender_there()


def _write(clip: Clip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.fbx.write import write_fbx, write_into_template
    from motionloom.files.template import find_template

    template = find_template(clip, options, FORMAT)
    if template is None or options.mesh is not None:
        write_fbx(clip, path, mesh=options.mesh, overwrite=options.overwrite)
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
    read_character=_read_character,
    write=_write,
    read_options=("unit", "up", "keep_rest_rows", "animation"),
    write_options=("template", "mesh"),
    keeps=frozenset({"bone_lengths", "stretch", "rest_rotations", "tips"}),
    several_animations=True,
    requires=Requirement("bpy", "Blender", "motionloom install-fbx", _is_there),
)
