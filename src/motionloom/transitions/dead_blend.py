"""The segment by dead blending: clip a is extrapolated, ever slower, and cross-faded into clip b."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import smoothstep
from motionloom.transitions.linear import align_centres, check_whole, slice_about_centre
from motionloom.transitions.plan import Plan
from motionloom.transitions.segment import (
    TransitionSegment,
    bones_differ,
    integrate_steps,
    interpolate_rotations,
    interpolate_vectors,
    switch_annotations,
)

HALF_LIFE = 0.2
"""Seconds in which the speed of an extrapolated joint halves: it moves no farther than in a third of a second
at full speed."""


def make_dead_blend_segment(plan: Plan) -> TransitionSegment:
    """Extrapolate clip a from the centre on with its velocities there, and cross-fade it into clip b.

    Angular velocities and heights decay with a fixed half-life. Over the ground the velocities are
    cross-faded, so that the body does not wait for the other clip to come by.
    """
    a, b = plan.a.clip, plan.b.clip
    transform = align_centres(plan)
    last = 2 * plan.half
    fraction = smoothstep(np.linspace(0.0, 1.0, last + 1))
    of_a, of_b = slice_about_centre(plan, (-1, 0), (-1, last))
    check_whole(plan, of_a, of_b, (2, last + 2))
    of_b = of_b.placed(transform)
    decayed = _decay_frames(np.arange(last + 1.0), a.frame_time)
    turn = rot.to_rotation_vector(rot.multiply(of_a.rotations[1], rot.inverse(of_a.rotations[0])))
    rotations = rot.multiply(rot.from_rotation_vector(decayed[:, None, None] * turn), of_a.rotations[1])

    step = of_a.root_positions[1] - of_a.root_positions[0]
    roots_b = of_b.root_positions[1:]
    steps = interpolate_vectors(
        np.broadcast_to(step, roots_b.shape), np.diff(of_b.root_positions, axis=0), fraction
    )
    heights = interpolate_vectors(of_a.root_positions[1, 1] + decayed * step[1], roots_b[:, 1], fraction)
    roots, placements = integrate_steps(of_a.root_positions[1], steps, heights, transform, roots_b)

    bones = of_a.local_positions()
    moving = bones[1] + decayed[:, None, None] * (bones[1] - bones[0])
    translations = None
    if bones_differ(a, b):
        translations = interpolate_vectors(moving, of_b.local_positions()[1:], fraction)
    frames = np.stack([np.full(last + 1, plan.centre[0]), plan.centre[1] + np.arange(last + 1)], axis=-1)
    return TransitionSegment(
        root_positions=roots,
        rotations=interpolate_rotations(rotations, of_b.rotations[1:], fraction),
        translations=translations,
        u=np.arange(last + 1.0),
        weights=np.stack([1.0 - fraction, fraction], axis=-1),
        frames=frames.astype(np.float64),
        placements=np.stack([np.zeros((last + 1, 3)), placements], axis=1),
        annotations=switch_annotations(a, b, frames, GroundTransform(*placements[-1].tolist()), switch=0.0),
    )


def _decay_frames(frames: FloatArray, frame_time: float) -> FloatArray:
    """Return how many frames (M,) at full speed cover the distance of frames (M,) with decaying speed."""
    rate = np.log(2.0) / HALF_LIFE * frame_time
    return np.asarray((1.0 - np.exp(-rate * frames)) / rate)
