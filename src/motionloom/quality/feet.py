"""Feet: how they slide, sink and hover against the ground, and what planted points do while they are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from motionloom.annotation.floor import Floor
from motionloom.annotation.ground import Ground, GroundLike, choose_ground
from motionloom.annotation.labels import PLANT_KINDS, TOE
from motionloom.annotation.soles import find_soles
from motionloom.annotation.treadmill import recover_if_in_place
from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Constraint, sampling
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.anatomy.thresholds import CREEP_SPEED
from motionloom.motion.kinematics import max_distance, world_points
from motionloom.quality.results import Measurement, MeasurementGroup

LEVEL_GROUND = Ground(Floor(0.0))

NO_FEET = "feet cannot be measured: no legs were found in the skeleton, or no frames"

SKATE_HEIGHT = 0.025
"""Metres above the standing height from which sliding does not count (Zhang and others 2018)."""

RATIO_RATE, RATIO_HEIGHT, RATIO_SPEED, RATIO_WINDOW = 20.0, 0.05, 0.5, 5
"""Frames per second, metres, m/s and frames of the skate ratio, as published with guided motion diffusion."""

MAX_SLIDE_RISE = 0.015
"""A foot that slides stays on the ground: over the window of the skate ratio its toe rises and falls by less
than this, metres. A toe that lands or leaves passes through 5 cm in less time."""


@dataclass(frozen=True, eq=False)
class Feet:
    """The contact points of all feet of a clip: P points, heel and toe of every leg.

    Attributes
    ----------
    names, kinds
        P joint names and kinds, "heel" or "toe".
    positions
        (T, P, 3) in the world, metres.
    heights
        (T, P) above the ground, metres; zero where the foot stands.
    frame_time
        Seconds per frame.
    ground
        What was taken for the ground.
    planted
        (T, P) whether the clip's constraints hold the point; None where that is not known.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    positions: FloatArray
    heights: FloatArray
    frame_time: float
    ground: Ground = LEVEL_GROUND
    planted: BoolArray | None = None

    @property
    def floor(self) -> str:
        """The ground in words."""
        return "the given function" if self.ground.surface is not None else str(self.ground.floor)


def has_feet(clip: Clip) -> bool:
    """Whether there are feet to measure: legs, and frames that show them.

    >>> from motionloom.synthesis import walk
    >>> has_feet(walk(duration=1.0).clip), has_feet(walk(duration=1.0).clip[:0])
    (True, False)
    """
    return bool(find_anatomy(clip.skeleton).legs) and clip.n_frames > 0


def put_on_moving_ground(clip: Clip, ground: GroundLike = None) -> tuple[Clip, str | None]:
    """Give a gait in place the travel that its feet show, and say so: against still ground they only slide.

    Any other clip is returned as it is, and so is one on a given surface, which does not move.

    >>> from motionloom.motion.steady_travel import put_in_place
    >>> from motionloom.synthesis import walk
    >>> put_on_moving_ground(put_in_place(walk(speed=1.2, duration=4.0).clip).clip)[1]
    'the clip walks in place: its feet are measured in the ground that moves below it at 1.20 m/s'
    """
    moving, steady = (clip, None) if callable(ground) else recover_if_in_place(clip)
    if steady is None:
        return clip, None
    speed = float(np.hypot(steady.x, steady.z))
    at = f"the ground that moves below it at {speed:.2f} m/s"
    return moving, f"the clip walks in place: its feet are measured in {at}"


def find_feet(clip: Clip, ground: GroundLike = None) -> Feet:
    """Find the contact points of a clip and their heights above the ground.

    Constraints of the clip show where heels and toes are, and on which floor they stand, as in enforcement;
    where it has none, points and floor are found as in annotation.

    >>> from motionloom.synthesis import walk
    >>> find_feet(walk(duration=1.0, fps=30).clip).heights.shape
    (31, 4)
    """
    if not has_feet(clip):
        raise ParameterError(NO_FEET)
    floor, soles = find_soles(clip, find_anatomy(clip.skeleton).legs, None)
    marked = {(c.joint, c.kind): c.point for c in reversed(clip.constraints) if c.kind in PLANT_KINDS}
    points = [point for sole in soles for point in sole.points]
    names = tuple(clip.skeleton.names[point.joint] for point in points)
    kinds = tuple(point.kind for point in points)
    local = [marked.get((n, p.kind), p.point) for n, p in zip(names, points, strict=True)]
    positions = world_points(clip.world_positions(), clip.world_rotations(), [p.joint for p in points], local)
    chosen = choose_ground(floor, ground)
    heights = chosen.heights_above(positions)
    planted = _find_planted(clip, list(zip(names, kinds, strict=True)))
    return Feet(names, kinds, freeze(positions), freeze(heights), clip.frame_time, chosen, planted)


def _find_planted(clip: Clip, points: Sequence[tuple[str, str]]) -> BoolArray:
    """Return in which frames (T, P) constraints hold points, given by joint and kind."""
    planted = np.zeros((clip.n_frames, len(points)), dtype=np.bool_)
    for constraint in clip.constraints:
        key = constraint.joint, constraint.kind
        if key in points:
            planted[constraint.whole_frames(clip.n_frames), points.index(key)] = True
    return planted


def skate_speeds(feet: Feet) -> FloatArray:
    """Return the height-weighted sliding speed (T - 1, P) of every contact point from frame to frame, m/s.

    The ground speed counts fully where the point is on the ground, and not at all from 2.5 cm on:
    ``v · clamp(2 − 2^(h / 2.5 cm), 0, 1)``, with the mean height of both frames.

    >>> sliding = np.array([[[0.0, 0, 0]], [[0.01, 0, 0]]])
    >>> skate_speeds(Feet(("foot",), ("toe",), sliding, sliding[..., 1], 0.1)).round(9).tolist()
    [[0.1]]
    """
    moved = np.diff(feet.positions[..., [0, 2]], axis=0)
    heights = (feet.heights[1:] + feet.heights[:-1]) / 2.0
    # Beyond these heights the clamp decides; the power itself may overflow.
    weights = np.clip(2.0 - 2.0 ** np.clip(heights / SKATE_HEIGHT, -1.0, 1.0), 0.0, 1.0)
    return np.asarray(np.linalg.norm(moved, axis=-1) / feet.frame_time * weights)


def skate_ratio(feet: Feet) -> float:
    """Return the fraction of frames, at 20 per second, in which a foot slides.

    A planted point slides when it moves over the ground faster than 0.1 m/s. Besides, as published, a foot
    slides when its toe is lower than 5 cm in two frames and moves between them faster than 0.5 m/s, and on
    average over five frames too; but only while it stays level and no point of any foot is low and slower
    than that. A foot that lands, leaves or swings low past the one that stands does not slide.

    >>> still = np.zeros((30, 1, 3))
    >>> skate_ratio(Feet(("foot",), ("toe",), still, still[..., 1], 0.05))
    0.0
    """
    frames = sampling.frames_at_rate(len(feet.positions), feet.frame_time, RATIO_RATE)
    if len(frames) < 2:
        return 0.0
    positions = sampling.sample_vectors(feet.positions, frames)
    heights = sampling.sample_vectors(feet.heights, frames)
    speeds = np.linalg.norm(np.diff(positions[..., [0, 2]], axis=0), axis=-1) * RATIO_RATE
    low: BoolArray = (heights[1:] < RATIO_HEIGHT) & (heights[:-1] < RATIO_HEIGHT)
    half = RATIO_WINDOW // 2
    windows = sliding_window_view(np.pad(speeds, ((half, half), (0, 0)), mode="edge"), RATIO_WINDOW, axis=0)
    rises = np.ptp(
        sliding_window_view(np.pad(heights, ((half, half), (0, 0)), mode="edge"), RATIO_WINDOW + 1, axis=0),
        axis=-1,
    )
    fast = low & (speeds > RATIO_SPEED) & (windows.mean(axis=-1) > RATIO_SPEED) & (rises < MAX_SLIDE_RISE)
    stands = (low & (speeds <= RATIO_SPEED)).any(axis=1)
    sliding = (fast & [kind == TOE for kind in feet.kinds]).any(axis=1) & ~stands
    if feet.planted is not None:
        held = _find_held_steps(feet.planted, frames)
        sliding |= (held & (speeds > CREEP_SPEED)).any(axis=1)
    return float(sliding.mean())


def _find_held_steps(planted: BoolArray, frames: FloatArray) -> BoolArray:
    """Return in which of the steps (N - 1, P) between frames (N,) points are planted in all whole frames."""
    free = np.concatenate([np.zeros((1, planted.shape[1])), np.cumsum(~planted, axis=0)])
    first, last = np.floor(frames[:-1]).astype(int), np.ceil(frames[1:]).astype(int)
    return np.asarray(free[np.minimum(last, len(planted) - 1) + 1] == free[first])


def penetrations(feet: Feet) -> FloatArray:
    """Return how far every contact point is below the ground (T, P), metres; zero above it.

    >>> sunk = np.array([[[0.0, -0.02, 0.0]]])
    >>> penetrations(Feet(("foot",), ("toe",), sunk, sunk[..., 1], 0.1)).tolist()
    [[0.02]]
    """
    return np.maximum(-feet.heights, 0.0)


@dataclass(frozen=True, eq=False)
class PlantMeasures:
    """What the points of N constraints do while they should stay in place.

    Attributes
    ----------
    constraints
        Those of two frames or more.
    travel
        (N,) largest distance on the ground between two positions of the point within the constraint, metres.
    speed
        (N,) length of its track over the ground divided by the time, m/s.
    lowest, highest
        (N,) height of the point above the ground, metres.
    miss
        (N,) largest distance from the target, metres; NaN where the constraint has none.
    """

    constraints: tuple[Constraint, ...]
    travel: FloatArray
    speed: FloatArray
    lowest: FloatArray
    highest: FloatArray
    miss: FloatArray


def plant_measures(clip: Clip, ground: GroundLike = 0.0) -> PlantMeasures:
    """Measure travel, speed, height and distance from the target of every constraint's point.

    The whole frames within a constraint count; constraints shorter than two frames are ignored.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> found = plant_measures(annotate(walk(duration=2.0).clip))
    >>> bool(found.travel.max() < 0.001)
    True
    """
    chosen = choose_ground(Floor(0.0), ground)
    kept, rows = [], []
    for constraint in clip.constraints:
        span = constraint.whole_frames(clip.n_frames)
        if len(span) < 2:
            continue
        track = clip.point_positions(constraint.joint, constraint.point, slice(span.start, span.stop))
        heights = chosen.heights_above(track)
        length = float(np.linalg.norm(np.diff(track[:, [0, 2]], axis=0), axis=1).sum())
        target = constraint.target
        miss = np.nan if target is None else float(np.linalg.norm(track - target, axis=1).max())
        rows.append(
            (
                max_distance(track[:, [0, 2]]),
                length / ((len(span) - 1) * clip.frame_time),
                heights.min(),
                heights.max(),
                miss,
            )
        )
        kept.append(constraint)
    table = np.array(rows, dtype=np.float64).reshape(-1, 5).T
    return PlantMeasures(tuple(kept), *(freeze(row.copy()) for row in table))


def measure_feet(feet: Feet) -> MeasurementGroup:
    """Measure how heels and toes slide and sink, planted or not."""
    depths, skate = penetrations(feet), skate_speeds(feet)
    if not len(skate):
        raise ParameterError("sliding needs two frames or more")
    ratio = 100.0 * skate_ratio(feet)
    return MeasurementGroup(
        "feet",
        (
            Measurement(
                "skate speed",
                100.0 * float(skate.mean()),
                "cm/s",
                "sliding of heels and toes, weighted by height",
            ),
            Measurement(
                "skate ratio", ratio, "%", "frames at 20 Hz in which a foot slides that is planted or alone"
            ),
            Measurement(
                "mean penetration", 100.0 * float(depths.mean()), "cm", "heels and toes below the ground"
            ),
            Measurement(
                "largest penetration", 100.0 * float(depths.max()), "cm", "heel or toe below the ground"
            ),
        ),
    )


def measure_plants(clip: Clip, ground: GroundLike) -> MeasurementGroup:
    """Measure what the points of constraints do while they should stay in place."""
    if not clip.constraints:
        raise ParameterError("the clip has no constraints; annotate it first")
    found = plant_measures(clip, ground)
    if not found.constraints:
        raise ParameterError("no constraint of the clip lasts two frames")
    slides = "ground distance within a plant"
    measurements = [
        Measurement("plants", float(len(found.constraints)), "", "constraints of two frames or more"),
        Measurement("mean slide", 100.0 * float(found.travel.mean()), "cm", slides),
        Measurement("largest slide", 100.0 * float(found.travel.max()), "cm", slides),
        Measurement(
            "plant speed", 100.0 * float(found.speed.mean()), "cm/s", "mean ground speed within plants"
        ),
    ]
    of_feet = np.array([c.kind in PLANT_KINDS for c in found.constraints])
    if of_feet.any():
        high = 100.0 * max(float(found.highest[of_feet].max()), 0.0)
        low = 100.0 * max(float(-found.lowest[of_feet].min()), 0.0)
        measurements += [
            Measurement("largest float", high, "cm", "planted heel or toe above the ground"),
            Measurement("largest sink", low, "cm", "planted heel or toe below the ground"),
        ]
    if np.isfinite(found.miss).any():
        miss = 100.0 * float(np.nanmax(found.miss))
        measurements.append(Measurement("largest miss", miss, "cm", "plant off its target"))
    return MeasurementGroup("plants", tuple(measurements))
