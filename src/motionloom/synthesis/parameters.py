"""Checks of what callers ask for, and the frames a duration and a rate give."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.validation import check_number, check_positive

MAX_FPS = 2000.0
"""Highest frame rate made, frames per second: beyond it a rate is taken for a mistake of units."""

MAX_FRAMES = 1_000_000
"""Most frames made in one call; 22 joints of that many frames fill 0.7 GB."""


def check_turn(turn: float) -> float:
    """Return the angle in radians, at most half a turn either way; the error hints at degrees.

    >>> check_turn(-1)
    -1.0
    """
    number = check_number("turn", turn)
    # Rounding of a half turn written in degrees or as -pi is still a half turn.
    if abs(number) > np.pi + 1e-9:
        raise ParameterError(f"turn must be from -pi to pi radians (180 degrees either side), not {number:g}")
    return number


def frame_times(duration: float, fps: float) -> FloatArray:
    """Return the times (T,) in seconds of the frames of a clip of this duration, both ends included.

    >>> frame_times(0.1, 30).round(4).tolist()
    [0.0, 0.0333, 0.0667, 0.1]
    """
    fps = check_positive("fps", fps, max=MAX_FPS, unit="frames per second")
    duration = check_positive("duration", duration, unit="seconds")
    steps = np.rint(duration * fps)
    if not 1 <= steps < MAX_FRAMES:
        raise ParameterError(
            f"a duration of {duration:g} s at {fps:g} frames per second gives {steps + 1:.0f} frames: "
            f"ask for 2 to {MAX_FRAMES}"
        )
    return np.arange(int(steps) + 1) / fps
