"""`save_blend_space`: a motion space as clips and the tables from which game engines make blend spaces.

The table of a blend space says where each clip lies, how fast it goes, and where its sync markers are, as
JSON and as CSV. The JSON file has the fields of sync markers (:mod:`motionloom.engines.markers`) for each
clip, and more::

    {
      "format": "motionloom blend space", "version": 1,
      "name": "kicks", "engine": "godot", "loop": false, "root_motion": "root", "timing": "shared",
      "axes": [{"name": "foot.y", "unit": "m", "min": 0.4, "max": 0.58, "count": 5}, …],
      "triangles": [0, 1, 4, …],
      "clips": [{"name": "kicks_0_0", "file": "kicks.glb", "position": [0.4, 1.3], "requested": [0.4, 1.26],
                 "outside": 0.16, "speed": 0.2, "turn_rate": 0.1, "duration": 1.9, "markers": […], …}],
      "left_out": [{"requested": [0.58, 1.51], "outside": 0.4, "reason": "the space does not reach it"}]
    }

``position`` is where a clip lies on the axes: its point of the grid, or the nearest that the space reaches,
which is ``outside`` away in units of the clips' ranges. ``triangles`` are indices of clips, three for each.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files as package_files
from os import PathLike
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from motionloom.atomic_write import atomic_output, make_folder
from motionloom.engines import godot
from motionloom.engines.markers import make_synced_entries
from motionloom.errors import FileExistsRefusal, ParameterError
from motionloom.files.formats import find_formats
from motionloom.files.load_save import save
from motionloom.files.options import describe
from motionloom.retargeting.root_motion import RootMotion
from motionloom.spaces.sample_grid import GridSample, Outside, SpaceGrid, Timing, sample_grid
from motionloom.spaces.space import MotionSpace
from motionloom.validation import check_choice, check_path

Engine = Literal["unreal", "unity", "godot"]

FORMATS: dict[Engine, str] = {"unreal": "fbx", "unity": "fbx", "godot": "glb"}
"""Format of the clips by default."""

TIMINGS: dict[Engine, Timing] = {"unreal": "own", "unity": "shared", "godot": "shared"}
"""Timing of the clips by default: only Unreal keeps clips in sync by markers, the others by fractions."""

MAX_POINTS: dict[Engine, int] = {"unreal": 400, "unity": 400, "godot": godot.MAX_POINTS}
"""Points of a grid: what the engine can hold, or what somebody could look through."""

SCRIPTS: dict[Engine, tuple[str, str]] = {
    "unreal": ("motionloom_blend_space.py.txt", "motionloom_blend_space.py"),
    "unity": ("MotionloomBlendSpaces.cs", "MotionloomBlendSpaces.cs"),
    "godot": (godot.SCRIPT, godot.SCRIPT),
}
"""Script of each engine: its name in this package, and beside the clips."""

FORMAT, VERSION = "motionloom blend space", 1

DECIMALS = 6
"""Decimals of positions, distances and speeds: a micrometre."""


def save_blend_space(
    space: MotionSpace,
    folder: str | PathLike[str],
    *,
    engine: Engine,
    grid: int | Sequence[int] = 5,
    name: str | None = None,
    format: str | None = None,
    root_motion: RootMotion = "root",
    timing: Timing | None = None,
    outside: Outside = "nearest",
    overwrite: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> list[Path]:
    """Write a space of one or two numbers as a blend space for a game engine.

    The motions at the points of a grid are made and written, with a table of where each lies, how fast it
    travels, and its sync markers, and with what makes the engine's asset of them: a scene for Godot, a script
    for the editors of Unity and Unreal.

    Parameters
    ----------
    space
        The space.
    folder
        The folder to write to; it is made if it is missing.
    engine
        "unreal", "unity" or "godot".
    grid
        Points along each axis, or one number for all.
    name
        Of the blend space, which file names begin with; that of the folder by default.
    format
        Format of the clips: "fbx" by default for Unreal and Unity, "glb" for Godot, which takes no other.
    root_motion
        What carries the travel, as in :func:`motionloom.move_root_motion`: "root" for engines that read root
        motion from a bone at the ground, "nowhere" for clips in place.
    timing
        "own" keeps each clip's timing, for Unreal, which syncs by markers. "shared" puts frames that
        correspond at equal fractions of all clips, for engines that sync by these.
    outside
        For points of the grid that the space does not reach: "nearest" makes the nearest that it does,
        "drop" nothing. The table says which.
    overwrite
        Replace existing files.
    progress
        Called with the number of points done and of all.

    Returns
    -------
    list of Path
        The files, the table first.

    Raises
    ------
    ParameterError
        The engine cannot take such a space, or the grid has too few points in it.
    FileExistsRefusal
        Files exist, and ``overwrite`` is not set.

    >>> import motionloom as ml
    >>> ml.engines.save_blend_space(space, "kicks", engine="godot", grid=(4, 3))            # doctest: +SKIP
    [PosixPath('kicks/kicks.json'), …]
    """
    if not isinstance(space, MotionSpace):
        raise ParameterError(f"save_blend_space takes a motion space, not {describe(space)}")
    check_choice("engine", engine, get_args(Engine))
    folder = check_path(folder)
    own_name = _check_name(folder.resolve().name if name is None else name, name is None)
    suffix = _check_format(engine, format or FORMATS[engine])
    counts = _list_counts(space, grid, engine)
    table_file = folder / f"{own_name}.json"
    if table_file.exists() and not overwrite:
        raise FileExistsRefusal(table_file)
    timing = timing or TIMINGS[engine]
    sampled = sample_grid(
        space, counts, outside=outside, root_motion=root_motion, timing=timing, progress=progress
    )
    make_folder(folder)
    names = [f"{own_name}_{'_'.join(map(str, sample.cell))}" for sample in sampled.samples]
    together = engine == "godot"
    files = {clip: f"{own_name if together else clip}{suffix}" for clip in names}
    table = make_table(
        sampled, own_name, files, engine=engine, root_motion=str(root_motion), timing=str(timing)
    )
    texts = {
        f"{own_name}.json": json.dumps(table, ensure_ascii=False, indent=1) + "\n",
        SCRIPTS[engine][1]: _read_script(SCRIPTS[engine][0]),
    }
    if together:
        texts[f"{own_name}.tscn"] = godot.write_scene(table, f"{own_name}{suffix}")
        texts[f"{own_name}{suffix}.import"] = godot.write_import_settings(sampled.samples[0].clip.fps)
    else:  # Godot takes .csv files for translations
        texts[f"{own_name}.csv"] = write_csv(table)
    paths = [folder / file for file in (*texts, *dict.fromkeys(files.values()))]
    new = [path for path in paths if not path.exists()]
    try:
        _write_clips(sampled, folder, files, together, overwrite)
        for file, text in texts.items():
            # The script is the same for all blend spaces of a folder.
            with atomic_output(folder / file, overwrite=overwrite or file == SCRIPTS[engine][1]) as temporary:
                temporary.write_text(text, encoding="utf-8", newline="")
    except BaseException:
        for path in new:
            path.unlink(missing_ok=True)
        raise
    return paths


def _write_clips(
    sampled: SpaceGrid, folder: Path, files: dict[str, str], together: bool, overwrite: bool
) -> None:
    """Write the clips, each to its file or all to one."""
    clips = dict(zip(files, (sample.clip for sample in sampled.samples), strict=True))
    if together:
        from motionloom.files.gltf.write import write_animations

        write_animations(clips, folder / next(iter(files.values())), overwrite=overwrite)
        return
    for name, clip in clips.items():
        save(clip, folder / files[name], template=None, overwrite=overwrite)


def _check_name(name: str, from_folder: bool) -> str:
    """Return a name that all engines take for an asset; one from a folder is made to fit."""
    if not isinstance(name, str):
        raise ParameterError(f"must be a string, not {describe(name)}", parameter="name", value=name)
    fitting = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    if from_folder:
        return fitting or "space"
    if not name or fitting != name:
        raise ParameterError(
            f"must have letters, digits and _ only, as engines want, not {name!r}",
            parameter="name",
            value=name,
        )
    return name


def _check_format(engine: Engine, format: str) -> str:
    """Return the suffix of a format that clips can be written to."""
    if not isinstance(format, str):
        raise ParameterError(
            f"must be a string such as 'fbx', not {describe(format)}", parameter="format", value=format
        )
    suffix = f".{format.lower().removeprefix('.')}"
    if engine == "godot" and suffix != ".glb":
        raise ParameterError(
            f"Godot takes the clips of a blend space from one .glb file, not from {suffix} files"
        )
    found = find_formats(Path(f"clip{suffix}"), "written", lambda each: each.write is not None)
    found[0].check_installed()
    return suffix


def _list_counts(space: MotionSpace, grid: int | Sequence[int], engine: Engine) -> Any:
    counts = [grid] * len(space.names) if isinstance(grid, int | np.integer) else grid
    if isinstance(counts, Sequence) and all(isinstance(count, int | np.integer) for count in counts):
        n_points = int(np.prod([int(count) for count in counts], dtype=object))
        if n_points > MAX_POINTS[engine]:
            raise ParameterError(
                f"a grid for {engine.capitalize()} can have {MAX_POINTS[engine]} points at most, not "
                f"{n_points}",
                remedy="choose fewer along each axis",
            )
    return counts


def _read_script(name: str) -> str:
    return (package_files("motionloom.engines") / "scripts" / name).read_text(encoding="utf-8")


def make_table(
    grid: SpaceGrid, name: str, files: Mapping[str, str], **settings: str | bool
) -> dict[str, Any]:
    """Return the table of a grid as plain data.

    Parameters
    ----------
    grid
        The motions.
    name
        Of the blend space.
    files
        Name of a clip -> the file that holds it, in the order of the grid's samples.
    settings
        What else the table states, such as the engine.
    """
    entries = make_synced_entries(grid.timed_clips)
    clips = [
        {"name": own, "file": file, **_describe_sample(sample)}
        | {key: value for key, value in entry.items() if key != "name"}
        | {"cyclic": grid.loop}
        for (own, file), sample, entry in zip(files.items(), grid.samples, entries, strict=True)
    ]
    axes = [
        {"name": axis, "unit": unit, "min": _round(low), "max": _round(high), "count": count}
        for axis, unit, low, high, count in zip(grid.names, grid.units, *grid.range, grid.counts, strict=True)
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": name,
        **settings,
        "loop": grid.loop,
        "axes": axes,
        "triangles": grid.simplices.ravel().tolist() if len(grid.names) == 2 else [],
        "clips": clips,
        "left_out": [
            {
                "requested": [_round(value) for value in point.requested],
                "outside": _round(point.outside),
                "reason": point.reason,
            }
            for point in grid.dropped
        ],
    }


def write_csv(table: Mapping[str, Any]) -> str:
    """Return the clips of a table as rows of text, for people and spreadsheets.

    >>> axis = {"name": "speed"}
    >>> clip = {"name": "walk_0", "file": "walk_0.fbx", "position": [1.2], "requested": [1.2], "outside": 0.0}
    >>> clip |= {"duration": 1.1, "speed": 1.2, "turn_rate": 0.0}
    >>> print(write_csv({"axes": [axis], "clips": [clip]}).replace(chr(13), ""))
    name,file,speed,requested speed,outside,duration s,travel m/s,turn rad/s
    walk_0,walk_0.fbx,1.2,1.2,0.0,1.1,1.2,0.0
    <BLANKLINE>
    """
    axes = [axis["name"] for axis in table["axes"]]
    text = io.StringIO()
    writer = csv.writer(text)
    header = ["name", "file", *axes, *(f"requested {axis}" for axis in axes), "outside"]
    writer.writerow([*header, "duration s", "travel m/s", "turn rad/s"])
    for clip in table["clips"]:
        row = [clip["name"], clip["file"], *clip["position"], *clip["requested"], clip["outside"]]
        writer.writerow([*row, clip["duration"], clip["speed"], clip["turn_rate"]])
    return text.getvalue()


def _describe_sample(sample: GridSample) -> dict[str, Any]:
    return {
        "position": [_round(value) for value in sample.position],
        "requested": [_round(value) for value in sample.requested],
        "outside": _round(sample.outside),
        "speed": _round(np.hypot(sample.travel.x, sample.travel.z)),
        "turn_rate": _round(sample.travel.turn),
    }


def _round(value: float) -> float:
    return round(float(value), DECIMALS)
