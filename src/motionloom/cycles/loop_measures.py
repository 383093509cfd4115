"""How well a cycle closes: what it cost, whether the seam shows, and how still planted feet are there."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Constraint
from motionloom.motion.unroll import travel, unroll

USUAL = 95.0
"""Percentile that stands for the largest usual value; the rest is noise."""


def largest_change(cycle: Clip, captured: Clip) -> float:
    """Farthest that a joint lies from where it was captured, metres.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> largest_change(clip, clip)
    0.0
    """
    moved = cycle.world_positions() - captured.world_positions()
    return float(np.linalg.norm(moved, axis=-1).max())


def seam_acceleration(cycle: Clip) -> float:
    """Largest acceleration of a joint at the seam, divided by the 95th percentile over all frames.

    Each frame counts with its most accelerated joint; at the seam these are the last frame and the first.

    >>> from motionloom.cycles.looping import cyclify
    >>> from motionloom.synthesis import walk
    >>> seam_acceleration(cyclify(walk(duration=2.0).clip)) < 1.1
    True
    """
    places = unroll(cycle, 2).world_positions()
    bends = np.linalg.norm(places[2:] - 2.0 * places[1:-1] + places[:-2], axis=-1).max(axis=1)
    n_frames = cycle.n_frames
    usual = float(np.percentile(bends[:n_frames], USUAL))
    # Entry k is the acceleration at frame k + 1.
    return float(bends[n_frames - 2 : n_frames].max()) / usual if usual > 0.0 else 0.0


def plant_steps(cycle: Clip, captured: Clip) -> tuple[float, float]:
    """Farthest step over the seam of a point that is planted there, and its usual step when captured, metres.

    >>> from motionloom.synthesis import walk
    >>> from dataclasses import replace
    >>> clip = replace(walk(duration=1.0).clip, cyclic=True)
    >>> plant_steps(clip, clip)
    (0.0, 0.0)
    """
    across = [c for c in _touching_end(cycle) if _goes_on(cycle, c)]
    if not across:
        return 0.0, 0.0
    after = cycle[:1].placed(travel(cycle))
    steps = [
        np.linalg.norm(after.point_positions(c.joint, c.point) - cycle[-1:].point_positions(c.joint, c.point))
        for c in across
    ]
    kinds = {(c.joint, c.kind) for c in across}
    planted = [
        np.linalg.norm(np.diff(_way(captured, c), axis=0), axis=-1)
        for c in captured.constraints
        if (c.joint, c.kind) in kinds
    ]
    usual = np.percentile(np.concatenate(planted), USUAL) if planted else 0.0
    return float(max(steps)), float(usual)


def _touching_end(cycle: Clip) -> list[Constraint]:
    return [c for c in cycle.constraints if c.end == cycle.n_frames and c.start < cycle.n_frames - 1]


def _goes_on(cycle: Clip, constraint: Constraint) -> bool:
    """Whether a constraint that touches the end goes on at the start."""
    return any(
        c.start == 0.0 and (c.joint, c.kind) == (constraint.joint, constraint.kind) for c in cycle.constraints
    )


def _way(clip: Clip, constraint: Constraint) -> FloatArray:
    """World positions (N, 3) of a constrained point in the whole frames of its interval."""
    held = constraint.whole_frames(clip.n_frames)
    return clip.point_positions(constraint.joint, constraint.point, slice(held.start, held.stop))
