"""Events that clips share, as cells their time alignment must pass."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.motion import Clip, Event
from motionloom.registration.time_alignment.reachability import Cell, least_slope_limit
from motionloom.registration.time_alignment.search import Form

NEAR_END = 0.06
"""Seconds from an end of a clip within which events do not count: cuts lie a frame to either side of one."""

Moments = list[float]
"""Fractional frames of events, in order of time."""


def shared_events(clips: Sequence[Clip], labels: Sequence[str]) -> list[Moments] | None:
    """Frames of the events with these labels in every clip, or None unless all clips have the same sequence.

    >>> shared_events([], ["strike"]) is None
    True
    """
    chosen = [
        [event for event in clip.events if event.label in labels and _inside(event, clip)] for clip in clips
    ]
    sequences = [[(event.label, event.joint) for event in events] for events in chosen]
    if not sequences or not sequences[0] or any(sequence != sequences[0] for sequence in sequences):
        return None
    return [[event.frame for event in events] for events in chosen]


def _inside(event: Event, clip: Clip) -> bool:
    """Whether an event is clear of the clip's ends, which correspond anyway."""
    margin = NEAR_END / clip.frame_time
    return margin < event.frame < clip.n_frames - 1 - margin


def anchor_cells(
    a: Moments, b: Moments, shape: tuple[int, int], scale: tuple[float, float], slope_limit: int, form: Form
) -> list[Cell]:
    """Cells of a grid that put events on each other, as many as the slope limit lets a path pass.

    ``scale`` takes frames of the clips to rows and columns. Events next to an end of the grid, or so near to
    the anchor before that no path leads from one to the other, are left out.
    """
    last = (shape[0] - 1, shape[1] - 1)
    kept: list[Cell] = []
    for i, j in zip(a, b, strict=True):
        cell = (round(i * scale[0]), round(j * scale[1]))
        before = kept[-1] if kept else (0, 0)
        if _passable(before, cell, slope_limit, form) and _passable(cell, last, slope_limit, form):
            kept.append(cell)
    return kept


def _passable(first: Cell, last: Cell, slope_limit: int, form: Form) -> bool:
    if last[0] <= first[0] or last[1] <= first[1]:
        return False
    # A path leaves a pin by a diagonal step, so the stricter rule holds on either side of it.
    return least_slope_limit(first, last, leave_freely=False) <= slope_limit
