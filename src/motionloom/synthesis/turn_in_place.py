"""Turn on the spot, one foot after the other."""

from __future__ import annotations

from math import ceil

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.synthesis.biped import SIDES, Side, sign
from motionloom.synthesis.easing import cruise
from motionloom.synthesis.footsteps import FootRoll, Stance
from motionloom.synthesis.stand import (
    Footprint,
    interpolate_keys,
    keep_standing,
    place_feet,
    rest_arm,
    stand_on,
)
from motionloom.synthesis.synthetic_motion import SyntheticMotion, check_turn, frame_times

_WIDTH, _TOE_OUT = 0.20, 0.12
_TURN_PER_PAIR = 0.95
"""Largest turn of each foot in one step, radians."""

_STEP, _MIN_STEP_DURATION = 0.5, 0.25
"""Default and shortest time from one step to the next, seconds."""

_PAUSE = 0.25
"""Time of standing before the first step and after the last, seconds."""

_FOOT_DOWN, _FOOT_FLAT, _HEEL_UP, _TOE_UP, _WEIGHT_OVER = 0.9, 1.0, -0.1, 0.2, 0.55
"""When, after its step begins, a foot lands, is flat, lifts its heel and its toe, and when the weight is over
the other one, as fractions of the step."""

_SHIFT, _SINK = 0.05, 0.015
"""How far the pelvis moves towards the standing foot, and how far it sinks, metres."""

_ROLL = FootRoll(strike_pitch=0.0, off_pitch=0.35, lift=0.05)


def turn_in_place(
    *, turn: float = np.pi / 2.0, duration: float | None = None, fps: float = 60.0
) -> SyntheticMotion:
    """Turn on the spot by stepping, and stand again; the foot on the inside of the turn goes first.

    Parameters
    ----------
    turn
        Angle in radians, -pi to pi; positive turns left.
    duration
        Seconds; None is half a second per step.
    fps
        Frames per second.

    >>> from motionloom.geometry import rotations
    >>> clip = turn_in_place(turn=1.0, fps=30).clip
    >>> round(float(rotations.yaw_of(clip.rotations[-1, 0])), 6)
    1.0
    """
    turn = check_turn(turn)
    n_steps = 2 * max(ceil(abs(turn) / _TURN_PER_PAIR), 1)
    length = 2.0 * _PAUSE + n_steps * _STEP if duration is None else duration
    time = frame_times(length, fps)
    step = (length - 2.0 * _PAUSE) / n_steps
    if step < _MIN_STEP_DURATION:
        raise ParameterError(
            f"turning by {turn:.4g} rad takes {n_steps} steps and at least "
            f"{2.0 * _PAUSE + n_steps * _MIN_STEP_DURATION:.3g} s",
            remedy=f"ask for a longer duration than {length:g} s",
        )
    first: Side = "left" if turn >= 0.0 else "right"
    body = stand_on(
        time,
        fps,
        {side: _place_stances(side, side == first, turn, n_steps, step, time) for side in SIDES},
        roll=_ROLL,
        heading=turn * cruise((time - _PAUSE) / (n_steps * step), 0.3),
        shift=_shift_weight(first, n_steps, step, time),
    )
    return body.to_motion({side: rest_arm(body.trunk, side) for side in SIDES})


def _place_stances(
    side: Side, leads: bool, turn: float, n_steps: int, step: float, time: FloatArray
) -> list[Stance]:
    """Place the stances of one foot before, between and after its steps."""
    at_rest = place_feet(_WIDTH, _TOE_OUT)[side]
    n_pairs = n_steps // 2
    lifts = _PAUSE + (2.0 * np.arange(n_pairs) + (0.0 if leads else 1.0)) * step
    stays = []
    for n in range(n_pairs + 1):
        angle = turn * n / n_pairs
        x, _, z = rot.rotate(rot.from_yaw(angle), [at_rest.x, 0.0, at_rest.z])
        first = keep_standing(Footprint(float(x), float(z), at_rest.yaw + angle), time)[0]
        strike = first.strike if n == 0 else lifts[n - 1] + _FOOT_DOWN * step
        flat = first.flat if n == 0 else lifts[n - 1] + _FOOT_FLAT * step
        heel_off = first.heel_off if n == n_pairs else lifts[n] + _HEEL_UP * step
        toe_off = first.toe_off if n == n_pairs else lifts[n] + _TOE_UP * step
        stays.append(Stance(strike, flat, heel_off, toe_off, first.ankle, first.yaw))
    return stays


def _shift_weight(first: Side, n_steps: int, step: float, time: FloatArray) -> FloatArray:
    """Shift the pelvis (T, 3) towards the foot that stands while the other steps, metres."""
    keys: list[tuple[float, tuple[float, float, float]]] = [(0.0, (0.0, 0.0, 0.0))]
    towards = -sign(first)
    for n in range(n_steps):
        keys.append((_PAUSE + (n + _WEIGHT_OVER) * step, (_SHIFT * towards, -_SINK, 0.0)))
        towards = -towards
    keys.append((2.0 * _PAUSE + n_steps * step, (0.0, 0.0, 0.0)))
    return interpolate_keys(time, keys)
