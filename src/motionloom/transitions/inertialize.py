"""The segment by inertialization: switch at the centre, and let the difference there decay."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.transitions.linear import align_centres, check_whole, slice_about_centre
from motionloom.transitions.plan import Plan
from motionloom.transitions.segment import (
    TransitionSegment,
    bones_differ,
    integrate_steps,
    switch_annotations,
)

MIN_DECAY = 1e-9
"""Seconds that a decay takes at least, so that it can be divided by."""


def make_inertialized_segment(plan: Plan) -> TransitionSegment:
    """Play clip b from the centre on, with its offset from clip a decaying over the whole width.

    Offsets of each joint's rotation and of the root's height, and their velocities, decay along a quintic
    that ends at rest. Over the ground the difference of the velocities decays. The weight of clip a is what
    is left of an offset.
    """
    a, b = plan.a.clip, plan.b.clip
    transform = align_centres(plan)
    last = 2 * plan.half
    times: FloatArray = np.arange(last + 1, dtype=np.float64) * a.frame_time
    of_a, of_b = slice_about_centre(plan, (-1, 0), (-1, last))
    check_whole(plan, of_a, of_b, (2, last + 2))
    of_b = of_b.placed(transform)

    gap = (of_a.root_positions[1] - of_a.root_positions[0]) - np.diff(of_b.root_positions[:2], axis=0)[0]
    remaining = decay_offset(np.ones(1), np.zeros(1), times)
    steps = np.diff(of_b.root_positions, axis=0) + gap * remaining
    heights = _add_offsets(of_a.root_positions[:, 1:2], of_b.root_positions[:, 1:2], times)[:, 0]
    roots, placements = integrate_steps(
        of_a.root_positions[1], steps, heights, transform, of_b.root_positions[1:]
    )

    offsets = _rotation_offsets(of_a.rotations, of_b.rotations, times)
    bones = None
    if bones_differ(a, b):
        bones = _add_offsets(of_a.local_positions(), of_b.local_positions(), times)
    frames = np.stack([np.full(last + 1, plan.centre[0]), plan.centre[1] + np.arange(last + 1)], axis=-1)
    return TransitionSegment(
        root_positions=roots,
        rotations=rot.multiply(offsets, of_b.rotations[1:]),
        translations=bones,
        u=np.arange(last + 1.0),
        weights=np.concatenate([remaining, 1.0 - remaining], axis=1),
        frames=frames.astype(np.float64),
        placements=np.stack([np.zeros((last + 1, 3)), placements], axis=1),
        annotations=switch_annotations(a, b, frames, GroundTransform(*placements[-1].tolist()), switch=0.0),
    )


def decay_offset(size: FloatArray, speed: FloatArray, times: FloatArray) -> FloatArray:
    """Return an offset (M, ...) of initial size (...) ≥ 0 and speed (...) at times (M,); 0 at the last.

    A quintic x(t) that is zero with its first two derivatives at the end. An offset that already shrinks fast
    ends sooner, so that it does not overshoot.

    >>> decay_offset(np.array(1.0), np.array(0.0), np.array([0.0, 0.5, 1.0])).round(3).tolist()
    [1.0, 0.5, 0.0]
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        sooner = np.where(speed < 0.0, -5.0 * size / speed, np.inf)
    end = np.maximum(np.minimum(times[-1], sooner), MIN_DECAY)
    bend = np.maximum(0.0, (-8.0 * speed * end - 20.0 * size) / end**2)
    fifth = -(bend * end**2 + 6.0 * speed * end + 12.0 * size) / (2.0 * end**5)
    fourth = (3.0 * bend * end**2 + 16.0 * speed * end + 30.0 * size) / (2.0 * end**4)
    third = -(3.0 * bend * end**2 + 12.0 * speed * end + 20.0 * size) / (2.0 * end**3)
    t = np.minimum(times.reshape(-1, *[1] * np.ndim(size)), end)
    value = ((((fifth * t + fourth) * t + third) * t + bend / 2.0) * t + speed) * t + size
    return np.asarray(np.where((size > 0.0) & (t < end), value, 0.0))


def _add_offsets(a: FloatArray, b: FloatArray, times: FloatArray) -> FloatArray:
    """Return the vectors (M, ..., D) of clip b with their decaying offset from clip a.

    Both begin with the frame before the switch.
    """
    before, offset = a[0] - b[0], a[1] - b[1]
    size = np.linalg.norm(offset, axis=-1)
    direction = offset / np.where(size > 0.0, size, 1.0)[..., None]
    speed = (size - (before * direction).sum(axis=-1)) / times[1]
    return np.asarray(b[1:] + decay_offset(size, speed, times)[..., None] * direction)


def _rotation_offsets(a: FloatArray, b: FloatArray, times: FloatArray) -> FloatArray:
    """Return decaying rotation offsets (M, J, 4) of clip b; both begin with the frame before the switch."""
    before, offset = rot.multiply(a[:2], rot.inverse(b[:2]))
    vector = rot.to_rotation_vector(offset)
    angle = np.linalg.norm(vector, axis=-1)
    axis = vector / np.where(angle > 0.0, angle, 1.0)[:, None]
    # The angle of the offset before the switch about the same axis.
    earlier = 2.0 * np.arctan2((before[:, 1:] * axis).sum(axis=-1), before[:, 0])
    earlier = angle + (earlier - angle + np.pi) % (2.0 * np.pi) - np.pi
    sizes = decay_offset(angle, (angle - earlier) / times[1], times)
    return rot.from_rotation_vector(sizes[..., None] * axis)
