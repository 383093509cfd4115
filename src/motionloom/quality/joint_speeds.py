"""Joint speeds: how fast joints move against the body and rotate against their parents; how bones stretch."""

from __future__ import annotations

from math import degrees

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_positions, find_anatomy
from motionloom.motion.kinematics import angular_velocities
from motionloom.quality.derivatives import CUTOFF, magnitudes
from motionloom.quality.results import Measurement, MeasurementGroup

MIN_BONE_LENGTH = 0.01
"""Metres; what lies closer to its parent is no bone that could stretch."""


def joint_speeds(clip: Clip, *, cutoff: float | None = CUTOFF) -> FloatArray:
    """Return the peak speed (J,) of every joint relative to the root, with axes that turn with the heading,
    m/s.

    Positions are smoothed at ``cutoff`` Hz first (:mod:`motionloom.quality.derivatives`), so that a glitch of
    one frame does not count as speed; None takes them as they are.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> speeds = joint_speeds(clip)
    >>> speeds[0], bool(2.0 < speeds[clip.skeleton.index("LeftFoot")] < 4.0)
    (np.float64(0.0), True)
    """
    return np.asarray(magnitudes(body_positions(clip), clip.frame_time, 1, cutoff).values.max(axis=0))


def angular_speeds(clip: Clip, *, cutoff: float | None = CUTOFF) -> FloatArray:
    """Return the peak angular speed (J,) of every joint against its parent, rad/s; of the root in the world.

    Angular velocities are smoothed at ``cutoff`` Hz first; None takes them as they are.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> bool(3.0 < angular_speeds(clip)[clip.skeleton.index("LeftLeg")] < 10.0)
    True
    """
    velocities = angular_velocities(clip.rotations, clip.frame_time)
    return np.asarray(magnitudes(velocities, clip.frame_time, 0, cutoff).values.max(axis=0))


def bone_stretches(clip: Clip) -> FloatArray:
    """Return the largest change of each bone's length against the skeleton's (J,), as a fraction of it.

    The bone of a joint leads to it from its parent. Bones shorter than a centimetre, and the root, have 0.

    >>> from motionloom.synthesis import walk
    >>> float(bone_stretches(walk(duration=1.0).clip).max())
    0.0
    """
    lengths = np.linalg.norm(clip.skeleton.offsets, axis=-1)
    if clip.translations is None or not clip.n_frames:
        return np.zeros(len(lengths))
    changes = np.abs(np.linalg.norm(clip.translations, axis=-1) - lengths).max(axis=0)
    bones = (lengths >= MIN_BONE_LENGTH) & (clip.skeleton.parents >= 0)
    return np.where(bones, changes / np.where(bones, lengths, 1.0), 0.0)


def measure_body(clip: Clip) -> MeasurementGroup:
    """Measure the speeds of joints and the stretch of bones."""
    measurements = [
        Measurement("fastest joint", float(joint_speeds(clip).max()), "m/s", "relative to the body"),
        Measurement(
            "largest stretch",
            100.0 * float(bone_stretches(clip).max()),
            "%",
            "bone length against the skeleton",
        ),
    ]
    knees = [leg.knee for leg in find_anatomy(clip.skeleton).legs]
    if knees:
        speed = degrees(float(angular_speeds(clip)[knees].max()))
        measurements.insert(1, Measurement("knee speed", speed, "°/s", "largest angular speed of a knee"))
    return MeasurementGroup("body", tuple(measurements))
