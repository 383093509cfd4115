"""Where planted points stay: amid where they are, on the ground, as far apart as the foot is long.

Heel and toe of a foot are one rigid body while both are planted. The plant that begins later is therefore
put at the foot's own length from the one that is already there, in the direction in which it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.floor import OWN_HEIGHT
from motionloom.arrays import FloatArray, freeze
from motionloom.enforcement.ground import Ground
from motionloom.enforcement.limbs import HeldPoint, Limb, Plant, limbs_of
from motionloom.ik import vectors
from motionloom.motion import Clip

SAME_PLACE = 0.1
"""A foot takes longer than this to step, seconds: plants of a point with a shorter gap share their place."""

STEEPEST = 1.0
"""Ground that rises by more than this per metre under one foot is an edge; a foot rests on the upper side."""

_APART = 1e-6
"""Metres over the ground below which two planted points lie above each other: no way leads from one to the
other along which to push."""


@dataclass(eq=False)
class _Stay:
    """Plants of one point that share their place."""

    plants: list[Plant]
    frames: FloatArray
    positions: FloatArray
    place: FloatArray
    given: bool

    @property
    def first(self) -> int:
        return self.plants[0].frames.start

    @property
    def stop(self) -> int:
        return self.plants[-1].frames.stop

    def shared(self, other: _Stay) -> int:
        """For how many frames both last."""
        return min(self.stop, other.stop) - max(self.first, other.first)


def with_targets(clip: Clip, ground: Ground) -> Clip:
    """The clip with a target for every constraint of a limb; targets that are given stay.

    >>> from motionloom.annotation import Floor, annotate
    >>> from motionloom.synthesis import walk
    >>> walked = with_targets(annotate(walk(duration=1.0).clip), Ground(Floor(0.0)))
    >>> all(abs(plant.target[1]) < 1e-9 for plant in walked.constraints)
    True
    """
    constraints = list(clip.constraints)
    for limb in limbs_of(clip)[0]:
        for stay in _decided(clip, limb, ground):
            place = freeze(stay.place)
            for plant in stay.plants:
                constraints[plant.number] = replace(constraints[plant.number], target=place)
    return replace(clip, constraints=tuple(constraints))


def _decided(clip: Clip, limb: Limb, ground: Ground) -> list[_Stay]:
    """All stays of a limb's points in their places."""
    lanes = [_stays(point, point.positions(clip), clip.frame_time) for point in limb.points]
    if limb.is_leg:
        for lane in lanes:
            _put_on_ground(lane, ground)
    if len(lanes) == 2:
        mates = _overlapping(*lanes)
        if limb.is_leg:
            _level_over_edges(mates)
        _keep_length(mates)
    return [stay for lane in lanes for stay in lane]


def _stays(point: HeldPoint, positions: FloatArray, frame_time: float) -> list[_Stay]:
    """The plants of a point, those that share a place together, each in the middle of where it is."""
    groups: list[list[Plant]] = []
    for plant in point.plants:
        before = groups[-1][-1] if groups else None
        if (
            before is not None
            and before.target is None
            and plant.target is None
            and np.array_equal(before.point, plant.point)
            and (plant.frames.start - before.frames.stop + 1) * frame_time < SAME_PLACE
        ):
            groups[-1].append(plant)
        else:
            groups.append([plant])
    stays = []
    for group in groups:
        frames = np.concatenate([np.arange(p.frames.start, p.frames.stop) for p in group])
        target = group[0].target
        place = positions[frames].mean(axis=0) if target is None else np.array(target)
        stays.append(_Stay(group, frames, positions, place, target is not None))
    return stays


def _put_on_ground(lane: Sequence[_Stay], ground: Ground) -> None:
    standing = _standing_height(lane, ground)
    for stay in lane:
        if not stay.given:
            stay.place[1] = ground.level_of(stay.place, standing)


def _standing_height(lane: Sequence[_Stay], ground: Ground) -> float:
    """How far above the floor a point stands: nothing for a point of the sole.

    A constraint of the joint itself does not say where the sole is; its lowest plants do.
    """
    if any(plant.point.any() for stay in lane for plant in stay.plants):
        return 0.0
    heights = np.array([ground.heights_before(stay.positions[stay.frames].mean(axis=0)) for stay in lane])
    return max(float(np.median(heights[heights <= heights.min() + OWN_HEIGHT])), 0.0)


def _overlapping(one: Sequence[_Stay], two: Sequence[_Stay]) -> list[tuple[_Stay, _Stay]]:
    """Stays of the two points that last at the same time; those of a later start second, in order of time."""
    pairs = []
    skip = 0
    for a in one:
        while skip < len(two) and two[skip].stop <= a.first:
            skip += 1
        for b in two[skip:]:
            if b.first >= a.stop:
                break
            pairs.append((a, b) if a.first <= b.first else (b, a))
    return sorted(pairs, key=lambda pair: pair[1].first)


def _level_over_edges(mates: Sequence[tuple[_Stay, _Stay]]) -> None:
    """Put both ends of a foot on the upper side of an edge."""
    for a, b in mates:
        rise = abs(float(a.place[1] - b.place[1]))
        run = float(np.hypot(*(a.place - b.place)[[0, 2]]))
        if rise > STEEPEST * run:
            top = max(float(a.place[1]), float(b.place[1]))
            for stay in (a, b):
                if not stay.given:
                    stay.place[1] = top


def _keep_length(mates: Sequence[tuple[_Stay, _Stay]]) -> None:
    """Push stays along the ground to the foot's length from those that are already in place."""
    placed = {id(stay) for pair in mates for stay in pair if stay.given}
    for a, b in mates:
        fixed, free = (b, a) if id(b) in placed and id(a) not in placed else (a, b)
        if id(free) not in placed:
            free.place = _pushed(fixed, free)
        placed |= {id(a), id(b)}


def _pushed(fixed: _Stay, free: _Stay) -> FloatArray:
    """The place of ``free``, moved along the level so that it is as far from ``fixed`` as both points are."""
    common = np.intersect1d(fixed.frames, free.frames)
    if not len(common):
        return free.place
    length = float(vectors.lengths(free.positions[common] - fixed.positions[common]).mean())
    way = free.place - fixed.place
    level = float(np.hypot(way[0], way[2]))
    if level < _APART or abs(way[1]) >= length:
        return free.place
    share = float(np.sqrt(length**2 - way[1] ** 2)) / level
    return fixed.place + way * [share, 1.0, share]
