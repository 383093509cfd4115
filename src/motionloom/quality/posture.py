"""Posture: how an edit changed hips and knees, and where the body jerks, against the motion it began with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionloom.arrays import FloatArray, cross, dot, norm
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
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
