"""Soles: the contact points of heel and toe of every leg, and the floor they stand on.

Joints lie inside the foot, each at its own height above the sole. In captures that height differs by several
centimetres between people, and even between the two feet of one person. It is therefore measured in the
frames in which a foot stands: both its joints are low and as slow as they get. The mesh of a character shows
where its soles are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation import signals
from motionloom.annotation.floor import (
    LOWEST_FRACTION,
    UNUSUAL_SOLES,
    USUAL_SOLES,
    Floor,
    find_plant_height,
    find_target_floor,
    fit_tilt,
    put_height_at_zero,
    trust_in_feet,
)
from motionloom.annotation.labels import HEEL, TOE
from motionloom.arrays import BoolArray, FloatArray, IntArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import Leg, Side
from motionloom.motion.anatomy.thresholds import ADULT_ANKLE_HEIGHT, HEEL_BEHIND_ANKLE
from motionloom.motion.mesh_soles import MeshSole, clip_soles

LOW_BAND = 0.05
"""A foot stands at most this far above its lowest tenth of heights, metres."""

TILT_BAND = 0.12
"""The same where the floor may be tilted."""

CALM_FRACTION = 0.2
"""Of the frames in which a foot is low, the slowest fifth show it standing; even in a run the sole is flat
in about that fraction of them."""

STILL_SPEED = 0.05
"""Below this speed, m/s, a low foot stands, in however many frames."""

NEVER_DOWN = 0.06
"""A foot that is this much higher at its lowest than the other one, metres, never stands in the clip."""

TIP_BELOW = 0.04
"""The tip of a standing foot is at most this far below its joints, metres. Toes that point farther down, as
in some captures and blends, do not show where the floor is."""


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
        """Return the world positions (T, 3) of the point, metres."""
        return clip.point_positions(self.joint, self.point)


@dataclass(frozen=True, eq=False)
class Sole:
    """Heel and toe of one leg; ``measured`` says whether a standing foot showed them, or they were
    assumed.
    """

    leg: Leg
    heel: ContactPoint
    toe: ContactPoint
    measured: bool

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
    """The joints of a foot: world positions (T, 3) of its ankle and ball, and of its lowest point.

    ``on_sole`` tells that the lowest point is one of a mesh.
    """

    ankle: FloatArray
    ball: FloatArray
    lowest: FloatArray
    on_sole: bool = False


@dataclass(frozen=True, eq=False)
class _Stance:
    """The frames (N,) in which a foot stands, and its ankle, ball and lowest point above the floor."""

    frames: IntArray
    ankle: float
    ball: float
    lowest: float
    on_sole: bool = False

    @property
    def lowest_joint(self) -> float:
        """Height of the lower one of both joints, metres."""
        return min(self.ankle, self.ball)


def find_soles(
    clip: Clip, legs: tuple[Leg, ...], height: float | None = None
) -> tuple[Floor, tuple[Sole, ...]]:
    """Find the floor, and the sole of every leg.

    The clip's own plants define the floor; without them it is estimated from standing feet. Heels and toes
    are those of the mesh, where the clip's skeleton has one.

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
    meshes = clip_soles(clip)
    if any(leg.ankle not in meshes for leg in legs):
        meshes = {}
    feet = [_foot(clip, leg, meshes.get(leg.ankle)) for leg in legs]
    level = Floor(0.0)
    known = find_target_floor(clip) if height is None else Floor(height)
    floor = known or fit_tilt(
        [foot.ball[_calm_frames(foot, level, clip.frame_time, TILT_BAND)] for foot in feet]
    )
    stances = [_stance(foot, replace(floor, height=0.0), clip.frame_time) for foot in feet]
    if known is None:
        shown = find_plant_height(clip, floor)
        height = _estimate_floor_height(stances) if shown is None else shown
        floor = put_height_at_zero(replace(floor, height=height))
    if meshes:
        return floor, tuple(_mesh_sole(clip, leg, meshes[leg.ankle]) for leg in legs)
    lowest = min((stance.lowest_joint for stance in stances), default=0.0)
    measured = {
        leg.side: _measure_sole(clip, leg, foot, stance, floor.height)
        for leg, foot, stance in zip(legs, feet, stances, strict=True)
        if stance.lowest_joint <= lowest + NEVER_DOWN
    }
    return floor, tuple(
        measured.get(leg.side) or _assume_sole(clip, leg, [*measured.values()]) for leg in legs
    )


def _foot(clip: Clip, leg: Leg, mesh: MeshSole | None) -> _Foot:
    positions = clip.world_positions()
    ends = [positions[:, joint] for joint in (leg.ankle, leg.toe) if joint is not None]
    if leg.tip is not None:
        ends.append(clip.point_positions(leg.tip.joint, leg.tip.offset))
    ball = ends[-1] if leg.toe is None else positions[:, leg.toe]
    if mesh is not None:
        return _Foot(ends[0], ball, mesh.lowest(clip), on_sole=True)
    lowest = np.argmin([end[:, 1] for end in ends], axis=0)
    return _Foot(ends[0], ball, np.array(ends)[lowest, np.arange(len(positions))])


def _calm_frames(foot: _Foot, floor: Floor, frame_time: float, band: float) -> IntArray:
    """Find the frames (N,) in which a foot is within ``band`` metres of its lowest, and as slow as it
    gets.
    """
    heights = floor.heights_above(foot.ball)
    low: BoolArray = heights <= np.quantile(heights, LOWEST_FRACTION) + band
    speed = np.maximum(
        signals.speeds(foot.ankle, frame_time, 0.0), signals.speeds(foot.ball, frame_time, 0.0)
    )
    return np.flatnonzero(low & (speed <= max(STILL_SPEED, float(np.quantile(speed[low], CALM_FRACTION)))))


def _stance(foot: _Foot, floor: Floor, frame_time: float) -> _Stance:
    """Find the frames in which the foot stands, and how high its joints are then."""
    frames = _calm_frames(foot, floor, frame_time, LOW_BAND)
    ankle, ball, lowest = (
        float(np.median(floor.heights_above(joint[frames]))) for joint in (foot.ankle, foot.ball, foot.lowest)
    )
    if foot.on_sole:
        return _Stance(frames, ankle, ball, lowest, on_sole=True)
    return _Stance(frames, ankle, ball, max(lowest, min(ankle, ball) - TIP_BELOW))


def _estimate_floor_height(stances: Sequence[_Stance]) -> float:
    """Estimate the floor below standing feet, metres: zero, unless their joints are too far from it."""
    lowest = min((stance.lowest for stance in stances), default=0.0)
    if stances and all(stance.on_sole for stance in stances):
        trust = trust_in_feet(lowest, USUAL_SOLES, UNUSUAL_SOLES)
    else:
        trust = trust_in_feet(min((stance.lowest_joint for stance in stances), default=0.0))
    return lowest * trust + 0.0  # never -0.0


def _mesh_sole(clip: Clip, leg: Leg, mesh: MeshSole) -> Sole:
    """Return heel and toe of a mesh; they lie below their joints as at rest."""
    skeleton = clip.skeleton
    points = {}
    for kind, (name, point) in ((HEEL, mesh.heel), (TOE, mesh.toe)):
        joint = skeleton.index(name)
        depth = -float(rot.rotate(skeleton.rest_world_rotations()[joint], point)[1])
        points[kind] = ContactPoint(joint, kind, point, depth)
    return Sole(leg, points[HEEL], points[TOE], measured=True)


def _measure_sole(clip: Clip, leg: Leg, foot: _Foot, stance: _Stance, floor: float) -> Sole:
    """Put heel and toe on the floor below a standing foot."""
    ankle, ball = foot.ankle[stance.frames], foot.ball[stance.frames]
    below_ankle, below_ball = stance.ankle - floor, stance.ball - floor
    heel = _behind(ankle, ball)
    heel[:, 1] = -below_ankle
    toe_joint = leg.ankle if leg.toe is None else leg.toe
    toe = ball - clip.world_positions()[stance.frames, toe_joint]
    toe[:, 1] -= below_ball
    rotations = clip.world_rotations()[stance.frames]
    return Sole(
        leg,
        _contact_point(rotations[:, leg.ankle], heel, leg.ankle, HEEL, below_ankle),
        _contact_point(rotations[:, toe_joint], toe, toe_joint, TOE, below_ball),
        measured=True,
    )


def _behind(ankle: FloatArray, ball: FloatArray) -> FloatArray:
    """Return the level offset (N, 3) from the ankle back to above the heel, metres."""
    return np.asarray((ball - ankle) * [-HEEL_BEHIND_ANKLE, 0.0, -HEEL_BEHIND_ANKLE])


def _contact_point(
    rotations: FloatArray, offsets: FloatArray, joint: int, kind: str, depth: float
) -> ContactPoint:
    """Return the point of a joint with the median of world ``offsets`` (N, 3) from it over N poses."""
    local = rot.rotate(rot.inverse(rotations), offsets)
    return ContactPoint(joint, kind, freeze(np.median(local, axis=0)), depth)


def _assume_sole(clip: Clip, leg: Leg, others: list[Sole]) -> Sole:
    """Assume the sole of a foot that never stands: as deep as the other one's, below the foot of the rest
    pose.
    """
    skeleton = clip.skeleton
    positions, rotations = skeleton.rest_positions(), skeleton.rest_world_rotations()
    ankle = positions[leg.ankle]
    toe_joint = leg.ankle if leg.toe is None else leg.toe
    ball = positions[toe_joint]
    if leg.toe is None and leg.tip is not None:
        ball = ankle + rot.rotate(rotations[leg.ankle], leg.tip.offset)
    heel_depth = others[0].heel.depth if others else ADULT_ANKLE_HEIGHT
    toe_depth = others[0].toe.depth if others else max(ADULT_ANKLE_HEIGHT - float(ankle[1] - ball[1]), 0.0)
    heel, toe = _behind(ankle, ball), ball - positions[toe_joint]
    heel[1], toe[1] = -heel_depth, toe[1] - toe_depth
    return Sole(
        leg,
        _contact_point(rotations[None, leg.ankle], heel[None], leg.ankle, HEEL, heel_depth),
        _contact_point(rotations[None, toe_joint], toe[None], toe_joint, TOE, toe_depth),
        measured=False,
    )
