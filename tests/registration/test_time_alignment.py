from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.options.registration import Form
from motionloom.registration.dtw import Cell, SlopeLimitError
from motionloom.registration.time_alignment import AlignmentOutcome, TimeAlignment, align_times
from tests.registration.path_oracle import LegalPaths, as_path, is_legal

FORMS: list[Form] = ["reversible", "thesis"]
each_form = pytest.mark.parametrize("form", FORMS)
LEVEL = np.ones((5, 5))


@pytest.mark.parametrize(
    ("costs", "settings", "message"),
    [
        (np.ones(3), {}, r"costs must have shape \(T0, T1\), not \(3,\)"),
        ([[1, 2], [3]], {}, r"costs must be numbers in an array of shape \(T0, T1\): "),
        (np.ones((1, 5)), {}, "clips of 1 and 5 frames cannot be aligned: a strictly increasing"),
        (np.ones((4, 0)), {}, "clips of 4 and 0 frames cannot be aligned"),
        ([[1, 2], [-1, 0]], {}, r"finite, not negative and small enough to sum: cell \(1, 0\) is -1.0"),
        ([[1, np.nan], [1, 0]], {}, r"finite, not negative and small enough to sum: cell \(0, 1\) is nan"),
        ([[1, 1], [1, 1e308]], {}, r"finite, not negative and small enough to sum: cell \(1, 1\) is 1e\+308"),
        (LEVEL, {"slope_limit": 0}, "slope_limit must be a whole number of at least 1, not 0"),
        (LEVEL, {"slope_limit": 2.5}, "slope_limit must be a whole number of at least 1, not 2.5"),
        (LEVEL, {"form": "paper"}, "form must be 'reversible' or 'thesis', not 'paper'"),
        (LEVEL, {"min_length": 0}, "min_length must be a whole number of at least 1, not 0"),
        (LEVEL, {"start": "corner"}, r"start must be 'corners', 'free' or a cell \(i, j\), not 'corner'"),
        (LEVEL, {"end": 3}, r"end must be a cell \(i, j\) of two frame numbers, not 3"),
        (LEVEL, {"end": (3.5, 2)}, r"end must be a cell \(i, j\) of whole frames, not \(3.5, 2\)"),
        (LEVEL, {"start": (0, 5)}, r"start \(0, 5\) lies outside the grid of 5 × 5 frames"),
        (LEVEL, {"pins": [(2, 9)]}, r"a pin \(2, 9\) lies outside the grid"),
        (
            LEVEL,
            {"pins": [(2, 2), (2, 3)]},
            r"cannot pass \(2, 2\) and then \(2, 3\): start, pins and end must",
        ),
        (LEVEL, {"start": (4, 4)}, r"cannot pass \(4, 4\) and then \(4, 4\)"),
        (
            LEVEL,
            {"start": (0, 3), "end": "free", "min_length": 4},
            "no path to the edge of the grid covers 4",
        ),
        (LEVEL, {"start": (0, 4), "end": "free"}, "no path to the edge of the grid covers 2 frames"),
        (LEVEL, {"start": "free", "end": "free", "min_length": 6}, "covers 6 frames of each clip"),
        (LEVEL, {"start": "free", "end": "free", "pins": [(0, 4)]}, r"no path grows from cell \(0, 4\)"),
    ],
)
def test_bad_input(costs: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        align_times(costs, **settings)


@pytest.mark.parametrize(
    ("shape", "settings", "message"),
    [
        (
            (10, 3),
            {},
            r"from \(0, 0\) to \(9, 2\) with slope limit 2: 9 frame steps against 2 need a slope limit of at "
            "least 4; raise it, or cut or resample the clips",
        ),
        ((10, 3), {"form": "thesis"}, "9 frame steps against 2 need a slope limit of at least 5"),
        (
            (9, 9),
            {"pins": [(1, 4)]},
            r"from \(0, 0\) through \(1, 4\) to \(8, 8\) with slope limit 2: the pins need a slope limit of "
            "at least 3",
        ),
        ((9, 9), {"pins": [(1, 4)], "form": "thesis"}, "least 4"),
        ((9, 9), {"pins": [(1, 4)], "end": "free"}, r"from \(0, 0\) to \(1, 4\) .* least 3"),
    ],
)
def test_impossible_lengths_name_the_slope_limit_that_would_do(
    shape: Cell, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(SlopeLimitError, match=message) as caught:
        align_times(np.ones(shape), **settings)
    needed = caught.value.needed
    align_times(np.ones(shape), slope_limit=needed, **settings)
    with pytest.raises(SlopeLimitError):
        align_times(np.ones(shape), slope_limit=needed - 1, **settings)


def test_by_hand() -> None:
    # Staying on the first frame of the second clip is free, but a slope limit of 2 allows one step of it.
    costs = [[0, 9, 9], [0, 1, 9], [0, 1, 9], [9, 9, 0]]
    alignment = align_times(costs)
    assert alignment.path.tolist() == [[0, 0], [1, 0], [2, 1], [3, 2]]
    assert (alignment.cost, alignment.mean_cost) == (1.0, 0.25)
    assert alignment.outcome is AlignmentOutcome.OPTIMAL
    assert (alignment.slope_limit, alignment.form, len(alignment)) == (2, "reversible", 4)
    assert align_times(costs, slope_limit=3).path.tolist() == [[0, 0], [1, 0], [2, 1], [3, 2]]
    # In the thesis form the run must follow a diagonal step.
    assert align_times(costs, form="thesis").path.tolist() == [[0, 0], [1, 1], [2, 1], [3, 2]]


def test_free_end_by_hand() -> None:
    # From the corner along the second clip's cheap column: the diagonal continuation is dear.
    costs = np.full((4, 4), 5.0)
    costs[0, 0] = costs[1, 1] = costs[2, 1] = costs[3, 2] = 0.0
    alignment = align_times(costs, end="free")
    assert alignment.path.tolist() == [[0, 0], [1, 1], [2, 1], [3, 2]]
    assert align_times(costs[::-1, ::-1], start="free").path.tolist() == [[0, 1], [1, 2], [2, 2], [3, 3]]


def test_the_path_is_read_only_and_does_not_touch_the_costs() -> None:
    costs = np.random.default_rng(0).random((8, 9))
    before = costs.copy()
    alignment = align_times(costs)
    assert not alignment.path.flags.writeable
    assert alignment.path.dtype == np.int64
    np.testing.assert_array_equal(costs, before)


def test_single_precision_and_any_memory_order_give_the_same_path() -> None:
    costs = np.random.default_rng(1).random((30, 25)).astype(np.float32)
    expected = align_times(costs.astype(np.float64)).path
    np.testing.assert_array_equal(align_times(costs).path, expected)
    np.testing.assert_array_equal(align_times(np.asfortranarray(costs)).path, expected)


@each_form
def test_two_frames_each(form: Form) -> None:
    assert align_times(np.ones((2, 2)), slope_limit=1, form=form).path.tolist() == [[0, 0], [1, 1]]


def test_a_run_may_pass_a_pin_but_not_the_slope_limit() -> None:
    costs = np.ones((6, 4))
    costs[1:4, 1] = 0.0
    alignment = align_times(costs, slope_limit=3, pins=[(2, 1)])
    assert alignment.path.tolist() == [[0, 0], [1, 1], [2, 1], [3, 1], [4, 2], [5, 3]]
    # One step against three fits before the pin and after it, but only with runs that meet there.
    assert len(align_times(np.ones((2, 4)))) == 4
    with pytest.raises(SlopeLimitError, match="least 3"):
        align_times(np.ones((3, 7)), pins=[(1, 3)])


@pytest.mark.parametrize(
    ("cells", "slope_limit", "expected"),
    [
        ([(0, 0), (1, 1), (2, 2)], 2, 0.0),
        ([(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)], 2, 1.0),
        ([(0, 0), (1, 1), (2, 1), (3, 2), (4, 3)], 2, 0.5),
        ([(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)], 2, 0.25),
        ([(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)], 3, 0.0),
        ([(0, 0), (1, 1), (1, 2), (1, 3), (2, 4)], 3, 0.75),
        ([(0, 0), (1, 1), (2, 2)], 1, 0.0),
    ],
)
def test_saturation_counts_full_runs(cells: list[Cell], slope_limit: int, expected: float) -> None:
    alignment = TimeAlignment(np.array(cells), 1.0, slope_limit, "reversible")
    assert alignment.saturation == expected


@pytest.mark.slow
@each_form
def test_lengths_are_possible_exactly_as_stated(form: Form) -> None:
    freely = form == "reversible"
    for limit in (1, 2, 3, 4):
        ends = {path[-1] for path in LegalPaths.of((7, 7), (0, 0), limit, freely).paths}
        for i in range(1, 7):
            for j in range(1, 7):
                possible = max(i, j) <= limit * min(i, j) + (limit - 1 if freely else 0)
                assert possible == ((i, j) in ends)
                try:
                    align_times(np.ones((i + 1, j + 1)), slope_limit=limit, form=form)
                except SlopeLimitError:
                    assert not possible
                else:
                    assert possible


@each_form
@pytest.mark.parametrize("slope_limit", [1, 2, 3, 40])
def test_a_clip_against_itself_and_level_costs_give_the_diagonal(form: Form, slope_limit: int) -> None:
    signal = np.sin(np.arange(40) ** 1.3 / 9.0)
    diagonal = [[k, k] for k in range(40)]
    for costs in ((signal[:, None] - signal) ** 2, np.zeros((40, 40)), np.ones((40, 40))):
        assert align_times(costs, slope_limit=slope_limit, form=form).path.tolist() == diagonal


@each_form
def test_slope_limit_one_is_the_diagonal_whatever_the_costs(form: Form) -> None:
    costs = np.random.default_rng(5).random((30, 30))
    assert align_times(costs, slope_limit=1, form=form).path.tolist() == [[k, k] for k in range(30)]


def grids(top: int = 3) -> st.SearchStrategy[FloatArray]:
    """Grids of small whole numbers, where most paths have rivals that cost the same."""
    return st.tuples(st.integers(3, 9), st.integers(3, 9), st.integers(0, 10**6)).map(
        lambda case: np.random.default_rng(case[2]).integers(0, top, case[:2]).astype(np.float64)
    )


@pytest.mark.slow
@each_form
@given(
    costs=grids(),
    slope_limit=st.integers(2, 4),
    start=st.sampled_from(["corners", "free"]),
    free=st.booleans(),
    pinned=st.booleans(),
)
def test_swapping_the_clips_transposes_the_path_ties_included(
    form: Form, costs: FloatArray, slope_limit: int, start: Any, free: bool, pinned: bool
) -> None:
    if costs.shape[0] == costs.shape[1] and (costs == costs.T).all():
        costs[0, 1] += 1.0
    settings: dict[str, Any] = {
        "slope_limit": slope_limit,
        "start": start,
        "end": "free" if free else "corners",
    }
    pins = [(costs.shape[0] // 2, costs.shape[1] // 2)] if pinned else []
    turned_pins = [(j, i) for i, j in pins]
    try:
        there = align_times(costs, form=form, pins=pins, **settings)
    except ParameterError:
        with pytest.raises(ParameterError):
            align_times(costs.T, form=form, pins=turned_pins, **settings)
        return
    back = align_times(costs.T, form=form, pins=turned_pins, **settings)
    np.testing.assert_array_equal(back.path, there.path[:, ::-1])
    assert back.cost == there.cost


@given(costs=grids(1000), slope_limit=st.integers(1, 4))
def test_reversing_both_clips_reverses_the_reversible_problem(costs: FloatArray, slope_limit: int) -> None:
    try:
        there = align_times(costs, slope_limit=slope_limit)
    except SlopeLimitError:
        with pytest.raises(SlopeLimitError):
            align_times(costs[::-1, ::-1], slope_limit=slope_limit)
        return
    assert align_times(costs[::-1, ::-1], slope_limit=slope_limit).cost == there.cost


def test_reversing_both_clips_changes_the_thesis_form() -> None:
    costs = np.array([[0, 9, 9], [0, 1, 9], [0, 1, 9], [9, 9, 0]])
    assert align_times(costs, form="thesis").cost == 2.0
    assert align_times(costs[::-1, ::-1], form="thesis").cost == 1.0


@pytest.mark.slow
@each_form
@given(costs=grids(2), slope_limit=st.integers(1, 4))
def test_ties_keep_the_least_cost(form: Form, costs: FloatArray, slope_limit: int) -> None:
    small = costs[:6, :6]
    shape = (small.shape[0], small.shape[1])
    table = LegalPaths.of(shape, (0, 0), slope_limit, form == "reversible")
    found = table.cheapest_to((shape[0] - 1, shape[1] - 1), [], small)
    if found is not None:
        alignment = align_times(small, slope_limit=slope_limit, form=form)
        assert alignment.cost == found[0]
        assert as_path(alignment.path) in table.paths


@each_form
@pytest.mark.parametrize(("shape", "slope_limit"), [((300, 200), 2), ((150, 400), 3), ((257, 257), 7)])
def test_long_paths_are_legal_and_no_dearer_than_the_straight_line(
    form: Form, shape: Cell, slope_limit: int
) -> None:
    costs = np.random.default_rng(8).random(shape)
    alignment = align_times(costs, slope_limit=slope_limit, form=form)
    path = as_path(alignment.path)
    assert is_legal(path, slope_limit, free_first_step=form == "reversible")
    assert (path[0], path[-1]) == ((0, 0), (shape[0] - 1, shape[1] - 1))
    straight = align_times(np.ones(shape), slope_limit=slope_limit, form=form).path
    assert alignment.cost < costs[straight[:, 0], straight[:, 1]].sum()
    pinned = align_times(costs, slope_limit=slope_limit, form=form, pins=[path[len(path) // 2]])
    np.testing.assert_array_equal(pinned.path, alignment.path)


def test_a_known_warp_is_recovered() -> None:
    times = np.linspace(0.0, 1.0, 200)
    warped = times + 0.08 * np.sin(2 * np.pi * times)
    features = [np.stack([np.sin(9 * t), np.cos(7 * t), t], axis=1) for t in (times, warped)]
    costs = ((features[0][:, None] - features[1]) ** 2).sum(-1)
    path = align_times(costs).path
    assert np.abs(times[path[:, 0]] - warped[path[:, 1]]).max() * 199 < 1.0
