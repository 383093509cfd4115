"""Constraints and events on another body: renamed, and planted points of feet moved to its soles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.anatomy import tree
from motionloom.retargeting.soles import sole_point
from motionloom.retargeting.transfer import Bodies, Placing


def carried_constraints(
    clip: Clip, bodies: Bodies, placing: Placing, clearances: tuple[float, float]
) -> tuple[tuple[Constraint, ...], list[str]]:
    """The constraints of a clip for the target, and notes on those that have no place there.

    Targets of feet are left to be decided anew: feet of two bodies have other lengths. ``clearances`` are how
    far the soles of source and target lie below the lowest joint of a foot, metres.
    """
    kept: list[Constraint] = []
    notes = []
    for constraint in clip.constraints:
        made = _carried(constraint, bodies, placing, clearances)
        if made is None:
            notes.append(f"{_named(constraint)} has no partner: the constraint was left out")
        elif _overlaps(made, kept):
            notes.append(f"{_named(constraint)} has no joint of its own: the constraint was left out")
        else:
            kept.append(made)
    return tuple(kept), [*dict.fromkeys(notes)]


def carried_events(clip: Clip, bodies: Bodies) -> tuple[Event, ...]:
    """The events of a clip with the target's joint names; what is no joint of the source keeps its name."""
    made = []
    for event in clip.events:
        partner = _partner(bodies, event.joint) if event.joint in clip.skeleton.names else None
        names = bodies.mapping.target.names
        made.append(event if partner is None else replace(event, joint=names[partner]))
    return tuple(made)


def _named(constraint: Constraint) -> str:
    return f"{constraint.kind} ({constraint.joint})"


def _overlaps(made: Constraint, kept: Iterable[Constraint]) -> bool:
    same = (other for other in kept if (other.joint, other.kind) == (made.joint, made.kind))
    return any(made.start < other.end and other.start < made.end for other in same)


def _partner(bodies: Bodies, joint: str) -> int | None:
    """The target joint that follows a source joint, or the nearest one above it that has a partner."""
    targets = {source: target for target, source in reversed(bodies.mapping.partners.items())}
    source = bodies.mapping.source
    above = tree.ancestors(source, source.index(joint))
    return next((targets[own] for own in above if own in targets), None)


def _carried(
    constraint: Constraint, bodies: Bodies, placing: Placing, clearances: tuple[float, float]
) -> Constraint | None:
    joint = _partner(bodies, constraint.joint)
    if joint is None:
        return None
    names, own = bodies.mapping.target.names, bodies.mapping.source.index(constraint.joint)
    sole = sole_point(bodies, own, constraint.point, placing.scale, clearances)
    if sole is not None:
        return replace(constraint, joint=names[sole.target_joint], point=sole.target_point, target=None)
    way = rot.rotate(bodies.source.rotations[own], constraint.point)
    turn = rot.multiply(bodies.difference[joint], bodies.target.rotations[joint])
    return replace(
        constraint,
        joint=names[joint],
        point=placing.scale * rot.rotate(rot.inverse(turn), way),
        target=None if constraint.target is None else placing.apply(constraint.target),
    )
