"""USD stages (.usd, .usda, .usdc): a UsdSkel skeleton and its animation.

Time codes are frames, so the stage's time codes per second are the frame rate. Rest and bind transforms are
those of the skeleton's rest pose; a mesh may be bound in another one (:mod:`add_mesh`). What UsdSkel has no
place for (constraints, events, free ends of chains) is JSON text in the custom data ``motionloom`` of the
animation, in the unit and axes of the stage.

Reading runs the USD library in a process of its own (:mod:`worker`).
"""

from __future__ import annotations

from pathlib import Path

from motionloom.files.formats import Format, Requirement
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.motion import Clip


def _read(path: Path, options: ReadOptions) -> Clip:
    from motionloom.files.normalize import normalize_clip
    from motionloom.files.usd.read import read_usd

    clip, stated_up = read_usd(
        path, frame_time=options.frame_time, animation=options.animation, max_memory=options.max_memory
    )
    return normalize_clip(
        clip,
        unit=options.unit,
        up=options.up,
        stated_up=stated_up,
        keep_rest_rows=options.keep_rest_rows,
    )


def _write(clip: Clip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.normalize import denormalize_clip
    from motionloom.files.template import find_template
    from motionloom.files.usd.write import write_into_template, write_usd

    template, own = find_template(clip, options, FORMAT), options.template == "source"
    if template is not None and options.mesh is None:
        unit = clip.source.metres_per_unit if own else None
        character = _read(template, ReadOptions(unit=unit, up=clip.source.up if own else None))
        write_into_template(clip, path, template, character, overwrite=options.overwrite)
        return
    up = options.up or ("y" if clip.source.up == "x" else None)  # USD has no vertical X
    written = denormalize_clip(clip, unit=options.unit, up=up)
    write_usd(written, path, mesh=options.mesh, overwrite=options.overwrite)


def _find_beside(path: Path) -> tuple[Path, ...]:
    from motionloom.files.usd.layers import find_layers

    return find_layers(path)


FORMAT = Format(
    id="usd",
    name="USD",
    suffixes=(".usd", ".usda", ".usdc"),
    media_types=("model/vnd.usd", "model/vnd.usda", "model/vnd.usdc"),
    read=_read,
    write=_write,
    read_options=("unit", "up", "keep_rest_rows", "animation"),
    write_options=("unit", "up", "template", "mesh"),
    keeps=frozenset({"bone_lengths", "stretch", "rest_rotations", "tips", "annotations", "source_units"}),
    several_animations=True,
    find_beside=_find_beside,
    requires=Requirement("pxr", "usd-core", "pip install 'motionloom[usd]'"),
)
