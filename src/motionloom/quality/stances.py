"""Stances: what standing feet do, as one sees it, against the motion that an edit began with.

A stance is the time in which one foot stands, from its first point that comes to rest to the last that
leaves: heel, both, toe. It is found in the motion before the edit, without plants: the sole is near its
lowest and slow. What the edit did beside the plants that it held shows there: darts, drift, pivots, a lost
roll.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from motionloom.annotation.signals import join_intervals, runs
from motionloom.annotation.soles import find_soles
from motionloom.arrays import BoolArray, FloatArray, norm
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.anatomy.thresholds import CREEP_SPEED, NEAR_GROUND
from motionloom.motion.kinematics import max_distance, world_points
from motionloom.quality.results import Measurement, MeasurementGroup

SLOW = 0.35
"""Speed over the ground, m/s, below which a point near the ground belongs to a foot that stands."""

MIN_DART, MIN_LIFT = 0.02, 0.02
"""A still point that moves farther than this without having been this much above where it was lowest still
darts, metres."""

DART_MARGIN = 0.1
"""Seconds around a dart in which the point may have moved before the edit."""

MIN_SPEED_GAIN = 0.7
"""A slow point that an edit makes faster by more than this darts, m/s."""

LOWEST = 0.02
"""The lowest fiftieth of its heights shows how low a point of the sole gets."""

MIN_STANCE, MAX_STANCE_GAP = 0.1, 0.08
"""Seconds that a stance lasts at least, and of a gap within it at most."""

SWING_SPEED = 0.5
"""Fraction of the highest speed of a swing above which the foot is in mid-swing."""


@dataclass(frozen=True, eq=False)
class SoleTracks:
    """Heel and toe of every foot over time.

    Attributes
    ----------
    names
        Of the F feet: "left", "right".
    positions
        (T, F, 2, 3) heel and toe of every foot in the world, metres.
    frame_time
        Seconds per frame.
    """

    names: tuple[str, ...]
    positions: FloatArray
    frame_time: float

    @property
    def speeds(self) -> FloatArray:
        """Speeds (T - 1, F, 2) over the ground from each frame to the next, m/s."""
        return np.asarray(norm(np.diff(self.positions[..., [0, 2]], axis=0)) / self.frame_time)

    @property
    def heights(self) -> FloatArray:
        """Heights (T, F, 2) above the lowest that each point gets, metres."""
        heights = self.positions[..., 1]
        return np.asarray(heights - np.quantile(heights, LOWEST, axis=0))


def track_soles(clip: Clip, like: Clip | None = None) -> SoleTracks:
    """Return heel and toe of every foot of a clip.

    Constraints say where heels and toes are; else they are found as in annotation. ``like`` is the clip that
    shows them, such as the one before an edit: then the same points are tracked in both.

    >>> from motionloom.synthesis import walk
    >>> track_soles(walk(duration=1.0, fps=30).clip).positions.shape
    (31, 2, 2, 3)
    """
    shown = clip if like is None else like
    legs = find_anatomy(shown.skeleton).legs
    if not legs or not shown.n_frames:
        raise ParameterError("stances cannot be measured: no legs were found in the skeleton, or no frames")
    check_same_frames(shown, clip)
    _, soles = find_soles(shown, legs)
    marked = {(c.joint, c.kind): c.point for c in reversed(shown.constraints)}
    points = [point for sole in soles for point in sole.points]
    local = [marked.get((shown.skeleton.names[p.joint], p.kind), p.point) for p in points]
    positions = world_points(clip.world_positions(), clip.world_rotations(), [p.joint for p in points], local)
    return SoleTracks(
        tuple(sole.side for sole in soles), positions.reshape(-1, len(soles), 2, 3), clip.frame_time
    )


def check_same_frames(before: Clip, after: Clip) -> None:
    """Refuse to compare clips that are not one motion before and after an edit.

    >>> from motionloom.synthesis import walk
    >>> check_same_frames(walk(duration=1.0, fps=30).clip, walk(duration=2.0, fps=30).clip)
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: an edit is compared frame by frame, but 31 frames became 61
    """
    if before.skeleton.names != after.skeleton.names:
        counts = f"{before.skeleton.n_joints} joints before and {after.skeleton.n_joints} after"
        raise ParameterError(f"an edit is compared joint by joint, but the skeletons differ: {counts}")
    if before.n_frames != after.n_frames:
        raise ParameterError(
            f"an edit is compared frame by frame, but {before.n_frames} frames became {after.n_frames}"
        )
    if not np.isclose(before.frame_time, after.frame_time):
        raise ParameterError(
            f"an edit is compared frame by frame, but {before.fps:g} frames per second became {after.fps:g}"
        )


def find_standing(tracks: SoleTracks) -> BoolArray:
    """Return in which steps (T - 1, F, 2) from frame to frame points of soles are low and slow.

    >>> still = SoleTracks(("left",), np.zeros((4, 1, 2, 3)), 0.1)
    >>> bool(find_standing(still).all())
    True
    """
    low = tracks.heights < NEAR_GROUND
    return np.asarray(low[1:] & low[:-1] & (tracks.speeds < SLOW))


def find_stances(tracks: SoleTracks) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return first and last frame of every stance of every foot.

    >>> still = SoleTracks(("left",), np.zeros((4, 1, 2, 3)), 0.1)
    >>> find_stances(still)
    (((0, 3),),)
    """
    found = []
    for steps in np.asarray(find_standing(tracks).any(axis=-1)).T:
        spans = join_intervals(
            [(float(first), last + 1.0) for first, last in runs(steps)], MAX_STANCE_GAP / tracks.frame_time
        )
        long_enough = [span for span in spans if (span[1] - span[0]) * tracks.frame_time >= MIN_STANCE]
        found.append(tuple((int(first), int(last)) for first, last in long_enough))
    return tuple(found)


@dataclass(frozen=True)
class Dart:
    """A standing foot that darts over the floor.

    Attributes
    ----------
    foot, point
        "left" or "right"; "heel" or "toe".
    start, end
        Frames between which it moves.
    time
        Seconds at which it begins to move.
    distance
        How far, metres.
    speed
        How fast at most, m/s.
    """

    foot: str
    point: str
    start: int
    end: int
    time: float
    distance: float
    speed: float

    def __str__(self) -> str:
        return (
            f"the {self.foot} {self.point} darts {100.0 * self.distance:.1f} cm over the floor at "
            f"{self.time:.1f} s, at up to {self.speed:.1f} m/s"
        )


def find_darts(tracks: SoleTracks, before: SoleTracks | None = None) -> list[Dart]:
    """Find points that are still, move over the floor without lifting and are still again.

    With the tracks ``before`` an edit, darts that were there already do not count, and points that were slow
    and became much faster do.

    >>> x = np.concatenate([np.zeros(5), [0.05], np.full(5, 0.1)])
    >>> positions = np.zeros((11, 1, 2, 3))
    >>> positions[:, 0, 0, 0] = x
    >>> [dart.distance for dart in find_darts(SoleTracks(("left",), positions, 1 / 30))]
    [0.1]
    """
    found = []
    speeds = tracks.speeds
    for foot, name in enumerate(tracks.names):
        for point, kind in enumerate(("heel", "toe")):
            own = _find_moves(tracks.positions[:, foot, point], tracks.frame_time)
            if before is not None:
                was = before.positions[:, foot, point]
                own = [move for move in own if not _is_known(move, was, tracks.frame_time)]
                own += _find_faster(tracks, before, foot, point)
            found += [
                Dart(name, kind, a, b, a * tracks.frame_time, distance, float(speeds[a:b, foot, point].max()))
                for a, b, distance in own
            ]
    return sorted(found, key=lambda dart: (dart.start, dart.foot, dart.point))


def _find_moves(track: FloatArray, frame_time: float) -> list[tuple[int, int, float]]:
    """Return frames and length of moves of a point (T, 3) between two times of stillness, without lifting."""
    ground = track[:, [0, 2]]
    still = norm(np.diff(ground, axis=0)) / frame_time < CREEP_SPEED
    ends = runs(still)
    moves = []
    for (_, before), (after, _) in pairwise(ends):
        first, last = before + 1, after
        distance = float(np.linalg.norm(ground[last] - ground[first]))
        # Above the lower end: the toe of a foot that lands on its heel is still for a moment, high up.
        rise = track[first : last + 1, 1].max() - min(track[first, 1], track[last, 1])
        if distance > MIN_DART and rise < MIN_LIFT:
            moves.append((first, last, distance))
    return moves


def _is_known(move: tuple[int, int, float], before: FloatArray, frame_time: float) -> bool:
    """Return whether a point (T, 3) moved about as far before the edit, around the same frames."""
    reach = round(DART_MARGIN / frame_time)
    first, last = max(move[0] - reach, 0), min(move[1] + reach, len(before) - 1)
    return move[2] - max_distance(before[first : last + 1, [0, 2]]) < MIN_DART


def _find_faster(
    tracks: SoleTracks, before: SoleTracks, foot: int, point: int
) -> list[tuple[int, int, float]]:
    """Return frames and length of moves that were slow before, and are much faster."""
    was, now = before.speeds[:, foot, point], tracks.speeds[:, foot, point]
    fast = (was < SLOW) & (now > was + MIN_SPEED_GAIN)
    track = tracks.positions[:, foot, point][:, [0, 2]]
    return [
        (first, last + 1, float(np.linalg.norm(track[last + 1] - track[first]))) for first, last in runs(fast)
    ]


@dataclass(frozen=True, eq=False)
class StanceMeasures:
    """What an edit did to standing feet.

    Attributes
    ----------
    darts
        Points that dart over the floor, and did not before.
    drift
        (N,) how much farther a point moves over the ground within each of the N stances than before, metres.
    pivot
        (N,) how much farther the foot turns within each stance, radians.
    roll
        (N,) the range of the foot's pitch within each stance over what it was; 1 where it was flat.
    speeds
        (S,) speed over the ground of standing feet, step by step, m/s.
    skate_beside
        (2,) mean speed of points near the ground while they were not standing, before and after, m/s.
    clearance
        (2,) mean of how far the lowest point of swinging feet is above the ground, before and after, metres.
    """

    darts: tuple[Dart, ...]
    drift: FloatArray
    pivot: FloatArray
    roll: FloatArray
    speeds: FloatArray
    skate_beside: FloatArray
    clearance: FloatArray


MIN_ROLL = 0.2
"""Radians of pitch below which a stance is flat: nothing of its roll can be lost."""


def compare_stances(before: Clip, after: Clip) -> StanceMeasures:
    """Measure what an edit, such as planting the feet, did to standing feet; both clips have the same frames.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> compare_stances(clip, clip).darts
    ()
    """
    old, new = track_soles(before), track_soles(after, like=before)
    standing = find_standing(old)
    rows = [
        _compare_stance(*(_measure_stance(tracks, standing, foot, *span) for tracks in (old, new)))
        for foot, spans in enumerate(find_stances(old))
        for span in spans
    ]
    drift, pivot, roll = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    slower = np.where(standing, new.speeds, np.inf).min(axis=-1)
    return StanceMeasures(
        tuple(find_darts(new, old)),
        drift,
        pivot,
        roll,
        slower[np.isfinite(slower)],
        np.array([_speed_beside(tracks, old, standing) for tracks in (old, new)]),
        np.array([_swing_clearance(tracks, old) for tracks in (old, new)]),
    )


def measure_stances(clip: Clip) -> MeasurementGroup:
    """Measure what standing feet do in a clip by itself.

    >>> from motionloom.synthesis import walk
    >>> [(each.name, each.value) for each in measure_stances(walk(duration=2.0).clip).measurements][1]
    ('darts', 0.0)
    """
    tracks = track_soles(clip)
    if clip.n_frames < 2:
        raise ParameterError("stances need two frames or more")
    standing = find_standing(tracks)
    motions = [
        _measure_stance(tracks, standing, foot, *span)
        for foot, spans in enumerate(find_stances(tracks))
        for span in spans
    ]
    drift = max((float(motion.drift.max()) for motion in motions), default=0.0)
    pivot, roll = (np.degrees([getattr(motion, name) for motion in motions]) for name in ("pivot", "roll"))
    return MeasurementGroup(
        "stances",
        (
            Measurement("stances", float(len(motions)), "", "times that a foot stands, plants or not"),
            Measurement(
                "darts",
                float(len(find_darts(tracks))),
                "",
                "still heels and toes that move without lifting; low steps count, too",
            ),
            Measurement("largest drift", 100.0 * drift, "cm", "standing heel or toe over the ground"),
            Measurement("largest pivot", float(pivot.max(initial=0.0)), "°", "how far a standing foot turns"),
            Measurement(
                "mean roll", float(roll.mean()) if motions else 0.0, "°", "range of a standing foot's pitch"
            ),
            Measurement(
                "speed beside stances",
                100.0 * _speed_beside(tracks, tracks, standing),
                "cm/s",
                "soles near the ground that do not stand, mean",
            ),
            Measurement(
                "swing clearance",
                100.0 * _swing_clearance(tracks, tracks),
                "cm",
                "lowest point of swinging feet above the ground, mean",
            ),
        ),
    )


class _StanceMotion(NamedTuple):
    """How a foot moves in a stance: drift (2,) of heel and toe, metres; ranges of yaw and pitch, radians."""

    drift: FloatArray
    pivot: float
    roll: float


def _measure_stance(
    tracks: SoleTracks, standing: BoolArray, foot: int, first: int, last: int
) -> _StanceMotion:
    drift = np.zeros(2)
    for point in range(2):
        steps = first + np.flatnonzero(standing[first:last, foot, point])
        frames = np.union1d(steps, steps + 1)
        if len(frames):
            drift[point] = max_distance(tracks.positions[frames, foot, point][:, [0, 2]])
    heels, toes = np.moveaxis(tracks.positions[first : last + 1, foot], 1, 0)
    x, y, z = (toes - heels).T
    return _StanceMotion(
        drift, float(np.ptp(np.unwrap(np.arctan2(x, z)))), float(np.ptp(np.arctan2(y, np.hypot(x, z))))
    )


def _compare_stance(old: _StanceMotion, new: _StanceMotion) -> tuple[float, float, float]:
    """Return drift and pivot that a stance gained, and which fraction of its roll is left."""
    drift = max(float((new.drift - old.drift).max()), 0.0)
    return drift, new.pivot - old.pivot, new.roll / old.roll if old.roll > MIN_ROLL else 1.0


def _speed_beside(tracks: SoleTracks, old: SoleTracks, standing: BoolArray) -> float:
    """Return the mean speed of points near the ground that were not standing before, m/s."""
    low = old.heights < NEAR_GROUND
    beside = low[1:] & low[:-1] & ~standing
    return float(tracks.speeds[beside].mean()) if beside.any() else 0.0


def _swing_clearance(tracks: SoleTracks, old: SoleTracks) -> float:
    """Return how far the lowest point of swinging feet is above the ground, metres, mean over swings."""
    lows = []
    levels = np.quantile(old.positions[..., 1], LOWEST, axis=0)
    for foot, spans in enumerate(find_stances(old)):
        for (_, start), (end, _) in pairwise(spans):
            speeds = old.speeds[start:end, foot].mean(axis=-1)
            if end - start < 2 or speeds.max() < SLOW:
                continue
            crossing = start + np.flatnonzero(speeds > SWING_SPEED * speeds.max())
            lows.append(float((tracks.positions[crossing, foot, :, 1] - levels[foot]).min()))
    return float(np.mean(lows)) if lows else 0.0
