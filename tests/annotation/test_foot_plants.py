"""Plants of one point by thresholds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import AnnotationSettings, annotate, strikes
from motionloom.annotation.floor import Floor
from motionloom.annotation.foot_plants import (
    MAX_PLANT_SPEED,
    detect_by_zero_crossings,
    detect_plants,
    plant_thresholds,
)
from motionloom.arrays import FloatArray
from motionloom.synthesis import MOTIONS

LEVEL = Floor(0.0)


def step_over(n_before: int, n_swing: int, n_after: int, height: float = 0.2) -> FloatArray:
    """A point that rests, swings one metre ahead over an arch, and rests again."""
    share = np.clip((np.arange(n_before + n_swing + n_after) - n_before) / n_swing, 0.0, 1.0)
    eased = share**2 * (3.0 - 2.0 * share)
    return np.stack([eased, height * np.sin(np.pi * share) ** 2, np.zeros_like(eased)], axis=-1)


def found(positions: FloatArray, fps: float = 60.0, **settings: float) -> list[tuple[float, float]]:
    return detect_plants(positions, LEVEL, 1.0 / fps, AnnotationSettings(**settings))[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("fps", [24, 30, 60, 120])
def test_both_stays_of_a_step_are_found_within_a_frame(fps: int) -> None:
    before, swing, after = fps, fps // 2, fps
    (first, second) = found(step_over(before, swing, after), fps)
    assert first == pytest.approx((0.0, before), abs=1.0)
    assert second == pytest.approx((before + swing, before + swing + after - 1), abs=1.0)


def test_a_point_that_rests_in_the_air_is_not_planted() -> None:
    assert found(step_over(60, 30, 60) + np.array([0.0, 0.3, 0.0])) == []


def test_a_point_that_slides_is_not_planted() -> None:
    slide = np.arange(60.0)[:, None] * [0.5 / 60.0, 0.0, 0.0]
    assert found(slide, relative_speed=0.0) == []


def test_short_holes_are_filled_and_short_plants_dropped() -> None:
    glitch = np.zeros((120, 3))
    glitch[60:62, 1] = 0.09
    assert found(glitch) == [(0.0, 119.0)]
    moving = np.arange(120.0)[:, None] * [2.0 / 60.0, 0.0, 0.0]
    moving[60:] -= moving[60]
    moving[60:62] = moving[60]
    assert found(moving, min_duration=0.2) == []


def test_hysteresis_keeps_a_plant_in_one_piece() -> None:
    """A height that wavers about the threshold would chop the plant up."""
    waver = np.zeros((120, 3))
    waver[:, 1] = 0.04 + 0.01 * np.sin(np.arange(120) / 8.0)
    assert len(found(waver, max_gap=0.0)) == 1
    assert len(found(waver, max_gap=0.0, release=1.0)) > 1


def test_a_clip_that_ends_while_the_foot_comes_down_slowly() -> None:
    landing = step_over(60, 60, 60)[:115]
    assert len(found(landing)) == 1


def test_thresholds_grow_with_the_swing_but_not_without_bound() -> None:
    settings = AnnotationSettings()
    assert plant_thresholds(np.zeros(10), settings).speed == settings.speed
    assert plant_thresholds(np.full(10, 4.0), settings).speed == pytest.approx(0.4)
    assert plant_thresholds(np.full(10, 90.0), settings).speed == MAX_PLANT_SPEED


@pytest.mark.slow
@given(st.integers(10, 60), st.integers(20, 40), st.integers(10, 60), st.integers(0, 2**16))
def test_noise_does_not_change_the_number_of_plants(before: int, swing: int, after: int, seed: int) -> None:
    noise = np.random.default_rng(seed).normal(scale=0.001, size=(before + swing + after, 3))
    intervals = found(step_over(before, swing, after) + noise)
    assert len(intervals) == 2
    assert intervals[0][1] == pytest.approx(before, abs=4.0)
    assert intervals[1][0] == pytest.approx(before + swing, abs=4.0)


@given(st.integers(2, 80), st.integers(0, 2**16))
def test_plants_never_overlap_and_stay_within_the_clip(n_frames: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    walk = np.cumsum(rng.normal(scale=0.004, size=(n_frames, 3)), axis=0)
    last = 0.0
    for start, end in found(walk):
        assert last <= start < end <= n_frames - 1
        last = end


def test_both_stays_of_a_step_are_found() -> None:
    intervals, _ = detect_by_zero_crossings(step_over(60, 30, 60), Floor(0.0), 1 / 60, AnnotationSettings())
    assert np.array(intervals) == pytest.approx(np.array([[0.0, 60.0], [90.0, 149.0]]), abs=6.0)


def test_a_point_in_the_air_or_on_the_move_is_not_planted() -> None:
    settings = AnnotationSettings(relative_speed=0.0)
    rests_high = np.full((60, 3), 0.3)
    slides = np.arange(60.0)[:, None] * [0.02, 0.0, 0.0]
    for positions in (rests_high, slides):
        assert detect_by_zero_crossings(positions, Floor(0.0), 1 / 60, settings)[0] == []


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
