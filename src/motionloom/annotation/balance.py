"""Balance: when a body that is still would fall without the parts that rest on something above the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.annotation import signals
from motionloom.annotation.labels import PLANT_KINDS
from motionloom.annotation.signals import Interval, frames_of
from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy.centre_of_mass import find_body_masses

SMOOTHING = 0.1
"""Seconds over which the velocity of the centre of mass is averaged."""

STILL_SPEED = 0.2
"""A centre of mass slower than this, m/s, does not fall: from rest, a fall reaches it within 0.1 s."""

OUT_OF_BALANCE = 0.1
"""Metres from the support at which a centre of mass, known to some centimetres, is out of balance."""

DIRECTIONS = np.array([np.cos(np.arange(32) * np.pi / 16.0), np.sin(np.arange(32) * np.pi / 16.0)])
"""(2, 32) unit vectors over the ground, along which balance is looked at; distances are short by 0.5 %."""


@dataclass(frozen=True, eq=False)
class Balance:
    """Whether a body is in balance on its feet and all that it has on the floor.

    ``still`` (T,) says when it does not fall, ``centre`` (T, 2) is its centre of mass and ``support``
    (T, N, 2) what it stands on, metres on the ground; NaN where a point does not rest.
    """

    still: BoolArray
    centre: FloatArray
    support: FloatArray

    @classmethod
    def of(
        cls, clip: Clip, positions: Sequence[FloatArray], on_floor: Sequence[Sequence[Interval]]
    ) -> Balance | None:
        """Return the balance of a clip, or None where its masses are not known.

        ``positions`` (T, 3) are those of the parts that may rest, metres, ``on_floor`` their intervals on the
        floor.
        """
        body = find_body_masses(clip.skeleton)
        if body is None or not body.complete:
            return None
        centre = body.centre(clip.world_positions(), clip.world_rotations())
        still = signals.speeds(centre, clip.frame_time, SMOOTHING) < STILL_SPEED
        # Feet support wherever they are: one that creeps a little is no plant, but bears load.
        feet = {(c.joint, c.kind): c for c in clip.constraints if c.kind in PLANT_KINDS}.values()
        points = [clip.point_positions(c.joint, c.point) for c in feet]
        for track, intervals in zip(positions, on_floor, strict=True):
            resting = np.full((clip.n_frames, 3), np.nan)
            for interval in intervals:
                resting[frames_of(interval)] = track[frames_of(interval)]
            points.append(resting)
        return cls(still, centre[:, [0, 2]], np.stack(points, axis=1)[..., [0, 2]])

    def needs(self, positions: FloatArray) -> BoolArray:
        """Return the frames (T,) in which a still body is in balance with these points, and not without.

        ``positions`` (N, T, 3) are in metres.
        """
        parts = positions[..., [0, 2]].swapaxes(0, 1)
        needed = np.array(self.still)
        for t in np.flatnonzero(self.still):
            without = distance_outside(self.support[t], self.centre[t])
            with_parts = np.concatenate([self.support[t], parts[t]])
            needed[t] = without > OUT_OF_BALANCE > distance_outside(with_parts, self.centre[t])
        return needed


def distance_outside(points: FloatArray, centre: FloatArray) -> float:
    """Return how far a centre (2,) lies outside the convex hull of points (N, 2); 0 within, metres.

    Points that are NaN do not count; without any other, everything is outside.

    >>> corners = np.array([[0.0, 0.0], [1.0, 0.0], [np.nan, np.nan]])
    >>> round(distance_outside(corners, np.array([0.5, 0.2])), 12)
    0.2
    """
    there = points[~np.isnan(points[:, 0])]
    if not len(there):
        return np.inf
    # The hull lies in a half plane in every direction; the farthest one that leaves the centre out counts.
    along = (there - centre) @ DIRECTIONS
    return float(np.maximum(-along.max(axis=0), 0.0).max())
