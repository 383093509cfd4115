"""Foot plants from zero crossings of the acceleration (Bindiganavale & Badler 1998).

An effector that meets or leaves something changes the sign of its acceleration, and one that rests does so
all the time. An instant counts when the point is close to the floor and slow then; a plant lasts while such
instants follow each other closely.
"""

from __future__ import annotations

import numpy as np

from motionloom.annotation import plants, signals
from motionloom.annotation.floor import Floor
from motionloom.annotation.plants import Interval, Thresholds
from motionloom.annotation.settings import AnnotationSettings
from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import kinematics

NO_ACCELERATION = 0.1
"""Below this the acceleration of a point counts as zero, m/s²: a hundredth of gravity."""

CLOSE_FOLLOW = 0.15
"""Instants that follow each other within this time belong to one plant, seconds; no foot swings so fast."""


def detect(
    positions: FloatArray, floor: Floor, frame_time: float, settings: AnnotationSettings
) -> tuple[list[Interval], Thresholds]:
    """The plants of a point as (start, end) in frames, and the thresholds for "close" and "slow".

    Parameters and result are those of :func:`motionloom.annotation.plants.detect`; the ends are whole frames,
    since an instant is only known to lie between two of them.

    >>> still, away = np.zeros((30, 3)), np.linspace([0, 0, 0], [0, 1, 3], 30) ** 2
    >>> settings = AnnotationSettings(smoothing=0.0)
    >>> detect(np.concatenate([still, away]), Floor(0.0), 1 / 60, settings)[0]
    [(0.0, 29.0)]
    """
    speed = signals.speeds(positions, frame_time, settings.smoothing)
    limits = plants.thresholds_of(speed, settings)
    close_and_slow = (speed < limits.speed) & (floor.heights_above(positions) < limits.height)
    instants = np.flatnonzero(_crosses_zero(positions, frame_time, settings.smoothing) & close_and_slow)
    linked = signals.joined([(float(frame), float(frame)) for frame in instants], CLOSE_FOLLOW / frame_time)
    least = max(settings.shortest / frame_time, 1.0)
    return [(start, end) for start, end in linked if end - start >= least], limits


def _crosses_zero(positions: FloatArray, frame_time: float, window: float) -> BoolArray:
    """The frames (T,) next to which a component of the acceleration changes sign, or all are zero."""
    velocities = signals.averaged(kinematics.velocities(positions, frame_time), frame_time, window)
    accelerations = signals.averaged(kinematics.velocities(velocities, frame_time), frame_time, window)
    crosses = np.linalg.norm(accelerations, axis=-1) < NO_ACCELERATION
    changes = (np.diff(np.sign(accelerations), axis=0) != 0).any(axis=-1)
    crosses[:-1] |= changes
    crosses[1:] |= changes
    return np.asarray(crosses)
