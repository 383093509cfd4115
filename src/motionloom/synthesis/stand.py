"""Stand still, or idle; and the standing body that kicks, punches and reaches: feet that stay, a trunk moved
by keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Constraint
from motionloom.synthesis.biped import ANKLE_HEIGHT, FOREARM, SIDES, UPPER_ARM, Side, sign
from motionloom.synthesis.body_pose import (
    ArmAngles,
    ArmPose,
    LegPose,
    Trunk,
    TrunkMotion,
    assemble_motion,
    hang_arm,
    place_trunk,
    pose_body,
    solve_leg,
)
from motionloom.synthesis.easing import KeyedCurve
from motionloom.synthesis.footsteps import FootMotion, FootRoll, Stance, foot_motion
from motionloom.synthesis.synthetic_motion import SyntheticMotion, frame_times
from motionloom.validation import check_number

_WIDTH, _TOE_OUT = 0.20, 0.12
_BREATH, _WEIGHT_SHIFT, _GLANCE = 3.7, 6.1, 8.3
"""Seconds from breath to breath, from one leg to the other and back, and from glance to glance."""


def stand(*, duration: float = 2.0, fps: float = 60.0) -> SyntheticMotion:
    """Stand still at the origin, facing +Z, arms hanging; ``duration`` in seconds.

    >>> clip = stand(duration=1.0, fps=30).clip
    >>> bool((clip.rotations == clip.rotations[0]).all())
    True
    """
    return _stand_and_move(0.0, duration, fps)


def idle(*, energy: float = 1.0, duration: float = 8.0, fps: float = 60.0) -> SyntheticMotion:
    """Stand and breathe, shift the weight from leg to leg, and look about.

    Parameters
    ----------
    energy
        Size of all movements, 0 to 2 times the default.
    duration, fps
        Seconds, and frames per second.

    >>> idle(duration=1.0, fps=30).clip.n_frames
    31
    """
    return _stand_and_move(
        check_number("energy", energy, min=0.0, max=2.0, unit="times the default"), duration, fps
    )


def _stand_and_move(energy: float, duration: float, fps: float) -> SyntheticMotion:
    time = frame_times(duration, fps)
    breath, weight, glance = (
        energy * np.sin(2.0 * np.pi * time / period) for period in (_BREATH, _WEIGHT_SHIFT, _GLANCE)
    )
    none = np.zeros_like(time)
    feet = place_feet(_WIDTH, _TOE_OUT)
    body = stand_on(
        time,
        fps,
        {side: keep_standing(feet[side], time) for side in SIDES},
        shift=np.stack([0.045 * weight, 0.003 * breath - 0.012 * weight**2, 0.006 * glance], axis=-1),
        pelvis=np.stack([0.04 * weight, none, 0.05 * weight], axis=-1),
        chest=np.stack([-0.02 * weight + 0.03 * glance, -0.022 * breath, -0.02 * weight], axis=-1),
        head=np.stack([0.22 * glance, 0.02 * breath, -0.03 * weight], axis=-1),
    )
    return body.to_motion({side: rest_arm(body.trunk, side, 0.025 * breath) for side in SIDES})


_LONG_BEFORE, _LONG_AFTER = 2.0, 2.0
"""Seconds by which a foot that stays planted lands before the clip and leaves after it."""

STANDING_DROP = 0.015
"""How far the pelvis is below its height with straight legs when standing at ease, metres."""


@dataclass(frozen=True)
class Footprint:
    """Where a foot stands: ``x`` to the left and ``z`` ahead in metres, and its ``yaw`` in radians.

    >>> Footprint(0.1, 0.3, 0.0).ankle().tolist()
    [0.1, 0.08, 0.3]
    """

    x: float
    z: float
    yaw: float

    def ankle(self) -> FloatArray:
        """World position (3,) of the ankle."""
        return np.array([self.x, ANKLE_HEIGHT, self.z])


def place_feet(width: float, toe_out: float) -> dict[Side, Footprint]:
    """Place the feet side by side, ``width`` metres apart, each rotated outward by ``toe_out`` radians.

    >>> place_feet(0.2, 0.1)["right"]
    Footprint(x=-0.1, z=0.0, yaw=-0.1)
    """
    return {side: Footprint(sign(side) * width / 2.0, 0.0, sign(side) * toe_out) for side in SIDES}


def keep_standing(footing: Footprint, time: FloatArray) -> list[Stance]:
    """Return the stance of a foot that stays from before the first frame until after the last.

    >>> stance = keep_standing(Footprint(0.1, 0.0, 0.0), np.array([0.0, 3.0]))[0]
    >>> stance.flat, stance.heel_off
    (-1.0, 4.0)
    """
    end = float(time[-1])
    before, after = _LONG_BEFORE, _LONG_AFTER
    return [Stance(-before, -before / 2, end + after / 2, end + after, footing.ankle(), footing.yaw)]


def interpolate_keys(time: FloatArray, keys: Sequence[tuple[float, npt.ArrayLike]]) -> FloatArray:
    """Interpolate smoothly between keys ``(seconds, value)``; returns values (T, D).

    >>> interpolate_keys(np.array([0.0, 0.5, 1.0]), [(0.0, 2.0), (1.0, 4.0)]).tolist()
    [[2.0], [3.0], [4.0]]
    """
    return KeyedCurve([moment for moment, _ in keys], [np.atleast_1d(value) for _, value in keys])(time)


def hold_still(time: FloatArray, value: npt.ArrayLike = (0.0, 0.0, 0.0)) -> FloatArray:
    """Repeat a value (D,) in every frame (T, D).

    >>> hold_still(np.zeros(2), (1.0, 2.0)).tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """
    return np.tile(np.asarray(value, dtype=np.float64), (len(time), 1))


def rest_arm(trunk: Trunk, side: Side, swing: FloatArray | float = 0.0) -> ArmPose:
    """Hang an arm at ease, the upper arm ``swing`` (T,) radians further forward.

    >>> time = np.zeros(2)
    >>> feet = {side: keep_standing(foot, time) for side, foot in place_feet(0.2, 0.0).items()}
    >>> trunk = stand_on(time, 2.0, feet).trunk
    >>> bool(wrist_positions(trunk, "left", rest_arm(trunk, "left", 0.5))[0, 2] > 0.2)
    True
    """
    even = np.ones(len(trunk.root))
    angles = ArmAngles(
        flexion=0.03 + swing * even, abduction=0.13 * even, inward=0.3 * even, elbow=0.28 * even
    )
    return hang_arm(trunk, side, angles)


def wrist_positions(trunk: Trunk, side: Side, arm: ArmPose) -> FloatArray:
    """Return the world positions (T, 3) of the wrist of an arm.

    >>> time = np.zeros(2)
    >>> feet = {side: keep_standing(foot, time) for side, foot in place_feet(0.2, 0.0).items()}
    >>> trunk = stand_on(time, 2.0, feet).trunk
    >>> wrist_positions(trunk, "left", rest_arm(trunk, "left")).shape
    (2, 3)
    """
    outward = np.array([sign(side), 0.0, 0.0])
    elbow = trunk.shoulder(side) + rot.rotate(arm.upper, UPPER_ARM * outward)
    return np.asarray(elbow + rot.rotate(arm.fore, FOREARM * outward))


@dataclass(frozen=True)
class StandingBody:
    """A standing body: its trunk is placed over its feet, its arms are still to be posed."""

    time: FloatArray
    fps: float
    trunk_motion: TrunkMotion
    stances: Mapping[Side, Sequence[Stance]]
    feet: Mapping[Side, FootMotion]
    trunk: Trunk

    def leg(self, side: Side) -> LegPose:
        """Solve the leg that stands on its foot."""
        return solve_leg(self.trunk, side, self.feet[side])

    def to_motion(
        self,
        arms: Mapping[Side, ArmPose],
        legs: Mapping[Side, LegPose] | None = None,
        holds: tuple[Constraint, ...] = (),
    ) -> SyntheticMotion:
        """Return the finished motion; its phase is the progress through the clip."""
        posed_legs = legs if legs is not None else {side: self.leg(side) for side in SIDES}
        clip = pose_body(self.trunk, posed_legs, arms, self.fps)
        progress = self.time / self.time[-1]
        return assemble_motion(clip, self.stances, progress, self.trunk_motion.ground, holds)


def stand_on(
    time: FloatArray,
    fps: float,
    stances: Mapping[Side, Sequence[Stance]],
    *,
    roll: FootRoll | None = None,
    heading: FloatArray | None = None,
    shift: FloatArray | None = None,
    pelvis: FloatArray | None = None,
    chest: FloatArray | None = None,
    head: FloatArray | None = None,
) -> StandingBody:
    """Stand on the given stances; by default everything is still and upright.

    ``heading`` is (T,), the others (T, 3) as in :class:`motionloom.synthesis.body_pose.TrunkMotion`; the
    shift of the pelvis counts from standing at ease.

    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: keep_standing(foot, time) for side, foot in place_feet(0.2, 0.0).items()}
    >>> body = stand_on(time, 2.0, feet)
    >>> body.to_motion({side: rest_arm(body.trunk, side) for side in SIDES}).clip.n_frames
    2
    """
    calm = hold_still(time)
    trunk_motion = TrunkMotion(
        ground=calm,
        heading=np.zeros(len(time)) if heading is None else heading,
        shift=(calm if shift is None else shift) - [0.0, STANDING_DROP, 0.0],
        pelvis=calm if pelvis is None else pelvis,
        chest=calm if chest is None else chest,
        head=calm if head is None else head,
    )
    feet = {side: foot_motion(stances[side], roll or FootRoll(), time) for side in SIDES}
    return StandingBody(time, fps, trunk_motion, stances, feet, place_trunk(trunk_motion, feet))
