"""Checks of what callers ask for, and the frames a duration and a rate give."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError

MAX_FPS = 2000.0
"""Highest frame rate made, frames per second: beyond it a rate is taken for a mistake of units."""

MAX_FRAMES = 1_000_000
"""Most frames made in one call; 22 joints of that many frames fill 0.7 GB."""


def checked_number(name: str, value: float, low: float, high: float, unit: str) -> float:
    """The value as a float, or an error when it lies outside ``low`` to ``high``.

    >>> checked_number("speed", 1, 0.3, 2.2, "m/s")
    1.0
    """
    number = float(value)
    if not (isfinite(number) and low <= number <= high):
        raise ParameterError(f"{name} must be from {low:.4g} to {high:.4g} {unit}, not {number:g}")
    return number


def checked_choice(name: str, value: str, choices: Iterable[str]) -> str:
    """The value, or an error that lists the choices.

    >>> checked_choice("side", "left", ["left", "right"])
    'left'
    """
    allowed = list(choices)
    if value not in allowed:
        raise ParameterError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}")
    return value


def checked_turn(turn: float) -> float:
    """An angle of at most half a turn, radians, or an error that hints at degrees.

    >>> checked_turn(-1)
    -1.0
    """
    number = float(turn)
    # Rounding of a half turn written in degrees or as -pi is still a half turn.
    if not (isfinite(number) and abs(number) <= np.pi + 1e-9):
        raise ParameterError(f"turn must be from -pi to pi radians (180 degrees either side), not {number:g}")
    return number


def frame_times(duration: float, fps: float) -> FloatArray:
    """Times (T,) in seconds of the frames of a clip of this duration, both ends included.

    >>> frame_times(0.1, 30).round(4).tolist()
    [0.0, 0.0333, 0.0667, 0.1]
    """
    if not (isfinite(fps) and 0.0 < fps <= MAX_FPS):
        raise ParameterError(f"fps must be positive and at most {MAX_FPS:g} frames per second, not {fps:g}")
    if not (isfinite(duration) and duration > 0.0):
        raise ParameterError(f"duration must be a positive number of seconds, not {duration:g}")
    steps = np.rint(duration * fps)
    if not 1 <= steps < MAX_FRAMES:
        raise ParameterError(
            f"a duration of {duration:g} s at {fps:g} frames per second gives {steps + 1:.0f} frames: "
            f"ask for 2 to {MAX_FRAMES}"
        )
    return np.arange(int(steps) + 1) / fps
