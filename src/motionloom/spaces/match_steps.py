"""`match_steps`: the contacts of feet with the ground that all clips of a motion space have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import Side
from motionloom.spaces.body_measures import StepPlace
from motionloom.spaces.measures import sample_at
from motionloom.spaces.space import MotionSpace
from motionloom.warping.footholds import Foothold, find_footholds


@dataclass(frozen=True, eq=False)
class MatchedPlant:
    """A point (3,) of a joint that stays, and where on the curve (K, 2) it does so in each clip."""

    joint: int
    point: FloatArray
    spans: FloatArray


@dataclass(frozen=True, eq=False)
class MatchedStep:
    """A contact of a foot with the ground in all K clips.

    Attributes
    ----------
    spans
        (K, 2) where on the curve it begins and ends.
    centres
        (K, 3) the centre of the foot in each clip, metres, if it did not slide.
    plants
        The points of the foot that stay, in order of time.
    name, numbers
        The parameter that asks for its place, and where that is in a request; None without one.
    """

    spans: FloatArray
    centres: FloatArray
    plants: tuple[MatchedPlant, ...]
    name: str | None
    numbers: slice


def match_steps(space: MotionSpace, skeleton: Skeleton) -> dict[Side, list[MatchedStep]]:
    """Return the steps that the clips of a space have in common, by side; none without a step place.

    Loops have none: their steps come again, elsewhere each time.
    """
    wanted = _find_requests(space)
    if not wanted or space.curve.timewarp.periods is not None:
        return {}
    clips = [clip if clip.constraints else annotate(clip) for clip in space.curve.clips]
    curves = [
        (result.frames[:, k], result.u) for k, result in enumerate(map(space.blends.make, np.eye(len(clips))))
    ]
    steps: dict[Side, list[MatchedStep]] = {"left": [], "right": []}
    for number, row in _match_footholds([find_footholds(clip) for clip in clips]):
        name, numbers = wanted.get(number, (None, slice(0)))
        spans = [np.interp((each.start, each.end), *curve) for each, curve in zip(row, curves, strict=True)]
        centres = np.array([_find_centre(clip, each) for clip, each in zip(clips, row, strict=True)])
        plants = _match_plants(clips, row, curves, skeleton)
        steps[row[0].leg.side].append(MatchedStep(np.array(spans), centres, plants, name, numbers))
    return steps


def _find_requests(space: MotionSpace) -> Mapping[int, tuple[str, slice]]:
    """Return number of a step -> the parameter that asks for its place, and where that is in a request."""
    found, start = {}, 0
    for name, parameter in space.parameters.items():
        numbers = slice(start, start + len(parameter.components))
        start = numbers.stop
        if isinstance(parameter, StepPlace) and not parameter.length:
            found[parameter.step] = (name, numbers)
    return found


def _match_footholds(clips: list[list[Foothold]]) -> list[tuple[int, tuple[Foothold, ...]]]:
    """Return what clips have in common from the start: number of a step -> its foothold in each clip.

    Those on which the clips begin have number 0; steps count from 1, as in :class:`StepPlace`.
    """
    matched: list[tuple[int, tuple[Foothold, ...]]] = []
    for side in ("left", "right"):
        first = [each for own in clips for each in own if each.start <= 0.0 and each.leg.side == side]
        if len(first) == len(clips):
            matched.append((0, tuple(first)))
    rows = zip(*([each for each in own if each.start > 0.0] for own in clips), strict=False)
    for number, row in enumerate(rows, start=1):
        if len({each.leg.side for each in row}) > 1:
            break
        matched.append((number, row))
    return matched


def _find_centre(clip: Clip, foothold: Foothold) -> FloatArray:
    """Return the centre (3,) of a foot that stays on each of its points as it comes down on it, metres.

    Captured feet slide a little, so this is not the mean of where they are.
    """
    points, slide, now = [], np.zeros(3), 0.0
    for plant in sorted((clip.constraints[n] for n in foothold.plants), key=lambda plant: plant.start):
        track = clip.point_positions(plant.joint, plant.point)
        begin = max(now, plant.start)
        now = max(begin, plant.end)
        points.append(sample_at(track, begin) - slide)
        slide = slide + sample_at(track, now) - sample_at(track, begin)
    return np.asarray(np.mean(points, axis=0))


def _match_plants(
    clips: list[Clip],
    row: tuple[Foothold, ...],
    curves: list[tuple[FloatArray, FloatArray]],
    skeleton: Skeleton,
) -> tuple[MatchedPlant, ...]:
    """Return the points that stay in a foothold of all clips, in order of time."""
    by_kind = [
        {clip.constraints[n].kind: clip.constraints[n] for n in reversed(each.plants)}
        for clip, each in zip(clips, row, strict=True)
    ]
    found = []
    for kind, first in by_kind[0].items():
        if all(kind in own for own in by_kind):
            spans = [
                np.interp((own[kind].start, own[kind].end), *curve)
                for own, curve in zip(by_kind, curves, strict=True)
            ]
            found.append(MatchedPlant(skeleton.index(first.joint), np.array(first.point), np.array(spans)))
    return tuple(sorted(found, key=lambda plant: float(plant.spans[:, 0].mean())))
