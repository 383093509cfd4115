"""Punch from a fighting stance: a quick jab of the leading hand, or a strong punch of the rear one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.synthesis.biped import SIDES, Side, sign
from motionloom.synthesis.body_pose import GUARD, guard_arm
from motionloom.synthesis.stand import Footprint, interpolate_keys, keep_standing, stand_on
from motionloom.synthesis.synthetic_motion import SyntheticMotion, frame_times
from motionloom.validation import check_choice, check_number

PunchStyle = Literal["jab", "strong"]
_Angles = tuple[float, float, float]

_BLADED_PELVIS: _Angles = (-0.40, 0.03, 0.0)
_BLADED_CHEST: _Angles = (-0.50, 0.10, 0.0)
"""Yaw, pitch, roll of the guard with the left foot ahead, radians: the left shoulder points forward."""

_STANCE: _Angles = (0.0, -0.05, 0.0)
"""Pelvis in the guard: left, up, forward of standing at ease, metres."""


@dataclass(frozen=True)
class _Punch:
    """A punch with the left foot ahead; angles in radians, lengths in metres, times as fractions of the
    duration.

    ``leads`` says whether the leading hand strikes. ``draw`` and ``hit`` are positions of the fist, as in the
    guard.
    """

    leads: bool
    drawn: float
    landed: float
    back: float
    draw: _Angles
    hit: _Angles
    draw_chest: _Angles
    hit_pelvis: _Angles
    hit_chest: _Angles
    hit_shift: _Angles


_PUNCHES: Mapping[PunchStyle, _Punch] = {
    "jab": _Punch(
        leads=True,
        drawn=0.18,
        landed=0.42,
        back=0.80,
        draw=(-0.05, 0.01, 0.24),
        hit=(-0.13, 0.03, 0.50),
        draw_chest=(-0.44, 0.10, 0.0),
        hit_pelvis=(-0.50, 0.04, 0.0),
        hit_chest=(-0.80, 0.12, 0.0),
        hit_shift=(0.02, -0.06, 0.06),
    ),
    "strong": _Punch(
        leads=False,
        drawn=0.28,
        landed=0.50,
        back=0.85,
        draw=(0.02, -0.06, 0.20),
        hit=(-0.22, 0.02, 0.47),
        draw_chest=(-0.85, 0.06, 0.0),
        hit_pelvis=(0.20, 0.08, 0.0),
        hit_chest=(0.60, 0.22, 0.0),
        hit_shift=(0.03, -0.08, 0.10),
    ),
}


def punch(
    *, style: PunchStyle = "jab", side: Side | None = None, duration: float = 1.0, fps: float = 60.0
) -> SyntheticMotion:
    """Punch once from a guard and come back to it.

    Parameters
    ----------
    style
        "jab", quick, with the leading hand; or "strong", with the rear hand and the whole body behind it.
    side
        The hand that strikes; None is the left for a jab and the right for a strong punch.
    duration
        Seconds, 0.5 to 10; the punch is as fast as it is short.
    fps
        Frames per second.

    >>> punch(style="strong", duration=1.0, fps=30).clip.n_frames
    31
    """
    plan = _PUNCHES[check_choice("style", style, _PUNCHES)]
    default: Side = "left" if plan.leads else "right"
    hand = default if side is None else check_choice("side", side, SIDES)
    ahead = sign(hand) if plan.leads else -sign(hand)
    duration = check_number("duration", duration, min=0.5, max=10.0, unit="s for a punch")
    time = frame_times(duration, fps)

    mirror = np.array([ahead, 1.0, ahead])
    drawn, landed, back = (duration * x for x in (plan.drawn, plan.landed, plan.back))

    def swung(guard: _Angles, draw: _Angles, hit: _Angles) -> FloatArray:
        keys = [(0.0, guard), (drawn, draw), (landed, hit), (back, guard)]
        return interpolate_keys(time, [(moment, mirror * value) for moment, value in keys])

    body = stand_on(
        time,
        fps,
        {side: keep_standing(_place_foot(side, ahead), time) for side in SIDES},
        shift=swung(_STANCE, _STANCE, plan.hit_shift) * [1.0, 1.0, ahead],
        pelvis=swung(_BLADED_PELVIS, _BLADED_PELVIS, plan.hit_pelvis),
        chest=swung(_BLADED_CHEST, plan.draw_chest, plan.hit_chest),
    )
    fist = interpolate_keys(time, [(0.0, GUARD), (drawn, plan.draw), (landed, plan.hit), (back, GUARD)])
    return body.to_motion(
        {each: guard_arm(body.trunk, each, fist if each == hand else None) for each in SIDES}
    )


def _place_foot(side: Side, ahead: float) -> Footprint:
    """Place one foot ahead, pointing slightly inward, the other behind, pointing outward."""
    s = sign(side)
    if s == ahead:
        return Footprint(0.12 * s, 0.18, -0.15 * s)
    return Footprint(0.14 * s, -0.20, 0.65 * s)
