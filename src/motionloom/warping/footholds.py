"""Footholds: where and when a walk puts its feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.annotation.events import foot_contacts
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import Leg, find_anatomy
from motionloom.motion.body import on_body
from motionloom.motion.kinematics import world_points


@dataclass(frozen=True, eq=False)
class Foothold:
    """One contact of a foot with the ground.

    Attributes
    ----------
    leg
        The leg that stands.
    start, end
        Fractional frames.
    plants
        The numbers of its constraints in the clip.
    positions
        (N, 3) mean positions of their points, metres.
    """

    leg: Leg
    start: float
    end: float
    plants: tuple[int, ...]
    positions: FloatArray

    @property
    def centre(self) -> FloatArray:
        """The centre (3,) of the foot on the ground, metres."""
        return np.asarray(self.positions.mean(axis=0))


@on_body
def find_footholds(clip: Clip) -> list[Foothold]:
    """Find the contacts of both feet in order of time, from the plants of an annotated clip.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> [foothold.leg.side for foothold in find_footholds(annotate(walk(duration=2.0).clip))]
    ['left', 'right', 'right', 'left', 'right']
    """
    found = []
    for leg in find_anatomy(clip.skeleton).legs:
        names = {clip.skeleton.names[joint] for joint in leg.joints}
        for start, end in foot_contacts(clip, leg):
            plants = tuple(
                n for n, c in enumerate(clip.constraints) if c.joint in names and start <= c.start < end
            )
            positions = np.array([_mean_position(clip, clip.constraints[n]) for n in plants])
            found.append(Foothold(leg, start, end, plants, positions))
    return sorted(found, key=lambda foothold: foothold.start)


def _mean_position(clip: Clip, constraint: Constraint) -> FloatArray:
    """Return the mean position (3,) of a planted point, metres."""
    joint = clip.skeleton.index(constraint.joint)
    # A plant between two frames is where the point is at the next one.
    next_frame = min(int(np.ceil(constraint.start)), clip.n_frames - 1)
    frames = list(constraint.whole_frames(clip.n_frames)) or [next_frame]
    positions = world_points(
        clip.world_positions()[frames], clip.world_rotations()[frames], [joint], [constraint.point]
    )
    return np.asarray(positions[:, 0].mean(axis=0))
