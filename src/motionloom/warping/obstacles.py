"""Where a walk puts its feet, and things to put in its way: a hurdle, a block, stairs, stones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from motionloom.annotation.floor import Surface
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import Leg, Side
from motionloom.motion.kinematics import world_points
from motionloom.warping.body_keys import Figure
from motionloom.warping.stepping_stones import Foothold, footholds

HURDLE, BLOCK, RISER = 0.07, 0.1, 0.08
"""Heights of what is stepped over, stepped onto and climbed, in body heights."""

CLEARANCE = 0.025
"""Body heights between the top of a hurdle and the lowest point of a foot above it."""

BEHIND_TOE = 0.35
"""Share of the way from one foothold to the next at which a hurdle stands."""

THICKNESS = 0.04
"""Metres that a hurdle measures along the way."""

MARGIN = 0.06
"""Metres of a block before the first heel and after the last toe on it."""

LEAST_FOOTHOLDS = 4
"""So many footholds a walk needs for something to be put in its way."""

LEAST_WAY = 0.4
"""Body heights from the first frame to the last, about one step: less has no direction to put things in."""


@dataclass(frozen=True, eq=False)
class Hurdle:
    """Something to step over.

    ``crossings`` are, for each foot, the seconds, the ankle's name and its place (3,) above the hurdle;
    ``surface`` is the height of its top, or of the floor beside it.
    """

    crossings: tuple[tuple[float, str, FloatArray], ...]
    surface: Surface


@dataclass(frozen=True, eq=False)
class Block:
    """A block across the way: its surface, and the seconds at which it is stepped onto and left."""

    surface: Surface
    start: float
    end: float


def hurdle(figure: Figure) -> Hurdle:
    """A hurdle between two footholds amid the clip, with the moments at which both feet pass over it."""
    clip, holds, way = figure.clip, _enough(figure), _Way.of(figure)
    before = holds[_middle(holds)]
    after = _next_of_other(holds, before)
    stands = way.along(before.places).max()
    edge = float(stands + BEHIND_TOE * (way.along(after.places).min() - stands))
    crossings = []
    for leg in (after.leg, before.leg):
        since = max(hold.start for hold in holds if hold.leg is leg and hold.start < after.start)
        feet = foot_points(clip, leg)
        along = way.along(feet)
        over = (along.min(axis=1) < edge + THICKNESS / 2) & (along.max(axis=1) > edge - THICKNESS / 2)
        frames = np.flatnonzero(over & (np.arange(clip.n_frames) > since))
        if not len(frames):
            raise ParameterError("the walk ends before both feet are over something put in its way")
        ankle = clip.world_positions()[:, leg.ankle]
        drop = float((ankle[frames, 1] - feet[frames, :, 1].min(axis=1)).max())
        place = ankle[frames[len(frames) // 2]].copy()
        place[1] = way.floor + (HURDLE + CLEARANCE) * figure.height + drop
        crossings.append((frames[len(frames) // 2] * clip.frame_time, clip.skeleton.names[leg.ankle], place))
    return Hurdle(
        tuple(crossings), way.raised(edge - THICKNESS / 2, edge + THICKNESS / 2, HURDLE * figure.height)
    )


def block(figure: Figure) -> Block:
    """A block under two footholds amid the clip."""
    holds, way = _enough(figure), _Way.of(figure)
    n = _middle(holds)
    first, last = holds[n], holds[min(n + 1, len(holds) - 1)]
    near = float(way.along(first.places).min() - MARGIN)
    far = float(way.along(last.places).max() + MARGIN)
    frame_time = figure.clip.frame_time
    surface = way.raised(near, far, BLOCK * figure.height)
    return Block(surface, first.start * frame_time, last.end * frame_time)


def stairs(figure: Figure) -> Surface:
    """Stairs with one tread for every foothold."""
    holds, way = _enough(figure), _Way.of(figure)
    edges = [
        float((way.along(one.places).max() + way.along(two.places).min()) / 2.0)
        for one, two in pairwise(holds)
    ]
    treads, rise = np.sort(edges), RISER * figure.height

    def surface(x: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        return np.asarray(
            way.floor + rise * np.searchsorted(treads, way.along_ground(x, z)), dtype=np.float64
        )

    return surface


def hurried(figure: Figure, side: Side, share: float) -> list[tuple[float, float]]:
    """Time keys that shorten every whole contact of one foot to a share of its time."""
    pairs: list[tuple[float, float]] = []
    saved, frame_time = 0.0, figure.clip.frame_time
    for hold in footholds(figure.clip):
        # In a cycle the last contact goes on past the seam, and time keys do not.
        start, end = np.minimum([hold.start * frame_time, hold.end * frame_time], figure.clip.duration)
        if hold.leg.side != side or start <= 0.0 or start >= end:
            continue
        pairs.append((float(start), float(start - saved)))
        saved += (1.0 - share) * float(end - start)
        pairs.append((float(end), float(end - saved)))
    return pairs


@dataclass(frozen=True, eq=False)
class _Way:
    """The straight way of a walk: where it starts, its unit direction (3,), and the height of its floor."""

    start: FloatArray
    forward: FloatArray
    floor: float

    @classmethod
    def of(cls, figure: Figure) -> _Way:
        clip = figure.clip
        way = (clip.root_positions[-1] - clip.root_positions[0]) * [1.0, 0.0, 1.0]
        length = float(np.linalg.norm(way))
        if length < LEAST_WAY * figure.height:
            raise ParameterError("nothing can be put in the way of a clip that goes nowhere")
        heights = np.concatenate([hold.places[:, 1] for hold in footholds(clip)])
        return cls(clip.root_positions[0], way / length, float(np.median(heights)))

    def along(self, places: FloatArray) -> FloatArray:
        """How far along the way places (..., 3) lie, metres."""
        return np.asarray((places - self.start) @ self.forward)

    def along_ground(self, x: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """The same for coordinates on the ground, one or many."""
        ahead = (np.asarray(x) - self.start[0]) * self.forward[0]
        return np.asarray(ahead + (np.asarray(z) - self.start[2]) * self.forward[2])

    def raised(self, near: float, far: float, rise: float) -> Surface:
        """The floor with a box across the way, from one distance along it to another."""

        def surface(x: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
            along = self.along_ground(x, z)
            return np.where((along > near) & (along < far), self.floor + rise, self.floor)

        return surface


def foot_points(clip: Clip, leg: Leg) -> FloatArray:
    """World positions (T, P, 3) of ankle, heel, ball and tip of a foot, metres."""
    names = {clip.skeleton.names[joint]: joint for joint in leg.joints}
    points = {(names[c.joint], c.kind): c.point for c in clip.constraints if c.joint in names}
    joints = [leg.ankle, *(joint for joint, _ in points)]
    offsets = [np.zeros(3), *points.values()]
    if leg.tip is not None:
        joints.append(leg.tip.joint)
        offsets.append(leg.tip.offset)
    return world_points(clip.world_positions(), clip.world_rotations(), joints, offsets)


def _enough(figure: Figure) -> list[Foothold]:
    holds = footholds(figure.clip)
    if len(holds) < LEAST_FOOTHOLDS:
        raise ParameterError(
            f"the clip has {len(holds)} footholds, and something can only be put in the way of a walk with "
            f"{LEAST_FOOTHOLDS} or more"
        )
    return holds


def _middle(holds: Sequence[Foothold]) -> int:
    return (len(holds) - 1) // 2


def _next_of_other(holds: Sequence[Foothold], before: Foothold) -> Foothold:
    return next(hold for hold in holds if hold.start > before.start and hold.leg is not before.leg)
