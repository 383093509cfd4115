"""The middle by inertialization: switch at the centre, and let what differs there fade out."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.transitions.linear import placement_at, slices
from motionloom.transitions.middle import Middle, bones_differ, from_either, over_ground
from motionloom.transitions.plan import Plan


def inertialized_middle(plan: Plan) -> Middle:
    """Play clip b from the centre on, with its difference to clip a there fading out over the whole width.

    Differences of each joint's turn, of height and of their speeds die along a quintic that ends at rest.
    Over the ground it is the difference of the velocities that fades. The weight of clip a is what is left.
    """
    a, b = plan.a.clip, plan.b.clip
    way = placement_at(plan)
    last = 2 * plan.half
    times: FloatArray = np.arange(last + 1, dtype=np.float64) * a.frame_time
    ours, theirs = slices(plan, (-1, 0), (-1, last))
    theirs = theirs.placed(way)

    gap = (ours.root_positions[1] - ours.root_positions[0]) - np.diff(theirs.root_positions[:2], axis=0)[0]
    left = fading(np.ones(1), np.zeros(1), times)
    steps = np.diff(theirs.root_positions, axis=0) + gap * left
    heights = _with_offsets(ours.root_positions[:, 1:2], theirs.root_positions[:, 1:2], times)[:, 0]
    roots, placements = over_ground(ours.root_positions[1], steps, heights, way, theirs.root_positions[1:])

    turns = _turn_offsets(ours.rotations, theirs.rotations, times)
    bones = None
    if bones_differ(a, b):
        bones = _with_offsets(ours.local_positions(), theirs.local_positions(), times)
    frames = np.stack([np.full(last + 1, plan.centre[0]), plan.centre[1] + np.arange(last + 1)], axis=-1)
    return Middle(
        root_positions=roots,
        rotations=rot.multiply(turns, theirs.rotations[1:]),
        translations=bones,
        u=np.arange(last + 1.0),
        weights=np.concatenate([left, 1.0 - left], axis=1),
        frames=frames.astype(np.float64),
        placements=np.stack([np.zeros((last + 1, 3)), placements], axis=1),
        annotations=from_either(a, b, frames, GroundTransform(*placements[-1].tolist()), switch=0.0),
    )


def fading(size: FloatArray, speed: FloatArray, times: FloatArray) -> FloatArray:
    """An offset (M, ...) of some size (...) ≥ 0 and speed (...) at times (M,): nothing is left at the last.

    A quintic x(t) that is zero with its first two derivatives at the end. An offset that shrinks fast already
    ends sooner, so that it does not overshoot.

    >>> fading(np.array(1.0), np.array(0.0), np.array([0.0, 0.5, 1.0])).round(3).tolist()
    [1.0, 0.5, 0.0]
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        sooner = np.where(speed < 0.0, -5.0 * size / speed, np.inf)
    end = np.maximum(np.minimum(times[-1], sooner), 1e-9)
    bend = np.maximum(0.0, (-8.0 * speed * end - 20.0 * size) / end**2)
    fifth = -(bend * end**2 + 6.0 * speed * end + 12.0 * size) / (2.0 * end**5)
    fourth = (3.0 * bend * end**2 + 16.0 * speed * end + 30.0 * size) / (2.0 * end**4)
    third = -(3.0 * bend * end**2 + 12.0 * speed * end + 20.0 * size) / (2.0 * end**3)
    t = np.minimum(times.reshape(-1, *[1] * np.ndim(size)), end)
    value = ((((fifth * t + fourth) * t + third) * t + bend / 2.0) * t + speed) * t + size
    return np.asarray(np.where((size > 0.0) & (t < end), value, 0.0))


def _with_offsets(ours: FloatArray, theirs: FloatArray, times: FloatArray) -> FloatArray:
    """The second vectors (M, ..., D) with their offset from the first fading out.

    Both begin with the frame before the switch.
    """
    before, offset = ours[0] - theirs[0], ours[1] - theirs[1]
    size = np.linalg.norm(offset, axis=-1)
    direction = offset / np.where(size > 0.0, size, 1.0)[..., None]
    speed = (size - (before * direction).sum(axis=-1)) / times[1]
    return np.asarray(theirs[1:] + fading(size, speed, times)[..., None] * direction)


def _turn_offsets(ours: FloatArray, theirs: FloatArray, times: FloatArray) -> FloatArray:
    """What to turn the second rotations by (M, J, 4); both begin with the frame before the switch."""
    before, offset = rot.multiply(ours[:2], rot.inverse(theirs[:2]))
    vector = rot.to_rotation_vector(offset)
    angle = np.linalg.norm(vector, axis=-1)
    axis = vector / np.where(angle > 0.0, angle, 1.0)[:, None]
    # How far the offset before the switch had turned about the same axis.
    earlier = 2.0 * np.arctan2((before[:, 1:] * axis).sum(axis=-1), before[:, 0])
    earlier = angle + (earlier - angle + np.pi) % (2.0 * np.pi) - np.pi
    sizes = fading(angle, (angle - earlier) / times[1], times)
    return rot.from_rotation_vector(sizes[..., None] * axis)
