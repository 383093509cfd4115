"""The standing body that idles, kicks, punches and reaches: feet that stay, and a trunk moved by keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Constraint
from motionloom.synthesis.arms import ArmAngles, hanging_arm
from motionloom.synthesis.body import ANKLE_HEIGHT, FOREARM, SIDES, UPPER_ARM, Side, sign
from motionloom.synthesis.easing import KeyedCurve
from motionloom.synthesis.figure import Arm, Leg, Trunk, TrunkMoves, performed, posed, settled, standing_leg
from motionloom.synthesis.footsteps import FootMotion, FootRoll, Stance, foot_motion
from motionloom.synthesis.result import SyntheticMotion

_LONG_BEFORE, _LONG_AFTER = 2.0, 2.0
"""Seconds by which a foot that stays throughout lands before the clip and leaves after it."""

EASY_DROP = 0.015
"""How far, in metres, the pelvis hangs below straight legs when standing at ease."""


@dataclass(frozen=True)
class Footing:
    """Where a foot stands: ``x`` to the left and ``z`` ahead in metres, and its ``yaw`` in radians.

    >>> Footing(0.1, 0.3, 0.0).ankle().tolist()
    [0.1, 0.08, 0.3]
    """

    x: float
    z: float
    yaw: float

    def ankle(self) -> FloatArray:
        """World position (3,) of the ankle."""
        return np.array([self.x, ANKLE_HEIGHT, self.z])


def side_by_side(width: float, toe_out: float) -> dict[Side, Footing]:
    """Feet beside each other, ``width`` metres apart, each turned outward by ``toe_out`` radians.

    >>> side_by_side(0.2, 0.1)["right"]
    Footing(x=-0.1, z=0.0, yaw=-0.1)
    """
    return {side: Footing(sign(side) * width / 2.0, 0.0, sign(side) * toe_out) for side in SIDES}


def staying(footing: Footing, time: FloatArray) -> list[Stance]:
    """The stance of a foot that stays from before the first frame until after the last.

    >>> stance = staying(Footing(0.1, 0.0, 0.0), np.array([0.0, 3.0]))[0]
    >>> stance.flat, stance.heel_off
    (-1.0, 4.0)
    """
    end = float(time[-1])
    before, after = _LONG_BEFORE, _LONG_AFTER
    return [Stance(-before, -before / 2, end + after / 2, end + after, footing.ankle(), footing.yaw)]


def keyed(time: FloatArray, keys: Sequence[tuple[float, npt.ArrayLike]]) -> FloatArray:
    """Values (T, D) that pass smoothly through keys given as ``(seconds, value)``.

    >>> keyed(np.array([0.0, 0.5, 1.0]), [(0.0, 2.0), (1.0, 4.0)]).tolist()
    [[2.0], [3.0], [4.0]]
    """
    return KeyedCurve([moment for moment, _ in keys], [np.atleast_1d(value) for _, value in keys])(time)


def still(time: FloatArray, value: npt.ArrayLike = (0.0, 0.0, 0.0)) -> FloatArray:
    """The same value (D,) in every frame (T, D).

    >>> still(np.zeros(2), (1.0, 2.0)).tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """
    return np.tile(np.asarray(value, dtype=np.float64), (len(time), 1))


def easy_arm(trunk: Trunk, side: Side, swing: FloatArray | float = 0.0) -> Arm:
    """An arm that hangs at ease, its upper arm ``swing`` (T,) radians further forward.

    >>> time = np.zeros(2)
    >>> feet = {side: staying(foot, time) for side, foot in side_by_side(0.2, 0.0).items()}
    >>> trunk = standing(time, 2.0, feet).trunk
    >>> bool(wrist_of(trunk, "left", easy_arm(trunk, "left", 0.5))[0, 2] > 0.2)
    True
    """
    even = np.ones(len(trunk.root))
    angles = ArmAngles(
        flexion=0.03 + swing * even, abduction=0.13 * even, inward=0.3 * even, elbow=0.28 * even
    )
    return hanging_arm(trunk, side, angles)


def wrist_of(trunk: Trunk, side: Side, arm: Arm) -> FloatArray:
    """World positions (T, 3) of the wrist of an arm.

    >>> time = np.zeros(2)
    >>> feet = {side: staying(foot, time) for side, foot in side_by_side(0.2, 0.0).items()}
    >>> trunk = standing(time, 2.0, feet).trunk
    >>> wrist_of(trunk, "left", easy_arm(trunk, "left")).shape
    (2, 3)
    """
    outward = np.array([sign(side), 0.0, 0.0])
    elbow = trunk.shoulder(side) + rot.rotate(arm.upper, UPPER_ARM * outward)
    return np.asarray(elbow + rot.rotate(arm.fore, FOREARM * outward))


@dataclass(frozen=True)
class Standing:
    """A body that stands: its trunk has settled over its feet, its arms are still to be placed."""

    time: FloatArray
    fps: float
    moves: TrunkMoves
    stances: Mapping[Side, Sequence[Stance]]
    feet: Mapping[Side, FootMotion]
    trunk: Trunk

    def leg(self, side: Side) -> Leg:
        """The leg that stands on its foot."""
        return standing_leg(self.trunk, side, self.feet[side])

    def performed(
        self,
        arms: Mapping[Side, Arm],
        legs: Mapping[Side, Leg] | None = None,
        holds: tuple[Constraint, ...] = (),
    ) -> SyntheticMotion:
        """The finished motion; its phase is progress through the clip."""
        carried = legs if legs is not None else {side: self.leg(side) for side in SIDES}
        clip = posed(self.trunk, carried, arms, self.fps)
        progress = self.time / self.time[-1]
        return performed(clip, self.stances, progress, self.moves.ground, holds)


def standing(
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
) -> Standing:
    """Stand on the given stances; whatever is left out keeps still and upright.

    ``heading`` is (T,), the others (T, 3) as in :class:`motionloom.synthesis.figure.TrunkMoves`; the shift of
    the pelvis counts from standing at ease.

    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: staying(foot, time) for side, foot in side_by_side(0.2, 0.0).items()}
    >>> body = standing(time, 2.0, feet)
    >>> body.performed({side: easy_arm(body.trunk, side) for side in SIDES}).clip.n_frames
    2
    """
    calm = still(time)
    moves = TrunkMoves(
        ground=calm,
        heading=np.zeros(len(time)) if heading is None else heading,
        shift=(calm if shift is None else shift) - [0.0, EASY_DROP, 0.0],
        pelvis=calm if pelvis is None else pelvis,
        chest=calm if chest is None else chest,
        head=calm if head is None else head,
    )
    feet = {side: foot_motion(stances[side], roll or FootRoll(), time) for side in SIDES}
    return Standing(time, fps, moves, stances, feet, settled(moves, feet))
