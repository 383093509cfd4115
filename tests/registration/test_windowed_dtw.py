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
from motionloom.registration.time_alignment import AlignmentOutcome, align_times
from motionloom.registration.windowed_dtw import CostBlock, align_times_windowed
from tests.registration.path_oracle import as_path, is_legal

FORMS: list[Form] = ["reversible", "thesis"]


def blocks_of(costs: FloatArray) -> CostBlock:
    return lambda rows, columns: costs[rows, columns]


@pytest.mark.parametrize(
    ("shape", "settings", "message"),
    [
        ((1, 9), {}, "clips of 1 and 9 frames cannot be aligned"),
        (
            (30, 30),
            {"window": 10, "advance": 10},
            r"advance must be at least the slope limit \(2\) and less than",
        ),
        ((30, 30), {"slope_limit": 11}, r"less than the window \(20\), not 10"),
        ((30, 30), {"start": "free"}, "start must be 'corners' or a cell: windows grow forward"),
        (
            (30, 30),
            {"start": (3, 29), "end": "free"},
            r"no path grows from cell \(3, 29\): one of the clips ends",
        ),
        ((90, 30), {}, "89 frame steps against 29 need a slope limit of at least 3"),
        ((88, 30), {"form": "thesis", "slope_limit": 2}, "87 frame steps against 29 need .* at least 3"),
        ((30, 30), {"pins": [(10, 15), (12, 20)]}, r"from \(10, 15\) to \(12, 20\) .* at least 3"),
    ],
)
def test_bad_input(shape: Cell, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        align_times_windowed(blocks_of(np.ones(shape)), shape, **settings)


def test_blocks_of_the_wrong_size_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"cost_block must return \(20, 20\) costs for .*, not \(3, 3\)"):
        align_times_windowed(lambda rows, columns: np.ones((3, 3)), (30, 30))


def test_one_window_is_the_exact_alignment() -> None:
    costs = np.random.default_rng(2).random((18, 20))
    found = align_times_windowed(blocks_of(costs), (18, 20))
    exact = align_times(costs)
    np.testing.assert_array_equal(found.path, exact.path)
    assert found.cost == pytest.approx(exact.cost)
    assert found.outcome is AlignmentOutcome.WINDOWED


@pytest.mark.slow
@given(
    m=st.integers(2, 90),
    n=st.integers(2, 90),
    slope_limit=st.integers(1, 4),
    form=st.sampled_from(FORMS),
    window=st.integers(6, 20),
    seed=st.integers(0, 1000),
)
def test_paths_are_legal_and_reach_the_corner_whenever_one_can(
    m: int, n: int, slope_limit: int, form: Form, window: int, seed: int
) -> None:
    costs = np.random.default_rng(seed).random((m, n))
    settings: dict[str, Any] = {"slope_limit": slope_limit, "form": form}
    try:
        exact = align_times(costs, **settings)
    except SlopeLimitError as error:
        with pytest.raises(SlopeLimitError, match=f"at least {error.needed};"):
            align_times_windowed(blocks_of(costs), (m, n), window=window, advance=5, **settings)
        return
    found = align_times_windowed(blocks_of(costs), (m, n), window=window, advance=5, **settings)
    path = as_path(found.path)
    assert (path[0], path[-1]) == ((0, 0), (m - 1, n - 1))
    assert is_legal(path, slope_limit, free_first_step=form == "reversible")
    assert found.cost >= exact.cost - 1e-9
    assert found.cost == pytest.approx(costs[found.path[:, 0], found.path[:, 1]].sum())


@pytest.mark.slow
@given(m=st.integers(20, 70), n=st.integers(20, 70), seed=st.integers(0, 1000), form=st.sampled_from(FORMS))
def test_swapping_the_clips_transposes_the_path(m: int, n: int, seed: int, form: Form) -> None:
    costs = np.random.default_rng(seed).integers(0, 4, (m, n)).astype(np.float64)
    for end in ("free", "corners"):
        settings: dict[str, Any] = {"slope_limit": 4, "form": form, "end": end}
        there = align_times_windowed(blocks_of(costs), (m, n), **settings)
        back = align_times_windowed(blocks_of(costs.T), (n, m), **settings)
        np.testing.assert_array_equal(back.path, there.path[:, ::-1])


@pytest.mark.parametrize("form", FORMS)
def test_a_free_end_stops_at_the_edge_of_the_grid(form: Form) -> None:
    costs = np.random.default_rng(3).random((200, 90))
    path = as_path(align_times_windowed(blocks_of(costs), (200, 90), end="free", form=form).path)
    assert path[-1][0] == 199 or path[-1][1] == 89
    assert is_legal(path, 2, free_first_step=form == "reversible")


@pytest.mark.parametrize("form", FORMS)
def test_pins_are_passed(form: Form) -> None:
    pins = [(40, 60), (41, 61), (100, 110)]
    costs = np.random.default_rng(4).random((150, 150))
    path = as_path(align_times_windowed(blocks_of(costs), (150, 150), pins=pins, form=form).path)
    assert set(pins) <= set(path)
    assert is_legal(path, 2, free_first_step=form == "reversible")


def test_a_known_warp_is_recovered_without_the_whole_grid() -> None:
    times = np.linspace(0.0, 40.0, 2000)
    warped = times + 0.5 * np.sin(times / 3)
    features = [np.stack([np.sin(3 * t), np.cos(3 * t), np.sin(7 * t)], axis=1) for t in (times, warped)]
    largest = 0

    def block(rows: slice, columns: slice) -> FloatArray:
        nonlocal largest
        costs = ((features[0][rows, None] - features[1][columns]) ** 2).sum(-1)
        largest = max(largest, costs.size)
        return np.asarray(costs)

    path = align_times_windowed(block, (2000, 2000), window=40).path
    assert largest == 40 * 40
    assert np.abs(times[path[:, 0]] - warped[path[:, 1]]).mean() * 50 < 1.0
