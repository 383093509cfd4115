"""Feet: where and when they stand, and how they roll and swing in between.

A foot strikes with its heel, turns about it until it is flat, later lifts its heel and turns about the toe
joint, leaves the floor, and swings to its next position. Heel and toe are planted exactly in their intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Constraint
from motionloom.motion.annotations import crop_constraints
from motionloom.synthesis.biped import HEEL_POINT, TOE_OFFSET, TOE_POINT, Side
from motionloom.synthesis.easing import bump, cruise, ease, hermite

_STRIKE_RATE, _OFF_RATE = 0.5, 0.9
"""Pitch rate at strike and at toe-off as fractions of the mean pitch rate of that roll."""

_SWING_RAMP = 0.2
"""Fraction of the swing in which the foot speeds up, and in which it slows down."""

_HANDOVER = (0.35, 0.85)
"""Fractions of the swing between which the foot's height changes from following the toe to following the
heel."""

_TOES_STRAIGHTEN = (0.4, 0.9)
"""Fractions of the swing between which bent toes come back in line with the foot."""

_LATERAL = (1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Stance:
    """One contact of a foot with the floor; times in seconds, in this order.

    Attributes
    ----------
    strike, flat, heel_off, toe_off
        When the heel lands, the sole is flat, the heel lifts, and the toe leaves.
    ankle
        (3,) world position of the ankle while the sole is flat, metres.
    yaw
        Heading of the foot, radians.
    swing_offset
        (3,) offset from the straight line to the next position halfway through the swing, metres.
    """

    strike: float
    flat: float
    heel_off: float
    toe_off: float
    ankle: FloatArray
    yaw: float
    swing_offset: FloatArray = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True)
class FootRoll:
    """How a foot rolls and swings.

    Attributes
    ----------
    strike_pitch, off_pitch
        How far the toes point up at strike and the heel at toe-off, radians.
    lift
        Clearance at the top of the swing, metres.
    lift_peak
        Fraction of the swing at which the foot is highest.
    """

    strike_pitch: float = 0.0
    off_pitch: float = 0.4
    lift: float = 0.06
    lift_peak: float = 0.5


@dataclass(frozen=True)
class FootMotion:
    """A foot over T frames.

    Attributes
    ----------
    ankle
        (T, 3) world positions of the ankle, metres.
    rotation, toe_rotation
        (T, 4) world rotations of foot and toes.
    yaw
        (T,) heading of the foot, radians.
    """

    ankle: FloatArray
    rotation: FloatArray
    toe_rotation: FloatArray
    yaw: FloatArray


@dataclass(frozen=True)
class _Timeline:
    """Which stance each of T frames is in or follows, which comes next, and how far the foot has swung there.

    ``times`` (T, 4) are strike, flat, heel-off and toe-off of that stance; ``swing`` (T,) runs from 0 to 1
    over ``swing_span`` (T,) seconds.
    """

    time: FloatArray
    here: IntArray
    following: IntArray
    times: FloatArray
    swing: FloatArray
    swing_span: FloatArray


def foot_motion(stances: Sequence[Stance], roll: FootRoll, time: FloatArray) -> FootMotion:
    """Return the foot at the times (T,): exact in its stances, smooth everywhere.

    >>> still = Stance(-2.0, -1.0, 9.0, 10.0, np.array([0.0, 0.08, 0.0]), 0.0)
    >>> foot_motion([still], FootRoll(), np.array([0.0, 1.0])).ankle.tolist()
    [[0.0, 0.08, 0.0], [0.0, 0.08, 0.0]]
    """
    line = _timeline(stances, time)
    yaws = np.array([stance.yaw for stance in stances])
    yaw = yaws[line.here] + (yaws[line.following] - yaws[line.here]) * ease(line.swing)
    pitch = _pitch(line, roll)
    rotation = rot.multiply(rot.from_yaw(yaw), rot.from_axis_angle(_LATERAL, pitch))
    ankle = _ankle(line, stances, rotation, roll)

    # On the ball of the foot the toes stay flat; in the swing they come back in line with the foot.
    on_heel = time < line.times[:, 1]
    straightened = ease((line.swing - _TOES_STRAIGHTEN[0]) / (_TOES_STRAIGHTEN[1] - _TOES_STRAIGHTEN[0]))
    toe_bend = rot.from_axis_angle(_LATERAL, -pitch * np.where(on_heel, 0.0, 1.0 - straightened))
    return FootMotion(ankle, rotation, rot.multiply(rotation, toe_bend), yaw)


def _timeline(stances: Sequence[Stance], time: FloatArray) -> _Timeline:
    times = np.array([(s.strike, s.flat, s.heel_off, s.toe_off) for s in stances])
    last = len(stances) - 1
    here = np.clip(np.searchsorted(times[:, 0], time, side="right") - 1, 0, last)
    following = np.minimum(here + 1, last)
    toe_off = times[here, 3]
    # After the last stance there is no swing: the foot stays where it is.
    swing_span = np.where(following > here, times[following, 0] - toe_off, 1.0)
    swing = np.where(following > here, np.clip((time - toe_off) / swing_span, 0.0, 1.0), 0.0)
    return _Timeline(time, here, following, times[here], swing, swing_span)


def _pitch(line: _Timeline, roll: FootRoll) -> FloatArray:
    """Return the heel-up angle of the foot (T,): from toes up at strike over flat to heel up at toe-off, and
    back.
    """
    time, (strike, flat, heel_off, toe_off) = line.time, line.times.T
    landing, leaving = flat - strike, toe_off - heel_off
    strike_rate = _STRIKE_RATE * roll.strike_pitch / landing
    off_rate = _OFF_RATE * roll.off_pitch / leaving
    down = hermite((time - strike) / landing, landing, -roll.strike_pitch, strike_rate, 0.0, 0.0)
    up = hermite((time - heel_off) / leaving, leaving, 0.0, 0.0, roll.off_pitch, off_rate)
    over = hermite(line.swing, line.swing_span, roll.off_pitch, off_rate, -roll.strike_pitch, strike_rate)
    return np.select([time < flat, time <= heel_off, time < toe_off], [down, np.zeros_like(time), up], over)


def _ankle(line: _Timeline, stances: Sequence[Stance], rotation: FloatArray, roll: FootRoll) -> FloatArray:
    """Return ankle positions (T, 3) from the point the foot rotates about: heel, toe joint, or between
    them.
    """
    ankles = np.array([stance.ankle for stance in stances])
    rotations = rot.from_yaw([stance.yaw for stance in stances])
    heels, toes = ankles + rot.rotate(rotations, HEEL_POINT), ankles + rot.rotate(rotations, TOE_OFFSET)
    to_ankle_from_heel, to_ankle_from_toe = (
        -rot.rotate(rotation, HEEL_POINT),
        -rot.rotate(rotation, TOE_OFFSET),
    )
    about_heel = heels[line.here] + to_ankle_from_heel
    about_toe = toes[line.here] + to_ankle_from_toe
    about_next_heel = heels[line.following] + to_ankle_from_heel

    across = cruise(line.swing, _SWING_RAMP)
    handover = ease((line.swing - _HANDOVER[0]) / (_HANDOVER[1] - _HANDOVER[0]))
    fractions = np.stack([across, handover, across], axis=-1)
    swinging = about_toe + (about_next_heel - about_toe) * fractions
    swinging += np.array([stance.swing_offset for stance in stances])[line.here] * bump(line.swing)[:, None]
    swinging[:, 1] += roll.lift * _lift(line.swing, roll.lift_peak)
    on_heel = line.time < line.times[:, 1]
    return np.where(on_heel[:, None], about_heel, swinging)


def _lift(swing: FloatArray, peak: float) -> FloatArray:
    return np.where(swing < peak, ease(swing / peak), ease((1.0 - swing) / (1.0 - peak)))


def plant_constraints(
    side: Side, stances: Sequence[Stance], fps: float, n_frames: int
) -> tuple[Constraint, ...]:
    """Return the heel and toe plants of a foot, with their exact positions, cropped to the clip.

    >>> still = Stance(-2.0, -1.0, 0.5, 10.0, np.array([0.0, 0.08, 0.0]), 0.0)
    >>> [(plant.kind, plant.start, plant.end) for plant in plant_constraints("left", [still], 30.0, 31)]
    [('heel', 0.0, 15.0), ('toe', 0.0, 30.0)]
    """
    name = side.capitalize()
    plants = []
    for stance in stances:
        rotation = rot.from_yaw(stance.yaw)
        heel = stance.ankle + rot.rotate(rotation, HEEL_POINT)
        toe = stance.ankle + rot.rotate(rotation, TOE_OFFSET + TOE_POINT)
        plants += [
            Constraint(name + "Foot", "heel", stance.strike * fps, stance.heel_off * fps, HEEL_POINT, heel),
            Constraint(name + "ToeBase", "toe", stance.flat * fps, stance.toe_off * fps, TOE_POINT, toe),
        ]
    return crop_constraints(plants, 0.0, float(n_frames - 1))
