"""Reach for a point: the hand arrives exactly, and the body helps as far as needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.motion import Constraint
from motionloom.synthesis.biped import ARM, SIDES, Side
from motionloom.synthesis.body_pose import ArmPose, Trunk, reach_arm
from motionloom.synthesis.easing import ease
from motionloom.synthesis.stand import (
    StandingBody,
    interpolate_keys,
    keep_standing,
    place_feet,
    rest_arm,
    stand_on,
    wrist_positions,
)
from motionloom.synthesis.synthetic_motion import SyntheticMotion, frame_times
from motionloom.validation import check_choice, check_number

_WIDTH, _TOE_OUT = 0.24, 0.15
_STARTS, _ARRIVES, _LEAVES, _RETURNS = 0.05, 0.45, 0.60, 0.97
"""When the hand starts, arrives, leaves the target and is back, as fractions of the duration."""

_BODY_ARRIVES = 0.40
"""When the body has finished helping, as a fraction of the duration: slightly before the hand."""

_FULL_ARM, _MAX_ARM, _MIN_ARM = 0.97 * ARM, 0.995 * ARM, 0.22 * ARM
"""Distance from shoulder to wrist, metres: at a far target, at most in between, and at a near target."""

_CLEARANCE = 0.30
"""Distance at which the moving hand passes the shoulder, metres."""

_BEHIND = 0.1
"""How far behind the body a target may lie, metres."""

_N_TRIALS = 201
"""Number of trials for the help of the body, from none to all it can give."""

_CHEST_HEIGHT = 1.35
"""Height from which on the body does not bend down, metres."""


@dataclass(frozen=True)
class _Help:
    """The most that the body can help with a target: pelvis shift (3,), pelvis and chest angles (3,)."""

    shift: FloatArray
    pelvis: FloatArray
    chest: FloatArray


def reach_out(
    *,
    target: npt.ArrayLike | None = None,
    side: Side = "right",
    duration: float = 2.0,
    fps: float = 60.0,
) -> SyntheticMotion:
    """Reach for a point, hold the hand there, and come back; feet stay planted.

    The hand joint is exactly at the target while it is held; ``holds`` says when.

    Parameters
    ----------
    target
        (3,) world position in metres. The figure stands at the origin and faces +Z, so ``x`` is to its
        left, ``y`` up from the floor, ``z`` ahead. None is a point in front of the shoulder.
    side
        The hand that reaches.
    duration
        Seconds, 0.8 to 20.
    fps
        Frames per second.

    >>> motion = reach_out(target=[-0.2, 1.0, 0.5], fps=30)
    >>> hand = motion.clip.world_positions()[30, motion.clip.skeleton.index("RightHand")]
    >>> hand.round(9).tolist()
    [-0.2, 1.0, 0.5]
    """
    check_choice("side", side, SIDES)
    duration = check_number("duration", duration, min=0.8, max=20.0, unit="s for a reach")
    time = frame_times(duration, fps)
    default = [0.2 if side == "left" else -0.2, 1.25, 0.5]
    goal = check_array("target", default if target is None else target, (3,))
    full = _full_help(goal)
    needed = _find_help(goal, side, full)

    helping = [(0.0, 0.0), (_BODY_ARRIVES * duration, needed), (_LEAVES * duration, needed), (duration, 0.0)]
    body = _stand_with_help(time, fps, full, interpolate_keys(time, helping)[:, 0])
    # A free arm hangs down, not along a trunk that bends.
    arms = {each: rest_arm(body.trunk, each, 0.8 * body.trunk_motion.chest[:, 1]) for each in SIDES}
    arms[side] = _arm_to(goal, body, side, arms[side], duration)
    start, end = _ARRIVES * duration * fps, _LEAVES * duration * fps
    hold = Constraint(side.capitalize() + "Hand", "hand", start, end, np.zeros(3), goal)
    return body.to_motion(arms, holds=(hold,))


def _full_help(goal: FloatArray) -> _Help:
    """Turn and lean towards the target, and bend towards one that lies low."""
    azimuth = float(np.clip(np.arctan2(goal[0], max(goal[2], 0.05)), -1.3, 1.3))
    low = float(ease((_CHEST_HEIGHT - goal[1]) / 1.2))
    bend = 0.35 + 0.85 * low
    shift = [0.10 * np.sin(azimuth), -0.40 * low, 0.12 * np.cos(azimuth) - 0.06 * low]
    return _Help(
        np.array(shift), np.array([0.45 * azimuth, 0.5 * bend, 0.0]), np.array([0.95 * azimuth, bend, 0.0])
    )


def _stand_with_help(time: FloatArray, fps: float, full: _Help, fraction: FloatArray) -> StandingBody:
    """Stand and give a fraction (T,) of the body's help."""
    feet = place_feet(_WIDTH, _TOE_OUT)
    amount = fraction[:, None]
    return stand_on(
        time,
        fps,
        {side: keep_standing(feet[side], time) for side in SIDES},
        shift=amount * full.shift,
        pelvis=amount * full.pelvis,
        chest=amount * full.chest,
        head=amount * full.chest * [1.0, 0.6, 0.0],
    )


def _find_help(goal: FloatArray, side: Side, full: _Help) -> float:
    """Find the smallest fraction of the body's help with which the arm is long enough, or raise an error."""
    if goal[2] < -_BEHIND:
        raise ParameterError(
            f"target {_format_point(goal)} lies behind the figure, which stands at the origin and faces +Z",
            remedy=f"choose one with z of at least {-_BEHIND:g} m",
        )
    fractions = np.linspace(0.0, 1.0, _N_TRIALS)
    trunk = _stand_with_help(np.arange(float(_N_TRIALS)), 1.0, full, fractions).trunk
    distance = np.linalg.norm(goal - trunk.shoulder(side), axis=-1)
    if distance[0] < _MIN_ARM:
        raise ParameterError(
            f"target {_format_point(goal)} is only {distance[0]:.2f} m from the {side} shoulder",
            remedy=f"choose one at least {_MIN_ARM:.2f} m away",
        )
    enough = distance <= _FULL_ARM
    if not enough.any():
        raise ParameterError(
            f"target {_format_point(goal)} is out of reach of the {side} hand "
            f"by {distance.min() - _FULL_ARM:.2f} m: "
            "bring it nearer to the figure, which stands at the origin and faces +Z"
        )
    return float(fractions[enough.argmax()])


def _arm_to(goal: FloatArray, body: StandingBody, side: Side, resting: ArmPose, duration: float) -> ArmPose:
    """Solve the arm whose wrist goes from rest to the target, stays, and goes back."""
    trunk: Trunk = body.trunk
    moments = [(_STARTS, 0.0), (_ARRIVES, 1.0), (_LEAVES, 1.0), (_RETURNS, 0.0)]
    there = interpolate_keys(body.time, [(fraction * duration, value) for fraction, value in moments])
    at_rest = wrist_positions(trunk, side, resting)
    shoulder = trunk.shoulder(side)
    wanted = at_rest + there * (goal - at_rest) - shoulder
    # A straight path up would pass the shoulder too closely; the hand then goes round in front.
    detour = max(_CLEARANCE - _nearest(at_rest[0] - shoulder[0], goal - shoulder[0]), 0.0)
    wanted[:, 2] += detour * 4.0 * (there * (1.0 - there))[:, 0]
    length = np.linalg.norm(wanted, axis=-1, keepdims=True)
    return reach_arm(trunk, side, shoulder + wanted * (_limit_length(length) / length))


def _nearest(start: FloatArray, end: FloatArray) -> float:
    """Return how near the straight line between two positions (3,) comes to the origin, metres."""
    line = end - start
    fraction = np.clip(-(start @ line) / (line @ line), 0.0, 1.0)
    return float(np.linalg.norm(start + fraction * line))


def _limit_length(length: FloatArray) -> FloatArray:
    """Limit lengths to the longest arm; unchanged up to the full arm, with two continuous derivatives."""
    room = _MAX_ARM - _FULL_ARM
    over = np.maximum(length - _FULL_ARM, 0.0) / room
    return np.minimum(length, _FULL_ARM) + room * over / np.cbrt(1.0 + over**3)


def _format_point(point: FloatArray) -> str:
    return "(" + ", ".join(f"{value:g}" for value in point) + ")"
