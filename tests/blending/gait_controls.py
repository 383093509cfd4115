"""Built-in gaits in two styles, and their controls."""

from __future__ import annotations

from functools import cache
from typing import Any

from motionloom.annotation import annotate
from motionloom.blending.controls import Controls
from motionloom.cycles import cyclify
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import jog, sneak, walk


@cache
def nine() -> RegistrationCurve:
    """Built-in gaits, each straight, to the left and to the right."""
    return register([loop(gait, curvature) for gait in (walk, jog, sneak) for curvature in (0.0, 0.3, -0.3)])


@cache
def styled() -> Controls:
    return Controls(nine(), STYLES)


def loop(gait: Any, curvature: float) -> Clip:
    clip: Clip = gait(curvature=curvature, duration=4.0, fps=30).clip
    return cyclify(annotate(clip), cycles=1).clip


STYLES = ["upright"] * 6 + ["sneak"] * 3
