"""The middle by a plain cross-fade: frames in plain time, one fixed placement."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.registration.distance import DEFAULT_WINDOW, distance
from motionloom.transitions.middle import (
    Middle,
    bones_differ,
    eased_weights,
    from_either,
    placement_rows,
    turned_over,
)
from motionloom.transitions.plan import Plan


def linear_middle(plan: Plan) -> Middle:
    """Fade from clip a to clip b, frame by frame on either side of the centre.

    Clip b is moved once, such that its centre lies best on that of clip a. Constraints are those of the clip
    with more weight.
    """
    a, b = plan.a.clip, plan.b.clip
    steps = np.arange(-plan.half, plan.half + 1)
    frames = np.stack([plan.centre[0] + steps, plan.centre[1] + steps], axis=-1).astype(np.float64)
    weights = eased_weights(plan.half)
    way = placement_at(plan)
    ours, theirs = slices(plan, (-plan.half, plan.half), (-plan.half, plan.half))
    theirs = theirs.placed(way)
    bones = ours.local_positions(), theirs.local_positions()
    return Middle(
        root_positions=faded(ours.root_positions, theirs.root_positions, weights[:, 1]),
        rotations=turned_over(ours.rotations, theirs.rotations, weights[:, 1]),
        translations=faded(*bones, weights[:, 1]) if bones_differ(a, b) else None,
        u=steps.astype(np.float64),
        weights=weights,
        frames=frames,
        placements=np.stack([np.zeros((len(steps), 3)), placement_rows(way, len(steps))], axis=1),
        annotations=from_either(a, b, frames, way, switch=float(plan.half)),
    )


def placement_at(plan: Plan) -> GroundTransform:
    """The transform that puts clip b's centre best on that of clip a, with the frames beside them."""
    reach = round(DEFAULT_WINDOW / plan.a.clip.frame_time)
    before, after = min(reach, *plan.centre), reach
    ours, theirs = slices(plan, (-before, after), (-before, after))
    return distance(ours, theirs, placements=True).placement(before, before)


def slices(plan: Plan, of_a: tuple[int, int], of_b: tuple[int, int]) -> tuple[Clip, Clip]:
    """Both clips from so many frames before or after the centre to so many."""
    ours, theirs = (
        own.clip[centre + first : centre + last + 1]
        for own, centre, (first, last) in zip((plan.a, plan.b), plan.centre, (of_a, of_b), strict=True)
    )
    return ours, theirs


def faded(ours: FloatArray, theirs: FloatArray, share: FloatArray) -> FloatArray:
    """Vectors (M, ...), a share (M,) of the way from the first to the second."""
    weight = share.reshape(-1, *[1] * (ours.ndim - 1))
    return np.asarray((1.0 - weight) * ours + weight * theirs)
