"""Frame rates inconsistent with gravity: several flights that fall too fast, or too slow, by the same factor.

Bodies in flight fall with 9.81 m/s². Where the stated rate is wrong by a factor, falls are wrong by its
square. One flight proves nothing: the center of mass of a skeleton is an estimate, and a stretch on one stiff
leg or on the hands follows a parabola too. So a rate is named only where several flights agree on one that
people use.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.annotation.signals import runs
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy, find_body_masses
from motionloom.motion.anatomy.thresholds import GRAVITY

USUAL_RATES = (30, 60, 120, 24, 25, 50, 100, 240, 48, 90, 200, 15, 40, 72, 80, 96, 125, 144, 150, 180, 250)
"""Frames per second that cameras, capture systems and animation programs use, the commonest first. Rates a
thousandth below, such as 59.94, cannot be told from them by falls."""

MIN_FLIGHT_HEIGHT = 0.03
"""Metres that the lowest joint must be above its usual lowest height to count as flight."""

MIN_FLIGHT_FRAMES = 8
"""Frames that a flight must have so that a parabola can be fitted."""

MIN_FLIGHT_RISE = 0.015
"""Metres that the parabola must rise above the line between its ends; a stretch on tiptoe hardly does."""

MAX_FLIGHT_MISFIT = 0.1
"""Root-mean-square distance from the parabola that flight allows, as a fraction of its rise."""

MIN_JOINT_MOVEMENT = 0.04
"""Metres that every joint moves during a flight; a joint that moves less stands on something."""

MIN_RELATIVE_MOVEMENT = 0.6
"""Movement of every joint during a flight, as a fraction of the rise. Joints of captured hops, which only go
up and down, move at least 0.78 times as far as the center of mass rises."""

MIN_RATIO = 1.3
"""How far from the stated rate the implied one must be. Falls in captures at their true rate imply rates up
to 1.2 times off, because their center of mass is an estimate."""

FLIGHT_ERROR = 0.06
"""Standard deviation of the rate that one flight implies, as a fraction, over captured flights."""

SYSTEMATIC_ERROR = 0.03
"""What averaging over flights of one body does not reduce: its mass is distributed as in nobody else."""

MIN_FAST_FLIGHTS, MIN_SLOW_FLIGHTS = 2, 3
"""How many flights must agree. Nothing makes bodies fall faster than gravity, while the ground can support a
stretch that looks like flight; so more slow ones are needed."""


@dataclass(frozen=True)
class WrongRate:
    """A frame rate that several flights imply, and the stated one does not explain.

    Attributes
    ----------
    rate
        The implied rate, frames per second: one of :data:`USUAL_RATES`.
    falls
        Measured accelerations of the flights that agree, in m/s² at the stated rate, largest first.
    """

    rate: float
    falls: tuple[float, ...]


def detect_wrong_rate(clip: Clip) -> WrongRate | None:
    """Return the frame rate that most flights of a clip imply, where it is another than the stated one.

    Parameters
    ----------
    clip
        The motion in metres, Y up.

    Returns
    -------
    WrongRate | None
        None where fewer than two flights (three, where they fall too slow) agree, where others contradict
        them, or where no rate that people use lies within the uncertainty of the estimate.

    >>> from motionloom.synthesis import jog
    >>> detect_wrong_rate(jog(duration=3, fps=120).clip) is None
    True
    """
    falls = np.array(measure_free_falls(clip))
    if len(falls) < MIN_FAST_FLIGHTS:
        return None
    implied = clip.fps * np.sqrt(GRAVITY / falls)
    for rate in USUAL_RATES:
        ratio = rate / clip.fps
        agree = np.abs(implied / rate - 1.0) < 2.0 * FLIGHT_ERROR
        n = int(agree.sum())
        enough = n >= (MIN_FAST_FLIGHTS if ratio < 1.0 else MIN_SLOW_FLIGHTS) and 2 * n > len(falls)
        if not enough or 1.0 / MIN_RATIO < ratio < MIN_RATIO:
            continue
        mean = np.exp(np.log(implied[agree]).mean())
        if abs(mean / rate - 1.0) < 2.0 * np.hypot(FLIGHT_ERROR / np.sqrt(n), SYSTEMATIC_ERROR):
            return WrongRate(float(rate), tuple(falls[agree].tolist()))
    return None


def measure_free_falls(clip: Clip) -> list[float]:
    """Return the downward accelerations in m/s² of all flights, largest first.

    Flights are stretches in which every joint is clear of the ground and moves, and the center of mass
    follows a parabola.
    """
    body = clip.body
    center = _center_of_mass_heights(body)
    if center is None or clip.n_frames < MIN_FLIGHT_FRAMES:
        return []
    positions = body.world_positions()
    lowest = positions[..., 1].min(axis=1)
    falls: list[float] = []
    for first, last in runs(lowest > np.percentile(lowest, 10) + MIN_FLIGHT_HEIGHT):
        flight = slice(first + 1, last)  # the frames at both ends belong to push-off and landing
        heights = center[flight]
        if len(heights) < MIN_FLIGHT_FRAMES:
            continue
        times = np.linspace(-1.0, 1.0, len(heights))
        parabola = np.polyfit(times, heights, 2)
        rise = -parabola[0]
        misfit = np.sqrt(np.mean((np.polyval(parabola, times) - heights) ** 2))
        if rise < MIN_FLIGHT_RISE or misfit > MAX_FLIGHT_MISFIT * rise:
            continue
        if _is_supported(positions[flight], rise):
            continue
        half_time = (len(heights) - 1) / 2.0 * clip.frame_time
        falls.append(float(2.0 * rise / half_time**2))
    return sorted(falls, reverse=True)


def _is_supported(positions: FloatArray, rise: float) -> bool:
    """Whether some joint of positions (T, J, 3) stays in place while the center of mass rises and falls."""
    movement = np.linalg.norm(np.ptp(positions, axis=0), axis=-1).min()
    return bool(movement < max(MIN_JOINT_MOVEMENT, MIN_RELATIVE_MOVEMENT * rise))


def _center_of_mass_heights(clip: Clip) -> FloatArray | None:
    """Return heights (T,) of the center of mass, or None for a skeleton without two legs and a spine."""
    anatomy, body = find_anatomy(clip.skeleton), find_body_masses(clip.skeleton)
    if body is None or len(anatomy.legs) != 2 or not anatomy.spine:
        return None
    return np.asarray(body.centre(clip.world_positions(), clip.world_rotations())[:, 1])
