"""Matching of plain intervals along a line: the cases of the thesis, edges, invariants."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.registration.constraint_match import IntervalMatches, match_intervals
from motionloom.registration.interval_match import Piece, are_connected, map_gap, match_on_line, subsumes

Clip = list[tuple[float, float]]


def queue(*ends: tuple[float, float]) -> list[Piece]:
    return [Piece(start, end, n) for n, (start, end) in enumerate(ends)]


def sources(found: IntervalMatches) -> list[tuple[int, ...]]:
    return [tuple(row) for row in found.sources.tolist()]


# Bad input


def test_an_interval_that_ends_before_it_starts_is_refused() -> None:
    wanted = "interval 1 of clip 1 runs from 5 to 5: its start must come before its end"
    with pytest.raises(ParameterError, match=wanted):
        match_intervals([[(0, 1)], [(0, 1), (5, 5)]])


def test_intervals_of_one_clip_that_overlap_are_refused() -> None:
    wanted = "intervals 1 and 0 of clip 0 overlap: 0 to 3 and 2 to 5; join them or cut them apart first"
    with pytest.raises(ParameterError, match=wanted):
        match_intervals([[(2, 5), (0, 3)], [(0, 1)]])


def test_numbers_that_are_not_pairs_are_refused() -> None:
    with pytest.raises(
        ParameterError, match=re.escape("intervals of clip 0 must have shape (N, 2), not (1, 3)")
    ):
        match_intervals([[(0, 1, 2)]])


def test_numbers_that_are_not_finite_are_refused() -> None:
    with pytest.raises(
        ParameterError, match=re.escape("intervals of clip 1 must be finite: entry (0, 1) is inf")
    ):
        match_intervals([[(0, 1)], [(0, float("inf"))]])


# The cases of the thesis


def test_figure_5_10_connected_means_that_the_union_is_one_interval() -> None:
    assert are_connected(queue((0, 5), (2, 7), (3, 9)))
    assert are_connected(queue((0, 4), (6, 9), (3, 7)))  # the first two do not overlap each other
    assert not are_connected(queue((0, 4), (6, 9), (1, 5)))


def test_figure_5_11_one_is_removed_from_the_second_and_one_split_in_the_first() -> None:
    found = match_intervals([[(0, 10), (14, 18)], [(1, 4), (6, 9), (11, 12), (13, 17)]])
    assert found.spans.tolist() == [
        [[0, 3.75], [1, 4]],
        [[6.25, 10], [6, 9]],
        [[14, 18], [13, 17]],
    ]
    assert sources(found) == [(0, 0), (0, 1), (1, 3)]
    assert found.split.tolist() == [[True, False], [True, False], [False, False]]
    assert found.gaps == ((0, 0, 3.75, 6.25),)
    assert found.unmatched == ((1, 2),)


def test_figure_5_12_one_against_two_subsumes_and_two_against_two_does_not() -> None:
    pair = queue((1, 4), (6, 9))
    assert subsumes(queue((0, 10)), pair)
    assert subsumes(queue((0, 7), (9.5, 12)), pair)
    assert not subsumes(queue((0, 5)), pair)
    assert not subsumes(pair, queue((0, 10)))
    two = queue((0, 7), (8, 12))
    assert not subsumes(two, pair)
    assert sources(match_intervals([[(0, 7), (8, 12)], [(1, 4), (6, 9)]])) == [(0, 0), (1, 1)]


def test_figure_5_13_the_gap_is_carried_over_with_its_pair() -> None:
    assert map_gap(queue((0, 10)), queue((1, 4), (6, 9))) == (3.75, 6.25)
    # A third constraint on the long one: the pair reaches only to its own end.
    assert map_gap(queue((0, 30)), queue((1, 4), (6, 9), (12, 28))) == (3.375, 5.625)
    # A third constraint beyond the long one changes nothing.
    assert map_gap(queue((0, 10)), queue((1, 4), (6, 9), (12, 28))) == (3.75, 6.25)


def test_votes_for_a_gap_are_averaged() -> None:
    found = match_intervals([[(0, 10)], [(1, 4), (6, 9)], [(0, 5), (6, 10)]])
    assert found.gaps == ((0, 0, 4.375, 6.125),)


def test_a_stand_against_three_plants_is_split_twice() -> None:
    found = match_intervals([[(0, 30)], [(1, 4), (6, 9), (12, 28)]])
    assert sources(found) == [(0, 0), (0, 1), (0, 2)]
    scale = (30 - 5.625) / (28 - 6)
    gaps = [(3.375, 5.625), (5.625 + 3 * scale, 5.625 + 6 * scale)]
    np.testing.assert_allclose([gap[2:] for gap in found.gaps], gaps)


def test_two_stands_are_split_alike_by_the_one_clip_that_steps() -> None:
    found = match_intervals([[(0, 10)], [(1, 4), (6, 9)], [(0, 10)]])
    assert sources(found) == [(0, 0, 0), (0, 1, 0)]
    np.testing.assert_array_equal(found.spans[:, 0], found.spans[:, 2])


def test_a_constraint_that_starts_first_may_be_needed_later() -> None:
    found = match_intervals([[(0, 4)], [(1, 1.5), (3, 5.5)], [(5, 6)]])
    assert sources(found) == [(0, 1, 0)]
    assert found.unmatched == ((1, 0),)


def test_the_constraint_that_reaches_furthest_across_a_gap_is_taken() -> None:
    found = match_intervals([[(0, 1), (1.5, 2.5)], [(0, 1), (1.8, 4)], [(0.5, 2)], [(3, 5)]])
    assert sources(found) == [(0, 1, 0, 0)]


def test_equal_clips_reach_across_a_gap_together() -> None:
    twin = [(0.0, 1.0), (1.5, 4.0)]
    assert sources(match_intervals([twin, twin, [(0.5, 2)], [(3, 5)]])) == [(1, 1, 0, 0)]


def test_a_split_does_not_tear_apart_what_it_matches() -> None:
    # Carried over proportionally, the gap would lie at 44 to 56, where the second plant is over.
    found = match_intervals([[(0, 100)], [(2, 10), (12, 20)]])
    np.testing.assert_array_equal(found.spans, [[(0, 10), (2, 10)], [(12, 100), (12, 20)]])


def test_no_split_where_the_pairs_have_no_time_in_common() -> None:
    found = match_intervals([[(0, 20)], [(1, 2), (3, 4)], [(11, 12), (13, 14)]])
    assert sources(found) == [(0, 0, 0)]
    assert found.unmatched == ((1, 1), (2, 1))


# Edges


def test_a_plant_that_nobody_else_has_is_left_out() -> None:
    found = match_intervals([[], [(0, 10)]])
    assert found.spans.shape == (0, 2, 2)
    assert found.unmatched == ((1, 0),)


@pytest.mark.parametrize("n_clips", [0, 1, 2, 9])
def test_nothing_matches_nothing(n_clips: int) -> None:
    found = match_intervals([[] for _ in range(n_clips)])
    assert found.spans.shape == (0, n_clips, 2)
    assert found.sources.shape == found.split.shape == (0, n_clips)
    assert found.unmatched == ()


def test_every_interval_of_a_single_clip_is_a_match() -> None:
    found = match_intervals([[(4, 6), (0, 2)]])
    assert found.spans.tolist() == [[[0, 2]], [[4, 6]]]
    assert sources(found) == [(1,), (0,)]


@pytest.mark.parametrize("n_clips", [2, 9])
def test_equal_clips_match_one_to_one(n_clips: int) -> None:
    clip = [(0.0, 2.0), (2.0, 3.0), (5.0, 9.0)]
    found = match_intervals([clip] * n_clips)
    assert sources(found) == [(i,) * n_clips for i in range(3)]
    assert not found.split.any()
    assert found.unmatched == ()


def test_intervals_that_only_touch_do_not_belong_together() -> None:
    assert not Piece(0, 1, 0).overlaps(Piece(1, 2, 0))
    assert match_intervals([[(0, 1)], [(1, 2)]]).unmatched == ((0, 0), (1, 0))
    found = match_intervals([[(0, 1)], [(0, 1), (1, 2)]])
    assert sources(found) == [(0, 0)]
    assert not found.split.any()


def test_a_pair_that_touches_splits_without_a_gap() -> None:
    found = match_intervals([[(0, 10)], [(0, 4), (4, 10)]])
    assert found.spans[:, 0].tolist() == [[0, 4], [4, 10]]


def test_nested_intervals_match() -> None:
    assert sources(match_intervals([[(0, 10)], [(2, 8)], [(4, 5)]])) == [(0, 0, 0)]


def test_one_long_interval_takes_part_in_many_short_matches() -> None:
    short = [(float(i), i + 0.5) for i in range(40)]
    found = match_intervals([[(0, 40)], short])
    assert sources(found) == [(0, i) for i in range(40)]
    assert len(found.gaps) == 39


def test_nine_walks_with_jittered_plants_match_step_by_step() -> None:
    rng = np.random.default_rng(1)
    steps = np.arange(8)[:, None] * 10 + [0, 6]
    clips = [steps + rng.uniform(-1, 1, steps.shape) for _ in range(9)]
    found = match_intervals(clips)
    np.testing.assert_array_equal(found.spans, np.stack(clips, axis=1))


def test_an_interval_of_two_floats_is_not_split_into_nothing() -> None:
    step = float(np.spacing(1.0))
    found = match_intervals([[(1.0, 1.0 + 2 * step)], [(0.99, 1.0 + step), (1.0 + step, 3.0)]])
    assert found.spans[:, 0].tolist() == [[1.0, 1.0 + step], [1.0 + step, 1.0 + 2 * step]]


def test_lengths_that_differ_by_the_whole_range_of_floats_are_no_trouble() -> None:
    found = match_intervals([[(0.0, 1e308)], [(0.0, 5e-324), (1e-323, 1.5e-323)]])
    assert sources(found) == [(0, 0), (0, 1)]
    assert (found.spans[..., 0] < found.spans[..., 1]).all()


# Invariants

raster = st.integers(0, 48).map(lambda n: n / 2)  # coarse, so that intervals often touch and coincide
any_number = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def a_clip(draw: st.DrawFn, numbers: st.SearchStrategy[float]) -> Clip:
    ends = sorted(draw(st.lists(numbers, max_size=12, unique=True)))
    touching = draw(st.booleans())
    return list(itertools.pairwise(ends)) if touching else list(zip(ends[::2], ends[1::2], strict=False))


some_clips = st.lists(a_clip(raster) | a_clip(any_number), min_size=1, max_size=5)


def check_accounts(clips: Sequence[Clip], found: IntervalMatches) -> None:
    """Each interval is matched whole, or by consecutive parts from its start to its end, or reported."""
    for k, clip in enumerate(clips):
        for n, (start, end) in enumerate(clip):
            rows = np.flatnonzero(found.sources[:, k] == n)
            assert bool(rows.size) != ((k, n) in found.unmatched)
            if rows.size:
                assert (np.diff(rows) == 1).all()
                assert (found.split[rows, k] == (rows.size > 1)).all()
                assert found.spans[rows[0], k, 0] == start
                assert found.spans[rows[-1], k, 1] == end


@pytest.mark.slow
@given(some_clips)
def test_every_interval_is_accounted_for(clips: list[Clip]) -> None:
    check_accounts(clips, match_intervals(clips))


@pytest.mark.slow
@given(some_clips)
def test_matches_are_valid_connected_and_in_order(clips: list[Clip]) -> None:
    spans = match_intervals(clips).spans
    assert (spans[..., 0] < spans[..., 1]).all()
    assert (spans[1:, :, 0] >= spans[:-1, :, 1]).all()
    assert all(are_connected(queue(*match)) for match in spans.tolist())


@pytest.mark.slow
@given(some_clips, st.integers(0, 1000))
def test_the_order_of_clips_and_intervals_changes_nothing(clips: list[Clip], seed: int) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(clips))
    shuffles = [rng.permutation(len(clip)) for clip in clips]
    found = match_intervals(clips)
    moved = match_intervals([[clips[k][n] for n in shuffles[k]] for k in order])
    np.testing.assert_array_equal(moved.spans, found.spans[:, order])
    np.testing.assert_array_equal(moved.split, found.split[:, order])
    back = [[int(shuffles[k][n]) for k, n in zip(order, row, strict=True)] for row in moved.sources]
    assert back == found.sources[:, order].tolist()


def test_votes_are_averaged_to_the_last_bit_in_any_order_of_clips() -> None:
    rng = np.random.default_rng(3)
    pair = np.array([[0.2, 0.4], [0.5, 0.7]])
    clips = [np.array([[0.15, 0.75]]), *(pair + 0.05 * rng.uniform(size=(2, 2)) for _ in range(3))]
    found = match_intervals(clips)
    assert len(found.gaps) == 1
    for order in itertools.permutations(range(4)):
        moved = match_intervals([clips[k] for k in order])
        np.testing.assert_array_equal(moved.spans, found.spans[:, list(order)])


@pytest.mark.slow
@given(
    st.lists(a_clip(raster), min_size=1, max_size=4),
    st.sampled_from([0.25, 1.0, 8.0]),
    st.integers(-64, 64),
)
def test_moving_and_stretching_u_moves_and_stretches_the_matches(
    clips: list[Clip], scale: float, shift: int
) -> None:
    found = match_intervals(clips)
    moved = match_intervals([[(scale * a + shift, scale * b + shift) for a, b in clip] for clip in clips])
    assert sources(moved) == sources(found)
    assert moved.unmatched == found.unmatched
    np.testing.assert_allclose(moved.spans, scale * found.spans + shift, atol=1e-9)


@pytest.mark.slow
@given(some_clips)
def test_a_split_interval_is_never_left_out_in_part(clips: list[Clip]) -> None:
    _, left_out = match_on_line([queue(*clip) for clip in clips])
    assert not any(piece.is_part for _, piece in left_out)


def test_the_result_is_read_only() -> None:
    found = match_intervals([[(0, 1)]])
    assert not any(array.flags.writeable for array in (found.spans, found.sources, found.split))
