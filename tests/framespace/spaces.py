"""Framespaces that several tests share."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from motionloom.annotation import annotate
from motionloom.cycles import cyclify
from motionloom.files import load_clip
from motionloom.framespace import Framespace
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing, find_anatomy
from motionloom.synthesis import jog, punch, sneak, stand, walk

S_CURVE = [(0.0, 0.0), (0.3, 0.0), (0.7, 1.0), (1.0, 1.0)]
"""From the first clip to the second, starting and ending at rest."""


@cache
def walking() -> Clip:
    """One cycle of a walk to the left."""
    return cyclify(annotate(walk(speed=1.2, curvature=0.3, duration=4.0, fps=60).clip), cycles=1).clip


@cache
def jogging() -> Clip:
    """One cycle of a jog to the right."""
    return cyclify(annotate(jog(speed=2.4, curvature=-0.2, duration=4.0, fps=60).clip), cycles=1).clip


@cache
def sneaking() -> Clip:
    """One cycle of sneaking straight on."""
    return cyclify(annotate(sneak(duration=5.0, fps=60).clip), cycles=1).clip


@cache
def punching() -> Clip:
    """A punch, which does not repeat."""
    return punch(duration=1.5, fps=60).clip


@cache
def waving(n_frames: int, size: float) -> Clip:
    """A cycle of somebody who stands and swings both arms against each other."""
    still = stand(duration=(n_frames - 1) / 60.0, fps=60).clip
    turns = np.tile(still.rotations[:1], (n_frames, 1, 1))
    angles = size * np.sin(2.0 * np.pi * np.arange(n_frames) / n_frames)
    for name, side in (("LeftArm", 1.0), ("RightArm", -1.0)):
        joint = still.skeleton.index(name)
        swing = rot.from_axis_angle([1.0, 0.0, 0.0], side * angles)
        turns[:, joint] = rot.multiply(swing, turns[:, joint])
    places = np.tile(still.root_positions[:1], (n_frames, 1))
    return annotate(Clip(still.skeleton, still.frame_time, places, turns, cyclic=True))


@cache
def rectangle() -> Framespace:
    """A walk to the left and a jog to the right."""
    return Framespace([walking(), jogging()])


@cache
def halves() -> Framespace:
    """The same with halves of the body decoupled."""
    return Framespace([walking(), jogging()], decoupled=True)


@cache
def captured_loop(mocap: Path, name: str, fps: float = 60.0) -> Clip:
    """One cycle of a captured gait of subject 16."""
    clip = load_clip(mocap / "locomotion" / "s16" / f"{name}.bvh").resampled(fps)
    return cyclify(annotate(clip), cycles=1).clip


@cache
def walk_to_run(mocap: Path) -> Framespace:
    """A captured walk and run of one subject."""
    return Framespace(
        [captured_loop(mocap, "walk_straight_16_15"), captured_loop(mocap, "run_straight_16_45")]
    )


def feet_apart(clip: Clip) -> float:
    """Least distance, metres, by which the left ankle is to the left of the right one."""
    legs = find_anatomy(clip.skeleton).legs
    places, yaw = clip.world_positions(), facing(clip)
    between = places[:, legs[0].ankle] - places[:, legs[1].ankle]
    return float(np.min(between[:, 0] * np.cos(yaw) - between[:, 2] * np.sin(yaw)))
