"""Where the soles are: the floor, and the contact points of heel and toe of every leg.

Joints lie inside the foot, each at its own height above the sole, and captures differ in it by several
centimetres between people and even between the feet of one. The height is therefore read off the frames in
which a foot stands: both its joints are low and as slow as they get.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation import signals
from motionloom.annotation.floor import (
    LOWEST_SHARE,
    Floor,
    feet_believed,
    planted_height,
    target_floor,
    tilted_through,
)
from motionloom.annotation.labels import HEEL, TOE
from motionloom.arrays import BoolArray, FloatArray, IntArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import Leg, Side
from motionloom.motion.anatomy.measures import HEEL_BEHIND_ANKLE

ADULT_ANKLE = 0.08
"""Height of an adult's ankle above the sole, metres; used where no frame tells."""

LOW_BAND = 0.05
"""A foot stands at most this far above its lowest tenth of heights, metres."""

TILT_BAND = 0.12
"""The same where the floor may be tilted."""

CALM_SHARE = 0.2
"""Of the frames in which a foot is low, the slowest fifth show it standing; even in a run the sole is flat
for about that share of them."""

STILL_SPEED = 0.05
"""Below this speed, m/s, a low foot stands, however many frames it does."""

NEVER_DOWN = 0.06
"""A foot whose standing height is more than this above the other one's never stands in the clip, metres."""

TIP_BELOW = 0.04
"""The tip of a standing foot is at most this far below its joints, metres. Toes that are turned farther down,
as in some captures and blends, do not show where the floor is."""


@dataclass(frozen=True, eq=False)
class ContactPoint:
    """A point of the sole.

    Attributes
    ----------
    joint
        Index of the joint that carries it.
    kind
        "heel" or "toe".
    point
        (3,) the point in the joint's own frame, metres.
    depth
        How far below the joint it lies while the foot stands, metres.
    """

    joint: int
    kind: str
    point: FloatArray
    depth: float

    def positions(self, clip: Clip) -> FloatArray:
        """World positions (T, 3) of the point, metres."""
        return clip.point_positions(self.joint, self.point)


@dataclass(frozen=True, eq=False)
class Sole:
    """Heel and toe of one leg; ``stood`` says whether they were measured in frames in which it stands."""

    leg: Leg
    heel: ContactPoint
    toe: ContactPoint
    stood: bool

    @property
    def side(self) -> Side:
        """The side of the leg."""
        return self.leg.side

    @property
    def points(self) -> tuple[ContactPoint, ContactPoint]:
        """Heel and toe."""
        return self.heel, self.toe


@dataclass(frozen=True, eq=False)
class _Foot:
    """The joints of a foot: world positions (T, 3) of its ankle and ball, and of its lowest point."""

    ankle: FloatArray
    ball: FloatArray
    lowest: FloatArray


@dataclass(frozen=True, eq=False)
class _Stance:
    """The frames (N,) in which a foot stands, and its ankle, ball and lowest point above the floor."""

    frames: IntArray
    ankle: float
    ball: float
    lowest: float

    @property
    def lowest_joint(self) -> float:
        """Height of the lower one of both joints, metres."""
        return min(self.ankle, self.ball)


def find_soles(
    clip: Clip, legs: tuple[Leg, ...], height: float | None = None
) -> tuple[Floor, tuple[Sole, ...]]:
    """The floor, and the sole of every leg.

    Plants that the clip has say where the floor is; without them it is looked for below standing feet.

    Parameters
    ----------
    clip
        A clip of at least one frame.
    legs
        The legs of its skeleton.
    height
        The height of a level floor where it is known, metres.

    >>> from motionloom.motion import Skeleton
    >>> names = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"]
    >>> offsets = [[0, 0, 0], [0, 0, 0], [0, -0.4, 0], [0, -0.4, 0], [0, -0.06, 0.13]]
    >>> body = Skeleton(names, [-1, 0, 1, 2, 3], offsets)
    >>> still = Clip(body, 0.1, [[0, 0.88, 0]] * 3, [[rot.IDENTITY] * 5] * 3)
    >>> floor, (sole,) = find_soles(still, (Leg("left", 1, 2, 3, 4),))
    >>> floor.height, sole.heel.point.round(3).tolist()
    (0.0, [0.0, -0.08, -0.05])
    """
    feet = [_foot(clip, leg) for leg in legs]
    level = Floor(0.0)
    known = target_floor(clip) if height is None else Floor(height)
    floor = known or tilted_through(
        [foot.ball[_calm(foot, level, clip.frame_time, TILT_BAND)] for foot in feet]
    )
    stances = [_stance(foot, replace(floor, height=0.0), clip.frame_time) for foot in feet]
    if known is None:
        shown = planted_height(clip, floor)
        floor = replace(floor, height=_height_below(stances) if shown is None else shown)
    lowest = min((stance.lowest_joint for stance in stances), default=0.0)
    measured = {
        leg.side: _measured(clip, leg, foot, stance, floor.height)
        for leg, foot, stance in zip(legs, feet, stances, strict=True)
        if stance.lowest_joint <= lowest + NEVER_DOWN
    }
    return floor, tuple(measured.get(leg.side) or _assumed(clip, leg, [*measured.values()]) for leg in legs)


def _foot(clip: Clip, leg: Leg) -> _Foot:
    places = clip.world_positions()
    ends = [places[:, joint] for joint in (leg.ankle, leg.toe) if joint is not None]
    if leg.tip is not None:
        ends.append(clip.point_positions(leg.tip.joint, leg.tip.offset))
    ball = ends[-1] if leg.toe is None else places[:, leg.toe]
    lowest = np.argmin([end[:, 1] for end in ends], axis=0)
    return _Foot(ends[0], ball, np.array(ends)[lowest, np.arange(len(places))])


def _calm(foot: _Foot, floor: Floor, frame_time: float, band: float) -> IntArray:
    """The frames (N,) in which a foot is within ``band`` metres of its lowest, and as slow as it gets."""
    heights = floor.heights_above(foot.ball)
    low: BoolArray = heights <= np.quantile(heights, LOWEST_SHARE) + band
    pace = np.maximum(signals.speeds(foot.ankle, frame_time, 0.0), signals.speeds(foot.ball, frame_time, 0.0))
    return np.flatnonzero(low & (pace <= max(STILL_SPEED, float(np.quantile(pace[low], CALM_SHARE)))))


def _stance(foot: _Foot, floor: Floor, frame_time: float) -> _Stance:
    """The frames in which the foot stands, and how high its joints are then."""
    frames = _calm(foot, floor, frame_time, LOW_BAND)
    ankle, ball, lowest = (
        float(np.median(floor.heights_above(joint[frames]))) for joint in (foot.ankle, foot.ball, foot.lowest)
    )
    return _Stance(frames, ankle, ball, max(lowest, min(ankle, ball) - TIP_BELOW))


def _height_below(stances: Sequence[_Stance]) -> float:
    """The height of the floor below standing feet, metres: zero, unless their joints are too far from it."""
    lowest = min((stance.lowest for stance in stances), default=0.0)
    return lowest * feet_believed(min((stance.lowest_joint for stance in stances), default=0.0))


def _measured(clip: Clip, leg: Leg, foot: _Foot, stance: _Stance, floor: float) -> Sole:
    """Heel and toe on the floor below a standing foot."""
    ankle, ball = foot.ankle[stance.frames], foot.ball[stance.frames]
    below_ankle, below_ball = stance.ankle - floor, stance.ball - floor
    heel = _behind(ankle, ball)
    heel[:, 1] = -below_ankle
    toe_joint = leg.ankle if leg.toe is None else leg.toe
    toe = ball - clip.world_positions()[stance.frames, toe_joint]
    toe[:, 1] -= below_ball
    turns = clip.world_rotations()[stance.frames]
    return Sole(
        leg,
        _contact(turns[:, leg.ankle], heel, leg.ankle, HEEL, below_ankle),
        _contact(turns[:, toe_joint], toe, toe_joint, TOE, below_ball),
        stood=True,
    )


def _behind(ankle: FloatArray, ball: FloatArray) -> FloatArray:
    """The level way (N, 3) from the ankle back to above the heel, metres."""
    return np.asarray((ball - ankle) * [-HEEL_BEHIND_ANKLE, 0.0, -HEEL_BEHIND_ANKLE])


def _contact(turns: FloatArray, ways: FloatArray, joint: int, kind: str, depth: float) -> ContactPoint:
    """The point of a joint that lies along ``ways`` (N, 3) from it in the middle of N poses."""
    local = rot.rotate(rot.inverse(turns), ways)
    return ContactPoint(joint, kind, freeze(np.median(local, axis=0)), depth)


def _assumed(clip: Clip, leg: Leg, others: list[Sole]) -> Sole:
    """The sole of a foot that never stands: as deep as the other one's, under the foot of the rest pose."""
    skeleton = clip.skeleton
    places, turns = skeleton.rest_positions(), skeleton.rest_world_rotations()
    ankle = places[leg.ankle]
    toe_joint = leg.ankle if leg.toe is None else leg.toe
    ball = places[toe_joint]
    if leg.toe is None and leg.tip is not None:
        ball = ankle + rot.rotate(turns[leg.ankle], leg.tip.offset)
    heel_depth = others[0].heel.depth if others else ADULT_ANKLE
    toe_depth = others[0].toe.depth if others else max(ADULT_ANKLE - float(ankle[1] - ball[1]), 0.0)
    heel, toe = _behind(ankle, ball), ball - places[toe_joint]
    heel[1], toe[1] = -heel_depth, toe[1] - toe_depth
    return Sole(
        leg,
        _contact(turns[None, leg.ankle], heel[None], leg.ankle, HEEL, heel_depth),
        _contact(turns[None, toe_joint], toe[None], toe_joint, TOE, toe_depth),
        stood=False,
    )
