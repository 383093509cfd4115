"""Kick: one leg stands, the other is drawn up, thrust out and set down again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.synthesis.biped import LEG, SIDES, Side, sign
from motionloom.synthesis.body_pose import LegPose, guard_arm
from motionloom.synthesis.footsteps import FootMotion, FootRoll, Stance
from motionloom.synthesis.limbs import leg_rotations
from motionloom.synthesis.stand import StandingBody, interpolate_keys, keep_standing, place_feet, stand_on
from motionloom.synthesis.synthetic_motion import SyntheticMotion, frame_times
from motionloom.validation import check_choice, check_number

KickStyle = Literal["front", "side", "high"]

_WIDTH, _TOE_OUT = 0.24, 0.25
_HEEL_OFF, _TOE_OFF, _CHAMBER, _HIT, _RECOIL, _STRIKE, _FLAT = 0.10, 0.22, 0.38, 0.50, 0.62, 0.82, 0.88
_BALANCED, _LANDING, _UPRIGHT = 0.20, 0.80, 0.95
"""Times of the kick, as fractions of the duration."""

_ROLL = FootRoll(strike_pitch=0.0, off_pitch=0.5, lift=0.04)


@dataclass(frozen=True)
class _Kick:
    """A kick of the left leg; angles in radians.

    ``chamber`` and ``hit`` place the ankle as seen from the hip: elevation, azimuth outward, and distance as
    a fraction of the leg. ``pelvis`` and ``chest`` are yaw, pitch, roll at the hit, ``knee_axis`` (3,) what
    the knee bends about, and ``point`` how far the foot points.
    """

    chamber: tuple[float, float, float]
    hit: tuple[float, float, float]
    pelvis: tuple[float, float, float]
    chest: tuple[float, float, float]
    knee_axis: tuple[float, float, float]
    point: float


_KICKS: Mapping[KickStyle, _Kick] = {
    "front": _Kick(
        chamber=(-0.85, 0.05, 0.60),
        hit=(-0.12, 0.0, 0.975),
        pelvis=(-0.20, -0.28, 0.05),
        chest=(-0.10, -0.22, 0.0),
        knee_axis=(1.0, 0.0, 0.0),
        point=0.2,
    ),
    "side": _Kick(
        chamber=(-0.80, 0.55, 0.52),
        hit=(-0.02, 1.35, 0.97),
        pelvis=(-0.45, -0.05, 0.55),
        chest=(-0.25, 0.0, 0.50),
        knee_axis=(0.35, 1.0, 0.0),
        point=-0.1,
    ),
    "high": _Kick(
        chamber=(-0.65, 0.05, 0.58),
        hit=(0.60, 0.0, 0.97),
        pelvis=(-0.25, -0.55, 0.08),
        chest=(-0.10, -0.48, 0.0),
        knee_axis=(1.0, 0.0, 0.0),
        point=0.5,
    ),
}


def kick(
    *, style: KickStyle = "front", side: Side = "right", duration: float = 1.6, fps: float = 60.0
) -> SyntheticMotion:
    """Kick once from a guard and come back to it.

    Parameters
    ----------
    style
        "front" at hip height, "side" out to the side, or "high", well above the hip.
    side
        The leg that kicks.
    duration
        Seconds, 0.8 to 10; the kick is as fast as it is short.
    fps
        Frames per second.

    >>> motion = kick(style="high", fps=30)
    >>> bool(motion.clip.world_positions()[:, motion.clip.skeleton.index("RightFoot"), 1].max() > 1.2)
    True
    """
    plan = _KICKS[check_choice("style", style, _KICKS)]
    check_choice("side", side, SIDES)
    duration = check_number("duration", duration, min=0.8, max=10.0, unit="s for a kick")
    time = frame_times(duration, fps)
    body = _balance(plan, side, time, duration, fps)
    other: Side = "right" if side == "left" else "left"
    legs = {side: _kicking_leg(plan, body, side, duration), other: body.leg(other)}
    return body.to_motion({each: guard_arm(body.trunk, each) for each in SIDES}, legs)


def _balance(plan: _Kick, side: Side, time: FloatArray, duration: float, fps: float) -> StandingBody:
    """Balance the body over its standing foot, leaning against the kick."""
    s = sign(side)
    mirror = np.array([s, 1.0, s])
    calm = np.zeros(3)
    feet = place_feet(_WIDTH, _TOE_OUT)
    stances = {each: keep_standing(feet[each], time) for each in SIDES}
    stays = stances[side][0]
    heel_off, toe_off, strike, flat = (duration * x for x in (_HEEL_OFF, _TOE_OFF, _STRIKE, _FLAT))
    stances[side] = [
        Stance(stays.strike, stays.flat, heel_off, toe_off, stays.ankle, stays.yaw),
        Stance(strike, flat, stays.heel_off, stays.toe_off, stays.ankle, stays.yaw),
    ]

    def lean(at_hit: tuple[float, float, float]) -> FloatArray:
        return interpolate_keys(
            time, [(0.0, calm), (_HIT * duration, mirror * at_hit), (_UPRIGHT * duration, calm)]
        )

    over_foot = np.array([-s * (_WIDTH / 2.0 - 0.02), -0.03, 0.0])
    rest, low = np.array([0.0, -0.02, 0.0]), over_foot - [0.0, 0.02, 0.0]
    shift = [
        (0.0, rest),
        (_BALANCED * duration, low),
        (_HIT * duration, over_foot),
        (_LANDING * duration, low),
        (duration, rest),
    ]
    return stand_on(
        time,
        fps,
        stances,
        roll=_ROLL,
        shift=interpolate_keys(time, shift),
        pelvis=lean(plan.pelvis),
        chest=lean(plan.chest),
        head=_looking(time, plan, s, duration),
    )


def _looking(time: FloatArray, plan: _Kick, s: float, duration: float) -> FloatArray:
    """Return angles (T, 3) of a head that looks where the kick goes."""
    towards = s * 0.5 * plan.hit[1]
    return interpolate_keys(
        time, [(0.0, np.zeros(3)), (_CHAMBER * duration, (towards, 0.0, 0.0)), (duration, np.zeros(3))]
    )


def _kicking_leg(plan: _Kick, body: StandingBody, side: Side, duration: float) -> LegPose:
    """Solve the leg that leaves the floor, follows the kick as seen from the hip, and comes down again."""
    s, time, foot = sign(side), body.time, body.feet[side]
    chamber, hit, recoil = (duration * x for x in (_CHAMBER, _HIT, _RECOIL))
    toe_off, strike = duration * _TOE_OFF, duration * _STRIKE
    away = interpolate_keys(time, [(toe_off, 0.0), (chamber, 1.0), (recoil, 1.0), (strike, 0.0)])
    elevation, azimuth, length = interpolate_keys(
        time, [(chamber, plan.chamber), (hit, plan.hit), (recoil, plan.chamber)]
    ).T
    towards = np.stack(
        [s * np.sin(azimuth) * np.cos(elevation), np.sin(elevation), np.cos(azimuth) * np.cos(elevation)],
        axis=-1,
    )
    hip = body.trunk.hip(side)
    ankle = foot.ankle + away * (hip + LEG * length[:, None] * towards - foot.ankle)

    x, y, z = plan.knee_axis
    upright = np.array([1.0, 0.0, 0.0])
    axis = interpolate_keys(time, [(toe_off, upright), (hit, (x, s * y, s * z)), (strike, upright)])
    thigh, shin = leg_rotations(hip, ankle, axis)
    stretched = interpolate_keys(time, [(chamber, 0.0), (hit, plan.point), (recoil, 0.0)])[:, 0]
    carried = rot.multiply(shin, rot.from_axis_angle([1.0, 0.0, 0.0], stretched))
    rotation = rot.slerp(foot.rotation, carried, away[:, 0])
    toes = rot.slerp(foot.toe_rotation, rotation, away[:, 0])
    return LegPose(thigh, shin, FootMotion(ankle, rotation, toes, foot.yaw))
