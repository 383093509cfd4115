"""A gait along a path: where the feet are planted, and how trunk and arms move over the cycle."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import AbstractCurve
from motionloom.geometry import rotations as rot
from motionloom.motion.anatomy.thresholds import GRAVITY
from motionloom.synthesis.biped import ANKLE_HEIGHT, STANDING_HEIGHT, Side, sign
from motionloom.synthesis.body_pose import ArmAngles, ArmPose, Trunk, TrunkMotion, hang_arm
from motionloom.synthesis.footsteps import FootRoll, Stance
from motionloom.synthesis.gait import Gait, GaitStyle

_BANKING = 0.45
"""Fraction of the balanced inward lean that the body takes in a curve."""

_CHEST_LEAD, _HEAD_LEAD = 0.10, 0.30
"""Seconds by which chest and head lead the pelvis into a curve."""

_MAX_STRIKE_PITCH_SCALE, _MAX_OFF_PITCH_SCALE, _MIN_LIFT_SCALE = 1.2, 1.15, 0.8
"""Bounds on how much the roll of the feet grows with the step length, and on how low they swing in short
steps."""

_PELVIS_LEAN, _HEAD_LEAN, _HEAD_BANK = 0.4, 0.15, 0.3
"""Fractions of the chest's forward lean that pelvis and head take, and of its bank that the head takes."""

_MAX_ELBOW_SWING = 0.8
"""Largest swing of the forearm as a fraction of the bend of the elbow."""

_TURNING_ROOM = 0.04
"""How much further from the path a foot is placed and swings per radian of turn in a cycle, metres."""


@dataclass(frozen=True)
class PathGait:
    """A gait along a path.

    Attributes
    ----------
    gait, path, style
        The gait, where it goes, and its style.
    speed
        Metres per second away from corners.
    start
        Phase at time zero, cycles.

    >>> from motionloom.synthesis.gait import WALK
    >>> from motionloom.synthesis.locomotion import ArcPath
    >>> path_gait = PathGait(WALK, ArcPath(WALK.default_speed), WALK.default_speed, GaitStyle(), start=0.0)
    >>> round(path_gait.cycle, 3), path_gait.duty, path_gait.scale
    (1.029, 0.62, 1.0)
    """

    gait: Gait
    path: AbstractCurve
    speed: float
    style: GaitStyle
    start: float

    @property
    def cycle(self) -> float:
        """Seconds of a whole cycle of two steps."""
        return self.gait.cycle(self.speed)

    @property
    def duty(self) -> float:
        """The fraction of the cycle that each foot spends on the floor."""
        return self.gait.duty(self.speed)

    @property
    def scale(self) -> float:
        """The size of all movements, 1 at the gait's default speed: they grow with the step length."""
        return self.gait.step(self.speed) / self.gait.default_step

    def phases(self, time: FloatArray) -> FloatArray:
        """Return the cycles since a left heel strike (T,) at times (T,) in seconds."""
        return self.start + time / self.cycle


def place_stances(path_gait: PathGait, side: Side, time: FloatArray) -> list[Stance]:
    """Place the stances of one foot from before the first frame to after the last.

    Halfway through each stance the body is above the foot.

    >>> from motionloom.synthesis.gait import WALK
    >>> from motionloom.synthesis.locomotion import ArcPath
    >>> path_gait = PathGait(WALK, ArcPath(WALK.default_speed), WALK.default_speed, GaitStyle(), start=0.0)
    >>> left = place_stances(path_gait, "left", np.array([0.0, 1.0]))
    >>> [round(stance.strike / path_gait.cycle) for stance in left]
    [-2, -1, 0, 1, 2, 3]
    """
    gait = path_gait.gait
    delay = 0.0 if side == "left" else 0.5
    phases = path_gait.phases(time)
    numbers = np.arange(np.floor(phases[0]) - 2.0, np.ceil(phases[-1]) + 3.0)
    strikes = (numbers + delay - path_gait.start) * path_gait.cycle
    stay = path_gait.duty * path_gait.cycle

    speeds = np.linalg.norm(path_gait.path.derivative(strikes + stay / 2.0)[:, :2], axis=-1)
    ankles, headings = _beside_path(path_gait, side, strikes + stay / 2.0, -gait.trail * speeds)
    swing_offsets = _swing_offsets(path_gait, side, strikes, ankles)
    yaws = headings + sign(side) * gait.toe_out
    return [
        Stance(
            strike,
            strike + gait.flat * stay,
            strike + gait.heel_off * stay,
            strike + stay,
            ankle,
            yaw,
            swing_offset,
        )
        for strike, ankle, yaw, swing_offset in zip(
            strikes.tolist(), ankles, yaws.tolist(), swing_offsets, strict=True
        )
    ]


def _beside_path(
    path_gait: PathGait, side: Side, time: FloatArray, ahead: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return positions (N, 3) of an ankle beside the path, ``ahead`` (N,) metres of the body, and headings
    (N,).
    """
    x, z, heading = path_gait.path(time).T
    yaw_per_cycle = np.abs(path_gait.path.derivative(time)[:, 2]) * path_gait.cycle
    lateral = sign(side) * (
        (path_gait.gait.width + path_gait.style.width) / 2.0 + _TURNING_ROOM * yaw_per_cycle
    )
    local = np.stack([lateral, np.full_like(x, ANKLE_HEIGHT), ahead], axis=-1)
    ground = np.stack([x, np.zeros_like(x), z], axis=-1)
    return ground + rot.rotate(rot.from_yaw(heading), local), heading


def _swing_offsets(path_gait: PathGait, side: Side, strikes: FloatArray, ankles: FloatArray) -> FloatArray:
    """Return how far (N, 3) a foot swings out to pass the standing one where the path bends, metres."""
    halfway = strikes + (1.0 + path_gait.duty) / 2.0 * path_gait.cycle
    passing, heading = _beside_path(path_gait, side, halfway, np.zeros_like(strikes))
    following = np.concatenate([ankles[1:], ankles[-1:]])
    outward = sign(side) * rot.rotate(rot.from_yaw(heading), [1.0, 0.0, 0.0])
    missing = np.sum((passing - (ankles + following) / 2.0) * outward, axis=-1)
    return np.asarray(np.maximum(missing, 0.0)[:, None] * outward)


def scale_foot_roll(path_gait: PathGait) -> FootRoll:
    """Scale the gait's foot roll with the size of its movements.

    >>> from motionloom.synthesis.gait import WALK
    >>> from motionloom.synthesis.locomotion import ArcPath
    >>> path_gait = PathGait(WALK, ArcPath(WALK.default_speed), WALK.default_speed, GaitStyle(), start=0.0)
    >>> scale_foot_roll(path_gait) == WALK.roll
    True
    """
    roll, scale = path_gait.gait.roll, path_gait.scale
    return replace(
        roll,
        strike_pitch=roll.strike_pitch * min(scale, _MAX_STRIKE_PITCH_SCALE),
        off_pitch=roll.off_pitch * min(scale, _MAX_OFF_PITCH_SCALE),
        lift=roll.lift * max(scale, _MIN_LIFT_SCALE) * path_gait.style.lift,
    )


def move_trunk(path_gait: PathGait, time: FloatArray) -> TrunkMotion:
    """Move pelvis, chest and head (T frames) along the path of a gait.

    >>> from motionloom.synthesis.gait import WALK
    >>> from motionloom.synthesis.locomotion import ArcPath
    >>> path_gait = PathGait(WALK, ArcPath(WALK.default_speed), WALK.default_speed, GaitStyle(), start=0.0)
    >>> move_trunk(path_gait, np.array([0.0, 1.0])).ground[1].tolist()
    [0.0, 0.0, 1.4]
    """
    gait, path, style, scale = path_gait.gait, path_gait.path, path_gait.style, path_gait.scale
    x, z, heading = path(time).T
    along_x, along_z, turning = path.derivative(time).T
    bank = _BANKING * np.arctan(np.hypot(along_x, along_z) * turning / GRAVITY)
    stride = 2.0 * np.pi * path_gait.phases(time)
    # Whole cycles are left heel strikes, so this is 1 halfway through the stance of the left foot.
    over_left = np.cos(stride - np.pi * path_gait.duty)

    lateral = gait.sway * style.sway * over_left + STANDING_HEIGHT * np.tan(bank)
    sunk = gait.drop * scale + style.crouch + STANDING_HEIGHT * (1.0 - np.cos(bank))
    pelvis_yaw = -gait.pelvis_yaw * scale * np.cos(stride)
    chest_yaw = gait.chest_yaw * scale * style.arm_swing * np.cos(stride)
    lean = np.full_like(time, gait.lean * scale + style.lean)
    level = np.zeros_like(time)
    return TrunkMotion(
        ground=np.stack([x, level, z], axis=-1),
        heading=heading,
        shift=np.stack([lateral, _rise(path_gait, time) - sunk, level], axis=-1),
        pelvis=_angles(pelvis_yaw, lean * _PELVIS_LEAN, gait.pelvis_roll * style.sway * over_left - bank),
        chest=_angles(chest_yaw + _lead_angles(path, time, _CHEST_LEAD), lean, -bank),
        head=_angles(_lead_angles(path, time, _HEAD_LEAD), lean * _HEAD_LEAN, -bank * _HEAD_BANK),
    )


def swing_arm(path_gait: PathGait, trunk: Trunk, side: Side, time: FloatArray) -> ArmPose:
    """Swing the arm opposite to the leg of its side.

    >>> from motionloom.synthesis.locomotion import walk
    >>> clip = walk(duration=1.0, fps=30).clip
    >>> left, right = (clip.skeleton.index(name) for name in ("LeftHand", "RightHand"))
    >>> bool(clip.world_positions()[0, left, 2] < clip.world_positions()[0, right, 2])
    True
    """
    gait = path_gait.gait
    delay = 0.5 if side == "left" else 0.0
    size = path_gait.scale * path_gait.style.arm_swing
    # Elbows stay bent however far the arms swing.
    elbow_swing = min(gait.elbow_swing * size, _MAX_ELBOW_SWING * gait.elbow)
    swing = np.cos(2.0 * np.pi * (path_gait.phases(time) - delay))
    even = np.ones_like(time)
    angles = ArmAngles(
        flexion=gait.arm_flexion + gait.arm_swing * size * swing,
        abduction=gait.arm_abduction * even,
        inward=gait.arm_inward * even,
        elbow=gait.elbow + elbow_swing * swing,
    )
    return hang_arm(trunk, side, angles)


def _rise(path_gait: PathGait, time: FloatArray) -> FloatArray:
    """Return the rise and fall of the pelvis (T,), metres, twice per cycle."""
    gait, phases = path_gait.gait, path_gait.phases(time)
    if gait.ballistic:
        return path_gait.style.bounce * _flight_height(path_gait.cycle, path_gait.duty, phases)
    bob = gait.bob * path_gait.scale * path_gait.style.bounce
    return -bob * np.cos(4.0 * np.pi * (phases - gait.lowest))


def _flight_height(cycle: float, duty: float, phases: FloatArray) -> FloatArray:
    """Return the height relative to the top of the flight (T,), metres: a parabola in the air, a smooth
    bounce in stance.

    In stance the height is symmetric about mid stance, ``a + b t^2 + c t^4``, and meets the parabola with the
    same height, speed and acceleration.
    """
    step, stay = cycle / 2.0, duty * cycle
    half, flight = stay / 2.0, step - stay
    since_mid_stance = np.mod(2.0 * phases - duty + 0.5, 1.0) - 0.5
    t = np.abs(since_mid_stance) * step
    c = -GRAVITY * (flight / 2.0 + half) / (8.0 * half**3)
    b = -(GRAVITY + 12.0 * c * half**2) / 2.0
    at_lift_off = -GRAVITY * flight**2 / 8.0
    on_foot = at_lift_off + b * (t**2 - half**2) + c * (t**4 - half**4)
    return np.where(t < half, on_foot, -GRAVITY / 2.0 * (t - step / 2.0) ** 2)


def _lead_angles(path: AbstractCurve, time: FloatArray, lead: float) -> FloatArray:
    """Return how far the path turns within the next ``lead`` seconds (T,), radians."""
    return np.asarray(path(time + lead)[:, 2] - path(time)[:, 2])


def _angles(yaw: FloatArray, pitch: FloatArray, roll: FloatArray) -> FloatArray:
    return np.stack([yaw, pitch, roll], axis=-1)
