"""Jump: crouch, leave the floor with both feet, fly as gravity has it, and land where the jump began."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion.anatomy.thresholds import GRAVITY
from motionloom.synthesis.biped import SIDES
from motionloom.synthesis.body_pose import TrunkMotion, place_trunk
from motionloom.synthesis.easing import ease, hermite
from motionloom.synthesis.footsteps import FootRoll, Stance, foot_motion
from motionloom.synthesis.stand import (
    STANDING_DROP,
    StandingBody,
    hold_still,
    interpolate_keys,
    keep_standing,
    place_feet,
    rest_arm,
)
from motionloom.synthesis.synthetic_motion import SyntheticMotion, frame_times
from motionloom.validation import check_number

_WIDTH, _TOE_OUT = 0.20, 0.10
_CROUCH, _LEAN, _TUCK = 0.24, 0.45, 0.06
"""How far the pelvis sinks, metres, the trunk leans forward, radians, and the feet are drawn up in the
flight, metres."""

_OFF_HEIGHT, _LAND_HEIGHT = -0.05, -0.16
"""Height of the pelvis above standing when the feet leave the floor and when they land, metres. Feet begin
and end the flight at rest and the pelvis does not, so the legs need slack to land."""

_FEET_FOLLOW = 0.12
"""Seconds after the feet leave the floor, and before they land, in which they lag behind the pelvis."""

_SINK, _PUSH, _ABSORB, _RISE = 0.40, 0.28, 0.24, 0.50
"""Seconds of crouching, pushing off, absorbing the landing and standing up again."""

_HEEL_OFF, _FLAT = 0.16, 0.02
"""Seconds by which the heels lift before the toes and land after them."""

_PITCH = 0.75
"""How far the heels are raised when the toes leave the floor, radians."""


def jump(*, height: float = 0.35, duration: float = 2.4, fps: float = 60.0) -> SyntheticMotion:
    """Jump up once from both feet and land on them in the same place.

    Parameters
    ----------
    height
        Rise of the pelvis while both feet are in the air, metres; 0.05 to 0.5.
    duration
        Seconds; the jump is in the middle, and standing fills the rest.
    fps
        Frames per second.

    >>> motion = jump(height=0.3, fps=30)
    >>> motion.clip.n_frames, len(motion.plants)
    (73, 8)
    """
    height = check_number("height", height, min=0.05, max=0.5, unit="m for a jump")
    time = frame_times(duration, fps)
    fall = height + _OFF_HEIGHT - _LAND_HEIGHT
    flight = float(np.sqrt(2.0 * height / GRAVITY) + np.sqrt(2.0 * fall / GRAVITY))
    span = _SINK + _PUSH + flight + _ABSORB + _RISE
    if span > duration:
        raise ParameterError(
            f"a jump of {height:g} m takes {span:.3g} s",
            remedy=f"ask for a longer duration than {duration:g} s",
        )
    off = (duration - span) / 2.0 + _SINK + _PUSH
    land = off + flight

    rise = _pelvis_heights(time, height, off, land)
    crouched, landed = off - _PUSH, land + _ABSORB
    start, end = crouched - _SINK, landed + _RISE
    lean = interpolate_keys(
        time,
        [(start, 0.0), (crouched, _LEAN), (off, 0.0), (land, 0.1), (landed, 0.8 * _LEAN), (end, 0.0)],
    )[:, 0]
    calm, level = hold_still(time), np.zeros_like(time)
    pitch = np.stack([level, lean, level], axis=-1)
    # Leaning moves the head forward: the pelvis goes back under it.
    shift = np.stack([level, rise - STANDING_DROP, -0.25 * lean], axis=-1)
    trunk_motion = TrunkMotion(calm, level, shift, 0.5 * pitch, pitch, 0.2 * pitch)

    stances, feet = {}, {}
    # The feet stay below the pelvis, but leave the floor and land at rest.
    since, left = np.clip(time - off, 0.0, flight), np.clip(land - time, 0.0, flight)
    gentle = ease(since / _FEET_FOLLOW) * ease(left / _FEET_FOLLOW)
    lift = gentle * (GRAVITY / 2.0 * since * left + _TUCK)
    for side, footprint in place_feet(_WIDTH, _TOE_OUT).items():
        still = keep_standing(footprint, time)[0]
        stances[side] = [
            replace(still, heel_off=off - _HEEL_OFF, toe_off=off),
            Stance(land, land + _FLAT, still.heel_off, still.toe_off, still.ankle, still.yaw),
        ]
        foot = foot_motion(stances[side], FootRoll(strike_pitch=0.0, off_pitch=_PITCH, lift=0.0), time)
        feet[side] = replace(foot, ankle=foot.ankle + lift[:, None] * [0.0, 1.0, 0.0])

    body = StandingBody(time, fps, trunk_motion, stances, feet, place_trunk(trunk_motion, feet))
    swing = interpolate_keys(
        time,
        [(start, 0.0), (crouched, -0.9), (off, 1.6), (land, 1.0), (landed, -0.2), (end, 0.0)],
    )[:, 0]
    return body.to_motion({side: rest_arm(body.trunk, side, swing) for side in SIDES})


def _pelvis_heights(time: FloatArray, height: float, off: float, land: float) -> FloatArray:
    """Return how high the pelvis is above standing (T,), metres: a parabola from ``off`` to ``land``."""
    speed = float(np.sqrt(2.0 * GRAVITY * height))
    since, crouched, landed = time - off, off - _PUSH, land + _ABSORB
    sink = hermite((time - crouched + _SINK) / _SINK, _SINK, 0.0, 0.0, -_CROUCH, 0.0)
    push = hermite((time - crouched) / _PUSH, _PUSH, -_CROUCH, 0.0, _OFF_HEIGHT, speed)
    fall_speed = speed - GRAVITY * (land - off)
    absorb = hermite((time - land) / _ABSORB, _ABSORB, _LAND_HEIGHT, fall_speed, -_CROUCH, 0.0)
    stand_up = hermite((time - landed) / _RISE, _RISE, -_CROUCH, 0.0, 0.0, 0.0)
    return np.select(
        [time < crouched - _SINK, time < crouched, time < off, time < land, time < landed],
        [np.zeros_like(time), sink, push, _OFF_HEIGHT + speed * since - GRAVITY * since**2 / 2.0, absorb],
        np.where(time < landed + _RISE, stand_up, 0.0),
    )
