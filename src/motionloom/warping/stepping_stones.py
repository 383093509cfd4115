"""Stepping stones: a walk whose every step lands where it is told to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from motionloom.annotation.ground import Surface
from motionloom.arrays import FloatArray, check_array
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.body import on_body
from motionloom.motion.result import ClipLike, Result, check_clip
from motionloom.warping.footholds import Foothold, find_footholds
from motionloom.warping.keys import Key
from motionloom.warping.plants import ensure_plants
from motionloom.warping.warp import WarpReport, warp


@on_body
def stepping_stones(
    clip: ClipLike, stones: npt.ArrayLike, ground: float | Surface | None = None
) -> Result[WarpReport]:
    """Let the feet of a walk land on stones: one key of the root for each, and plants held on them.

    Parameters
    ----------
    clip
        A walk; its foot plants are detected unless it has some.
    stones
        (N, 2) x and z of the centre of each foot in its first N contacts, metres, in order of time.
    ground
        The height of the stones; see :func:`motionloom.enforce`.

    Returns
    -------
    Result
        The warped motion, and a :class:`~motionloom.warping.WarpReport`.

    >>> from motionloom.synthesis import walk
    >>> clip = ensure_plants(walk(duration=2.0).clip)[0]
    >>> beside = [foothold.centre[[0, 2]] + [0.05, 0.0] for foothold in find_footholds(clip)]
    >>> stepping_stones(clip, beside).report.n_keys == len(beside)
    True
    """
    clip, notes = ensure_plants(check_clip("stepping_stones", clip))
    targets = check_array("stones", stones, ("N", 2))
    footholds = find_footholds(clip)
    if len(targets) > len(footholds):
        raise ParameterError(
            f"there are {len(targets)} stones, but the walk has {len(footholds)} contacts with the ground"
        )
    offsets = [
        np.array([x, 0.0, z]) - foothold.centre * [1.0, 0.0, 1.0]
        for (x, z), foothold in zip(targets, footholds, strict=False)
    ]
    last = (clip.n_frames - 1) * clip.frame_time
    keys = [
        Key(min((foothold.start + foothold.end) / 2.0 * clip.frame_time, last), move=offset, ease=None)
        for foothold, offset in zip(footholds, offsets, strict=False)
    ]
    warped = warp(clip, keys)
    result = enforce(_move_targets(warped.clip, footholds, offsets), ground=ground)
    return Result(result.clip, replace(warped.report, plants=result.report, notes=notes))


def _move_targets(clip: Clip, footholds: Sequence[Foothold], offsets: Sequence[FloatArray]) -> Clip:
    """Return the clip with the targets of its plants moved by the offsets (3,) of their footholds."""
    constraints = [replace(constraint, target=None) for constraint in clip.constraints]
    for foothold, offset in zip(footholds, offsets, strict=False):
        for number, position in zip(foothold.plants, foothold.positions, strict=True):
            constraints[number] = replace(constraints[number], target=position + offset)
    return replace(clip, constraints=tuple(constraints))
