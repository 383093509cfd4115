from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation.course import Course
from motionloom.motion import Event
from tests.figures import smooth_clip


def test_a_clip_with_ends_is_its_own_course() -> None:
    clip = smooth_clip(10)
    course = Course.around(clip)
    assert course.clip is clip
    assert course.intervals([(0.0, 3.5), (7.0, 9.0)]) == [(0.0, 3.5), (7.0, 9.0)]
    assert course.events([Event(9.0, "strike")]) == [Event(9.0, "strike")]


def test_a_cycle_has_its_neighbours_on_both_sides() -> None:
    course = Course.around(replace(smooth_clip(10), cyclic=True))
    assert course.clip.n_frames == 30
    np.testing.assert_allclose(course.clip.rotations[10:20, 1], smooth_clip(10).rotations[:, 1])


def test_the_seam_cuts_what_crosses_it() -> None:
    course = Course.around(replace(smooth_clip(10), cyclic=True))
    found = [(2.0, 4.0), (8.0, 13.0), (15.0, 16.5), (18.0, 23.0), (28.0, 29.0)]
    assert course.intervals(found) == [(0.0, 3.0), (5.0, 6.5), (8.0, 10.0)]
    # What ends or begins at the seam leaves nothing on its other side.
    assert course.intervals([(6.0, 10.0), (16.0, 20.0)]) == [(6.0, 10.0)]
    assert course.intervals([(0.0, 29.0)]) == [(0.0, 10.0)]


def test_an_event_at_the_seam_is_there_once() -> None:
    course = Course.around(replace(smooth_clip(10), cyclic=True))
    found = [Event(frame, "strike") for frame in (0.0, 4.5, 10.0, 14.5, 20.0, 24.5)]
    assert [event.frame for event in course.events(found)] == [0.0, 4.5]


@pytest.mark.parametrize("n_frames", [0, 1, 4])
def test_a_cycle_too_short_to_go_on_from_is_taken_by_itself(n_frames: int) -> None:
    clip = replace(smooth_clip(6)[:n_frames], cyclic=True)
    assert Course.around(clip).clip is clip
