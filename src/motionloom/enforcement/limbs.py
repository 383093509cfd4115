"""Which constraints hold which limb."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray
from motionloom.geometry import rotations as rot
from motionloom.ik.limbs import Chain
from motionloom.motion import Clip, Constraint, Skeleton
from motionloom.motion.anatomy import Anatomy, find_anatomy

MOST_POINTS = 2
"""Points of one limb that can be held at a time: two say where it is and, save a roll, how it is turned."""


@dataclass(frozen=True, eq=False)
class Plant:
    """One constraint of a point.

    ``number`` is its place among the clip's constraints, ``frames`` the whole frames it holds in.
    """

    number: int
    frames: range
    point: FloatArray
    target: FloatArray | None


@dataclass(frozen=True, eq=False)
class HeldPoint:
    """A point of a limb and when it is held; its plants are in order of time."""

    joint: int
    kind: str
    plants: tuple[Plant, ...]

    def pinned(self, n_frames: int) -> BoolArray:
        """Whether the point is held, for every frame (T,)."""
        held = np.zeros(n_frames, dtype=np.bool_)
        for plant in self.plants:
            held[plant.frames] = True
        return held

    def targets(self, n_frames: int) -> FloatArray:
        """Where the point is held (T, 3), metres; zero elsewhere."""
        places = np.zeros((n_frames, 3))
        for plant in self.plants:
            if plant.target is not None:
                places[plant.frames] = plant.target
        return places

    def positions(self, clip: Clip) -> FloatArray:
        """World positions (T, 3) of the point; between plants that of the one which follows, metres."""
        points = [plant.point for plant in self.plants]
        if all(np.array_equal(point, points[0]) for point in points):
            return clip.point_positions(self.joint, points[0])
        ends = [plant.frames.stop for plant in self.plants[:-1]]
        which = np.searchsorted(ends, np.arange(clip.n_frames), side="right")
        turned = rot.rotate(clip.world_rotations()[:, self.joint], np.array(points)[which])
        return np.asarray(clip.world_positions()[:, self.joint] + turned)


@dataclass(frozen=True, eq=False)
class Limb:
    """A leg or an arm with the points of it that are held, the one nearest to the body first.

    ``chain`` is hip, knee and ankle, or shoulder, elbow and wrist; ``hinge`` (3,) the axis about which the
    middle joint straightens in the rest pose, in the frame of the first joint.
    """

    name: str
    chain: Chain
    is_leg: bool
    hinge: FloatArray
    points: tuple[HeldPoint, ...]

    @property
    def end(self) -> int:
        """The ankle or the wrist."""
        return self.chain[2]


def limbs_of(clip: Clip) -> tuple[tuple[Limb, ...], tuple[str, ...]]:
    """The limbs that constraints hold, and sentences about constraints that hold none.

    >>> from motionloom.synthesis import stand
    >>> still = stand(duration=0.5).clip
    >>> limbs, notes = limbs_of(still)
    >>> limbs, notes
    ((), ())
    """
    anatomy = find_anatomy(clip.skeleton)
    below = _ends_above(clip.skeleton, anatomy)
    lanes: dict[int, dict[tuple[int, str], list[Plant]]] = {}
    notes: dict[str, None] = {}
    for number, constraint in enumerate(clip.constraints):
        joint = clip.skeleton.index(constraint.joint)
        end = below[joint]
        if end < 0:
            notes[f"{_spoken(constraint)} is not held: only feet and hands can be"] = None
            continue
        frames = constraint.whole_frames(clip.n_frames)
        if not frames:
            # What a cyclic clip holds just before its seam goes on after it.
            if not clip.cyclic:
                notes[f"{_spoken(constraint)} from frame {constraint.start:g} holds in no whole frame"] = None
            continue
        plant = Plant(number, frames, constraint.point, constraint.target)
        lanes.setdefault(end, {}).setdefault((joint, constraint.kind), []).append(plant)
    limbs = []
    for name, chain, is_leg in _chains(anatomy):
        points = [
            HeldPoint(joint, kind, tuple(held)) for (joint, kind), held in lanes.get(chain[2], {}).items()
        ]
        points.sort(key=lambda point: (point.joint, point.kind))
        for extra in points[MOST_POINTS:]:
            what = f"constraint {extra.kind!r} of joint {clip.skeleton.names[extra.joint]!r}"
            notes[f"{what} is not held: the {name} already has {MOST_POINTS} points that are"] = None
        if points:
            hinge = _rest_hinge(clip.skeleton, anatomy, chain, is_leg)
            limbs.append(Limb(name, chain, is_leg, hinge, tuple(points[:MOST_POINTS])))
    return tuple(limbs), tuple(notes)


def _chains(anatomy: Anatomy) -> list[tuple[str, Chain, bool]]:
    legs = [(f"{leg.side} leg", leg.chain, True) for leg in anatomy.legs]
    return legs + [(f"{arm.side} arm", arm.chain, False) for arm in anatomy.arms]


def _ends_above(skeleton: Skeleton, anatomy: Anatomy) -> IntArray:
    """For every joint (J,) the ankle or wrist at or above it, or -1."""
    ends = {chain[2] for _, chain, _ in _chains(anatomy)}
    found = np.full(skeleton.n_joints, -1, dtype=np.int64)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        found[joint] = joint if joint in ends else -1 if parent < 0 else found[parent]
    return found


def _rest_hinge(skeleton: Skeleton, anatomy: Anatomy, chain: Chain, is_leg: bool) -> FloatArray:
    """Knees straighten about the body's right, elbows of hanging arms about its left."""
    sideways = -anatomy.left if is_leg else anatomy.left
    return rot.rotate(rot.inverse(skeleton.rest_world_rotations()[chain[0]]), sideways)


def _spoken(constraint: Constraint) -> str:
    return f"constraint {constraint.kind!r} of joint {constraint.joint!r}"
