"""glTF 2: skeletons and their animations in GLB files and in .gltf text.

Reading goes through :mod:`container` (chunks and buffers), :mod:`document` (the JSON, which is not trusted,
and its arrays), :mod:`nodes` (which nodes are joints), :mod:`channels` and :mod:`frame_grid` (keys to frames)
and :mod:`rig` (nodes that scale to joints that do not). Writing makes a stick figure (:mod:`write`) or
another mesh (:mod:`add_mesh`), or gives the motion to a character that a file already holds
(:mod:`template`). :mod:`skin` reads the mesh of a character.
"""

from __future__ import annotations

from pathlib import Path

from motionloom.files.formats import Format
from motionloom.files.options import ReadOptions, WriteOptions
from motionloom.motion import Clip
from motionloom.motion.skinned_mesh import SkinnedMesh


def _read(path: Path, options: ReadOptions) -> Clip:
    from motionloom.files.gltf.read import read_gltf
    from motionloom.files.normalize import normalize_clip

    clip = read_gltf(
        path,
        frame_time=options.frame_time,
        animation=options.animation,
        root=options.root,
        max_memory=options.max_memory,
    )
    clip = normalize_clip(clip, unit=options.unit, up=options.up, keep_rest_rows=True)
    character = clip.source.character
    if character is None or not character.has_mesh:
        return clip
    from motionloom.files.gltf.skin import add_soles

    return add_soles(clip, animation=options.animation, root=options.root, max_memory=options.max_memory)


def _read_character(path: Path, max_memory: int | None) -> tuple[Clip, SkinnedMesh]:
    from motionloom.files.gltf.skin import read_character

    return read_character(path, max_memory=max_memory)


def _write(clip: Clip, path: Path, options: WriteOptions) -> None:
    from motionloom.files.template import find_template

    template, own = find_template(clip, options, FORMAT), options.template == "source"
    if template is None or options.mesh is not None:
        from motionloom.files.gltf.write import write_gltf

        write_gltf(clip, path, animation=options.animation, mesh=options.mesh, overwrite=options.overwrite)
    else:
        from motionloom.files.gltf.template import write_into_template
        from motionloom.files.normalize import from_y_up

        write_into_template(
            from_y_up(clip, clip.source.up) if own else clip,
            path,
            template,
            animation=options.animation or (clip.source.animation if own else None) or None,
            unit=clip.source.metres_per_unit if own else None,
            goes_home=own,
            overwrite=options.overwrite,
        )


def _find_beside(path: Path) -> tuple[Path, ...]:
    from motionloom.files.gltf.container import list_uris, read_container

    return list_uris(read_container(path))


FORMAT = Format(
    id="glb",
    name="glTF",
    suffixes=(".glb", ".gltf"),
    media_types=("model/gltf-binary", "model/gltf+json"),
    read=_read,
    read_character=_read_character,
    write=_write,
    read_options=("unit", "up", "root", "animation"),
    write_options=("template", "animation", "mesh"),
    keeps=frozenset({"bone_lengths", "stretch", "rest_rotations", "tips", "annotations"}),
    prescribes_metres=True,
    prescribes_up="y",
    several_animations=True,
    find_beside=_find_beside,
)
