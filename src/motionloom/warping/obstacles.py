"""Obstacles for a walk: a hurdle to step over, a block to step onto, stairs to climb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from motionloom.annotation.ground import Surface
from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import Leg, Side, body_height
from motionloom.motion.kinematics import world_points
from motionloom.validation import check_choice, check_number, check_positive
from motionloom.warping.footholds import Foothold, find_footholds

ObstacleKind = Literal["hurdle", "block", "stairs"]

HEIGHTS: dict[str, float] = {"hurdle": 0.07, "block": 0.1, "stairs": 0.08}
"""Default heights of a hurdle, a block and one stair, in body heights."""

MAX_HEIGHT = 0.5
"""Highest obstacle, in body heights: nobody steps higher."""

HURDLE_FRACTION = 0.35
"""Where a hurdle stands between one foothold and the next, as a fraction of the gap."""

HURDLE_DEPTH = 0.04
"""Metres that a hurdle measures along the path."""

BLOCK_MARGIN = 0.06
"""Metres of a block before the first heel and after the last toe on it."""

MIN_FOOTHOLDS = 4
"""Footholds that a walk needs to meet an obstacle."""

MIN_TRAVEL = 0.4
"""Body heights from the first frame to the last, about one step: a shorter path has no clear direction."""


@dataclass(frozen=True)
class Obstacle:
    """Something on the path of a walk; keys of a warp can be at its crossings.

    Attributes
    ----------
    kind
        "hurdle", stepped over; "block", stepped onto and off again; "stairs", one for every step.
    at
        Where a hurdle or block is: a fraction of the walk's steps, 0 to 1, which puts it where the feet need
        it, or (x, z) in the world, metres. Then the step that comes to it is the one that passes over it.
    height
        Height above the floor, of one stair for stairs, in body heights; None for the usual one.

    >>> Obstacle("hurdle", 0.25).at
    0.25
    """

    kind: ObstacleKind = "hurdle"
    at: float | tuple[float, float] = 0.5
    height: float | None = None

    def __post_init__(self) -> None:
        check_choice("the kind of an obstacle", self.kind, get_args(ObstacleKind))
        put = object.__setattr__
        if np.ndim(self.at):
            put(
                self,
                "at",
                tuple(check_array(f"at of the {self.kind}, (x, z) in metres,", self.at, (2,)).tolist()),
            )
        else:
            put(
                self,
                "at",
                check_number(f"at of the {self.kind}, a fraction of the steps,", self.at, min=0.0, max=1.0),
            )
        if self.height is not None:
            name = f"height of the {self.kind}, in body heights,"
            put(self, "height", check_positive(name, self.height, max=MAX_HEIGHT))


@dataclass(frozen=True, eq=False)
class Crossing:
    """A foot passes over an obstacle, or comes onto a block and off it.

    Attributes
    ----------
    time
        Seconds.
    side
        Of the foot.
    drop
        Metres from the ankle down to the lowest point of the foot while it is over the obstacle.
    """

    time: float
    side: Side
    drop: float


@dataclass(frozen=True, eq=False)
class PlacedObstacle:
    """An obstacle on the path of a clip: the surface of the ground with it, and its crossings in order.

    ``is_ground`` tells whether feet stand on the surface, ``top`` is the height of what they cross, metres.
    """

    surface: Surface
    crossings: tuple[Crossing, ...]
    is_ground: bool
    top: float


def place_obstacle(clip: Clip, obstacle: Obstacle) -> PlacedObstacle:
    """Put an obstacle onto the path of an annotated walk, and find when the feet cross it.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> placed = place_obstacle(annotate(walk(duration=3.0).clip), Obstacle("hurdle"))
    >>> [crossing.side for crossing in placed.crossings]
    ['right', 'left']
    """
    footholds = find_footholds(clip)
    if len(footholds) < MIN_FOOTHOLDS:
        raise ParameterError(
            f"the clip has {len(footholds)} footholds: an obstacle needs a walk with at least {MIN_FOOTHOLDS}"
        )
    size = body_height(clip.skeleton) or 1.0
    path = _Path.of(clip, size)
    rise = size * (HEIGHTS[obstacle.kind] if obstacle.height is None else obstacle.height)
    if obstacle.kind == "hurdle":
        return _place_hurdle(clip, footholds, path, obstacle.at, rise)
    if obstacle.kind == "block":
        return _place_block(clip, footholds, path, obstacle.at, rise)
    return PlacedObstacle(_place_stairs(footholds, path, rise), (), True, path.floor + rise)


def _place_hurdle(
    clip: Clip, footholds: Sequence[Foothold], path: _Path, at: float | tuple[float, float], rise: float
) -> PlacedObstacle:
    """Put a hurdle between two footholds, and find when both feet pass over it."""
    before, after, edge = _find_gap(footholds, path, at)
    near, far = edge - HURDLE_DEPTH / 2, edge + HURDLE_DEPTH / 2
    crossings = []
    for leg in (after.leg, before.leg):
        since = max(one.start for one in footholds if one.leg is leg and one.start < after.start)
        feet = foot_points(clip, leg)
        along = path.along(feet)
        over = (along.min(axis=1) < far) & (along.max(axis=1) > near)
        frames = np.flatnonzero(over & (np.arange(clip.n_frames) > since))
        if not len(frames):
            raise ParameterError(
                "the walk ends before both feet are past an obstacle", remedy="use a longer one"
            )
        ankle = clip.world_positions()[frames, leg.ankle, 1]
        drop = float((ankle - feet[frames, :, 1].min(axis=1)).max())
        crossings.append(Crossing(float(frames[len(frames) // 2] * clip.frame_time), leg.side, drop))
    return PlacedObstacle(path.add_box(near, far, rise), tuple(crossings), False, path.floor + rise)


def _find_gap(
    footholds: Sequence[Foothold], path: _Path, at: float | tuple[float, float]
) -> tuple[Foothold, Foothold, float]:
    """Find the footholds before and after a hurdle, and how far along the path it stands, metres."""
    steps = []
    for before in footholds:
        after = next(
            (one for one in footholds if one.start > before.start and one.leg is not before.leg), None
        )
        if after is not None:
            steps.append((before, after))
    if not isinstance(at, tuple):
        before, after = steps[min(int((len(footholds) - 1) * at), len(steps) - 1)]
        toes = path.along(before.positions).max()
        edge = float(toes + HURDLE_FRACTION * (path.along(after.positions).min() - toes))
        return before, after, edge
    edge = float(path.along_ground(*at))
    near, far = edge - HURDLE_DEPTH / 2, edge + HURDLE_DEPTH / 2
    spans = [(one, path.along(one.positions).min(), path.along(one.positions).max()) for one in footholds]
    on_it = [one for one, heel, toes in spans if heel < far and toes > near]
    # The first foothold behind it is where the leading foot lands; the other foot still stands before it.
    after = next((one for one, heel, _ in spans if heel > far and one.start > 0.0), None)
    standing = [one for one, _, toes in spans if after and one.start < after.start and toes < near]
    standing = [one for one in standing if after and one.leg is not after.leg]
    if after is not None and standing and not on_it:
        return standing[-1], after, edge
    state = f"its {on_it[0].leg.side} foot stands there" if on_it else "no step passes over it"
    ends = [float(path.along(one.positions).mean()) for one in (footholds[0], footholds[-1])]
    raise ParameterError(
        f"the hurdle at ({at[0]:g}, {at[1]:g}) is {edge:.2f} m along the path, and {state}: the walk's steps "
        f"go from {ends[0]:.2f} to {ends[1]:.2f} m; move the walk or the hurdle, or give at as a fraction"
    )


def _place_block(
    clip: Clip, footholds: Sequence[Foothold], path: _Path, at: float | tuple[float, float], rise: float
) -> PlacedObstacle:
    """Put a block under two footholds, from a fraction of them on or around a position."""
    if isinstance(at, tuple):
        there = float(path.along_ground(*at))
        n = int(np.argmin([abs(float(path.along(one.positions).mean()) - there) for one in footholds]))
    else:
        n = int((len(footholds) - 1) * at)
    first, last = footholds[n], footholds[min(n + 1, len(footholds) - 1)]
    near = float(path.along(first.positions).min() - BLOCK_MARGIN)
    far = float(path.along(last.positions).max() + BLOCK_MARGIN)
    ends = ((first.start, first.leg.side), (last.end, last.leg.side))
    crossings = tuple(Crossing(float(frame * clip.frame_time), side, 0.0) for frame, side in ends)
    return PlacedObstacle(path.add_box(near, far, rise), crossings, True, path.floor + rise)


def _place_stairs(footholds: Sequence[Foothold], path: _Path, rise: float) -> Surface:
    """Put stairs under a walk, with one tread for every foothold."""
    edges = [
        float((path.along(one.positions).max() + path.along(two.positions).min()) / 2.0)
        for one, two in pairwise(footholds)
    ]
    treads = np.sort(edges)

    def surface(x: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        return np.asarray(
            path.floor + rise * np.searchsorted(treads, path.along_ground(x, z)), dtype=np.float64
        )

    return surface


def foot_points(clip: Clip, leg: Leg) -> FloatArray:
    """Return world positions (T, P, 3) of ankle, heel, ball and tip of a foot, metres."""
    names = {clip.skeleton.names[joint]: joint for joint in leg.joints}
    points = {(names[c.joint], c.kind): c.point for c in clip.constraints if c.joint in names}
    joints = [leg.ankle, *(joint for joint, _ in points)]
    offsets = [np.zeros(3), *points.values()]
    if leg.tip is not None:
        joints.append(leg.tip.joint)
        offsets.append(leg.tip.offset)
    return world_points(clip.world_positions(), clip.world_rotations(), joints, offsets)


@dataclass(frozen=True, eq=False)
class _Path:
    """The straight path of a walk: its start (3,), its unit direction (3,), and the height of its floor."""

    start: FloatArray
    forward: FloatArray
    floor: float

    @classmethod
    def of(cls, clip: Clip, height: float) -> _Path:
        travel = (clip.root_positions[-1] - clip.root_positions[0]) * [1.0, 0.0, 1.0]
        length = float(np.linalg.norm(travel))
        if length < MIN_TRAVEL * height:
            raise ParameterError("the clip stays in place: an obstacle needs a walk that goes somewhere")
        heights = np.concatenate([foothold.positions[:, 1] for foothold in find_footholds(clip)])
        return cls(clip.root_positions[0], travel / length, float(np.median(heights)))

    def along(self, positions: FloatArray) -> FloatArray:
        """Return how far along the path positions (..., 3) lie, metres."""
        return np.asarray((positions - self.start) @ self.forward)

    def along_ground(self, x: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """Return the same for coordinates on the ground, one or many."""
        ahead = (np.asarray(x) - self.start[0]) * self.forward[0]
        return np.asarray(ahead + (np.asarray(z) - self.start[2]) * self.forward[2])

    def add_box(self, near: float, far: float, rise: float) -> Surface:
        """Return the floor with a box across the path, from one distance along it to another."""

        def surface(x: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
            along = self.along_ground(x, z)
            return np.where((along > near) & (along < far), self.floor + rise, self.floor)

        return surface
