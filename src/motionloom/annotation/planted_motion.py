"""What planted points of a gait in place do, and the steady travel under which they move least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.foot_plants import PlantSettings, detect_plants
from motionloom.annotation.signals import Interval
from motionloom.annotation.soles import find_soles
from motionloom.arrays import FloatArray, IntArray
from motionloom.motion import Clip, kinematics
from motionloom.motion.anatomy import find_anatomy, find_body_masses, tree
from motionloom.motion.steady_travel import SteadyTravel, add_travel
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, unroll

TRIM_START, TRIM_END = 0.2, 0.35
"""Fractions of a plant at its ends that do not count: a foot that lands or pushes off still moves or moves
already, forwards in both cases, by a tenth of the speed of travel."""

STILL_ROOT = 0.005
"""A root that stays this near to one place over the ground, metres, had its motion removed in every frame.
Its body is then steadier than it: planted feet are seen from the center of mass."""

MUCH_STEADIER = 0.6
"""Unless the feet move at one speed seen from the root: with this fraction of the deviation, or less."""

OUTLIER = 2.0
"""Velocities farther from the mean than this many standard deviations lose weight."""

MIN_DEVIATION = 0.02
"""Standard deviation of the velocities of planted feet at least, m/s."""

MAX_HELD_SPEED = 5e-3
"""Points that move by less than this against the ground below them were planted in it, m/s."""

MIN_HELD_FRAMES = 3
"""Frames of a plant at least that show its velocity: one with a planted frame before and after it."""

MIN_TURN_GAIN = 0.2
"""A turn is believed where it takes away this fraction of what is left without it, on both feet alike."""


@dataclass(frozen=True, eq=False)
class CountedFrames:
    """A clip to look at, a cycle with one before and one after it; the frames that count."""

    clip: Clip
    first: int
    end: int
    cyclic: bool

    @classmethod
    def around(cls, clip: Clip) -> CountedFrames:
        """Return the frames of a clip, with a cycle before and after where it is cyclic."""
        if clip.cyclic and clip.n_frames >= MIN_CYCLE_FRAMES:
            return cls(replace(unroll(clip, 3), cyclic=False), clip.n_frames, 2 * clip.n_frames, True)
        return cls(replace(clip, cyclic=False), 0, clip.n_frames, False)


@dataclass(frozen=True, eq=False)
class PlantedMotion:
    """Planted points: frames (N,), positions (N, 2) and velocities (N, 2) in place, and the side of each."""

    frames: IntArray
    positions: FloatArray
    velocities: FloatArray
    is_left: IntArray
    n_plants: int
    sides: frozenset[str]
    coverage: float


def detect_planted_motion(
    frames: CountedFrames, steady: SteadyTravel, settings: PlantSettings, trim: bool
) -> PlantedMotion:
    """Detect plants in the ground that moves steadily."""
    still = replace(frames.clip, constraints=(), events=())
    moving = add_travel(still, steady)
    floor, soles = find_soles(moving, find_anatomy(still.skeleton).legs)
    tracks = []
    for sole in soles:
        for point in sole.points:
            found, _ = detect_plants(point.positions(moving), floor, still.frame_time, settings)
            tracks.append((sole.side, point.positions(still), found))
    return _gather(frames, tracks, trim)


def find_held_travel(frames: CountedFrames) -> tuple[SteadyTravel, PlantedMotion] | None:
    """Return the travel that the clip's own plants keep to exactly, and what they do; None if they do not.

    Feet that were planted in the moving ground tell its velocity, however much they roll while they stand and
    whatever they do in between.
    """
    clip = frames.clip
    tracks = []
    for leg in find_anatomy(clip.skeleton).legs:
        foot = tree.subtree(clip.skeleton, leg.ankle)
        for plant in clip.constraints:
            held = plant.whole_frames(clip.n_frames)
            # A plant that ends at the seam of a cycle is not held in the frame after it.
            first, end = max(held.start, frames.first), min(held.stop, frames.end)
            if clip.skeleton.index(plant.joint) in foot and end - first >= MIN_HELD_FRAMES:
                positions = clip.point_positions(plant.joint, plant.point)
                tracks.append((leg.side, positions, [(float(first), float(end - 1))]))
    found = _gather(frames, tracks, trim=False, margin=1)
    if len(found.sides) < 2:
        return None
    steady = fit_travel(frames, found)
    slide = np.linalg.norm(found.velocities + steady.velocities(found.positions), axis=1)
    return (steady, found) if slide.max() < MAX_HELD_SPEED else None


def _gather(
    frames: CountedFrames,
    tracks: Sequence[tuple[str, FloatArray, list[Interval]]],
    trim: bool,
    margin: int = 0,
) -> PlantedMotion:
    """Gather what planted points do within the frames that count, where trimmed in the middle of plants.

    Velocities do not count in ``margin`` frames at either end of a plant.
    """
    n_frames = frames.clip.n_frames
    rows: list[tuple[IntArray, FloatArray, FloatArray, bool]] = []
    covered, n_plants, sides = np.zeros(n_frames, dtype=bool), 0, set()
    for side, positions, intervals in tracks:
        velocities = kinematics.velocities(positions, frames.clip.frame_time)
        for start, end in intervals:
            first = start + margin + (TRIM_START * (end - start) if trim and start > 0.0 else 0.0)
            last = end - margin - (TRIM_END * (end - start) if trim and end < n_frames - 1 else 0.0)
            inside = np.arange(int(np.ceil(first)), int(np.floor(last)) + 1)
            inside = inside if len(inside) else np.array([round(0.5 * (first + last))])
            inside = inside[(inside >= max(frames.first, 1)) & (inside < min(frames.end, n_frames - 1))]
            covered[int(np.ceil(start)) : int(end) + 1] = True
            if len(inside):
                n_plants += 1
                sides.add(side)
                there, moving = positions[inside][:, [0, 2]], velocities[inside][:, [0, 2]]
                rows.append((inside, there, moving, side == "left"))
    if not rows:
        empty = np.zeros((0, 2))
        return PlantedMotion(np.zeros(0, int), empty, empty, np.zeros(0, int), 0, frozenset(), 0.0)
    return PlantedMotion(
        np.concatenate([row[0] for row in rows]),
        np.concatenate([row[1] for row in rows]),
        np.concatenate([row[2] for row in rows]),
        np.concatenate([np.full(len(row[0]), row[3]) for row in rows]),
        n_plants,
        frozenset(sides),
        float(covered[frames.first : frames.end].mean()),
    )


def fit_travel(frames: CountedFrames, planted: PlantedMotion) -> SteadyTravel:
    """Return the travel under which the planted points move least, every instant weighted once."""
    turn = _fit_turn(planted)
    offsets = planted.positions
    seen = -planted.velocities - turn * np.stack([offsets[:, 1], -offsets[:, 0]], axis=-1)
    own, weights = np.zeros((frames.clip.n_frames, 2)), _robust_weights(planted.frames, seen)
    if np.ptp(frames.clip.root_positions[:, [0, 2]], axis=0).max() <= STILL_ROOT:
        body = _center_velocities(frames.clip)
        from_body = _robust_weights(planted.frames, seen + body[planted.frames])
        if _deviation(seen, weights) > MUCH_STEADIER * _deviation(seen + body[planted.frames], from_body):
            own, weights = body, from_body
    backward = seen + own[planted.frames]
    n_frames = frames.clip.n_frames
    total = np.bincount(planted.frames, weights, minlength=n_frames)
    known = np.flatnonzero(total > 0.0)
    counted = np.arange(frames.first, frames.end)
    around = [known - len(counted), known, known + len(counted)] if frames.cyclic else [known]
    means = []
    for axis in range(2):
        summed = np.bincount(planted.frames, weights * backward[:, axis], minlength=n_frames)
        values = np.tile(summed[known] / total[known], len(around))
        filled = np.interp(counted, np.concatenate(around), values)
        means.append(float(filled.mean() - own[counted, axis].mean()))
    return SteadyTravel(means[0], means[1], turn)


def _fit_turn(planted: PlantedMotion) -> float:
    """Return the turn rate that both feet show alike, or 0 where it explains little."""
    rates, gains = [], []
    for side in (0, 1):
        of_side = planted.is_left == side
        offsets, backward = planted.positions[of_side], -planted.velocities[of_side]
        if len(offsets) < 4:
            return 0.0
        around = np.stack([offsets[:, 1], -offsets[:, 0]], axis=-1)
        around, backward = around - around.mean(axis=0), backward - backward.mean(axis=0)
        rates.append(float((around * backward).sum() / max((around**2).sum(), 1e-9)))
        left = float(((backward - rates[-1] * around) ** 2).sum())
        gains.append(1.0 - left / max(float((backward**2).sum()), 1e-12))
    mean = 0.5 * (rates[0] + rates[1])
    alike = abs(rates[0] - rates[1]) < abs(mean)
    return mean if alike and min(gains) > MIN_TURN_GAIN else 0.0


def _robust_weights(frames: IntArray, velocities: FloatArray) -> FloatArray:
    """Return weights (N,) by which every instant counts once, and outliers less."""
    once = 1.0 / np.bincount(frames)[frames]
    weights = once
    for _ in range(4):
        center = np.average(velocities, axis=0, weights=weights)
        apart = np.linalg.norm(velocities - center, axis=1)
        deviation = max(1.4826 * float(np.median(apart)), MIN_DEVIATION)
        weights = once / np.maximum(1.0, apart / (OUTLIER * deviation))
    return np.asarray(weights)


def _deviation(velocities: FloatArray, weights: FloatArray) -> float:
    """Return the weighted standard deviation of velocities (N, 2), m/s."""
    apart = velocities - np.average(velocities, axis=0, weights=weights)
    return float(np.sqrt(np.average((apart**2).sum(axis=1), weights=weights)))


def _center_velocities(clip: Clip) -> FloatArray:
    """Return the velocity (T, 2) of the body's center of mass over the ground, m/s."""
    body = find_body_masses(clip.skeleton)
    positions = clip.world_positions()
    center = positions[:, 0] if body is None else body.centre(positions, clip.world_rotations())
    return np.asarray(kinematics.velocities(center, clip.frame_time)[:, [0, 2]])
