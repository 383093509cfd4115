"""Matching of the intervals of cyclic clips, on a circle of u."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.registration.constraint_match import match_intervals
from motionloom.registration.interval_match import Piece, are_connected

Clip = list[tuple[float, float]]

PERIOD = 100.0

# Bad input


@pytest.mark.parametrize("period", [0.0, -1.0, float("nan"), float("inf")])
def test_a_period_that_is_no_length_is_refused(period: float) -> None:
    with pytest.raises(ParameterError, match=f"period must be a finite length above zero, not {period}"):
        match_intervals([[(0, 1)]], period)


def test_an_interval_longer_than_the_cycle_overlaps_itself() -> None:
    wanted = "intervals 0 and 0 of clip 0 overlap: 10 to 120 and 110 to 220"
    with pytest.raises(ParameterError, match=wanted):
        match_intervals([[(10, 120)]], PERIOD)


def test_intervals_that_overlap_across_the_seam_are_refused() -> None:
    wanted = "intervals 1 and 0 of clip 0 overlap: 90 to 110 and 105 to 120"
    with pytest.raises(ParameterError, match=wanted):
        match_intervals([[(5, 20), (90, 110)]], PERIOD)


def test_an_interval_far_away_from_the_cycle_is_refused() -> None:
    wanted = "interval 0 of clip 0 starts at 1e+09, more than 1e+06 periods of 100 from zero"
    with pytest.raises(ParameterError, match=re.escape(wanted)):
        match_intervals([[(1e9, 1e9 + 1)]], PERIOD)


# Hand-worked cases


def test_a_plant_across_the_seam_matches_one_after_it_and_one_before_it() -> None:
    found = match_intervals([[(90, 110)], [(2, 20)], [(80, 99)]], PERIOD)
    assert found.spans.tolist() == [[[90, 110], [102, 120], [80, 99]]]
    assert found.unmatched == ()


def test_where_nothing_crosses_the_seam_the_circle_is_a_line() -> None:
    clips = [[(10.0, 40.0), (60.0, 80.0)], [(12.0, 20.0), (25.0, 38.0), (70.0, 90.0)]]
    on_line, on_circle = match_intervals(clips), match_intervals(clips, PERIOD)
    np.testing.assert_array_equal(on_circle.spans, on_line.spans)
    np.testing.assert_array_equal(on_circle.sources, on_line.sources)
    assert on_circle.gaps == on_line.gaps


def test_a_plant_over_the_whole_cycle_is_split_by_the_steps_of_another_clip() -> None:
    steps = [(10.0, 30.0), (60.0, 80.0)]
    found = match_intervals([[(0.0, PERIOD)], steps], PERIOD)
    assert found.spans[:, 1].tolist() == [[10, 30], [60, 80]]
    assert found.split[:, 0].tolist() == [True, True]


def test_two_stands_that_start_elsewhere_on_the_circle_match_once() -> None:
    found = match_intervals([[(0.0, PERIOD)], [(30.0, 30.0 + PERIOD)]], PERIOD)
    assert found.sources.tolist() == [[0, 0]]
    assert found.unmatched == ()


def test_rounding_of_a_plant_over_the_whole_cycle_is_forgiven() -> None:
    found = match_intervals([[(0.0, PERIOD * (1 + 1e-12))]], PERIOD)
    assert found.spans.tolist() == [[[0.0, PERIOD]]]


def test_which_turn_an_interval_is_given_in_does_not_matter() -> None:
    near = match_intervals([[(90, 110), (40, 60)], [(2, 20)]], PERIOD)
    far = match_intervals([[(-210, -190), (340, 360)], [(502, 520)]], PERIOD)
    np.testing.assert_array_equal(near.spans, far.spans)
    assert near.unmatched == far.unmatched == ((0, 1),)


def test_plants_that_also_reach_into_the_next_one_match_one_to_one() -> None:
    found = match_intervals([[(0, 10), (20, 30)], [(0, 20.5), (22, 32)]], PERIOD)
    assert found.sources.tolist() == [[0, 0], [1, 1]]
    assert not found.split.any()


def test_nine_cycles_of_different_phase_at_the_seam_match_step_by_step() -> None:
    rng = np.random.default_rng(2)
    steps = np.arange(4)[:, None] * 25 + [20, 32]  # the last step lies across the seam
    clips = [(steps + rng.uniform(-4, 4, steps.shape)) % PERIOD for _ in range(9)]
    clips = [np.where(c < c[:, :1], c + PERIOD, c)[rng.permutation(4)] for c in clips]
    found = match_intervals(clips, PERIOD)
    assert found.spans.shape == (4, 9, 2)
    assert not found.split.any()
    assert np.ptp(found.spans[..., 0], axis=1).max() < 8.0


@pytest.mark.parametrize(
    ("clips", "unmatched"),
    [
        ([[(60, 75), (80, 135)], [(0, 10), (15, 95)]], 0),
        ([[(65, 75), (80, 90), (95, 160)], [(35, 105)], [(5, 25), (35, 50), (55, 65)]], 2),
        (
            [
                [(5, 10), (40, 60), (75, 85)],
                [(50, 80), (90, 120)],
                [(15, 45), (50, 60), (75, 110)],
                [(5, 30), (35, 65), (70, 80)],
            ],
            0,
        ),
    ],
)
def test_a_circle_without_a_free_place_is_cut_where_least_is_lost(clips: list[Clip], unmatched: int) -> None:
    # The second needs a cut at an end of a plant, the third a cut at a start.
    assert len(match_intervals(clips, PERIOD).unmatched) == unmatched


def test_a_clip_without_plants_leaves_all_others_out() -> None:
    assert match_intervals([[(90, 110)], []], PERIOD).unmatched == ((0, 0),)


def test_gaps_across_the_seam_start_within_the_cycle() -> None:
    found = match_intervals([[(80.0, 140.0)], [(80.0, 104.0), (114.0, 140.0)]], PERIOD)
    assert found.gaps == ((0, 0, 4.0, 14.0),)


# Invariants


@st.composite
def a_cycle(draw: st.DrawFn) -> Clip:
    """Intervals that do not overlap on the circle, anywhere relative to the seam."""
    ends = sorted(draw(st.lists(st.integers(0, 99), max_size=8, unique=True)))
    shift = draw(st.integers(-150, 150))
    return [(float(a + shift), float(b + shift)) for a, b in zip(ends[::2], ends[1::2], strict=False)]


some_cycles = st.lists(a_cycle(), min_size=1, max_size=4)


@pytest.mark.slow
@given(some_cycles)
def test_every_interval_is_matched_in_whole_or_in_parts_or_left_out(clips: list[Clip]) -> None:
    found = match_intervals(clips, PERIOD)
    gap_lengths = {(k, n): 0.0 for k, clip in enumerate(clips) for n in range(len(clip))}
    for k, n, start, end in found.gaps:
        gap_lengths[k, n] += end - start
    for k, clip in enumerate(clips):
        for n, (start, end) in enumerate(clip):
            rows = found.sources[:, k] == n
            assert rows.any() != ((k, n) in found.unmatched)
            if rows.any():
                covered = np.diff(found.spans[rows, k]).sum() + gap_lengths[k, n]
                assert covered == pytest.approx(end - start)


@pytest.mark.slow
@given(some_cycles)
def test_matches_are_connected_start_in_the_cycle_and_do_not_overlap(clips: list[Clip]) -> None:
    spans = match_intervals(clips, PERIOD).spans
    assert (spans[..., 0] < spans[..., 1]).all()
    for match in spans.tolist():
        assert are_connected([Piece(start, end, 0) for start, end in match])
        assert 0.0 <= min(start for start, _ in match) < PERIOD
    if len(spans):
        following = np.concatenate([spans[1:], spans[:1] + PERIOD])
        assert (following[..., 0] >= spans[..., 1] - 1e-9).all()


@pytest.mark.slow
@given(some_cycles, st.integers(0, 1000))
def test_the_order_of_clips_changes_nothing(clips: list[Clip], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(clips))
    found, moved = match_intervals(clips, PERIOD), match_intervals([clips[k] for k in order], PERIOD)
    np.testing.assert_array_equal(moved.spans, found.spans[:, order])
    np.testing.assert_array_equal(moved.sources, found.sources[:, order])


@given(some_cycles, st.integers(1, 99))
def test_the_place_of_the_seam_changes_no_count(clips: list[Clip], shift: int) -> None:
    found = match_intervals(clips, PERIOD)
    moved = match_intervals([[(a + shift, b + shift) for a, b in clip] for clip in clips], PERIOD)
    assert len(moved.unmatched) == len(found.unmatched)
    assert len(moved.gaps) == len(found.gaps)


@pytest.mark.slow
@given(st.lists(a_cycle(), min_size=2, max_size=4))
def test_where_nothing_crosses_the_seam_the_circle_is_a_line_for_any_clips(clips: list[Clip]) -> None:
    into_first_period = [[(a % PERIOD, a % PERIOD + b - a) for a, b in clip] for clip in clips]
    uncrossed = [[(a, b) for a, b in clip if b <= PERIOD] for clip in into_first_period]
    on_line, on_circle = match_intervals(uncrossed), match_intervals(uncrossed, PERIOD)
    np.testing.assert_array_equal(on_circle.spans, on_line.spans)
    assert on_circle.unmatched == on_line.unmatched
