"""The middle by dead blending: clip a goes on by itself, ever slower, and fades into clip b."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import smoothstep
from motionloom.transitions.linear import faded, placement_at, slices
from motionloom.transitions.middle import (
    Middle,
    bones_differ,
    from_either,
    over_ground,
    turned_over,
)
from motionloom.transitions.plan import Plan

HALF_LIFE = 0.2
"""Seconds in which the speed of a joint that goes on by itself halves: joints turn no farther than in a third
of a second at full speed."""


def dead_middle(plan: Plan) -> Middle:
    """Let clip a go on from the centre with the speeds it has there, and fade it into clip b.

    Turns and heights slow down with a fixed half-life. Over the ground it is the velocities that fade, from
    that of clip a to those of clip b, so that the body does not wait for the other clip to come by.
    """
    a, b = plan.a.clip, plan.b.clip
    way = placement_at(plan)
    last = 2 * plan.half
    share = smoothstep(np.linspace(0.0, 1.0, last + 1))
    ours, theirs = slices(plan, (-1, 0), (-1, last))
    theirs = theirs.placed(way)
    going = _frames_at_full_speed(np.arange(last + 1.0), a.frame_time)
    turn = rot.to_rotation_vector(rot.multiply(ours.rotations[1], rot.inverse(ours.rotations[0])))
    turns = rot.multiply(rot.from_rotation_vector(going[:, None, None] * turn), ours.rotations[1])

    step = ours.root_positions[1] - ours.root_positions[0]
    later = theirs.root_positions[1:]
    steps = faded(np.broadcast_to(step, later.shape), np.diff(theirs.root_positions, axis=0), share)
    heights = faded(ours.root_positions[1, 1] + going * step[1], later[:, 1], share)
    roots, placements = over_ground(ours.root_positions[1], steps, heights, way, later)

    bones = ours.local_positions()
    moving = bones[1] + going[:, None, None] * (bones[1] - bones[0])
    frames = np.stack([np.full(last + 1, plan.centre[0]), plan.centre[1] + np.arange(last + 1)], axis=-1)
    return Middle(
        root_positions=roots,
        rotations=turned_over(turns, theirs.rotations[1:], share),
        translations=faded(moving, theirs.local_positions()[1:], share) if bones_differ(a, b) else None,
        u=np.arange(last + 1.0),
        weights=np.stack([1.0 - share, share], axis=-1),
        frames=frames.astype(np.float64),
        placements=np.stack([np.zeros((last + 1, 3)), placements], axis=1),
        annotations=from_either(a, b, frames, GroundTransform(*placements[-1].tolist()), switch=0.0),
    )


def _frames_at_full_speed(frames: FloatArray, frame_time: float) -> FloatArray:
    """How many frames (M,) at full speed lead as far as slowing down for these frames (M,) does."""
    rate = np.log(2.0) / HALF_LIFE * frame_time
    return np.asarray((1.0 - np.exp(-rate * frames)) / rate)
