"""Plants of one point from zero crossings of its acceleration."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import AnnotationSettings, annotate, strikes, zero_crossing
from motionloom.annotation.floor import Floor
from motionloom.synthesis import MOTIONS
from tests.annotation.test_plants import step_over


def test_both_stays_of_a_step_are_found() -> None:
    intervals, _ = zero_crossing.detect(step_over(60, 30, 60), Floor(0.0), 1 / 60, AnnotationSettings())
    assert np.array(intervals) == pytest.approx(np.array([[0.0, 60.0], [90.0, 149.0]]), abs=6.0)


def test_a_point_in_the_air_or_on_the_move_is_not_planted() -> None:
    settings = AnnotationSettings(relative_speed=0.0)
    rests_high = np.full((60, 3), 0.3)
    slides = np.arange(60.0)[:, None] * [0.02, 0.0, 0.0]
    for positions in (rests_high, slides):
        assert zero_crossing.detect(positions, Floor(0.0), 1 / 60, settings)[0] == []


@pytest.mark.parametrize("name", ["walk", "jog", "sneak", "walk_turn_left"])
def test_it_finds_the_same_steps_as_the_thresholds(name: str) -> None:
    clip = MOTIONS[name](fps=60).clip
    by_speed = strikes(annotate(clip))
    by_crossing = strikes(annotate(clip, AnnotationSettings(method="zero-crossing")))
    # A contact that the end of the clip cuts short may be too short for zero crossings.
    assert len(by_speed) - 1 <= len(by_crossing) <= len(by_speed)
    assert [hit.side for hit in by_crossing] == [hit.side for hit in by_speed[: len(by_crossing)]]
    apart = [a.frame - b.frame for a, b in zip(by_crossing, by_speed, strict=False)]
    assert np.abs(apart).max() < 6.0
