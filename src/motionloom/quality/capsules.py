"""Limbs that pass through each other or through the trunk, each taken as a capsule about its bone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, dot
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_height, find_anatomy

# Radii as shares of the body height: what is bone and muscle inside, since skin gives way and captured joints
# are off by a centimetre or two.
FOREARM_RADIUS = 0.015
THIGH_RADIUS = 0.030
SHIN_RADIUS = 0.020
TRUNK_RADIUS = 0.050
HEAD_RADIUS = 0.045

NO_LENGTH = 1e-15
"""Squared metres: a segment shorter than the root of this is a point. Also m⁴, below which two segments are
parallel: what rounding leaves of the difference of products of their squared lengths."""


@dataclass(frozen=True, eq=False)
class Capsule:
    """A segment from ``start`` to ``end`` (T, 3) with a radius, metres."""

    name: str
    start: FloatArray
    end: FloatArray
    radius: float


def self_penetration(clip: Clip) -> dict[str, FloatArray]:
    """How deep limbs pass into each other (T,), metres, by pair; negative where they are apart.

    Shins and the other leg, forearms and trunk, head, thighs and each other: pairs that share no joint.

    >>> from motionloom.synthesis import walk
    >>> found = self_penetration(walk(duration=1.0).clip)
    >>> "left shin and right shin" in found, bool(max(depth.max() for depth in found.values()) < 0)
    (True, True)
    """
    parts = _capsules(clip)
    pairs = [
        ("left shin", "right shin"),
        ("left shin", "right thigh"),
        ("left thigh", "right shin"),
        ("left forearm", "right forearm"),
    ]
    for arm in ("left forearm", "right forearm"):
        pairs += [(arm, other) for other in ("trunk", "head", "left thigh", "right thigh")]
    present = [(parts[a], parts[b]) for a, b in pairs if a in parts and b in parts]
    if not present:
        raise ParameterError("limbs cannot pass through each other: no two of them were found")
    return {f"{a.name} and {b.name}": _depths(a, b) for a, b in present}


def _capsules(clip: Clip) -> dict[str, Capsule]:
    anatomy, height = find_anatomy(clip.skeleton), body_height(clip.skeleton)
    if height is None:
        return {}
    places = clip.world_positions()
    made = []
    for leg in anatomy.legs:
        hip, knee, ankle = (places[:, joint] for joint in leg.chain)
        made.append(Capsule(f"{leg.side} thigh", hip, knee, THIGH_RADIUS * height))
        made.append(Capsule(f"{leg.side} shin", knee, ankle, SHIN_RADIUS * height))
    for arm in anatomy.arms:
        _, elbow, wrist = (places[:, joint] for joint in arm.chain)
        made += [Capsule(f"{arm.side} forearm", elbow, wrist, FOREARM_RADIUS * height)]
    if len(anatomy.legs) == 2 and len(anatomy.arms) == 2:
        hips = places[:, [leg.hip for leg in anatomy.legs]].mean(axis=1)
        shoulders = places[:, [arm.shoulder for arm in anatomy.arms]].mean(axis=1)
        made.append(Capsule("trunk", hips, shoulders, TRUNK_RADIUS * height))
    if anatomy.head is not None:
        head = places[:, anatomy.head]
        made.append(Capsule("head", head, head, HEAD_RADIUS * height))
    return {capsule.name: capsule for capsule in made}


def _depths(a: Capsule, b: Capsule) -> FloatArray:
    return np.asarray(a.radius + b.radius - segment_distances(a.start, a.end, b.start, b.end))


def segment_distances(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
    """Distances (T,) between the segments from a to b and from c to d, all (T, 3).

    >>> x, y, z = np.eye(3)[:, None]
    >>> segment_distances(0 * x, x, y - z, y + z).tolist()
    [1.0]
    """
    first, second, between = b - a, d - c, a - c
    length_1, length_2 = dot(first, first), dot(second, second)
    cross, lean_1, lean_2 = dot(first, second), dot(first, between), dot(second, between)
    spread = length_1 * length_2 - cross * cross
    # Where the lines are nearest, kept within the first segment; parallel ones start at its first end.
    s = np.clip(_quotient(cross * lean_2 - length_2 * lean_1, spread), 0.0, 1.0)
    # The nearest point of the second segment to that, and then of the first segment to it.
    t = np.clip(_quotient(cross * s + lean_2, length_2), 0.0, 1.0)
    s = np.clip(_quotient(cross * t - lean_1, length_1), 0.0, 1.0)
    return np.asarray(np.linalg.norm(between + s[:, None] * first - t[:, None] * second, axis=1))


def _quotient(value: FloatArray, divisor: FloatArray) -> FloatArray:
    """Value over divisor, 0 where the divisor is 0."""
    nonzero = divisor > NO_LENGTH
    return np.where(nonzero, value / np.where(nonzero, divisor, 1.0), 0.0)
