"""Where the end of a limb has to be, and how it is turned, so that the points of it stay on their targets.

Both points held: the smallest turn that brings one towards the other as their targets lie, then a shift. One
point held: the captured orientation, with the turn of neighbouring frames easing out, and a shift. All of it
is kept as offsets from the captured motion, so what is on target has offsets of zero and stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.enforcement.ground import Ground
from motionloom.enforcement.limbs import MOST_POINTS, Limb
from motionloom.enforcement.rolling import rolled
from motionloom.enforcement.spreading import spread
from motionloom.geometry import rotations as rot
from motionloom.ik import hinges, two_bone, vectors
from motionloom.motion import Clip

RIGID = 1e-3
"""A point nearer than this to its joint, metres, does not move when the joint turns."""

SAME = 1e-9
"""Radians and metres below which an offset is rounding."""

SUNK = 0.0005
"""A free point this far below the ground is left there, metres."""


@dataclass(frozen=True, eq=False)
class Goals:
    """The wanted motion of the end of a limb.

    Attributes
    ----------
    pinned
        (T,) whether any of its points is held.
    shifts
        (T, 3) from where the end is to where it has to be, in pinned frames, metres.
    rotations
        (T, 4) world rotations of the end.
    arms
        (P, T, 3) from the end to each of its points, in the world, metres.
    flexed
        The joint that bends between the two points, or -1.
    flexions
        (T, 4) turns of that joint in the frame of the end, applied after its own.
    """

    pinned: BoolArray
    shifts: FloatArray
    rotations: FloatArray
    arms: FloatArray
    flexed: int
    flexions: FloatArray


@dataclass(frozen=True, eq=False)
class _Points:
    """The points of a limb over time: pinned (P, T), targets (P, T, 3), ways (P, T, 3) in the end's frame."""

    pinned: BoolArray
    targets: FloatArray
    ways: FloatArray

    @property
    def both(self) -> BoolArray:
        """The frames (T,) in which two points are held."""
        return _both(self.pinned)

    @property
    def any(self) -> BoolArray:
        """The frames (T,) in which at least one point is held."""
        return np.asarray(self.pinned.any(axis=0))


def goals_of(clip: Clip, limb: Limb, reach: float, ground: Ground) -> Goals:
    """The wanted motion of the end of a limb whose plants all have targets.

    ``reach`` is the number of frames over which turns ease out. A foot that is held at one point is turned
    about it where the other one would sink into the ``ground``.

    >>> from dataclasses import replace
    >>> from motionloom.annotation import Floor
    >>> from motionloom.enforcement.limbs import limbs_of
    >>> from motionloom.synthesis import stand
    >>> motion = stand(duration=0.5, fps=30)
    >>> clip = replace(motion.clip, constraints=motion.plants)
    >>> goals = goals_of(clip, limbs_of(clip)[0][0], 7.5, Ground(Floor(0.0)))
    >>> bool(goals.pinned.all()), bool(np.abs(goals.shifts).max() < 1e-9)
    (True, True)
    """
    turns, ends = clip.world_rotations()[:, limb.end], clip.world_positions()[:, limb.end]
    points = _points(clip, limb, ends, turns)
    both = points.both
    flexed, flexions = _flexions(clip, limb, points, both, reach)
    ways = points.ways
    if flexed >= 0:
        base = rot.rotate(rot.inverse(turns), clip.world_positions()[:, flexed] - ends)
        ways = np.stack([ways[0], base + rot.rotate(flexions, ways[1] - base)])
    turned = rot.multiply(_turns(points.targets, ways, turns, both, reach), turns)
    if limb.is_leg and len(limb.points) == 2:
        turned = rot.multiply(_raises(points, rot.rotate(turned, ways), ground, reach), turned)
    arms = rot.rotate(turned, ways)
    held = points.pinned[..., None]
    counts = np.maximum(held.sum(axis=0), 1)
    shifts = np.where(held, points.targets - arms - ends, 0.0).sum(axis=0) / counts
    return Goals(points.any, shifts, turned, arms, flexed, flexions)


def _points(clip: Clip, limb: Limb, ends: FloatArray, turns: FloatArray) -> _Points:
    pinned = np.stack([point.pinned(clip.n_frames) for point in limb.points])
    places = np.stack([point.positions(clip) for point in limb.points])
    targets = np.stack([point.targets(clip.n_frames) for point in limb.points])
    if limb.is_leg:
        both = _both(pinned)
        for n, point in enumerate(limb.points):
            for plant in point.plants:
                targets[n, plant.frames, 1] = rolled(plant, places[n], both)
    return _Points(pinned, targets, rot.rotate(rot.inverse(turns), places - ends))


def _both(pinned: BoolArray) -> BoolArray:
    return np.asarray(pinned.sum(axis=0) == MOST_POINTS)


def _turns(
    targets: FloatArray, ways: FloatArray, turns: FloatArray, both: BoolArray, reach: float
) -> FloatArray:
    """World turns (T, 4) that align two held points with their targets, easing out in other frames."""
    if not both.any():
        return np.broadcast_to(rot.IDENTITY, turns.shape)
    here, there = rot.rotate(turns, ways[1] - ways[0]), targets[1] - targets[0]
    apart = both & (vectors.lengths(here) > RIGID) & (vectors.lengths(there) > RIGID)
    ahead = np.array([0.0, 0.0, 1.0])
    found = rot.between(np.where(apart[:, None], here, ahead), np.where(apart[:, None], there, ahead))
    return rot.from_rotation_vector(spread(rot.to_rotation_vector(found), both, reach))


def _raises(points: _Points, arms: FloatArray, ground: Ground, reach: float) -> FloatArray:
    """World turns (T, 4) that keep one point of a foot above the ground while the other one is held."""
    one = points.pinned[0] ^ points.pinned[1]
    first = points.pinned[0][:, None]
    held = np.where(first, points.targets[0], points.targets[1])
    way = np.where(first, arms[1] - arms[0], arms[0] - arms[1])
    lengths = vectors.lengths(way)
    # The point moves on a circle about the held one, in the upright plane through both.
    level = ground.heights(held + way) - SUNK + np.minimum(held[:, 1] - ground.heights(held), 0.0)
    rise = np.minimum(level - held[:, 1], lengths)
    sunk = one & (rise > way[:, 1]) & (np.hypot(way[:, 0], way[:, 2]) > RIGID)
    if not sunk.any():
        return np.broadcast_to(rot.IDENTITY, (len(one), 4))
    aside = np.sqrt(np.maximum(lengths**2 - rise**2, 0.0)) / np.maximum(np.hypot(way[:, 0], way[:, 2]), RIGID)
    raised = np.stack([way[:, 0] * aside, rise, way[:, 2] * aside], axis=-1)
    ahead = np.array([0.0, 0.0, 1.0])
    found = rot.between(np.where(sunk[:, None], way, ahead), np.where(sunk[:, None], raised, ahead))
    return rot.from_rotation_vector(spread(rot.to_rotation_vector(found), points.any, reach))


def _flexions(
    clip: Clip, limb: Limb, points: _Points, both: BoolArray, reach: float
) -> tuple[int, FloatArray]:
    """The joint between the two points, or -1, and turns (T, 4) of it that put them at the right distance.

    Toes bend a little in any capture, and with them the distance from heel to toe; two planted points do not.
    """
    none = np.broadcast_to(rot.IDENTITY, (clip.n_frames, 4))
    if not both.any() or limb.points[1].joint == limb.end:
        return -1, none
    joint = limb.points[1].joint
    turns, ends = clip.world_rotations()[:, limb.end], clip.world_positions()[:, limb.end]
    base = rot.rotate(rot.inverse(turns), clip.world_positions()[:, joint] - ends)
    upper, lower = base - points.ways[0], points.ways[1] - base
    rigid = limb.points[0].joint == joint or vectors.lengths(lower).min() < RIGID
    if rigid or vectors.lengths(upper).min() < RIGID:
        return -1, none
    own = hinges.straightening(upper, lower)
    axes = hinges.steady(upper, lower, hinges.usual(own[both], own[both][0]))
    lengths = vectors.lengths(points.targets[1] - points.targets[0])
    bends = two_bone.bend(upper, lower, axes, lengths).turns
    bends = np.where(both & (np.abs(bends) > SAME), bends, 0.0)
    return joint, rot.from_rotation_vector(spread(axes * bends[:, None], both, reach))
