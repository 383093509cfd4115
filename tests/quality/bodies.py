"""Bodies whose motion is known by hand: rigid gliding, single swinging points, turning on arcs."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Skeleton
from motionloom.synthesis import biped
from motionloom.synthesis.biped import HEEL_POINT, STANDING_HEIGHT, TOE_POINT

FPS = 100.0
DOT = Skeleton(("root",), np.array([-1]), np.zeros((1, 3)))
ROD = Skeleton(
    ("root", "hinge", "end"), np.array([-1, 0, 1]), np.array([[0.0, 0, 0], [0, 0, 0], [0.5, 0, 0]])
)


def dot(places: FloatArray, fps: float = FPS) -> Clip:
    """One point that takes these places (T, 3)."""
    return Clip(DOT, 1.0 / fps, places, np.tile(rot.IDENTITY, (len(places), 1, 1)))


def dot_along_x(way: FloatArray, fps: float = FPS) -> Clip:
    """One point at these x (T,), one metre high."""
    return dot(np.stack([way, np.ones_like(way), np.zeros_like(way)], axis=1), fps)


def swinging_rod(angles: FloatArray, fps: float = FPS) -> Clip:
    """A rod of half a metre that turns by these angles (T,) about the forward axis of a root at rest."""
    turns = np.tile(rot.IDENTITY, (len(angles), 3, 1))
    turns[:, 1] = rot.from_axis_angle([0.0, 0.0, 1.0], angles)
    return Clip(ROD, 1.0 / fps, np.zeros((len(angles), 3)), turns)


def sole_constraints(start: float, end: float) -> tuple[Constraint, ...]:
    """Heel and toe of both feet of the biped, planted from start to end."""
    return tuple(
        Constraint(side + joint, kind, start, end, point)
        for side in ("Left", "Right")
        for joint, kind, point in (("Foot", "heel", HEEL_POINT), ("ToeBase", "toe", TOE_POINT))
    )


def gliding(
    speed: float, seconds: float = 1.0, lift: float = 0.0, planted: bool = True, fps: float = FPS
) -> Clip:
    """The biped in its rest pose, sliding along +X at this speed, its soles ``lift`` above the ground."""
    n_frames = round(seconds * fps) + 1
    ways = np.arange(n_frames) / fps * speed
    roots = np.stack([ways, np.full(n_frames, STANDING_HEIGHT + lift), np.zeros(n_frames)], axis=1)
    turns = np.tile(rot.IDENTITY, (n_frames, biped().n_joints, 1))
    constraints = sole_constraints(0, n_frames - 1) if planted else ()
    return Clip(biped(), 1.0 / fps, roots, turns, constraints=constraints)


def on_an_arc(radius: float, turn: float, seconds: float = 2.0, fps: float = FPS) -> Clip:
    """A point that goes along an arc to the left at constant speed, looking along it, by ``turn`` radians."""
    angles = np.linspace(0.0, turn, round(seconds * fps) + 1)
    places = radius * np.stack([1.0 - np.cos(angles), np.zeros_like(angles), np.sin(angles)], axis=1)
    return Clip(DOT, 1.0 / fps, places, rot.from_yaw(angles)[:, None])
