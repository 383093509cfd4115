"""A random but smooth drive over cyclic clips, and what must hold of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.controls import Controls
from motionloom.blending.live_blend import LiveBlend
from motionloom.blending.weights import KeyedWeights
from motionloom.cycles import unroll
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.registration import RegistrationCurve
from tests.registration.nine_clips import GAITS

KEY_EVERY = 2.0
"""Seconds from one random wish to the next, smooth in between."""


def nine_styles(name: str) -> list[str]:
    """The gait of each clip of a set."""
    return [gait for gait in GAITS[name] for _ in range(3)]


@dataclass(frozen=True)
class Drive:
    """Poses and moments of a drive, one per step."""

    clip: Clip
    u: FloatArray
    cycles: FloatArray
    weights: FloatArray
    asked: FloatArray


def wishes(controls: Controls, n: int, random: np.random.Generator) -> list[FloatArray]:
    """Random speeds and turns within those of the clips, and shares of the styles."""
    clips = np.array(controls.clips)
    low, high = clips.min(axis=0), clips.max(axis=0)
    n_styles = len(set(controls.styles))
    return [
        np.concatenate([random.uniform(low, high), random.dirichlet(np.ones(n_styles))]) for _ in range(n)
    ]


def driven(curve: RegistrationCurve, styles: list[str], seconds: float, seed: int) -> Drive:
    """Steer a live blend along random wishes for speed, turn and style, one step per frame."""
    controls = Controls(curve, styles)
    names = sorted(set(styles))
    random = np.random.default_rng(seed)
    keys = wishes(controls, int(seconds / KEY_EVERY) + 2, random)
    smooth = KeyedWeights({i * KEY_EVERY: tuple(key) for i, key in enumerate(keys)})
    frame_time = curve.clips[0].frame_time
    asked = smooth(np.arange(round(seconds / frame_time)) * frame_time)
    rows = [
        controls.weights(speed=row[0], turn=row[1], style=dict(zip(names, row[2:], strict=True)))
        for row in asked
    ]
    live = LiveBlend(curve, weights=rows[0])
    roots, turns, moments = [], [], []
    for n, row in enumerate(rows):
        pose = live.step(frame_time if n else 0.0, row)
        roots.append(pose.root_positions.copy())
        turns.append(pose.rotations.copy())
        moments.append((live.u, live.cycles))
    u, cycles = np.array(moments).T
    clip = Clip(live.pose.skeleton, frame_time, np.array(roots), np.array(turns))
    return Drive(clip, u, cycles, np.array(rows), asked)


def world_speed_ratios(clip: Clip, sources: list[Clip]) -> FloatArray:
    """Peak speed of each joint (J,) over the ground, against the fastest source's at that joint."""
    return np.asarray(_world_speeds(clip) / np.max([_world_speeds(unroll(x, 3)) for x in sources], axis=0))


def _world_speeds(clip: Clip) -> FloatArray:
    steps = np.linalg.norm(np.diff(clip.world_positions(), axis=0), axis=-1)
    return np.asarray(steps.max(axis=0) / clip.frame_time)


def heading_speed(clip: Clip) -> float:
    """The fastest turn of the body, radians per second."""
    return float(np.abs(np.diff(facing(clip))).max() / clip.frame_time)
