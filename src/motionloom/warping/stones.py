"""Stepping stones: a walk whose every step lands where it is told to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from motionloom.annotation.floor import Surface
from motionloom.arrays import check_array
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.clip import check_clip
from motionloom.warping.keys import Key
from motionloom.warping.obstacles import Foothold, footholds
from motionloom.warping.plants import plants_found
from motionloom.warping.report import WarpReport
from motionloom.warping.warp import warp


def stepping_stones(clip: Clip, stones: npt.ArrayLike, ground: float | Surface | None = None) -> Clip:
    """Let the feet of a walk land on stones: one key of the root for each, and plants held on them.

    Parameters
    ----------
    clip
        A walk; its foot plants are found unless it has some.
    stones
        (N, 2) x and z of the middle of each foot in its first N contacts, metres, in order of time.
    ground
        The height of the stones; see :func:`motionloom.enforce`.

    Returns
    -------
    Clip
        The warped motion; its :class:`WarpReport` counts the keys.

    >>> from motionloom.synthesis import walk
    >>> clip = plants_found(walk(duration=2.0).clip)[0]
    >>> beside = [hold.centre[[0, 2]] + [0.05, 0.0] for hold in footholds(clip)]
    >>> stepping_stones(clip, beside).report.n_keys == len(beside)
    True
    """
    clip, notes = plants_found(check_clip("stepping_stones", clip))
    wanted = check_array("stones", stones, ("N", 2))
    holds = footholds(clip)
    if len(wanted) > len(holds):
        raise ParameterError(
            f"there are {len(wanted)} stones, but the walk has {len(holds)} contacts with the ground"
        )
    ways = [
        np.array([x, 0.0, z]) - hold.centre * [1.0, 0.0, 1.0]
        for (x, z), hold in zip(wanted, holds, strict=False)
    ]
    last = (clip.n_frames - 1) * clip.frame_time
    keys = [
        Key(min((hold.start + hold.end) / 2.0 * clip.frame_time, last), move=way, ease=None)
        for hold, way in zip(holds, ways, strict=False)
    ]
    moved = warp(clip, keys)
    held = enforce(_on_stones(moved, holds, ways), ground=ground)
    report = moved.report
    assert isinstance(report, WarpReport)
    return replace(held, report=replace(report, plants=held.report, notes=notes))


def _on_stones(clip: Clip, holds: Sequence[Foothold], ways: Sequence[npt.NDArray[np.float64]]) -> Clip:
    """The clip with the targets of its plants moved by what each foothold moves."""
    constraints = [replace(constraint, target=None) for constraint in clip.constraints]
    for hold, way in zip(holds, ways, strict=False):
        for number, place in zip(hold.plants, hold.places, strict=True):
            constraints[number] = replace(constraints[number], target=place + way)
    return replace(clip, constraints=tuple(constraints), report=None)
