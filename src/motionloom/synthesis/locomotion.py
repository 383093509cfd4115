"""Walking, jogging and sneaking along a ground path: footprints first, then the body above them."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.synthesis import gait_cycle
from motionloom.synthesis.body import SIDES
from motionloom.synthesis.figure import performed, posed, settled, standing_leg
from motionloom.synthesis.footsteps import foot_motion
from motionloom.synthesis.gait import JOG, SNEAK, WALK, Gait, GaitStyle
from motionloom.synthesis.gait_cycle import Journey
from motionloom.synthesis.ground_path import ArcPath, CornerPath
from motionloom.synthesis.parameters import check_turn, frame_times
from motionloom.synthesis.result import SyntheticMotion
from motionloom.validation import check_number

MAX_STEP_TURN = 0.7
"""Largest heading change per step on a steady curve, radians: more would twist the standing leg."""

MAX_SIDE_ACCELERATION = 3.4
"""Largest sideways acceleration on a steady curve, m/s²: about what a jogger takes on grass."""

CORNER_STEP_TURN = 1.3
"""Heading change per step in the middle of a sharp turn, radians."""

CORNER_SLOWING = 0.65
"""Share of the speed lost in the middle of a half turn; smaller turns lose less, in proportion."""

MAX_PHASE = 1e6
"""Largest start phase, cycles: beyond it the phase would lose digits."""


def walk(
    *,
    speed: float = WALK.usual,
    curvature: float = 0.0,
    style: GaitStyle | None = None,
    duration: float = 4.0,
    phase: float = 0.0,
    fps: float = 60.0,
) -> SyntheticMotion:
    """Walk along a line or a circle, beginning and ending in full stride.

    Parameters
    ----------
    speed
        Metres per second, 0.4 to 2.1.
    curvature
        Heading change per metre, 1/m; positive curves left.
    style
        How the walk is carried.
    duration
        Seconds; the clip has ``round(duration * fps) + 1`` frames.
    phase
        Where in the gait the clip begins, in cycles; 0 is a left heel strike, 0.5 a right one.
    fps
        Frames per second.

    >>> motion = walk(speed=1.2, duration=2.0, fps=30)
    >>> motion.clip.n_frames, round(float(motion.path[-1, 2]), 6)
    (61, 2.4)
    """
    return _along_arc(WALK, speed, curvature, style, duration, phase, fps)


def jog(
    *,
    speed: float = JOG.usual,
    curvature: float = 0.0,
    style: GaitStyle | None = None,
    duration: float = 4.0,
    phase: float = 0.0,
    fps: float = 60.0,
) -> SyntheticMotion:
    """Jog along a line or a circle, with a flight after every step; parameters as in :func:`walk`.

    ``speed`` is 1.6 to 4.0 m/s.

    >>> jog(curvature=0.2, duration=1.0, fps=30).clip.n_frames
    31
    """
    return _along_arc(JOG, speed, curvature, style, duration, phase, fps)


def sneak(
    *,
    speed: float = SNEAK.usual,
    curvature: float = 0.0,
    style: GaitStyle | None = None,
    duration: float = 6.0,
    phase: float = 0.0,
    fps: float = 60.0,
) -> SyntheticMotion:
    """Sneak along a line or a circle, crouched and with careful feet; parameters as in :func:`walk`.

    ``speed`` is 0.25 to 1.1 m/s.

    >>> sneak(duration=1.0, fps=30).clip.n_frames
    31
    """
    return _along_arc(SNEAK, speed, curvature, style, duration, phase, fps)


def turn_walk(
    *,
    turn: float = np.pi / 2.0,
    speed: float = WALK.usual,
    style: GaitStyle | None = None,
    duration: float = 5.0,
    phase: float = 0.0,
    fps: float = 60.0,
) -> SyntheticMotion:
    """Walk straight, turn sharply in the middle of the clip, and walk on.

    Parameters
    ----------
    turn
        Heading change in radians, -pi to pi; positive turns left.
    speed
        Metres per second on the straight parts, 0.4 to 2.1; the turn is taken more slowly.
    style, phase, fps
        As in :func:`walk`.
    duration
        Seconds; long enough for the turn.

    >>> path = turn_walk(turn=np.pi / 2, fps=30).path
    >>> float((path[-1, 2] - path[-2, 2]).round(9))
    0.0
    """
    speed = check_number("walk speed", speed, min=WALK.slowest, max=WALK.fastest, unit="m/s")
    turn = check_turn(turn)
    time = frame_times(duration, fps)
    # The heading changes fastest in the middle of the corner: 35/16 of its mean rate.
    n_steps = max(abs(turn) * (35.0 / 16.0) / CORNER_STEP_TURN, 1.0)
    span = n_steps * WALK.cycle(speed) / 2.0
    if span > duration:
        raise ParameterError(
            f"turning by {turn:.4g} rad at {speed:g} m/s takes {span:.3g} s: "
            f"ask for a longer duration than {duration:g} s"
        )
    slowing = CORNER_SLOWING * abs(turn) / np.pi
    path = CornerPath(speed, turn, (duration - span) / 2.0, span, slowing)
    return _travelled(Journey(WALK, path, speed, style or GaitStyle(), phase), time, fps)


def _along_arc(
    gait: Gait,
    speed: float,
    curvature: float,
    style: GaitStyle | None,
    duration: float,
    phase: float,
    fps: float,
) -> SyntheticMotion:
    speed = check_number(f"{gait.name} speed", speed, min=gait.slowest, max=gait.fastest, unit="m/s")
    tightest = min(MAX_STEP_TURN / gait.step(speed), MAX_SIDE_ACCELERATION / speed**2)
    curvature = check_number(
        f"curvature at {speed:g} m/s (a slower {gait.name} can turn more tightly)",
        curvature,
        min=-tightest,
        max=tightest,
        unit="1/m",
    )
    time = frame_times(duration, fps)
    journey = Journey(gait, ArcPath(speed, curvature), speed, style or GaitStyle(), phase)
    return _travelled(journey, time, fps)


def _travelled(journey: Journey, time: FloatArray, fps: float) -> SyntheticMotion:
    """Set the feet down along the path, carry the trunk over them, and hang legs and arms between."""
    check_number("phase", journey.start, min=-MAX_PHASE, max=MAX_PHASE, unit="cycles")
    stances = {side: gait_cycle.stances(journey, side, time) for side in SIDES}
    feet = {side: foot_motion(stances[side], gait_cycle.foot_roll(journey), time) for side in SIDES}

    moves = gait_cycle.trunk_moves(journey, time)
    trunk = settled(moves, feet)

    legs = {side: standing_leg(trunk, side, feet[side]) for side in SIDES}
    arms = {side: gait_cycle.arm(journey, trunk, side, time) for side in SIDES}
    return performed(posed(trunk, legs, arms, fps), stances, journey.phases(time), moves.ground)
