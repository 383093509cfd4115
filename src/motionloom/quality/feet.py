"""Feet against the ground, whether or not plants are labelled: how they slide, sink and hover."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.annotation.floor import Floor, Surface, surface_heights
from motionloom.annotation.labels import PLANT_KINDS, TOE
from motionloom.annotation.soles import find_soles
from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.motion import Clip, sampling
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.kinematics import world_points
from motionloom.validation import check_number

GroundLike = float | Surface | None
"""The height of a level floor in metres, a function of x and z, which may be numbers or arrays (N,), that
gives heights, or None: the floor that the clip's plants stand on, or without them the standing feet."""

NO_FEET = "feet cannot be measured: no legs were found in the skeleton, or no frames"

SKATE_HEIGHT = 0.025
"""Metres above the standing height at which sliding stops to count (Zhang and others 2018)."""

RATIO_RATE, RATIO_HEIGHT, RATIO_SPEED, RATIO_WINDOW = 20.0, 0.05, 0.5, 5
"""Frames per second, metres, m/s and frames of the skate ratio, as published with guided motion diffusion."""


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
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    positions: FloatArray
    heights: FloatArray
    frame_time: float
    ground: Floor | GroundLike = 0.0

    @property
    def floor(self) -> str:
        """The ground in words."""
        if callable(self.ground):
            return "the function that was given"
        return str(self.ground if isinstance(self.ground, Floor) else Floor(self.ground or 0.0))


def has_feet(clip: Clip) -> bool:
    """Whether there are feet to measure: legs, and frames that show them.

    >>> from motionloom.synthesis import walk
    >>> has_feet(walk(duration=1.0).clip), has_feet(walk(duration=1.0).clip[:0])
    (True, False)
    """
    return bool(find_anatomy(clip.skeleton).legs) and clip.n_frames > 0


def feet_of(clip: Clip, ground: GroundLike = None) -> Feet:
    """The contact points of a clip and their heights above the ground.

    Constraints of the clip say where heels and toes are, and on which floor they stand, as they do in
    enforcement; where it has none, points and floor are found as annotation finds them.

    >>> from motionloom.synthesis import walk
    >>> feet_of(walk(duration=1.0, fps=30).clip).heights.shape
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
    places = world_points(clip.world_positions(), clip.world_rotations(), [p.joint for p in points], local)
    taken = floor if ground is None else ground
    return Feet(names, kinds, freeze(places), freeze(ground_heights(places, taken)), clip.frame_time, taken)


def ground_heights(positions: FloatArray, ground: Floor | GroundLike) -> FloatArray:
    """How far positions (..., 3) lie above the ground (...), metres.

    >>> ground_heights(np.array([[1.0, 0.5, 0.0]]), lambda x, z: 0.1 * x).tolist()
    [0.4]
    """
    if isinstance(ground, Floor):
        return ground.heights_above(positions)
    if callable(ground):
        return np.asarray(positions[..., 1] - surface_heights(ground, positions))
    return np.asarray(positions[..., 1] - check_number("ground", 0.0 if ground is None else ground))


def skate_speeds(feet: Feet) -> FloatArray:
    """Height-weighted sliding (T - 1, P) of every contact point from frame to frame, m/s.

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
    """Share of frames, at 20 per second, in which a foot slides.

    A foot slides when its toe is lower than 5 cm in two frames and moves between them faster than 0.5 m/s,
    and on average over five frames too. A swinging foot that passes low counts as well: walks are not at 0.

    >>> still = np.zeros((30, 1, 3))
    >>> skate_ratio(Feet(("foot",), ("toe",), still, still[..., 1], 0.05))
    0.0
    """
    toes = [index for index, kind in enumerate(feet.kinds) if kind == TOE]
    frames = sampling.frames_at_rate(len(feet.positions), feet.frame_time, RATIO_RATE)
    if len(frames) < 2:
        return 0.0
    places = sampling.sample_vectors(feet.positions[:, toes], frames)
    heights = sampling.sample_vectors(feet.heights[:, toes], frames)
    speeds = np.linalg.norm(np.diff(places[..., [0, 2]], axis=0), axis=-1) * RATIO_RATE
    low: BoolArray = (heights[1:] < RATIO_HEIGHT) & (heights[:-1] < RATIO_HEIGHT)
    sliding = low & (speeds > RATIO_SPEED) & (_averaged(speeds) > RATIO_SPEED)
    return float(sliding.any(axis=1).mean())


def depths(feet: Feet) -> FloatArray:
    """How far every contact point is below the ground (T, P), metres; zero above it.

    >>> sunk = np.array([[[0.0, -0.02, 0.0]]])
    >>> depths(Feet(("foot",), ("toe",), sunk, sunk[..., 1], 0.1)).tolist()
    [[0.02]]
    """
    return np.maximum(-feet.heights, 0.0)


def _averaged(speeds: FloatArray) -> FloatArray:
    """Speeds (N, P) averaged over five frames, fewer at the ends."""
    half = RATIO_WINDOW // 2
    padded = np.pad(speeds, ((half, half), (0, 0)), mode="edge")
    return np.asarray(np.mean([padded[k : k + len(speeds)] for k in range(RATIO_WINDOW)], axis=0))
