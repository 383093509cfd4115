"""Points of the soles of two bodies that correspond."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import tree
from motionloom.retargeting.bones import level_way
from motionloom.retargeting.reference import Reference, ball_of, foot_of
from motionloom.retargeting.stature import sole_height
from motionloom.retargeting.transfer import Bodies

FRONT = 0.5
"""A point farther forward than this share of the way from the ankle to the ball belongs to the toes."""

HEEL_BEHIND = 5.0 / 13.0
"""How far the heel lies behind the ankle, as a share of the level way from the ankle to the ball of the foot:
about 5 cm and 13 cm in an adult."""

LEVEL = np.array([1.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class SolePoint:
    """A point of the source's sole and the one of the target's that corresponds.

    Attributes
    ----------
    source_joint, target_joint
        The joints that carry them.
    source_point, target_point
        (3,) the points in the frames of these joints, metres.
    foot
        The target's ankle.
    """

    source_joint: int
    source_point: FloatArray
    target_joint: int
    target_point: FloatArray
    foot: int


def sole_points(clip: Clip, bodies: Bodies, scale: float, clearances: tuple[float, float]) -> list[SolePoint]:
    """The planted points of the clip's feet with their partners; heel and ball of feet without plants."""
    given = {(clip.skeleton.index(c.joint), tuple(c.point.tolist())) for c in clip.constraints}
    found = [sole_point(bodies, joint, np.array(point), scale, clearances) for joint, point in sorted(given)]
    planted = [point for point in found if point is not None]
    feet = {point.foot for point in planted}
    usual = [
        sole_point(bodies, joint, point, scale, clearances)
        for joint, point in _usual_points(bodies.source, clearances[0])
    ]
    return planted + [point for point in usual if point is not None and point.foot not in feet]


def sole_point(
    bodies: Bodies, joint: int, point: FloatArray, scale: float, clearances: tuple[float, float]
) -> SolePoint | None:
    """The target's partner of a point of a source joint; None where the joint belongs to no foot of both.

    Points near the heel keep their level way from the ankle, points near the toes theirs from the ball, by
    the length of the feet; heights are counted from the sole.
    """
    own = foot_of(bodies.source.parts, joint)
    other = next((t for t, s in bodies.mapping.partners.items() if s == own), None)
    if own is None or other is None or foot_of(bodies.target.parts, other) != other:
        return None
    source, target = bodies.source, bodies.target
    back = rot.inverse(bodies.difference[other])
    lengths = _foot_way(source, own), _foot_way(target, other)
    if not lengths[1].any():
        # A foot that is drawn as a point is taken to be as long as the source's, for its size.
        lengths = lengths[0], scale * rot.rotate(back, lengths[0])
    place = source.positions[joint] + rot.rotate(source.rotations[joint], point)
    from_ankle = (place - source.positions[own]) * LEVEL
    front = from_ankle @ lengths[0] > FRONT * (lengths[0] @ lengths[0]) if lengths[0].any() else joint != own

    start = lengths if front else (np.zeros(3), np.zeros(3))
    beyond = rot.rotate(back, from_ankle - start[0])
    wanted = target.positions[other] * LEVEL + start[1] + _size(lengths, scale) * beyond
    wanted[1] = sole_height(target, other, clearances[1]) + scale * (
        place[1] - sole_height(source, own, clearances[0])
    )
    carrier = _toes_below(target, other) if front else other
    way = rot.rotate(rot.inverse(target.rotations[carrier]), wanted - target.positions[carrier])
    return SolePoint(joint, point, carrier, way, other)


def _usual_points(body: Reference, clearance: float) -> list[tuple[int, FloatArray]]:
    """Joint and point (3,) of heel and ball of every foot, on the sole of the reference pose."""
    found = []
    for foot in {foot_of(body.parts, joint) for joint in body.parts.joints.values()} - {None}:
        assert foot is not None
        way, toes = _foot_way(body, foot), _toes_below(body, foot)
        for joint, level in ((foot, -HEEL_BEHIND * way), (toes, way)):
            place = body.positions[foot] * LEVEL + level
            place[1] = sole_height(body, foot, clearance)
            found.append(
                (joint, rot.rotate(rot.inverse(body.rotations[joint]), place - body.positions[joint]))
            )
    return found


def _foot_way(body: Reference, foot: int) -> FloatArray:
    """The level way (3,) from the ankle to the ball of a foot, metres; zero where the foot has no length."""
    way = level_way(body.way(foot, ball_of(body, foot)))
    return np.zeros(3) if way is None else way


def _size(lengths: tuple[FloatArray, FloatArray], scale: float) -> float:
    """Length of the target's foot by that of the source's; the scale where one has no length."""
    own, other = (float(np.linalg.norm(way)) for way in lengths)
    return other / own if own > 0.0 and other > 0.0 else scale


def _toes_below(body: Reference, foot: int) -> int:
    """The toe joint of a foot, or the ankle itself."""
    below = tree.subtree(body.skeleton, foot)[1:]
    return next((joint for joint in below if body.parts.names.get(joint, "").endswith(" toes")), foot)
