from __future__ import annotations

import numpy as np
import pytest

from motionloom.cycles import cyclify
from motionloom.engines.sync_events import common_sync_events
from motionloom.motion import Clip, Event
from motionloom.spaces import parameters
from motionloom.spaces.grid_timing import GridTimewarp, TimedClips, drop_repeated_events, synchronize_clips
from motionloom.spaces.sample_grid import SpaceGrid, sample_grid
from motionloom.spaces.space import MotionSpace
from motionloom.synthesis import stand, walk


@pytest.fixture(scope="module")
def gaits() -> SpaceGrid:
    clips = [cyclify(walk(speed=speed, duration=3.0, fps=30).clip, cycles=1) for speed in (0.9, 1.5)]
    space = MotionSpace(clips, {"speed": parameters.speed()}, extrapolation=0.0)
    return sample_grid(space, [3])


def test_frames_that_correspond() -> None:
    warp = GridTimewarp((np.array([0.0, 1.0, 4.0]), np.array([0.0, 2.0, 4.0])), loop=False)
    assert warp.domain == (0.0, 4.0)
    assert warp.periods is None
    np.testing.assert_allclose(warp([1.0, 4.0]), [[1.0, 0.5], [2.0, 2.0]])
    assert warp.inverse(0, 1.5) == 2.5
    assert GridTimewarp(warp.positions, loop=True).periods.tolist() == [2.0, 2.0]  # type: ignore[union-attr]


def test_shared_timing_keeps_durations_ends_and_annotations() -> None:
    clip = stand(duration=1.0, fps=10).clip
    marked = Clip(
        clip.skeleton, clip.frame_time, clip.root_positions, clip.rotations, events=(Event(5.0, "contact"),)
    )
    even, late = np.linspace(0.0, 1.0, 11), np.linspace(0.0, 1.0, 11) ** 2
    shared = synchronize_clips(TimedClips((marked, marked), GridTimewarp((even, late), loop=False)))
    first, second = shared.timewarp.positions
    np.testing.assert_allclose(first, second, atol=1e-9)
    assert [each.n_frames for each in shared.clips] == [11, 11]
    # At half of its frames the first clip was at 0.5, the second at 0.25: both events keep their u.
    at = [float(np.interp(each.events[0].frame, np.arange(11), first)) for each in shared.clips]
    np.testing.assert_allclose(at, [0.5, 0.25], atol=5e-3)  # straight between frames


def test_markers_of_shared_timing_lie_at_equal_fractions(gaits: SpaceGrid) -> None:
    shared = synchronize_clips(gaits.timed_clips)
    lengths = np.array([clip.n_frames - 1 for clip in shared.clips])
    u = np.linspace(*shared.timewarp.domain, 50)
    fractions = shared.timewarp(u) / lengths
    np.testing.assert_allclose(fractions, fractions[:, :1] @ np.ones((1, 3)), atol=2e-3)
    own = gaits.timewarp(u) / lengths
    assert np.abs(own - own[:, :1]).max() > 3 * np.abs(fractions - fractions[:, :1]).max()


def test_a_loop_closes_and_has_each_strike_once(gaits: SpaceGrid) -> None:
    assert gaits.loop
    for clip in gaits.timed_clips.clips:
        start, end = clip.at([0, clip.n_frames - 1]).world_positions()
        travel = end[0] - start[0]
        np.testing.assert_allclose(end - travel, start, atol=2e-3)
    names = [marker.name for marker in common_sync_events(gaits.timed_clips)]
    assert names.count("left_strike") == names.count("right_strike") == 1


def test_events_of_the_repeated_frame_are_dropped() -> None:
    clip = stand(duration=1.0, fps=10).clip
    twice = (
        Event(0.0, "strike", "LeftFoot"),
        Event(10.0, "strike", "LeftFoot"),
        Event(9.6, "lift", "LeftFoot"),
    )
    marked = Clip(clip.skeleton, clip.frame_time, clip.root_positions, clip.rotations, events=twice)
    (kept,) = drop_repeated_events([marked])
    assert sorted(event.frame for event in kept.events) == [0.0, 9.6]
