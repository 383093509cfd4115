"""A clip against its sources: how fast its joints are, and how close its poses come to captured ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_positions
from motionloom.motion.kinematics import velocities
from motionloom.quality.derivatives import CUTOFF
from motionloom.quality.joint_speeds import joint_speeds
from motionloom.quality.results import Measurement, MeasurementGroup

MIN_SPEED = 0.01
"""Joints that are nowhere faster than this, m/s, do not move; their speeds are not compared."""

POSE_RATE = 30.0
"""Frames per second at which poses are compared; in between a body hardly changes."""

VELOCITY_TIME = 0.1
"""Seconds by which velocities are multiplied to be lengths: the travel of a joint in a tenth of a second."""

MAX_CELLS = 4_000_000
"""Distances that are held in memory at a time."""


def check_sources(clip: Clip, sources: Sequence[Clip]) -> None:
    """Refuse an empty list, and sources with other joints than the clip."""
    if not sources:
        raise ParameterError(
            "there are no sources to compare the clip with", remedy="pass the clips it was made of"
        )
    for number, source in enumerate(sources):
        if source.skeleton.names != clip.skeleton.names:
            raise ParameterError(
                f"source {number} has other joints than the clip: they are compared joint by joint, "
                "so both need the same skeleton"
            )


def speed_ratios(clip: Clip, sources: Sequence[Clip], *, cutoff: float | None = CUTOFF) -> FloatArray:
    """Return the peak speed of every joint divided by its peak speed in the fastest source (J,).

    Joints that move nowhere have the ratio 0, joints that move in the clip only an infinite one.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> float(speed_ratios(clip, [clip]).max())
    1.0
    """
    check_sources(clip, sources)
    own = joint_speeds(clip, cutoff=cutoff)
    peaks = np.max([joint_speeds(source, cutoff=cutoff) for source in sources], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(peaks > MIN_SPEED, own / peaks, np.inf)
    return np.where(own > MIN_SPEED, ratios, 0.0)


def nearest_pose_distances(clip: Clip, sources: Sequence[Clip]) -> FloatArray:
    """Return the distance (N,) of frames of the clip from the nearest frame of any source, metres.

    It is the root mean square over joints of the distances between positions, relative to the body, and
    between velocities times 0.1 s. About 30 frames per second of clip and sources are compared.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> float(nearest_pose_distances(clip, [clip]).max())
    0.0
    """
    check_sources(clip, sources)
    own = _features(clip)
    known = np.concatenate([_features(source) for source in sources])
    half_squares = np.einsum("ni,ni->n", known, known) / 2.0
    rows = max(MAX_CELLS // len(known), 1)
    parts = (own[first : first + rows] for first in range(0, len(own), rows))
    # The products show which frame is nearest; its distance is then computed without their rounding.
    nearest = np.concatenate([(half_squares - part @ known.T).argmin(axis=1) for part in parts])
    return np.asarray(np.linalg.norm(own - known[nearest], axis=1) / np.sqrt(clip.skeleton.n_joints))


def measure_against_sources(clip: Clip, sources: Sequence[Clip]) -> MeasurementGroup:
    """Measure a clip against the clips it was made of."""
    ratios = speed_ratios(clip, sources)
    distances = nearest_pose_distances(clip, sources)
    meaning = "to the nearest source pose and velocity"
    return MeasurementGroup(
        "sources",
        (
            Measurement(
                "joint speed ratio",
                float(ratios.max()),
                "",
                "peak speed over that in the sources, worst joint",
            ),
            Measurement("mean pose distance", 100.0 * float(distances.mean()), "cm", meaning),
            Measurement("largest pose distance", 100.0 * float(distances.max()), "cm", meaning),
        ),
    )


def _features(clip: Clip) -> FloatArray:
    """Return positions and scaled velocities (N, 6 J) of every few frames."""
    positions = body_positions(clip)
    rates = velocities(positions, clip.frame_time) * VELOCITY_TIME
    step = max(round(1.0 / (POSE_RATE * clip.frame_time)), 1)
    return np.concatenate([positions[::step], rates[::step]], axis=1).reshape(len(positions[::step]), -1)
