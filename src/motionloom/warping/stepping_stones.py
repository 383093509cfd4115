"""Stepping stones: where a walk puts its feet, and a walk whose every step lands where it is told to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from motionloom.annotation.events import foot_contacts
from motionloom.annotation.ground import Surface
from motionloom.arrays import FloatArray, check_array
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import Leg, find_anatomy
from motionloom.motion.body import on_body
from motionloom.motion.clip import check_clip
from motionloom.motion.kinematics import world_points
from motionloom.warping.keys import Key
from motionloom.warping.plants import ensure_plants
from motionloom.warping.warp import WarpReport, warp


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
def stepping_stones(clip: Clip, stones: npt.ArrayLike, ground: float | Surface | None = None) -> Clip:
    """Let the feet of a walk land on stones: one key of the root for each, and plants held on them.

    Parameters
    ----------
    clip
        A walk; its foot plants are detected unless it has some.
    stones
        (N, 2) x and z of the centre of each foot in its first N contacts, metres, in order of time.
    ground
        The height of the stones; see :func:`motionloom.enforce`.

    Returns
    -------
    Clip
        The warped motion with, in ``report``, a :class:`~motionloom.warping.WarpReport`.

    >>> from motionloom.synthesis import walk
    >>> clip = ensure_plants(walk(duration=2.0).clip)[0]
    >>> beside = [foothold.centre[[0, 2]] + [0.05, 0.0] for foothold in find_footholds(clip)]
    >>> stepping_stones(clip, beside).report.n_keys == len(beside)
    True
    """
    clip, notes = ensure_plants(check_clip("stepping_stones", clip))
    targets = check_array("stones", stones, ("N", 2))
    footholds = find_footholds(clip)
    if len(targets) > len(footholds):
        raise ParameterError(
            f"there are {len(targets)} stones, but the walk has {len(footholds)} contacts with the ground"
        )
    offsets = [
        np.array([x, 0.0, z]) - foothold.centre * [1.0, 0.0, 1.0]
        for (x, z), foothold in zip(targets, footholds, strict=False)
    ]
    last = (clip.n_frames - 1) * clip.frame_time
    keys = [
        Key(min((foothold.start + foothold.end) / 2.0 * clip.frame_time, last), move=offset, ease=None)
        for foothold, offset in zip(footholds, offsets, strict=False)
    ]
    warped = warp(clip, keys)
    result = enforce(_move_targets(warped, footholds, offsets), ground=ground)
    report = warped.report
    assert isinstance(report, WarpReport)
    return replace(result, report=replace(report, plants=result.report, notes=notes))


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


def _move_targets(clip: Clip, footholds: Sequence[Foothold], offsets: Sequence[FloatArray]) -> Clip:
    """Return the clip with the targets of its plants moved by the offsets (3,) of their footholds."""
    constraints = [replace(constraint, target=None) for constraint in clip.constraints]
    for foothold, offset in zip(footholds, offsets, strict=False):
        for number, position in zip(foothold.plants, foothold.positions, strict=True):
            constraints[number] = replace(constraints[number], target=position + offset)
    return replace(clip, constraints=tuple(constraints), report=None)


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
