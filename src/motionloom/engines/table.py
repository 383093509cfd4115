"""The table of a blend space: where each clip lies, how fast it goes, its sync markers; as JSON and as CSV.

The JSON file has the fields of sync markers (:mod:`motionloom.engines.markers`) for each clip, and more::

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
from collections.abc import Mapping
from typing import Any

import numpy as np

from motionloom.engines.markers import make_synced_entries
from motionloom.spaces.sample_grid import GridSample, SpaceGrid

FORMAT, VERSION = "motionloom blend space", 1

DECIMALS = 6
"""Decimals of positions, distances and speeds: a micrometre."""


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
