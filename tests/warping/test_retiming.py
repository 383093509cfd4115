"""Retiming: poses, plants and events at their new times."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.motion import Constraint, Event
from motionloom.synthesis import walk
from motionloom.warping.retiming import retimed_clip
from motionloom.warping.times import TimeKeys
from tests.figures import smooth_clip


def test_pairs_beyond_the_clip_are_refused() -> None:
    with pytest.raises(
        ParameterError, match=r"a time key names 5 s of the source, but the clip has 0 to 0\.3"
    ):
        retimed_clip(smooth_clip(20), [TimeKeys([(5.0, 6.0)])])


def test_new_times_before_the_start_are_refused() -> None:
    message = r"puts 0\.2 s of the source at -3 s of the result, which starts at 0 s"
    for joint in ("", "left"):
        with pytest.raises(ParameterError, match=message):
            retimed_clip(smooth_clip(20), [TimeKeys([(0.2, -3.0)], joint)])


def test_without_time_keys_the_clip_is_the_same() -> None:
    clip = smooth_clip(20)
    assert retimed_clip(clip, []) is clip


def test_poses_are_those_of_the_mapped_time() -> None:
    clip = smooth_clip(121)
    slow = retimed_clip(clip, [TimeKeys([(0.5, 0.5), (1.0, 1.5)])])
    assert slow.n_frames == 151
    np.testing.assert_array_equal(slow.rotations[:31], clip.rotations[:31])
    np.testing.assert_allclose(slow.rotations[90], clip.rotations[60], atol=1e-9)
    np.testing.assert_allclose(slow.rotations[120], clip.rotations[90], atol=1e-9)


def test_plants_and_events_go_along() -> None:
    clip = replace(
        smooth_clip(121),
        constraints=(Constraint("left", "toe", 12, 60), Constraint("left", "toe", 90, 120)),
        events=(Event(60, "strike", "left"),),
    )
    slow = retimed_clip(clip, [TimeKeys([(0.5, 0.5), (1.0, 1.5)])])
    assert [t for c in slow.constraints for t in (c.start, c.end)] == pytest.approx(
        [12.0, 90.0, 120.0, 150.0]
    )
    assert [event.frame for event in slow.events] == pytest.approx([90.0])


def test_backwards_a_plant_holds_again_and_an_event_happens_again() -> None:
    clip = replace(
        smooth_clip(121), constraints=(Constraint("left", "toe", 33, 57),), events=(Event(45, "strike"),)
    )
    keys = TimeKeys([(1.0, 1.0), (0.5, 2.0), (1.0, 3.0)], reverse=True)
    back = retimed_clip(clip, [keys])
    assert len(back.constraints) == len(back.events) == 3
    assert back.events[0].frame == pytest.approx(45.0)
    # A plant at the turning point is one and not two.
    turning = replace(clip, constraints=(Constraint("left", "toe", 54, 90),))
    first, second = retimed_clip(turning, [keys]).constraints
    assert first.start == pytest.approx(54.0)
    assert first.end > 61.0
    assert second.start < 180.0 < second.end


def test_a_part_of_the_body_keeps_its_own_time() -> None:
    clip = smooth_clip(61)
    whole = retimed_clip(clip, [TimeKeys([(0.5, 0.5), (0.7, 0.9)])])
    both = retimed_clip(clip, [TimeKeys([(0.5, 0.5), (0.7, 0.9)]), TimeKeys([(0.2, 0.4)], joint="left")])
    left = [1, 3]
    others = [0, 2, 4, 5]
    np.testing.assert_array_equal(both.rotations[:, others], whole.rotations[:, others])
    np.testing.assert_allclose(both.rotations[24, left], clip.rotations[12, left], atol=1e-9)
    assert whole.n_frames == both.n_frames
    alone = retimed_clip(clip, [TimeKeys([(0.2, 0.4)], joint="left")])
    assert alone.n_frames == 61
    np.testing.assert_array_equal(alone.root_positions, clip.root_positions)


def test_slow_motion_stays_smooth() -> None:
    clip = annotate(walk(duration=2.0, fps=30).clip)
    slow = retimed_clip(clip, [TimeKeys([(2.0, 6.0)])])
    jerks = [np.abs(np.diff(c.world_positions(), n=2, axis=0)).max() / c.frame_time**2 for c in (clip, slow)]
    assert jerks[1] < jerks[0]
