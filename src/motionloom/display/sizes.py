"""Checks on the sizes, rates and counts a caller asks for."""

from __future__ import annotations

import math

from motionloom.errors import ParameterError

MIN_SIDE, MAX_SIDE = 64, 8192
"""Smallest and largest width or height of a picture, pixels."""

MAX_PIXELS = 34_000_000
"""Most pixels in one picture: 8K video, and a drawing that fits in memory at three times the size."""

MAX_POSES = 200
"""Most poses in one strip."""

MAX_FPS = 240.0
"""Highest frame rate of a movie."""


def checked_size(width: int, height: int) -> tuple[int, int]:
    """The size of a picture in pixels, or an error that says what is possible.

    >>> checked_size(640, 360)
    (640, 360)
    """
    for name, side in (("width", width), ("height", height)):
        if not MIN_SIDE <= side <= MAX_SIDE:
            raise ParameterError(f"{name} must be {MIN_SIDE} to {MAX_SIDE} pixels, not {side}")
    if width * height > MAX_PIXELS:
        raise ParameterError(
            f"a picture of {width} x {height} pixels is too large: keep width times height below {MAX_PIXELS}"
        )
    return int(width), int(height)


def checked_n_poses(n_poses: int) -> int:
    """The number of poses of a strip, or an error that says what is possible."""
    if not 1 <= n_poses <= MAX_POSES:
        raise ParameterError(f"n_poses must be 1 to {MAX_POSES}, not {n_poses}")
    return int(n_poses)


def checked_fps(fps: float) -> float:
    """The frame rate of a movie, or an error that says what is possible."""
    if not (math.isfinite(fps) and 0.0 < fps <= MAX_FPS):
        raise ParameterError(f"fps must be above 0 and at most {MAX_FPS:g}, not {fps}")
    return float(fps)
