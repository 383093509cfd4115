"""In-place motion: find the steady travel that lets the planted feet of a treadmill gait move least.

Games ship walks and runs in place, and engines move the character. The planted feet of such a clip move
backwards. Captures put in place by their mean velocity show one speed; where every frame's ground motion was
removed, or a gait was drawn, they do not. What is wanted is the mean over whole cycles, so every instant
counts once, and instants without a planted foot lie between their neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from motionloom.annotation.foot_plants import PlantSettings
from motionloom.annotation.planted_motion import (
    CountedFrames,
    PlantedMotion,
    detect_planted_motion,
    find_held_travel,
    fit_travel,
)
from motionloom.errors import ParameterError
from motionloom.motion import Clip, kinematics
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.anatomy.thresholds import NEAR_GROUND
from motionloom.motion.body import on_body
from motionloom.motion.deferred import find_once
from motionloom.motion.loop_detection import leg_swings, poses_in_place
from motionloom.motion.result import ClipLike, Result, check_clip
from motionloom.motion.steady_travel import SteadyTravel, add_travel
from motionloom.motion.unroll import MIN_CYCLE_FRAMES

Settings = TypeVar("Settings", bound=PlantSettings)

DRAWN_SPEED = 0.95
"""Feet of gaits that were drawn go backwards at any speed while they are planted; there a point is planted
while it is low and slower over the moving ground than this fraction of its speed."""

DRAWN_GAP = 0.15
"""Shorter gaps between two plants of a drawn gait are closed, seconds: no foot swings in less."""

MIN_COVERAGE = 0.63
"""Feet are planted for this fraction of the time in which one is low and goes backwards; less is drawn."""

MAX_ITERATIONS, MAX_CHANGE = 8, 1e-3
"""Plants are found in the moving ground until its velocity changes by less than this, m/s."""

MIN_SPEED = 0.2
"""Slower ground under low feet is creeping, m/s."""

MAX_OWN_SPEED = 0.3
"""A body in place moves over the ground at most at this fraction of the speed of its feet."""

MIN_SWING, MAX_CORRELATION = 0.2, -0.3
"""In a gait both feet swing by this fraction of the leg's length, and against each other."""

MIN_EXPLAINED = 0.7
"""Fraction of the motion of planted feet that steady travel explains at least."""


@dataclass(frozen=True, kw_only=True)
class TravelReport:
    """The report of :func:`recover_travel`.

    Attributes
    ----------
    speed
        Recovered speed of the body, m/s.
    direction
        Direction of travel seen from the first frame: 0 along +Z, positive towards +X, radians.
    turn
        Turn rate, rad/s.
    spread
        Standard deviation of the speed of the ground under planted feet, m/s.
    explained
        Fraction of the motion of planted feet that the steady travel explains.
    coverage
        Fraction of the time in which a foot is planted.
    n_plants
        Plants of heels and toes.
    drawn
        Whether planted feet go backwards unevenly, as in gaits that were drawn and not captured.

    >>> from motionloom.motion.steady_travel import put_in_place
    >>> from motionloom.synthesis import walk
    >>> print(recover_travel(put_in_place(walk(speed=1.2, duration=4.0).clip)).report)
    travel of 1.20 m/s ± 0.00 towards 0°, recovered from 16 plants, of whose motion it explains 100 %
    """

    speed: float
    direction: float
    turn: float
    spread: float
    explained: float
    coverage: float
    n_plants: int
    drawn: bool = False

    def __str__(self) -> str:
        degrees = round(float(np.degrees(self.turn)))
        turn = f", turning by {degrees}°/s" if degrees else ""
        return (
            f"travel of {self.speed:.2f} m/s ± {self.spread:.2f} towards "
            f"{round(np.degrees(self.direction))}°{turn}, recovered from {self.n_plants} plants, "
            f"of whose motion it explains {self.explained * 100:.0f} %"
        )


@on_body
def recover_travel(clip: ClipLike) -> Result[TravelReport]:
    """Give a gait in place the travel that its planted feet show.

    Parameters
    ----------
    clip
        A walk or run in place, cyclic or not.

    Returns
    -------
    Result
        The clip with steady travel, and a :class:`TravelReport`.

    Raises
    ------
    ParameterError
        When the clip is no gait in place; the message says why.

    >>> from motionloom.motion.steady_travel import put_in_place
    >>> from motionloom.synthesis import walk
    >>> still = put_in_place(walk(speed=1.2, duration=4.0).clip)
    >>> round(recover_travel(still).report.speed, 1)
    1.2
    """
    clip = check_clip("recover_travel", clip)
    steady, report = find_travel(clip)
    return Result(add_travel(clip, steady), report)


@on_body
def find_travel(clip: Clip) -> tuple[SteadyTravel, TravelReport]:
    """Find the steady travel of a gait in place, as :func:`recover_travel` does.

    Where the clip has plants that are held in the ground below it, they tell its travel.
    """
    fault = _in_place_fault(clip)
    if fault is not None:
        raise ParameterError(f"the clip is no gait in place: {fault}")
    frames = CountedFrames.around(clip)
    held = find_held_travel(frames)
    if held is not None:
        return held[0], _report(frames, held[1], held[0], drawn=False)
    guess = _first_guess(frames.clip)
    steady, found = _search(frames, guess)
    mean, coverage = _mean_low_velocity(frames, guess)
    drawn = steady is None or found.coverage < MIN_COVERAGE * coverage
    if steady is None or drawn:
        settings = _widen_settings(PlantSettings(), float(np.hypot(mean.x, mean.z)))
        steady, found = mean, detect_planted_motion(frames, mean, settings, trim=False)
    if len(found.sides) < 2:
        raise ParameterError("the clip is no gait in place: no plants of both feet were found in it")
    report = _report(frames, found, steady, drawn)
    if report.explained < MIN_EXPLAINED or report.speed < MIN_SPEED:
        raise ParameterError(
            f"the clip is no gait in place: a steady travel of {report.speed:.2f} m/s explains only "
            f"{report.explained * 100:.0f} % of the motion of its planted feet"
        )
    return steady, report


def is_in_place(clip: Clip) -> bool:
    """Tell whether a clip looks like a gait in place: its low feet go backwards, and it stays where it is.

    >>> from motionloom.motion.steady_travel import put_in_place
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> is_in_place(clip), is_in_place(put_in_place(clip).clip)
    (False, True)
    """
    return find_once(clip, _stays_in_place)


def _stays_in_place(clip: Clip) -> bool:
    return _in_place_fault(clip.body) is None


def choose_settings(report: TravelReport, settings: Settings) -> Settings:
    """Return the thresholds of plants in the moving ground: wider where the gait was drawn."""
    return _widen_settings(settings, report.speed) if report.drawn else settings


def _widen_settings(settings: Settings, speed: float) -> Settings:
    return replace(settings, speed=max(settings.speed, DRAWN_SPEED * speed), release=1.0, max_gap=DRAWN_GAP)


def _search(frames: CountedFrames, steady: SteadyTravel) -> tuple[SteadyTravel | None, PlantedMotion]:
    """Find plants in the moving ground and its velocity in turn, until both agree."""
    for _ in range(MAX_ITERATIONS):
        found = detect_planted_motion(frames, steady, PlantSettings(), trim=True)
        if len(found.sides) < 2:
            return None, found
        before, steady = steady, fit_travel(frames, found)
        if np.hypot(steady.x - before.x, steady.z - before.z) < MAX_CHANGE:
            break
    return steady, found


def _mean_low_velocity(frames: CountedFrames, guess: SteadyTravel) -> tuple[SteadyTravel, float]:
    """Return the mean travel that low joints of feet show on their way back, and how often there is one."""
    clip = frames.clip
    joints = [j for leg in find_anatomy(clip.skeleton).legs for j in (leg.ankle, leg.toe) if j is not None]
    positions = clip.world_positions()[:, joints]
    low = positions[..., 1] <= np.quantile(positions[..., 1], 0.05, axis=0) + NEAR_GROUND
    velocities = kinematics.velocities(positions, clip.frame_time)[..., [0, 2]]
    planted = low & (velocities @ np.array([guess.x, guess.z]) < 0.0)
    instants = planted.any(axis=1)
    if not instants.any():
        return guess, 0.0
    total = (velocities * planted[..., None]).sum(axis=1)[instants] / planted.sum(axis=1)[instants, None]
    x, z = (-total.mean(axis=0)).tolist()
    return SteadyTravel(x, z), float(instants[frames.first : frames.end].mean())


def recover_if_in_place(clip: Clip) -> tuple[Clip, SteadyTravel | None]:
    """Return a gait in place with its travel, and the travel; any other clip as it is, and None.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> recover_if_in_place(clip) == (clip, None)
    True
    """
    if not is_in_place(clip):
        return clip, None
    try:
        steady, _ = find_travel(clip)
    except ParameterError:
        return clip, None
    return add_travel(clip, steady), steady


def _in_place_fault(body: Clip) -> str | None:
    """Say why a body is no gait in place, or return None."""
    legs = find_anatomy(body.skeleton).legs
    if len(legs) != 2 or body.n_frames < MIN_CYCLE_FRAMES:
        needed = f"two legs (hip, knee and foot, one below the other) are needed, and it has {len(legs)}"
        return needed if len(legs) != 2 else f"it has only {body.n_frames} frames"
    left, right = leg_swings(body, poses_in_place(body))
    if min(np.ptp(left), np.ptp(right)) < MIN_SWING or np.corrcoef(left, right)[0, 1] > MAX_CORRELATION:
        return "its feet do not swing against each other"
    guess = _first_guess(body)
    speed = float(np.hypot(guess.x, guess.z))
    gone = np.ptp(body.root_positions[:, [0, 2]], axis=0)
    own = float(np.linalg.norm(body.root_positions[-1, [0, 2]] - body.root_positions[0, [0, 2]]))
    duration = max(body.duration, body.frame_time)
    if max(own, 0.25 * float(np.hypot(*gone))) / duration > MAX_OWN_SPEED * max(speed, MIN_SPEED):
        return "it travels already"
    if speed < MIN_SPEED:
        return "its low feet stay where they are"
    return None


def _first_guess(clip: Clip) -> SteadyTravel:
    """Return the travel against which the lowest joint of the feet moves most of the time."""
    legs = find_anatomy(clip.skeleton).legs
    joints = [joint for leg in legs for joint in (leg.ankle, leg.toe) if joint is not None]
    positions = clip.world_positions()[:, joints]
    heights = positions[..., 1] - np.quantile(positions[..., 1], 0.05, axis=0)
    velocities = kinematics.velocities(positions, clip.frame_time)
    lowest = heights.argmin(axis=1)
    back = -velocities[np.arange(len(lowest)), lowest][:, [0, 2]]
    low = heights.min(axis=1)
    back = back[low <= max(NEAR_GROUND, float(np.median(low)))]
    center = np.median(back, axis=0)
    for width in (1.0, 0.6, 0.4, 0.3, 0.3):
        # Mean shift towards the mode, with a window that narrows.
        scale = width * max(0.3, float(np.linalg.norm(center)))
        weights = np.exp(-0.5 * (np.linalg.norm(back - center, axis=1) / scale) ** 2)
        center = np.average(back, axis=0, weights=weights)
    return SteadyTravel(float(center[0]), float(center[1]))


def _report(frames: CountedFrames, planted: PlantedMotion, steady: SteadyTravel, drawn: bool) -> TravelReport:
    center = frames.clip.root_positions[:, [0, 2]].mean(axis=0)
    x, z = steady.velocities(center[None])[0].tolist()
    speed = float(np.hypot(x, z))
    expected, once = -steady.velocities(planted.positions), 1.0 / np.bincount(planted.frames)[planted.frames]
    left = planted.velocities - expected
    moved = np.average((planted.velocities**2).sum(axis=1), weights=once)
    explained = 1.0 - np.average((left**2).sum(axis=1), weights=once) / max(moved, 1e-12)
    along = left @ np.array([x, z]) / max(speed, 1e-9)
    return TravelReport(
        speed=speed,
        direction=float(np.arctan2(x, z)),
        turn=steady.turn,
        spread=float(np.sqrt(np.average(along**2, weights=once))),
        explained=float(max(explained, 0.0)),
        coverage=planted.coverage,
        n_plants=planted.n_plants,
        drawn=drawn,
    )
