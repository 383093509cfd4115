from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.synthesis import stand
from motionloom.transitions.fade import make_fade_segment
from motionloom.transitions.plan import Plan, unroll_clip
from motionloom.transitions.request import make_request


def travelling(speed: float) -> Clip:
    """Somebody who glides along z at a constant speed in m/s, without constraints."""
    clip = stand(duration=2.0, fps=30).clip
    roots = clip.root_positions.copy()
    roots[:, 2] += speed * np.arange(len(roots)) * clip.frame_time
    return replace(clip, root_positions=roots)


def plan_between(a: Clip, b: Clip) -> Plan:
    unrolled = [unroll_clip(clip, before=0, after=0, frame=None, loop=False) for clip in (a, b)]
    request = make_request(a, b, (40.0, 20.0), 0.5, "linear")
    return Plan(unrolled[0], unrolled[1], (40.0, 20.0), 15, request)


@pytest.mark.parametrize(("before", "after"), [(3.0, 0.0), (0.0, 3.0), (-1.0, 2.0)])
def test_the_speed_stays_between_those_of_the_clips(before: float, after: float) -> None:
    """A cross-fade of positions overshoots: from 3 m/s to a stand by more than 1 m/s backwards."""
    segment = make_fade_segment(plan_between(travelling(before), travelling(after)))
    speeds = np.diff(segment.root_positions[:, 2]) * 30.0
    assert speeds.min() >= min(before, after) - 1e-9
    assert speeds.max() <= max(before, after) + 1e-9
    assert (np.diff(speeds) * (after - before) >= -1e-9).all()


def test_the_second_clip_is_placed_where_the_fade_leads() -> None:
    a, b = travelling(3.0), travelling(0.5)
    segment = make_fade_segment(plan_between(a, b))
    _, x, z = segment.placements[-1, 1]
    last = round(segment.frames[-1, 1])
    np.testing.assert_allclose(
        segment.root_positions[-1, [0, 2]], b.root_positions[last, [0, 2]] + [x, z], atol=1e-9
    )


def test_a_foot_that_is_planted_in_both_stays() -> None:
    """In the second clip the body is elsewhere over the same foot: it goes there, and the foot stays."""
    motion = stand(duration=2.0, fps=30)
    left = find_anatomy(motion.clip.skeleton).legs[0]
    plants = tuple(c for c in motion.plants if c.joint == motion.clip.skeleton.names[left.ankle])
    clip = replace(motion.clip, constraints=plants)
    rotations = clip.rotations.copy()
    swing = rot.from_axis_angle([1.0, 0.0, 0.0], np.radians(10.0))
    rotations[:, left.hip] = rot.multiply(rotations[:, left.hip], swing)
    segment = make_fade_segment(plan_between(clip, replace(clip, rotations=rotations)))
    faded = replace(clip, root_positions=segment.root_positions, rotations=segment.rotations, constraints=())
    assert np.ptp(segment.root_positions[:, 2]) > 0.1
    assert np.ptp(faded.world_positions()[:, left.ankle, [0, 2]], axis=0).max() < 0.005
