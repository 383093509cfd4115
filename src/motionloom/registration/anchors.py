"""Events that clips share, as cells their time alignment must pass."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.motion import Clip, Event
from motionloom.registration.dtw import Cell, min_slope_limit

NEAR_END = 0.06
"""Seconds from an end within which events need not count: cuts lie a frame to either side of them."""

Labels = tuple[tuple[str, str], ...]
"""A sequence of events as their labels and joints."""

Moments = list[float]
"""Fractional frames of events, in order of time."""


def shared_events(clips: Sequence[Clip], labels: Sequence[str]) -> list[Moments] | None:
    """Frames of the events with these labels in every clip, or None unless all clips have the same sequence.

    Events near an end of a clip do not count, as ends correspond anyway, unless the sequences are the same
    only with them: a clip may end just where others go on.

    >>> shared_events([], ["strike"]) is None
    True
    """
    readings = [_readings([e for e in clip.events if e.label in labels], clip) for clip in clips]
    common = set.intersection(*(set(reading) for reading in readings)) if readings else set()
    fewest = min(common, key=lambda sequence: (len(sequence), sequence), default=())
    if not fewest:
        return None
    return [[event.frame for event in reading[fewest]] for reading in readings]


def with_start(moments: Sequence[Moments], cycles: Sequence[Clip], labels: Sequence[str]) -> list[Moments]:
    """Frames of the shared events of cycles with frame 0 added, where all cycles begin at an event."""
    starts = [
        {(e.label, e.joint) for e in clip.events if e.label in labels and e.frame == 0.0} for clip in cycles
    ]
    first = [0.0] if set.intersection(*starts) else []
    return [[*first, *own] for own in moments]


def _readings(events: Sequence[Event], clip: Clip) -> dict[Labels, Sequence[Event]]:
    """The sequences that a clip can be read as, with their events: those near its ends may be left out."""
    inside = [n for n, event in enumerate(events) if _inside(event, clip)]
    first, last = (inside[0], inside[-1] + 1) if inside else (len(events), 0)
    cuts = ((i, j) for i in range(first + 1) for j in range(last, len(events) + 1) if i <= j)
    return {tuple((e.label, e.joint) for e in events[i:j]): events[i:j] for i, j in cuts}


def _inside(event: Event, clip: Clip) -> bool:
    """Whether an event is clear of the clip's ends."""
    margin = NEAR_END / clip.frame_time
    return margin < event.frame < clip.n_frames - 1 - margin


def anchor_cells(
    a: Moments, b: Moments, shape: tuple[int, int], scale: tuple[float, float], slope_limit: int
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
        if _passable(before, cell, slope_limit) and _passable(cell, last, slope_limit):
            kept.append(cell)
    return kept


def _passable(first: Cell, last: Cell, slope_limit: int) -> bool:
    if last[0] <= first[0] or last[1] <= first[1]:
        return False
    # A path leaves a pin by a diagonal step, so the stricter rule holds on either side of it.
    return min_slope_limit(first, last, free_first_step=False) <= slope_limit
