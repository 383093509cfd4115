"""A segment with the motion around it: what is needed to judge it, and to let feet step in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.motion import Clip
from motionloom.transitions.feet_on_ground import FootSources, find_foot_sources
from motionloom.transitions.plan import Plan
from motionloom.transitions.segment import TransitionSegment, crop_annotations
from motionloom.transitions.splice import join_parts

SURROUNDING = 0.4
"""Seconds before and after a segment that are looked at."""


@dataclass(frozen=True, eq=False, repr=False)
class Surroundings:
    """A segment between the end of the first clip's head and the start of the second clip's tail.

    Attributes
    ----------
    clip
        The motion, about 0.4 s longer than the segment on either side.
    first, last
        The frames at which the segment begins and ends in it.
    sources
        What the feet do in the clips meanwhile; None for bodies without two legs.
    """

    clip: Clip
    first: int
    last: int
    sources: FootSources | None


def surround_segment(plan: Plan, segment: TransitionSegment) -> Surroundings:
    """Return a segment with some of the motion before and after it."""
    reach = round(SURROUNDING / plan.a.clip.frame_time)
    start = max(0, int(segment.frames[0, 0]) - reach)
    stop = int(np.ceil(segment.frames[-1, 1])) + reach + 1
    near = replace(segment, frames=segment.frames - [float(start), 0.0])
    joined = join_parts(plan.a.clip[start:], plan.b.clip[:stop], near)
    first, last = (int(seam) for seam in joined.report.seams)
    sources = find_foot_sources((plan.a.clip, plan.b.clip), segment.frames, segment.weights)
    return Surroundings(joined.clip, first, last, sources)


def take_segment(surroundings: Surroundings, segment: TransitionSegment) -> TransitionSegment:
    """Return a segment with the poses and annotations that it was given in its surroundings."""
    clip, first, last = surroundings.clip, surroundings.first, surroundings.last
    span = slice(first, last + 1)
    return replace(
        segment,
        root_positions=clip.root_positions[span],
        rotations=clip.rotations[span],
        annotations=crop_annotations(
            (clip.constraints, clip.events), 0.0, float(last - first), shift=-float(first)
        ),
    )
