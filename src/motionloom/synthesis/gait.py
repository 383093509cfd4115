"""The parameters of the three gaits: how steps, stance and posture depend on speed."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.synthesis.footsteps import FootRoll
from motionloom.validation import check_number


@dataclass(frozen=True, kw_only=True)
class GaitStyle:
    """The style of a gait; the defaults leave the gait as it is.

    Attributes
    ----------
    arm_swing, bounce, sway
        Factors on the swing of the arms, the rise and fall of the pelvis and its motion from side to side;
        0 to 2. The flight of a jog is consistent with gravity only at a bounce of 1.
    lift
        Factor on the height of the swinging feet; 1 to 1.6.
    crouch
        How much lower the pelvis is carried, metres; 0 to 0.2.
    lean
        How much further the trunk leans forward, radians; -0.4 to 0.8.
    width
        How much further apart the feet are set, metres; -0.05 to 0.3.

    >>> GaitStyle(arm_swing=2.0).arm_swing
    2.0
    """

    arm_swing: float = 1.0
    bounce: float = 1.0
    sway: float = 1.0
    lift: float = 1.0
    crouch: float = 0.0
    lean: float = 0.0
    width: float = 0.0

    def __post_init__(self) -> None:
        for name in ("arm_swing", "bounce", "sway"):
            check_number(f"style {name}", getattr(self, name), min=0.0, max=2.0, unit="times the gait's own")
        # With less lift than the gait's own, the swinging toes would touch the floor.
        check_number("style lift", self.lift, min=1.0, max=1.6, unit="times the gait's own")
        check_number("style crouch", self.crouch, min=0.0, max=0.2, unit="m")
        check_number("style lean", self.lean, min=-0.4, max=0.8, unit="rad")
        check_number("style width", self.width, min=-0.05, max=0.3, unit="m")


@dataclass(frozen=True, kw_only=True)
class Gait:
    """One gait; lengths in metres, angles in radians, times as fractions of the cycle.

    Attributes
    ----------
    name
        For messages.
    min_speed, default_speed, max_speed
        Speeds in m/s.
    default_step, step_power
        Step length at the default speed, and the power with which it grows with speed.
    default_duty, duty_slope, duty_range
        Fraction of the cycle a foot is on the floor at the default speed, its change per m/s, and its bounds.
    flat, heel_off
        Fractions of the stance at which the foot becomes flat and lifts its heel.
    roll
        How the feet roll and swing at the default speed.
    width, toe_out, trail
        Distance between the feet, their outward yaw, and how far the feet stay behind the body, in seconds
        of travel.
    drop, bob, lowest
        How low the pelvis is carried, how much it rises and falls about that, and when after a heel strike
        it is lowest, as a fraction of the cycle.
    ballistic
        Whether the pelvis instead follows a ballistic arc while both feet are in the air.
    sway, pelvis_yaw, pelvis_roll, chest_yaw, lean
        Motion of the trunk.
    arm_flexion, arm_swing, arm_abduction, arm_inward, elbow, elbow_swing
        Posture and swing of the arms.
    """

    name: str
    min_speed: float
    default_speed: float
    max_speed: float
    default_step: float
    step_power: float
    default_duty: float
    duty_slope: float
    duty_range: tuple[float, float]
    flat: float
    heel_off: float
    roll: FootRoll
    width: float
    toe_out: float
    trail: float
    drop: float
    bob: float
    lowest: float
    ballistic: bool
    sway: float
    pelvis_yaw: float
    pelvis_roll: float
    chest_yaw: float
    lean: float
    arm_flexion: float
    arm_swing: float
    arm_abduction: float
    arm_inward: float
    elbow: float
    elbow_swing: float

    def step(self, speed: float) -> float:
        """Return the step length in metres at a speed in m/s."""
        return float(self.default_step * (speed / self.default_speed) ** self.step_power)

    def cycle(self, speed: float) -> float:
        """Return the seconds of a whole cycle of two steps at a speed in m/s."""
        return 2.0 * self.step(speed) / speed

    def duty(self, speed: float) -> float:
        """Return the fraction of the cycle that each foot spends on the floor at a speed in m/s."""
        low, high = self.duty_range
        return min(max(self.default_duty + self.duty_slope * (speed - self.default_speed), low), high)


WALK = Gait(
    name="walk",
    min_speed=0.4,
    default_speed=1.4,
    max_speed=2.1,
    default_step=0.72,
    step_power=0.39,
    default_duty=0.62,
    duty_slope=-0.07,
    duty_range=(0.55, 0.67),
    flat=0.16,
    heel_off=0.48,
    roll=FootRoll(strike_pitch=0.30, off_pitch=1.18, lift=0.05, lift_peak=0.38),
    width=0.13,
    toe_out=0.10,
    trail=0.055,
    drop=0.050,
    bob=0.036,
    lowest=0.016,
    ballistic=False,
    sway=0.018,
    pelvis_yaw=0.08,
    pelvis_roll=0.05,
    chest_yaw=0.09,
    lean=0.04,
    arm_flexion=0.02,
    arm_swing=0.40,
    arm_abduction=0.12,
    arm_inward=0.15,
    elbow=0.35,
    elbow_swing=0.20,
)

JOG = Gait(
    name="jog",
    min_speed=1.6,
    default_speed=2.7,
    max_speed=4.0,
    default_step=0.97,
    step_power=0.65,
    default_duty=0.36,
    duty_slope=-0.03,
    duty_range=(0.30, 0.40),
    flat=0.22,
    heel_off=0.44,
    roll=FootRoll(strike_pitch=0.16, off_pitch=1.07, lift=0.20, lift_peak=0.5),
    width=0.08,
    toe_out=0.08,
    trail=0.035,
    drop=0.085,
    bob=0.0,
    lowest=0.0,
    ballistic=True,
    sway=0.008,
    pelvis_yaw=0.10,
    pelvis_roll=0.05,
    chest_yaw=0.18,
    lean=0.14,
    arm_flexion=-0.10,
    arm_swing=0.60,
    arm_abduction=0.18,
    arm_inward=0.35,
    elbow=1.50,
    elbow_swing=0.15,
)

SNEAK = Gait(
    name="sneak",
    min_speed=0.25,
    default_speed=0.6,
    max_speed=1.1,
    default_step=0.50,
    step_power=0.5,
    default_duty=0.66,
    duty_slope=-0.05,
    duty_range=(0.62, 0.70),
    flat=0.22,
    heel_off=0.66,
    roll=FootRoll(strike_pitch=0.10, off_pitch=0.75, lift=0.16, lift_peak=0.48),
    width=0.18,
    toe_out=0.14,
    trail=0.10,
    drop=0.17,
    bob=0.015,
    lowest=0.07,
    ballistic=False,
    sway=0.04,
    pelvis_yaw=0.06,
    pelvis_roll=0.03,
    chest_yaw=0.08,
    lean=0.42,
    arm_flexion=0.75,
    arm_swing=0.12,
    arm_abduction=0.35,
    arm_inward=0.45,
    elbow=1.35,
    elbow_swing=0.10,
)
