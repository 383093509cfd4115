"""How near every frame of a clip is to a frame of its sources, in pose and velocity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.kinematics import velocities
from motionloom.quality.derivatives import seen_from_body

RATE = 30.0
"""Frames per second at which poses are compared; between them a body hardly changes."""

VELOCITY_TIME = 0.1
"""Seconds by which velocities are multiplied to be lengths: where a joint will be a tenth of a second on."""

MOST_CELLS = 4_000_000
"""Distances that are held in memory at a time."""


def nearest_source_distances(clip: Clip, sources: Sequence[Clip]) -> FloatArray:
    """Distance (N,) of frames of the clip from the nearest frame of any source, metres.

    It is the root mean square over joints of the distances between positions, as seen from the body, and
    between velocities times 0.1 s. About 30 frames per second are looked at, of clip and sources.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> float(nearest_source_distances(clip, [clip]).max())
    0.0
    """
    if not sources:
        raise ParameterError("nearness is measured to the sources: sources is empty")
    if any(source.skeleton.names != clip.skeleton.names for source in sources):
        raise ParameterError("nearness compares joint by joint: clip and sources need the same skeleton")
    own = _features(clip)
    known = np.concatenate([_features(source) for source in sources])
    half_squares = np.einsum("ni,ni->n", known, known) / 2.0
    rows = max(MOST_CELLS // len(known), 1)
    parts = (own[first : first + rows] for first in range(0, len(own), rows))
    # The products tell which frame is nearest; its distance is then taken without their rounding.
    nearest = np.concatenate([(half_squares - part @ known.T).argmin(axis=1) for part in parts])
    return np.asarray(np.linalg.norm(own - known[nearest], axis=1) / np.sqrt(clip.skeleton.n_joints))


def _features(clip: Clip) -> FloatArray:
    """Positions and scaled velocities (N, 6 J) of every few frames."""
    places = seen_from_body(clip)
    rates = velocities(places, clip.frame_time) * VELOCITY_TIME
    step = max(round(1.0 / (RATE * clip.frame_time)), 1)
    return np.concatenate([places[::step], rates[::step]], axis=1).reshape(len(places[::step]), -1)
