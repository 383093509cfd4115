"""Posture: how an edit changed hips and knees, where the body jerks, and limbs that pass through each other.

Changes are measured against the motion that an edit began with. Limbs are capsules about their bones, which
pass through each other or through the trunk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionloom.arrays import FloatArray, cross, dot, norm
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_height, find_anatomy
from motionloom.quality.results import Measurement, MeasurementGroup
from motionloom.quality.stances import check_same_frames

STRAIGHT = 2.9
"""Angle at the knee, radians, above which a leg is nearly straight: knees that pass it fast snap."""

MIN_ACCELERATION = 0.05
"""Vertical acceleration, m/s², that a still pelvis may gain without bobbing."""

MIN_SPIKE = 1.0
"""Acceleration, m/s², below which nothing jerks."""

MIN_FRAMES = 3
"""Accelerations need three frames."""

MIN_KNEE_SPEED = 0.5
"""Speed of a knee, rad/s, below which it does not bend."""

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
class PostureMeasures:
    """How an edit changed the posture.

    Attributes
    ----------
    hips
        (T,) how much higher the pelvis is, metres; negative is lower.
    bobbing
        Root mean square of the pelvis' vertical acceleration over what it was.
    knees
        (T, L) how much straighter every knee is, radians; negative is more bent.
    knee_speed
        The fastest that any knee bends or straightens over what it was.
    knee_snap
        The same while it is nearly straight.
    spikes
        Largest acceleration over what it was, by body part: pelvis, head, knees, hands.
    """

    hips: FloatArray
    bobbing: float
    knees: FloatArray
    knee_speed: float
    knee_snap: float
    spikes: dict[str, float]


def compare_posture(before: Clip, after: Clip) -> PostureMeasures:
    """Measure how an edit, such as planting the feet, changed hips and knees; both have the same frames.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> found = compare_posture(clip, clip)
    >>> found.bobbing, found.knee_speed, float(np.abs(found.hips).max())
    (1.0, 1.0, 0.0)
    """
    check_same_frames(before, after)
    old, new = _measure(before), _measure(after)
    pelvis = find_anatomy(before.skeleton).pelvis
    return PostureMeasures(
        after.world_positions()[:, pelvis, 1] - before.world_positions()[:, pelvis, 1],
        _ratio(old.bobbing, new.bobbing, MIN_ACCELERATION),
        new.knees - old.knees,
        _ratio(old.knee_speed, new.knee_speed, MIN_KNEE_SPEED),
        _ratio(old.knee_snap, new.knee_snap, MIN_KNEE_SPEED),
        {
            part: max(_ratio(was, now, MIN_SPIKE) for was, now in zip(peaks, new.peaks[part], strict=True))
            for part, peaks in old.peaks.items()
        },
    )


def measure_posture(clip: Clip) -> MeasurementGroup:
    """Measure hips, knees and the sharpest accelerations of a clip by itself.

    >>> from motionloom.synthesis import stand
    >>> [each.name for each in measure_posture(stand(duration=1.0).clip).measurements][:2]
    ['hip height', 'hip bobbing']
    """
    found = _measure(clip)
    bend = 180.0 - float(np.degrees(found.knees.mean()))
    peaks = [
        Measurement(f"acceleration of the {part}", max(values), "m/s²", "largest")
        for part, values in found.peaks.items()
    ]
    return MeasurementGroup(
        "posture",
        (
            Measurement("hip height", 100.0 * found.hip_height, "cm", "above the lowest joint, mean"),
            Measurement("hip bobbing", found.bobbing, "m/s²", "vertical acceleration of the pelvis"),
            Measurement("knee bend", bend, "°", "from straight, mean of all knees"),
            Measurement(
                "knee snap",
                float(np.degrees(found.knee_snap)),
                "°/s",
                "fastest bending of a knee near straight",
            ),
            *peaks,
        ),
    )


class _Posture(NamedTuple):
    """Hips, knees and the sharpest accelerations of one clip.

    ``knees`` (T, L) are angles, radians; ``peaks`` the largest acceleration of every joint of a body part.
    """

    hip_height: float
    bobbing: float
    knees: FloatArray
    knee_speed: float
    knee_snap: float
    peaks: dict[str, list[float]]


def _measure(clip: Clip) -> _Posture:
    anatomy = find_anatomy(clip.skeleton)
    if not anatomy.legs or clip.n_frames < MIN_FRAMES:
        raise ParameterError(
            "posture cannot be measured: no legs were found in the skeleton, or less than three frames"
        )
    positions, frame_time = clip.world_positions(), clip.frame_time
    hips = positions[:, anatomy.pelvis, 1]
    knees = np.stack([knee_angles(clip, leg.chain) for leg in anatomy.legs], axis=1)
    rates = np.abs(np.diff(knees, axis=0)) / frame_time
    straight = (knees[1:] > STRAIGHT) & (knees[:-1] > STRAIGHT)
    parts = {
        "pelvis": [anatomy.pelvis],
        "head": [] if anatomy.head is None else [anatomy.head],
        "knees": [leg.knee for leg in anatomy.legs],
        "hands": [arm.chain[2] for arm in anatomy.arms],
    }
    return _Posture(
        float((hips - positions[..., 1].min(axis=1)).mean()),
        float(np.sqrt(np.mean(_accelerations(hips[:, None], frame_time) ** 2))),
        knees,
        float(rates.max()),
        float(rates.max(where=straight, initial=0.0)),
        {
            part: [float(_accelerations(positions[:, joint], frame_time).max()) for joint in joints]
            for part, joints in parts.items()
            if joints
        },
    )


def knee_angles(clip: Clip, chain: tuple[int, int, int]) -> FloatArray:
    """Return the angle (T,) at the middle joint of a limb, radians; π is straight."""
    hip, knee, ankle = (clip.world_positions()[:, joint] for joint in chain)
    thigh, shin = hip - knee, ankle - knee
    return np.asarray(np.arctan2(norm(cross(thigh, shin)), dot(thigh, shin)))


def _ratio(before: float, after: float, minimum: float) -> float:
    """Return how many times as large a value is, 1 where both are below ``minimum``."""
    return max(after, minimum) / max(before, minimum)


def _accelerations(positions: FloatArray, frame_time: float) -> FloatArray:
    """Return the sizes (T - 2,) of accelerations of positions (T, N), m/s²."""
    return np.asarray(norm(np.diff(positions, n=2, axis=0)) / frame_time**2)


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
