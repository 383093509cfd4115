"""Annotations across seams: what two parts of a clip say of one plant becomes one constraint."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from motionloom.blending.constrain import MIN_INTERVAL
from motionloom.geometry import GroundTransform
from motionloom.motion import Constraint, Event
from motionloom.motion.constraint import crop_constraints

Annotations = tuple[tuple[Constraint, ...], tuple[Event, ...]]


def part_of(
    constraints: Iterable[Constraint],
    events: Iterable[Event],
    *,
    first: float,
    last: float,
    shift: float = 0.0,
    way: GroundTransform | None = None,
) -> Annotations:
    """What lies in the frames ``first`` to ``last`` after ``shift`` is added; ``way`` moves the targets."""
    later = (constraint.retimed(1.0, shift) for constraint in constraints)
    kept = crop_constraints((_moved(constraint, way) for constraint in later), first, last)
    moments = (event.retimed(1.0, shift) for event in events)
    return kept, tuple(event for event in moments if first <= event.frame <= last)


def put_together(parts: Iterable[Annotations]) -> Annotations:
    """The annotations of successive parts: plants that touch at a seam are one, equal events too.

    >>> heel = [Constraint("foot", "heel", 0, 5), Constraint("foot", "heel", 5, 9)]
    >>> [(c.start, c.end) for c in put_together([((heel[0],), ()), ((heel[1],), ())])[0]]
    [(0.0, 9.0)]
    """
    parts = list(parts)
    lanes: dict[tuple[str, str], list[Constraint]] = {}
    for constraint in sorted((c for own, _ in parts for c in own), key=lambda c: (c.start, c.end)):
        lane = lanes.setdefault((constraint.joint, constraint.kind), [])
        if lane and constraint.start <= lane[-1].end + MIN_INTERVAL:
            lane[-1] = _as_one(lane[-1], constraint)
        elif constraint.end - constraint.start >= MIN_INTERVAL:
            lane.append(constraint)
    events: list[Event] = []
    for event in sorted((e for _, own in parts for e in own), key=lambda e: (e.frame, e.label, e.joint)):
        if not any(_same(event, known) for known in events[-len(parts) :]):
            events.append(event)
    return tuple(c for lane in lanes.values() for c in lane), tuple(events)


def _moved(constraint: Constraint, way: GroundTransform | None) -> Constraint:
    if way is None or constraint.target is None:
        return constraint
    return replace(constraint, target=way.apply(constraint.target))


def _as_one(before: Constraint, after: Constraint) -> Constraint:
    """Two constraints as one that stays where the first is; a target is kept whoever has it."""
    target = after.target if before.target is None else before.target
    return replace(before, end=max(before.end, after.end), target=target)


def _same(event: Event, known: Event) -> bool:
    """Whether an event is one that was found from both sides of a seam."""
    return (event.label, event.joint) == (known.label, known.joint) and (
        event.frame - known.frame < MIN_INTERVAL
    )
