"""Reaching for a point: the hand arrives exactly, and the body helps as far as it has to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.motion import Constraint
from motionloom.synthesis.arms import reaching_arm
from motionloom.synthesis.body import ARM, SIDES, Side
from motionloom.synthesis.easing import ease
from motionloom.synthesis.figure import Arm, Trunk
from motionloom.synthesis.parameters import frame_times
from motionloom.synthesis.result import SyntheticMotion
from motionloom.synthesis.standing import Standing, easy_arm, keyed, side_by_side, standing, staying, wrist_of
from motionloom.validation import check_choice, check_number

_WIDTH, _TOE_OUT = 0.24, 0.15
_STARTS, _ARRIVES, _LEAVES, _RETURNS = 0.05, 0.45, 0.60, 0.97
"""When the hand starts, arrives, leaves the target and is back, as shares of the duration."""

_BODY_ARRIVES = 0.40
"""When the body has finished helping, as a share of the duration: a little before the hand."""

_FULL_ARM, _LONGEST_ARM, _SHORTEST_ARM = 0.97 * ARM, 0.995 * ARM, 0.22 * ARM
"""Distance from shoulder to wrist in metres at a far target, at most on the way, and at a near target."""

_CLEARANCE = 0.30
"""How far from the shoulder the hand passes on its way, metres."""

_BEHIND = 0.1
"""How far behind the body a target may lie, metres."""

_N_TRIALS = 201
"""How finely the help of the body is tried, from none to all it can give."""

_CHEST_HEIGHT = 1.35
"""Height in metres at and above which the body need not bend down."""


@dataclass(frozen=True)
class _Help:
    """What the body can do for a target at most: pelvis shift (3,), pelvis and chest angles (3,)."""

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
        (3,) world position in metres. The figure stands at the origin and faces +Z, so ``x`` counts to its
        left, ``y`` from the floor, ``z`` ahead. None is a place in front of the shoulder.
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
    duration = check_number("reach duration", duration, min=0.8, max=20.0, unit="s")
    time = frame_times(duration, fps)
    default = [0.2 if side == "left" else -0.2, 1.25, 0.5]
    goal = check_array("target", default if target is None else target, (3,))
    most = _help_for(goal)
    needed = _needed_help(goal, side, most)

    helping = [(0.0, 0.0), (_BODY_ARRIVES * duration, needed), (_LEAVES * duration, needed), (duration, 0.0)]
    body = _helped(time, fps, most, keyed(time, helping)[:, 0])
    # A free arm hangs down, not along a trunk that bends.
    arms = {each: easy_arm(body.trunk, each, 0.8 * body.moves.chest[:, 1]) for each in SIDES}
    arms[side] = _arm_to(goal, body, side, arms[side], duration)
    start, end = _ARRIVES * duration * fps, _LEAVES * duration * fps
    hold = Constraint(side.capitalize() + "Hand", "hand", start, end, np.zeros(3), goal)
    return body.performed(arms, holds=(hold,))


def _help_for(goal: FloatArray) -> _Help:
    """Turn and step into the target, and bend towards one that lies low."""
    azimuth = float(np.clip(np.arctan2(goal[0], max(goal[2], 0.05)), -1.3, 1.3))
    low = float(ease((_CHEST_HEIGHT - goal[1]) / 1.2))
    bend = 0.35 + 0.85 * low
    shift = [0.10 * np.sin(azimuth), -0.40 * low, 0.12 * np.cos(azimuth) - 0.06 * low]
    return _Help(
        np.array(shift), np.array([0.45 * azimuth, 0.5 * bend, 0.0]), np.array([0.95 * azimuth, bend, 0.0])
    )


def _helped(time: FloatArray, fps: float, most: _Help, share: FloatArray) -> Standing:
    """The standing body that gives a share (T,) of its help."""
    feet = side_by_side(_WIDTH, _TOE_OUT)
    amount = share[:, None]
    return standing(
        time,
        fps,
        {side: staying(feet[side], time) for side in SIDES},
        shift=amount * most.shift,
        pelvis=amount * most.pelvis,
        chest=amount * most.chest,
        head=amount * most.chest * [1.0, 0.6, 0.0],
    )


def _needed_help(goal: FloatArray, side: Side, most: _Help) -> float:
    """The smallest share of the body's help with which the arm is long enough, or an error."""
    if goal[2] < -_BEHIND:
        raise ParameterError(
            f"target {_spoken(goal)} lies behind the figure, which stands at the origin and faces +Z: "
            f"choose one with z of at least {-_BEHIND:g} m"
        )
    shares = np.linspace(0.0, 1.0, _N_TRIALS)
    trunk = _helped(np.arange(float(_N_TRIALS)), 1.0, most, shares).trunk
    distance = np.linalg.norm(goal - trunk.shoulder(side), axis=-1)
    if distance[0] < _SHORTEST_ARM:
        raise ParameterError(
            f"target {_spoken(goal)} is only {distance[0]:.2f} m from the {side} shoulder: "
            f"choose one at least {_SHORTEST_ARM:.2f} m away"
        )
    enough = distance <= _FULL_ARM
    if not enough.any():
        raise ParameterError(
            f"target {_spoken(goal)} is out of reach of the {side} hand "
            f"by {distance.min() - _FULL_ARM:.2f} m: "
            "bring it nearer to the figure, which stands at the origin and faces +Z"
        )
    return float(shares[enough.argmax()])


def _arm_to(goal: FloatArray, body: Standing, side: Side, easy: Arm, duration: float) -> Arm:
    """The arm whose wrist goes from hanging at ease to the target, stays, and goes back."""
    trunk: Trunk = body.trunk
    moments = [(_STARTS, 0.0), (_ARRIVES, 1.0), (_LEAVES, 1.0), (_RETURNS, 0.0)]
    there = keyed(body.time, [(share * duration, value) for share, value in moments])
    at_ease = wrist_of(trunk, side, easy)
    shoulder = trunk.shoulder(side)
    wanted = at_ease + there * (goal - at_ease) - shoulder
    # A straight way up passes the shoulder too closely; the hand then goes round in front.
    detour = max(_CLEARANCE - _nearest(at_ease[0] - shoulder[0], goal - shoulder[0]), 0.0)
    wanted[:, 2] += detour * 4.0 * (there * (1.0 - there))[:, 0]
    length = np.linalg.norm(wanted, axis=-1, keepdims=True)
    return reaching_arm(trunk, side, shoulder + wanted * (_at_most_straight(length) / length))


def _nearest(start: FloatArray, end: FloatArray) -> float:
    """How near the straight way between two places (3,) comes to the origin, metres."""
    way = end - start
    share = np.clip(-(start @ way) / (way @ way), 0.0, 1.0)
    return float(np.linalg.norm(start + share * way))


def _at_most_straight(length: FloatArray) -> FloatArray:
    """Lengths unchanged up to the full arm, and never beyond the longest; two derivatives are continuous."""
    room = _LONGEST_ARM - _FULL_ARM
    over = np.maximum(length - _FULL_ARM, 0.0) / room
    return np.minimum(length, _FULL_ARM) + room * over / np.cbrt(1.0 + over**3)


def _spoken(point: FloatArray) -> str:
    return "(" + ", ".join(f"{value:g}" for value in point) + ")"
