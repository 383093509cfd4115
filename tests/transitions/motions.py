"""Gaits and checks that several tests of transitions share."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult
from motionloom.cycles import cyclify
from motionloom.files import load_clip
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.synthesis import jog, walk
from motionloom.transitions import TransitionMethod
from tests.conftest import NO_MOCAP, captured

METHODS: tuple[TransitionMethod, ...] = ("registration", "linear", "inertialize", "dead")

ELSEWHERE = GroundTransform(2.0, 5.0, -3.0)


@cache
def walking(duration: float = 4.0) -> Clip:
    """An annotated walk at 30 frames per second."""
    return annotate(walk(duration=duration, fps=30).clip)


@cache
def jogging(duration: float = 4.0) -> Clip:
    """An annotated jog, turned and far away from the walk."""
    return annotate(jog(duration=duration, fps=30, phase=0.3).clip.placed(ELSEWHERE))


@cache
def walk_cycle() -> Clip:
    """One cycle of the walk."""
    return cyclify(walking(), cycles=1).clip


@cache
def jog_cycle() -> Clip:
    """One cycle of the jog."""
    return cyclify(jogging(), cycles=1).clip


def captured_takes(*names: str) -> list[Clip]:
    """The annotated clips of files whose paths, below the captured clips, begin with these."""
    files = [captured(f"{name}*.bvh") for name in names]
    if not all(files):
        pytest.skip(NO_MOCAP)
    return [annotate(load_clip(found[0])) for found in files]


def sole_clip_errors(result: BlendResult, clips: list[Clip]) -> FloatArray:
    """How far joints lie from where the one clip that counts is placed, per frame with such a clip, metres.

    Source frames between whole ones are left out.
    """
    errors = []
    for t in np.flatnonzero(result.weights.max(axis=1) == 1.0).tolist():
        k = int(result.weights[t].argmax())
        frame = round(result.frames[t, k])
        if abs(frame - result.frames[t, k]) > 1e-6:
            continue
        pose = clips[k][frame : frame + 1].placed(GroundTransform(*result.placements[t, k].tolist()))
        errors.append(np.abs(pose.world_positions()[0] - result.clip.world_positions()[t]).max())
    return np.array(errors)
