"""Stepping stones: a walk whose every step lands where it is told to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from motionloom.annotation.floor import Surface
from motionloom.annotation.gait_events import foot_contacts
from motionloom.arrays import FloatArray, check_array
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import Leg, find_anatomy
from motionloom.motion.clip import check_clip
from motionloom.motion.kinematics import world_points
from motionloom.warping.keys import Key
from motionloom.warping.plants import plants_found
from motionloom.warping.warp import WarpReport, warp


@dataclass(frozen=True, eq=False)
class Foothold:
    """One contact of a foot.

    Attributes
    ----------
    leg
        The leg that stands.
    start, end
        Fractional frames.
    plants
        The numbers of its constraints in the clip.
    places
        (N, 3) mean positions of their points, metres.
    """

    leg: Leg
    start: float
    end: float
    plants: tuple[int, ...]
    places: FloatArray

    @property
    def centre(self) -> FloatArray:
        """The middle (3,) of the foot on the ground, metres."""
        return np.asarray(self.places.mean(axis=0))


def stepping_stones(clip: Clip, stones: npt.ArrayLike, ground: float | Surface | None = None) -> Clip:
    """Let the feet of a walk land on stones: one key of the root for each, and plants held on them.

    Parameters
    ----------
    clip
        A walk; its foot plants are found unless it has some.
    stones
        (N, 2) x and z of the middle of each foot in its first N contacts, metres, in order of time.
    ground
        The height of the stones; see :func:`motionloom.enforce`.

    Returns
    -------
    Clip
        The warped motion; its :class:`WarpReport` counts the keys.

    >>> from motionloom.synthesis import walk
    >>> clip = plants_found(walk(duration=2.0).clip)[0]
    >>> beside = [hold.centre[[0, 2]] + [0.05, 0.0] for hold in footholds(clip)]
    >>> stepping_stones(clip, beside).report.n_keys == len(beside)
    True
    """
    clip, notes = plants_found(check_clip("stepping_stones", clip))
    wanted = check_array("stones", stones, ("N", 2))
    holds = footholds(clip)
    if len(wanted) > len(holds):
        raise ParameterError(
            f"there are {len(wanted)} stones, but the walk has {len(holds)} contacts with the ground"
        )
    ways = [
        np.array([x, 0.0, z]) - hold.centre * [1.0, 0.0, 1.0]
        for (x, z), hold in zip(wanted, holds, strict=False)
    ]
    last = (clip.n_frames - 1) * clip.frame_time
    keys = [
        Key(min((hold.start + hold.end) / 2.0 * clip.frame_time, last), move=way, ease=None)
        for hold, way in zip(holds, ways, strict=False)
    ]
    moved = warp(clip, keys)
    held = enforce(_on_stones(moved, holds, ways), ground=ground)
    report = moved.report
    assert isinstance(report, WarpReport)
    return replace(held, report=replace(report, plants=held.report, notes=notes))


def footholds(clip: Clip) -> list[Foothold]:
    """The contacts of both feet in order of time, from the plants of an annotated clip.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> [hold.leg.side for hold in footholds(annotate(walk(duration=2.0).clip))]
    ['left', 'right', 'right', 'left', 'right']
    """
    found = []
    for leg in find_anatomy(clip.skeleton).legs:
        names = {clip.skeleton.names[joint] for joint in leg.joints}
        for start, end in foot_contacts(clip, leg):
            plants = tuple(
                n for n, c in enumerate(clip.constraints) if c.joint in names and start <= c.start < end
            )
            places = np.array([_mean_place(clip, clip.constraints[n]) for n in plants])
            found.append(Foothold(leg, start, end, plants, places))
    return sorted(found, key=lambda hold: hold.start)


def _on_stones(clip: Clip, holds: Sequence[Foothold], ways: Sequence[npt.NDArray[np.float64]]) -> Clip:
    """The clip with the targets of its plants moved by what each foothold moves."""
    constraints = [replace(constraint, target=None) for constraint in clip.constraints]
    for hold, way in zip(holds, ways, strict=False):
        for number, place in zip(hold.plants, hold.places, strict=True):
            constraints[number] = replace(constraints[number], target=place + way)
    return replace(clip, constraints=tuple(constraints), report=None)


def _mean_place(clip: Clip, constraint: Constraint) -> FloatArray:
    """Where a planted point is on average (3,), metres."""
    joint = clip.skeleton.index(constraint.joint)
    # A plant between two frames is where the point is at the next one.
    next_frame = min(int(np.ceil(constraint.start)), clip.n_frames - 1)
    frames = list(constraint.whole_frames(clip.n_frames)) or [next_frame]
    places = world_points(
        clip.world_positions()[frames], clip.world_rotations()[frames], [joint], [constraint.point]
    )
    return np.asarray(places[:, 0].mean(axis=0))
