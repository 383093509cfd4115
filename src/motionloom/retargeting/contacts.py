"""Contacts on another body: constraints and events get new joint names, planted points move to the soles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.anatomy import tree
from motionloom.motion.anatomy.thresholds import HEEL_BEHIND_ANKLE
from motionloom.retargeting.proportions import Proportions, find_foot, sole_height
from motionloom.retargeting.reference_pose import BodyPair, ReferencePose, foot_vector

FRONT = 0.5
"""A point farther forward than this fraction of the offset from the ankle to the ball belongs to the toes."""

ON_SOLE = 0.02
"""A point of the source this near to its sole, metres, becomes the heel or the toe of the target's mesh."""

LEVEL = np.array([1.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class SolePoint:
    """A point of the source's sole and the corresponding one of the target's.

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


def transfer_constraints(
    clip: Clip, bodies: BodyPair, proportions: Proportions
) -> tuple[tuple[Constraint, ...], list[str]]:
    """Return the constraints of a clip for the target, and notes on those that were dropped.

    Targets of feet are cleared, to be chosen again: the feet of the two bodies differ in length.
    """
    kept: list[Constraint] = []
    notes = []
    for constraint in clip.constraints:
        name = f"{constraint.kind} ({constraint.joint})"
        moved = _transfer_constraint(constraint, bodies, proportions)
        if moved is None:
            notes.append(f"{name} has no partner in the target: its constraint was dropped")
        elif _overlaps(moved, kept):
            notes.append(f"{name} shares its partner with another joint: its constraint was dropped")
        else:
            kept.append(moved)
    return tuple(kept), [*dict.fromkeys(notes)]


def transfer_events(clip: Clip, bodies: BodyPair) -> tuple[Event, ...]:
    """Return the events of a clip with the target's joint names; other names stay as they are."""
    names, moved = bodies.mapping.target.names, []
    for event in clip.events:
        partner = _find_partner(bodies, event.joint) if event.joint in clip.skeleton.names else None
        moved.append(event if partner is None else replace(event, joint=names[partner]))
    return tuple(moved)


def sole_points(clip: Clip, bodies: BodyPair, proportions: Proportions) -> list[SolePoint]:
    """Return the planted points of each foot, or its heel and ball where it has none, with their partners."""
    given = {(clip.skeleton.index(c.joint), tuple(c.point.tolist())) for c in clip.constraints}
    found = [sole_point(bodies, joint, np.array(point), proportions) for joint, point in sorted(given)]
    planted = [point for point in found if point is not None]
    feet = {point.foot for point in planted}
    default = [
        sole_point(bodies, joint, point, proportions)
        for joint, point in _heels_and_balls(bodies.source, proportions.clearances[0])
    ]
    return planted + [point for point in default if point is not None and point.foot not in feet]


def sole_point(bodies: BodyPair, joint: int, point: FloatArray, proportions: Proportions) -> SolePoint | None:
    """Find the target's partner of a point on a source joint; None where the joint is part of no mapped foot.

    Points near the heel keep their horizontal offset from the ankle, points near the toes theirs from the
    ball, scaled by the length of the feet; heights count from the sole. Where the target has a mesh, points
    of the sole become its heel or its toe.
    """
    own = find_foot(bodies.source.parts, joint)
    other = next((t for t, s in bodies.mapping.partners.items() if s == own), None)
    if own is None or other is None or find_foot(bodies.target.parts, other) != other:
        return None
    source, target, scale = bodies.source, bodies.target, proportions.scale
    back = rot.inverse(bodies.difference[other])
    feet = _foot_vector(source, own), _foot_vector(target, other)
    if not feet[1].any():
        # A foot without length is taken to be as long as the source's, scaled.
        feet = feet[0], scale * rot.rotate(back, feet[0])
    position = source.positions[joint] + rot.rotate(source.rotations[joint], point)
    from_ankle = (position - source.positions[own]) * LEVEL
    front = from_ankle @ feet[0] > FRONT * (feet[0] @ feet[0]) if feet[0].any() else joint != own

    above = position[1] - sole_height(source, own, proportions.clearances[0])
    mesh = proportions.soles.get(other)
    if mesh is not None and abs(above) < ON_SOLE:
        end = mesh.toe if front else mesh.heel
        return SolePoint(joint, point, target.skeleton.index(end.joint), end.point, other)

    start = feet if front else (np.zeros(3), np.zeros(3))
    beyond = rot.rotate(back, from_ankle - start[0])
    lengths = [float(np.linalg.norm(foot)) for foot in feet]
    size = lengths[1] / lengths[0] if min(lengths) > 0.0 else scale
    goal = target.positions[other] * LEVEL + start[1] + size * beyond
    goal[1] = sole_height(target, other, proportions.clearances[1]) + scale * above
    carrier = _toes_below(target, other) if front else other
    local = rot.rotate(rot.inverse(target.rotations[carrier]), goal - target.positions[carrier])
    return SolePoint(joint, point, carrier, local, other)


def _transfer_constraint(
    constraint: Constraint, bodies: BodyPair, proportions: Proportions
) -> Constraint | None:
    joint = _find_partner(bodies, constraint.joint)
    if joint is None:
        return None
    names, own = bodies.mapping.target.names, bodies.mapping.source.index(constraint.joint)
    sole = sole_point(bodies, own, constraint.point, proportions)
    if sole is not None:
        return replace(constraint, joint=names[sole.target_joint], point=sole.target_point, target=None)
    offset = rot.rotate(bodies.source.rotations[own], constraint.point)
    rotation = rot.multiply(bodies.difference[joint], bodies.target.rotations[joint])
    return replace(
        constraint,
        joint=names[joint],
        point=proportions.scale * rot.rotate(rot.inverse(rotation), offset),
        target=None if constraint.target is None else proportions.apply(constraint.target),
    )


def _overlaps(constraint: Constraint, kept: Iterable[Constraint]) -> bool:
    same = (other for other in kept if (other.joint, other.kind) == (constraint.joint, constraint.kind))
    return any(constraint.start < other.end and other.start < constraint.end for other in same)


def _find_partner(bodies: BodyPair, joint: str) -> int | None:
    """Return the target joint that follows a source joint or, failing that, its nearest mapped ancestor."""
    targets = {source: target for target, source in reversed(bodies.mapping.partners.items())}
    source = bodies.mapping.source
    above = tree.ancestors(source, source.index(joint))
    return next((targets[own] for own in above if own in targets), None)


def _heels_and_balls(body: ReferencePose, clearance: float) -> list[tuple[int, FloatArray]]:
    """Return joint and point (3,) of heel and ball of every foot, on the sole of the reference pose."""
    found = []
    for foot in {find_foot(body.parts, joint) for joint in body.parts.joints.values()} - {None}:
        assert foot is not None
        vector, toes = _foot_vector(body, foot), _toes_below(body, foot)
        for joint, level in ((foot, -HEEL_BEHIND_ANKLE * vector), (toes, vector)):
            position = body.positions[foot] * LEVEL + level
            position[1] = sole_height(body, foot, clearance)
            local = rot.rotate(rot.inverse(body.rotations[joint]), position - body.positions[joint])
            found.append((joint, local))
    return found


def _foot_vector(body: ReferencePose, foot: int) -> FloatArray:
    """Return the horizontal vector (3,) from ankle to ball, metres; zero for a foot without length."""
    vector = foot_vector(body, foot)
    return np.zeros(3) if vector is None else vector


def _toes_below(body: ReferencePose, foot: int) -> int:
    """Return the toe joint of a foot, or the ankle itself."""
    below = tree.subtree(body.skeleton, foot)[1:]
    return next((joint for joint in below if body.parts.names.get(joint, "").endswith(" toes")), foot)
