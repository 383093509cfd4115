"""A gait along a path: where its feet stand, and what trunk and arms do over the cycle."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import AbstractCurve
from motionloom.geometry import rotations as rot
from motionloom.synthesis.arms import ArmAngles, hanging_arm
from motionloom.synthesis.body import ANKLE_HEIGHT, STANDING_HEIGHT, Side, sign
from motionloom.synthesis.figure import Arm, Trunk, TrunkMoves
from motionloom.synthesis.footsteps import FootRoll, Stance
from motionloom.synthesis.gait import Gait, GaitStyle

GRAVITY = 9.81
"""Metres per second squared; the pelvis falls with it while both feet are in the air."""

_BANKING = 0.45
"""Share of the balanced inward lean that the body takes in a curve."""

_CHEST_LEAD, _HEAD_LEAD = 0.10, 0.30
"""Seconds by which chest and head turn into a curve before the pelvis."""

_MOST_STRIKE_PITCH, _MOST_OFF_PITCH, _LEAST_LIFT = 1.2, 1.15, 0.8
"""Bounds on how much the roll of the feet grows with the step, and on how low they swing in short steps."""

_PELVIS_LEAN, _HEAD_LEAN, _HEAD_BANK = 0.4, 0.15, 0.3
"""Shares of the chest's forward lean that pelvis and head take, and of its bank that the head takes."""

_MOST_ELBOW_SWING = 0.8
"""Largest swing of the forearm as a share of the bend of the elbow."""

_TURNING_ROOM = 0.04
"""How much further from the path a foot stands and swings for every radian of turn in a cycle, metres."""


@dataclass(frozen=True)
class Journey:
    """A gait on its way.

    Attributes
    ----------
    gait, path, style
        What is walked, where, and how it is carried.
    speed
        Metres per second away from corners.
    start
        Phase at time zero, cycles.

    >>> from motionloom.synthesis.gait import WALK
    >>> from motionloom.synthesis.ground_path import ArcPath
    >>> journey = Journey(WALK, ArcPath(WALK.usual), WALK.usual, GaitStyle(), start=0.0)
    >>> round(journey.cycle, 3), journey.duty, journey.vigour
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
        """Share of the cycle that each foot spends on the floor."""
        return self.gait.duty(self.speed)

    @property
    def vigour(self) -> float:
        """How large the movements are, 1 at the gait's usual speed: they grow with the step."""
        return self.gait.step(self.speed) / self.gait.usual_step

    def phases(self, time: FloatArray) -> FloatArray:
        """Cycles since a left heel strike (T,) at times (T,) in seconds."""
        return self.start + time / self.cycle


def stances(journey: Journey, side: Side, time: FloatArray) -> list[Stance]:
    """The stays of one foot from before the first frame to after the last; the body is over each halfway.

    >>> from motionloom.synthesis.gait import WALK
    >>> from motionloom.synthesis.ground_path import ArcPath
    >>> journey = Journey(WALK, ArcPath(WALK.usual), WALK.usual, GaitStyle(), start=0.0)
    >>> left = stances(journey, "left", np.array([0.0, 1.0]))
    >>> [round(stance.strike / journey.cycle) for stance in left]
    [-2, -1, 0, 1, 2, 3]
    """
    gait = journey.gait
    late = 0.0 if side == "left" else 0.5
    phases = journey.phases(time)
    numbers = np.arange(np.floor(phases[0]) - 2.0, np.ceil(phases[-1]) + 3.0)
    strikes = (numbers + late - journey.start) * journey.cycle
    stay = journey.duty * journey.cycle

    speeds = np.linalg.norm(journey.path.derivative(strikes + stay / 2.0)[:, :2], axis=-1)
    ankles, headings = _beside_path(journey, side, strikes + stay / 2.0, -gait.trail * speeds)
    bows = _bows(journey, side, strikes, ankles)
    yaws = headings + sign(side) * gait.toe_out
    return [
        Stance(
            strike, strike + gait.flat * stay, strike + gait.heel_off * stay, strike + stay, ankle, yaw, bow
        )
        for strike, ankle, yaw, bow in zip(strikes.tolist(), ankles, yaws.tolist(), bows, strict=True)
    ]


def _beside_path(
    journey: Journey, side: Side, time: FloatArray, ahead: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Places (N, 3) of an ankle beside the path, ``ahead`` (N,) metres of the body, and headings (N,)."""
    x, z, heading = journey.path(time).T
    turned = np.abs(journey.path.derivative(time)[:, 2]) * journey.cycle
    aside = sign(side) * ((journey.gait.width + journey.style.width) / 2.0 + _TURNING_ROOM * turned)
    local = np.stack([aside, np.full_like(x, ANKLE_HEIGHT), ahead], axis=-1)
    ground = np.stack([x, np.zeros_like(x), z], axis=-1)
    return ground + rot.rotate(rot.from_yaw(heading), local), heading


def _bows(journey: Journey, side: Side, strikes: FloatArray, ankles: FloatArray) -> FloatArray:
    """How far (N, 3) a foot swings out to pass the standing one where the path bends, metres."""
    halfway = strikes + (1.0 + journey.duty) / 2.0 * journey.cycle
    passing, heading = _beside_path(journey, side, halfway, np.zeros_like(strikes))
    following = np.concatenate([ankles[1:], ankles[-1:]])
    outward = sign(side) * rot.rotate(rot.from_yaw(heading), [1.0, 0.0, 0.0])
    missing = np.sum((passing - (ankles + following) / 2.0) * outward, axis=-1)
    return np.asarray(np.maximum(missing, 0.0)[:, None] * outward)


def foot_roll(journey: Journey) -> FootRoll:
    """The gait's foot roll at the size of the journey's movements.

    >>> from motionloom.synthesis.gait import WALK
    >>> from motionloom.synthesis.ground_path import ArcPath
    >>> journey = Journey(WALK, ArcPath(WALK.usual), WALK.usual, GaitStyle(), start=0.0)
    >>> foot_roll(journey) == WALK.roll
    True
    """
    roll, vigour = journey.gait.roll, journey.vigour
    return replace(
        roll,
        strike_pitch=roll.strike_pitch * min(vigour, _MOST_STRIKE_PITCH),
        off_pitch=roll.off_pitch * min(vigour, _MOST_OFF_PITCH),
        lift=roll.lift * max(vigour, _LEAST_LIFT) * journey.style.lift,
    )


def trunk_moves(journey: Journey, time: FloatArray) -> TrunkMoves:
    """Pelvis, chest and head (T frames) of a gait along its path.

    >>> from motionloom.synthesis.gait import WALK
    >>> from motionloom.synthesis.ground_path import ArcPath
    >>> journey = Journey(WALK, ArcPath(WALK.usual), WALK.usual, GaitStyle(), start=0.0)
    >>> trunk_moves(journey, np.array([0.0, 1.0])).ground[1].tolist()
    [0.0, 0.0, 1.4]
    """
    gait, path, style, vigour = journey.gait, journey.path, journey.style, journey.vigour
    x, z, heading = path(time).T
    along_x, along_z, turning = path.derivative(time).T
    bank = _BANKING * np.arctan(np.hypot(along_x, along_z) * turning / GRAVITY)
    stride = 2.0 * np.pi * journey.phases(time)
    # Whole cycles are left heel strikes, so this is 1 halfway through the stance of the left foot.
    over_left = np.cos(stride - np.pi * journey.duty)

    aside = gait.sway * style.sway * over_left + STANDING_HEIGHT * np.tan(bank)
    sunk = gait.drop * vigour + style.crouch + STANDING_HEIGHT * (1.0 - np.cos(bank))
    pelvis_yaw = -gait.pelvis_yaw * vigour * np.cos(stride)
    chest_yaw = gait.chest_yaw * vigour * style.arm_swing * np.cos(stride)
    lean = np.full_like(time, gait.lean * vigour + style.lean)
    level = np.zeros_like(time)
    return TrunkMoves(
        ground=np.stack([x, level, z], axis=-1),
        heading=heading,
        shift=np.stack([aside, _rise(journey, time) - sunk, level], axis=-1),
        pelvis=_angles(pelvis_yaw, lean * _PELVIS_LEAN, gait.pelvis_roll * style.sway * over_left - bank),
        chest=_angles(chest_yaw + _lead(path, time, _CHEST_LEAD), lean, -bank),
        head=_angles(_lead(path, time, _HEAD_LEAD), lean * _HEAD_LEAN, -bank * _HEAD_BANK),
    )


def arm(journey: Journey, trunk: Trunk, side: Side, time: FloatArray) -> Arm:
    """The arm that swings against the leg of its side.

    >>> from motionloom.synthesis.locomotion import walk
    >>> clip = walk(duration=1.0, fps=30).clip
    >>> left, right = (clip.skeleton.index(name) for name in ("LeftHand", "RightHand"))
    >>> bool(clip.world_positions()[0, left, 2] < clip.world_positions()[0, right, 2])
    True
    """
    gait = journey.gait
    late = 0.5 if side == "left" else 0.0
    size = journey.vigour * journey.style.arm_swing
    # However far the arms swing, elbows stay bent.
    elbow_swing = min(gait.elbow_swing * size, _MOST_ELBOW_SWING * gait.elbow)
    swing = np.cos(2.0 * np.pi * (journey.phases(time) - late))
    even = np.ones_like(time)
    angles = ArmAngles(
        flexion=gait.arm_flexion + gait.arm_swing * size * swing,
        abduction=gait.arm_abduction * even,
        inward=gait.arm_inward * even,
        elbow=gait.elbow + elbow_swing * swing,
    )
    return hanging_arm(trunk, side, angles)


def _rise(journey: Journey, time: FloatArray) -> FloatArray:
    """Rise and fall of the pelvis (T,), metres, twice per cycle."""
    gait, phases = journey.gait, journey.phases(time)
    if gait.ballistic:
        return journey.style.bounce * _flying(journey.cycle, journey.duty, phases)
    bob = gait.bob * journey.vigour * journey.style.bounce
    return -bob * np.cos(4.0 * np.pi * (phases - gait.lowest))


def _flying(cycle: float, duty: float, phases: FloatArray) -> FloatArray:
    """Height below the top of the flight (T,), metres: a parabola in the air, a smooth bounce on the foot.

    On the foot the height is even about mid stance, ``a + b t^2 + c t^4``, and meets the parabola with the
    same height, speed and acceleration.
    """
    step, stay = cycle / 2.0, duty * cycle
    half, flight = stay / 2.0, step - stay
    since_middle = np.mod(2.0 * phases - duty + 0.5, 1.0) - 0.5
    t = np.abs(since_middle) * step
    c = -GRAVITY * (flight / 2.0 + half) / (8.0 * half**3)
    b = -(GRAVITY + 12.0 * c * half**2) / 2.0
    at_lift_off = -GRAVITY * flight**2 / 8.0
    on_foot = at_lift_off + b * (t**2 - half**2) + c * (t**4 - half**4)
    return np.where(t < half, on_foot, -GRAVITY / 2.0 * (t - step / 2.0) ** 2)


def _lead(path: AbstractCurve, time: FloatArray, lead: float) -> FloatArray:
    """How far the path turns within the next ``lead`` seconds (T,), radians."""
    return np.asarray(path(time + lead)[:, 2] - path(time)[:, 2])


def _angles(yaw: FloatArray, pitch: FloatArray, roll: FloatArray) -> FloatArray:
    return np.stack([yaw, pitch, roll], axis=-1)
