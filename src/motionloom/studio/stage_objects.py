"""What a warp is made for, as the page draws it on the stage: stairs, blocks, hurdles and targets."""

from __future__ import annotations

import numpy as np

from motionloom.annotation.ground import Surface
from motionloom.motion import Clip, Result
from motionloom.project.recipes import WarpRecipe
from motionloom.studio.responses import StageBox, StageObjects, StageTarget
from motionloom.viewer.clip_data import floor_height
from motionloom.warping import WarpReport, resolve_warp
from motionloom.warping.presets import preset_keys

SAMPLE_STEP = 0.01
"""Metres between samples of the ground along the path."""

BEYOND = 1.0
"""Metres of ground that are looked at before the start of the path and after its end."""

WIDTH = 1.2
"""Metres that boxes measure across the path."""

MIN_RISE = 0.005
"""Metres above the floor from which on ground is drawn."""


def find_stage_objects(source: Clip, warped: Result[WarpReport], recipe: WarpRecipe) -> StageObjects:
    """Return the boxes that a warp crosses and the targets that its keys reach for.

    >>> from motionloom.synthesis import walk
    >>> from motionloom.warping import apply_preset
    >>> clip = walk(duration=3.0, fps=30).clip
    >>> found = find_stage_objects(clip, apply_preset(clip, "block"), WarpRecipe(source="c1", preset="block"))
    >>> len(found.boxes), round(found.boxes[0].size[1], 2)
    (1, 0.17)
    """
    warp = recipe.as_warp() if recipe.preset is None else preset_keys(recipe.preset)
    resolved = resolve_warp(source.body, warp)
    surface = resolved.hurdle or resolved.ground
    boxes = () if surface is None else _find_boxes(source.body, surface)
    targets = [
        StageTarget(
            joint=outcome.key.joint,
            time=outcome.time,
            position=tuple(float(value) for value in np.asarray(outcome.key.reach)),
            reached=outcome.is_reached,
        )
        for outcome in warped.report.outcomes
        if outcome.key.kind == "reach" and outcome.key.frame == "joint"
    ]
    return StageObjects(boxes=boxes, targets=tuple(targets))


def _find_boxes(clip: Clip, surface: Surface) -> tuple[StageBox, ...]:
    """Return the raised parts of the ground along the straight path of a walk, each of one height."""
    start, end = clip.root_positions[[0, -1]] * [1.0, 0.0, 1.0]
    length = float(np.linalg.norm(end - start))
    forward = (end - start) / length
    along = np.arange(-BEYOND, length + BEYOND, SAMPLE_STEP)
    positions = start + along[:, None] * forward
    floor = floor_height(clip)
    rises = np.round(np.asarray(surface(positions[:, 0], positions[:, 2]), dtype=np.float64) - floor, 4)
    changes = np.flatnonzero(np.diff(rises)) + 1
    yaw = float(np.arctan2(forward[0], forward[2]))
    boxes = []
    for part in np.split(np.arange(len(along)), changes):
        rise = float(rises[part[0]])
        if rise < MIN_RISE:
            continue
        x, _, z = positions[part].mean(axis=0)
        depth = len(part) * SAMPLE_STEP
        boxes.append(
            StageBox(centre=(float(x), floor + rise / 2, float(z)), size=(WIDTH, rise, depth), yaw=yaw)
        )
    return tuple(boxes)
