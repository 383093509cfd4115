"""Obstacles for a walk: a hurdle to step over, a block to step onto, stairs to climb."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from motionloom.annotation.ground import Surface
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import Leg, Side
from motionloom.motion.kinematics import world_points
from motionloom.warping.body_keys import BodyKeys
from motionloom.warping.stepping_stones import Foothold, find_footholds

HURDLE_HEIGHT, BLOCK_HEIGHT, RISER_HEIGHT = 0.07, 0.1, 0.08
"""Heights of a hurdle, a block and one stair, in body heights."""

CLEARANCE = 0.025
"""Body heights between the top of a hurdle and the lowest point of a foot above it."""

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


@dataclass(frozen=True, eq=False)
class Hurdle:
    """Something to step over.

    ``crossings`` are, for each foot, the seconds, the ankle's name and its position (3,) above the hurdle;
    ``surface`` is the height of its top, or of the floor beside it.
    """

    crossings: tuple[tuple[float, str, FloatArray], ...]
    surface: Surface


@dataclass(frozen=True, eq=False)
class Block:
    """A block across the path: its surface, and the seconds at which it is stepped onto and left."""

    surface: Surface
    start: float
    end: float


def place_hurdle(body: BodyKeys) -> Hurdle:
    """Put a hurdle between two footholds halfway through the clip, and find when both feet pass over it."""
    clip, footholds, path = body.clip, _enough_footholds(body), _Path.of(body)
    before = footholds[(len(footholds) - 1) // 2]
    after = next(one for one in footholds if one.start > before.start and one.leg is not before.leg)
    toes = path.along(before.positions).max()
    edge = float(toes + HURDLE_FRACTION * (path.along(after.positions).min() - toes))
    crossings = []
    for leg in (after.leg, before.leg):
        since = max(one.start for one in footholds if one.leg is leg and one.start < after.start)
        feet = foot_points(clip, leg)
        along = path.along(feet)
        over = (along.min(axis=1) < edge + HURDLE_DEPTH / 2) & (along.max(axis=1) > edge - HURDLE_DEPTH / 2)
        frames = np.flatnonzero(over & (np.arange(clip.n_frames) > since))
        if not len(frames):
            raise ParameterError("the walk ends before both feet are past an obstacle: use a longer one")
        ankle = clip.world_positions()[:, leg.ankle]
        drop = float((ankle[frames, 1] - feet[frames, :, 1].min(axis=1)).max())
        position = ankle[frames[len(frames) // 2]].copy()
        position[1] = path.floor + (HURDLE_HEIGHT + CLEARANCE) * body.height + drop
        time = frames[len(frames) // 2] * clip.frame_time
        crossings.append((time, clip.skeleton.names[leg.ankle], position))
    near, far = edge - HURDLE_DEPTH / 2, edge + HURDLE_DEPTH / 2
    return Hurdle(tuple(crossings), path.add_box(near, far, HURDLE_HEIGHT * body.height))


def place_block(body: BodyKeys) -> Block:
    """Put a block under two footholds halfway through the clip."""
    footholds, path = _enough_footholds(body), _Path.of(body)
    n = (len(footholds) - 1) // 2
    first, last = footholds[n], footholds[min(n + 1, len(footholds) - 1)]
    near = float(path.along(first.positions).min() - BLOCK_MARGIN)
    far = float(path.along(last.positions).max() + BLOCK_MARGIN)
    frame_time = body.clip.frame_time
    surface = path.add_box(near, far, BLOCK_HEIGHT * body.height)
    return Block(surface, first.start * frame_time, last.end * frame_time)


def place_stairs(body: BodyKeys) -> Surface:
    """Put stairs under a walk, with one tread for every foothold."""
    footholds, path = _enough_footholds(body), _Path.of(body)
    edges = [
        float((path.along(one.positions).max() + path.along(two.positions).min()) / 2.0)
        for one, two in pairwise(footholds)
    ]
    treads, rise = np.sort(edges), RISER_HEIGHT * body.height

    def surface(x: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        return np.asarray(
            path.floor + rise * np.searchsorted(treads, path.along_ground(x, z)), dtype=np.float64
        )

    return surface


def shorten_contacts(body: BodyKeys, side: Side, fraction: float) -> list[tuple[float, float]]:
    """Return time keys that shorten every whole contact of one foot to a fraction of its time."""
    pairs: list[tuple[float, float]] = []
    saved, frame_time = 0.0, body.clip.frame_time
    for foothold in find_footholds(body.clip):
        # In a cycle the last contact goes on past the seam, and time keys do not.
        ends = [foothold.start * frame_time, foothold.end * frame_time]
        start, end = np.minimum(ends, body.clip.duration)
        if foothold.leg.side != side or start <= 0.0 or start >= end:
            continue
        pairs.append((float(start), float(start - saved)))
        saved += (1.0 - fraction) * float(end - start)
        pairs.append((float(end), float(end - saved)))
    return pairs


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
    def of(cls, body: BodyKeys) -> _Path:
        clip = body.clip
        travel = (clip.root_positions[-1] - clip.root_positions[0]) * [1.0, 0.0, 1.0]
        length = float(np.linalg.norm(travel))
        if length < MIN_TRAVEL * body.height:
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


def _enough_footholds(body: BodyKeys) -> list[Foothold]:
    footholds = find_footholds(body.clip)
    if len(footholds) < MIN_FOOTHOLDS:
        raise ParameterError(
            f"the clip has {len(footholds)} footholds: an obstacle needs a walk with at least {MIN_FOOTHOLDS}"
        )
    return footholds
