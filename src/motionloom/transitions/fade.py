"""The segment by fade: poses cross-fade at the clips' own rates, and the body keeps its momentum.

A cross-fade of positions overshoots: from a jog to a stand, the faded body first runs ahead of the jog and
then slides back. Here velocities fade instead, so that the speed stays between those of the two clips, and
the second clip is placed where that leads.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import GroundTransform
from motionloom.transitions.linear import make_linear_segment
from motionloom.transitions.plan import Plan
from motionloom.transitions.segment import TransitionSegment, sample_clip, switch_annotations

GROUND = [0, 2]
"""Axes of the ground."""


def make_fade_segment(plan: Plan, snap: bool = True) -> TransitionSegment:
    """Cross-fade from clip a to clip b with a velocity over the ground that never leaves the range of both.

    A foot that is planted in both clips at the centre stays: the body moves by how far apart the feet have
    it, in proportion to the weight of b.
    """
    faded = make_linear_segment(plan, snap)
    frames, weights = faded.frames, faded.weights[:, 1]
    placed = GroundTransform(*faded.placements[-1, 1].tolist())
    of_a = sample_clip(plan.a.clip, frames[:, 0]).root_positions[:, GROUND]
    of_b = sample_clip(plan.b.clip, frames[:, 1]).placed(placed).root_positions[:, GROUND]
    mean = 0.5 * (weights[1:] + weights[:-1])[:, None]
    steps = (1.0 - mean) * np.diff(of_a, axis=0) + mean * np.diff(of_b, axis=0)
    path = of_a[0] + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    path += weights[:, None] * _gap_of_plants(plan, of_b[plan.half] - of_a[plan.half])
    roots = faded.root_positions.copy()
    roots[:, GROUND] = path
    end = path[-1] - of_b[-1]
    transform = GroundTransform(placed.yaw, placed.x + float(end[0]), placed.z + float(end[1]))
    placements = faded.placements.copy()
    # While both count, b is where the weights have brought it.
    placements[:, 1, 1:] += weights[:, None] * end
    return replace(
        faded,
        root_positions=roots,
        placements=placements,
        annotations=switch_annotations(plan.a.clip, plan.b.clip, frames, transform, switch=float(plan.half)),
    )


def _gap_of_plants(plan: Plan, gap: FloatArray) -> FloatArray:
    """Return how far (2,) the bodies are apart at the centre if a plant brought them there, else 0."""
    planted = [
        {c.joint for c in clip.constraints if c.start <= at <= c.end}
        for clip, at in zip((plan.a.clip, plan.b.clip), plan.centre, strict=True)
    ]
    return gap if planted[0] & planted[1] else np.zeros(2)
