"""Constraints and events of a cycle: an instant at the seam that both ends show becomes one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from motionloom.motion import Constraint, Event
from motionloom.motion.annotations import crop_constraints

SAME_INSTANT = 0.15
"""Seconds: a strike near the seam at the start of a cycle and one at its end that differ by no more than this
are the same strike, captured twice. One foot of the fastest runners strikes every 0.4 s."""


class Span(NamedTuple):
    """A cycle in the given clip: first frame, frame that follows it, number of frames, seconds per frame."""

    start: float
    end: float
    n_frames: int
    frame_time: float

    @property
    def scale(self) -> float:
        """Frames of the cycle per frame of the given clip."""
        return self.n_frames / (self.end - self.start)


def cycle_constraints(constraints: Iterable[Constraint], span: Span) -> tuple[Constraint, ...]:
    """Return the constraints of a cycle, within frames 0 to T; one across the seam is split in two.

    Where a constraint starts, or ends, near the seam at the start of the cycle and another does so at its
    end, both are moved to their mean, as the poses are.

    >>> plants = [Constraint("LeftFoot", "heel", 8, 30), Constraint("LeftFoot", "heel", 108.5, 120)]
    >>> [(c.start, c.end) for c in cycle_constraints(plants, Span(10.0, 110.0, 100, 1 / 60))]
    [(0.0, 20.0), (98.25, 100.0)]
    """
    lanes: dict[tuple[str, str], list[Constraint]] = {}
    for constraint in constraints:
        moved = constraint.retimed(span.scale, -span.start * span.scale)
        lanes.setdefault((moved.joint, moved.kind), []).append(moved)
    return tuple(
        found
        for lane in lanes.values()
        for found in crop_constraints(_reconcile(lane, span), 0.0, span.n_frames)
    )


def _reconcile(lane: Sequence[Constraint], span: Span) -> list[Constraint]:
    """Make starts and ends of constraints of one joint and kind agree at both ends of the cycle."""
    starts = _reconcile_instants([c.start for c in lane], span)
    ends = _reconcile_instants([c.end for c in lane], span)
    changed = zip(lane, starts, ends, strict=True)
    return [replace(c, start=start, end=end) for c, start, end in changed if start < end]


def cycle_events(events: Iterable[Event], span: Span) -> tuple[Event, ...]:
    """Return the events of a cycle, from frame 0 to before frame T; an event at the seam is there once.

    >>> hits = [Event(9.5, "strike", "LeftFoot"), Event(111.5, "strike", "LeftFoot")]
    >>> [event.frame for event in cycle_events(hits, Span(10.0, 110.0, 100, 1 / 60))]
    [0.5]
    """
    lanes: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        moved = event.retimed(span.scale, -span.start * span.scale)
        lanes.setdefault((moved.label, moved.joint), []).append(moved)
    found = []
    for lane in lanes.values():
        frames = _reconcile_instants([event.frame for event in lane], span)
        within_cycle = [frame for frame in frames if 0.0 <= frame < span.n_frames]
        within_cycle += _wrap_lone_instants(frames, within_cycle, span)
        found += [replace(lane[0], frame=frame) for frame in within_cycle]
    return tuple(found)


def _wrap_lone_instants(frames: Sequence[float], inside: Sequence[float], span: Span) -> list[float]:
    """Return instants just outside the cycle, moved to its other end where nothing like them is near."""
    reach, period = SAME_INSTANT / span.frame_time, span.n_frames
    wrapped = []
    for frame in frames:
        is_near = -reach <= frame < 0.0 or period <= frame <= period + reach
        away = [abs((frame - other + period / 2.0) % period - period / 2.0) for other in inside]
        if is_near and min(away, default=np.inf) > 2.0 * reach:
            wrapped.append(frame % period)
    return wrapped


def _reconcile_instants(frames: Sequence[float], span: Span) -> list[float]:
    """Move the instant nearest to frame 0 and the one nearest to frame T to their mean if they are one."""
    agreed = np.array(frames, dtype=np.float64)
    reach = SAME_INSTANT / span.frame_time
    first, last = (int(np.abs(agreed - seam).argmin()) for seam in (0, span.n_frames))
    early, late = agreed[first], agreed[last] - span.n_frames
    at_seam = min(abs(early), abs(late)) <= reach
    if first != last and at_seam and abs(early - late) <= reach:
        agreed[first] = (early + late) / 2.0
        agreed[last] = agreed[first] + span.n_frames
    return [float(frame) for frame in agreed]
