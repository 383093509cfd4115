"""Limb overlap: limbs, as capsules about their bones, that pass through each other or through the trunk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, dot
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_height, find_anatomy
from motionloom.quality.results import Measurement, MeasurementGroup

# Radii as fractions of the body height: bone and muscle only, since skin gives way and captured joints are
# off by a centimetre or two.
FOREARM_RADIUS = 0.015
THIGH_RADIUS = 0.030
SHIN_RADIUS = 0.020
TRUNK_RADIUS = 0.050
HEAD_RADIUS = 0.045

MIN_SQUARED_LENGTH = 1e-15
"""Squared metres: a segment shorter than the root of this is a point. Also m⁴, below which two segments are
parallel: what rounding leaves of the difference of products of their squared lengths."""


@dataclass(frozen=True, eq=False)
class Capsule:
    """A segment from ``start`` to ``end`` (T, 3) with a radius, metres."""

    name: str
    start: FloatArray
    end: FloatArray
    radius: float


def limb_overlaps(clip: Clip) -> dict[str, FloatArray]:
    """Return how deep limbs pass into each other (T,), metres, by pair; negative where they are apart.

    Pairs share no joint: shins and the other leg, forearms and trunk, head, thighs and each other.

    >>> from motionloom.synthesis import walk
    >>> found = limb_overlaps(walk(duration=1.0).clip)
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
        raise ParameterError("limb overlap cannot be measured: no two limbs were found in the skeleton")
    return {
        f"{a.name} and {b.name}": a.radius + b.radius - segment_distances(a.start, a.end, b.start, b.end)
        for a, b in present
    }


def segment_distances(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
    """Return the distances (T,) between the segments from a to b and from c to d, all (T, 3).

    >>> x, y, z = np.eye(3)[:, None]
    >>> segment_distances(0 * x, x, y - z, y + z).tolist()
    [1.0]
    """
    first, second, between = b - a, d - c, a - c
    length_1, length_2 = dot(first, first), dot(second, second)
    cross, lean_1, lean_2 = dot(first, second), dot(first, between), dot(second, between)
    determinant = length_1 * length_2 - cross * cross
    # Where the lines are nearest, kept within the first segment; parallel ones start at its first end.
    s = np.clip(_divide(cross * lean_2 - length_2 * lean_1, determinant), 0.0, 1.0)
    # The nearest point of the second segment to that, and then of the first segment to it.
    t = np.clip(_divide(cross * s + lean_2, length_2), 0.0, 1.0)
    s = np.clip(_divide(cross * t - lean_1, length_1), 0.0, 1.0)
    return np.asarray(np.linalg.norm(between + s[:, None] * first - t[:, None] * second, axis=1))


def measure_limbs(clip: Clip) -> MeasurementGroup:
    """Measure how deep and how often limbs pass through each other."""
    depths = np.max(list(limb_overlaps(clip).values()), axis=0)
    deepest, often = 100.0 * max(float(depths.max()), 0.0), 100.0 * float((depths > 0.0).mean())
    return MeasurementGroup(
        "limbs",
        (
            Measurement("limb overlap", deepest, "cm", "how deep limbs pass into each other"),
            Measurement("overlap time", often, "%", "frames in which limbs overlap"),
        ),
    )


def _capsules(clip: Clip) -> dict[str, Capsule]:
    anatomy, height = find_anatomy(clip.skeleton), body_height(clip.skeleton)
    if height is None:
        return {}
    positions = clip.world_positions()
    capsules = []
    for leg in anatomy.legs:
        hip, knee, ankle = (positions[:, joint] for joint in leg.chain)
        capsules.append(Capsule(f"{leg.side} thigh", hip, knee, THIGH_RADIUS * height))
        capsules.append(Capsule(f"{leg.side} shin", knee, ankle, SHIN_RADIUS * height))
    for arm in anatomy.arms:
        _, elbow, wrist = (positions[:, joint] for joint in arm.chain)
        capsules.append(Capsule(f"{arm.side} forearm", elbow, wrist, FOREARM_RADIUS * height))
    if len(anatomy.legs) == 2 and len(anatomy.arms) == 2:
        hips = positions[:, [leg.hip for leg in anatomy.legs]].mean(axis=1)
        shoulders = positions[:, [arm.shoulder for arm in anatomy.arms]].mean(axis=1)
        capsules.append(Capsule("trunk", hips, shoulders, TRUNK_RADIUS * height))
    if anatomy.head is not None:
        head = positions[:, anatomy.head]
        capsules.append(Capsule("head", head, head, HEAD_RADIUS * height))
    return {capsule.name: capsule for capsule in capsules}


def _divide(value: FloatArray, divisor: FloatArray) -> FloatArray:
    """Return value over divisor, 0 where the divisor is 0."""
    nonzero = divisor > MIN_SQUARED_LENGTH
    return np.where(nonzero, value / np.where(nonzero, divisor, 1.0), 0.0)
