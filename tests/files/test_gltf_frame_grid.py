"""Frame rates found from key times that single precision has rounded."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.files.gltf.frame_grid import USUAL_RATES, find_frame_grid


def singles(frame_time: float, frames: range | list[int]) -> FloatArray:
    return (np.array(frames) * frame_time).astype(np.float32).astype(np.float64)


def found(times: FloatArray, stated: float | None = None) -> tuple[float, int, list[str]]:
    notes: list[str] = []
    grid = find_frame_grid(times, None, stated, notes)
    return grid.frame_time, grid.n_frames, notes


def test_one_key_is_one_frame() -> None:
    assert found(np.array([0.5])) == (1 / 60, 1, [])
    assert found(np.array([0.5]), stated=0.01) == (0.01, 1, [])


@pytest.mark.parametrize("rate", [*USUAL_RATES, 12.0, 37.0, 1000.0])
@pytest.mark.parametrize("n_frames", [2, 3, 100, 20_000])
def test_whole_rates_are_exact(rate: float, n_frames: int) -> None:
    assert found(singles(1 / rate, range(n_frames))) == (1 / rate, n_frames, [])


@pytest.mark.parametrize("rate", [24.0, 30.0, 60.0, 120.0])
@pytest.mark.parametrize("n_frames", [3, 1000])
def test_broadcast_rates_are_exact(rate: float, n_frames: int) -> None:
    step, frames, _ = found(singles(1.001 / rate, range(n_frames)))
    assert step == pytest.approx(1.001 / rate, rel=1e-15)
    assert frames == n_frames


def test_the_frame_time_of_cmu_files_is_exact() -> None:
    assert found(singles(0.0083333, range(500))) == (0.0083333, 500, [])


def test_a_stated_rate_counts_where_the_keys_agree() -> None:
    odd = 1 / 123.456
    assert found(singles(odd, range(100)), stated=odd) == (odd, 100, [])
    assert found(singles(1 / 24, range(100)), stated=odd) == (1 / 24, 100, [])


def test_keys_that_skip_frames() -> None:
    """A program that leaves out keys between which nothing moves."""
    assert found(singles(1 / 30, [0, 1, 7, 20, 50])) == (1 / 30, 51, [])


def test_few_keys_are_sampled_at_a_usual_rate() -> None:
    assert found(np.array([0.0, 1.25])) == (1 / 24, 31, [])
    assert found(np.array([0.0, 0.12, 0.4])) == (1 / 25, 11, [])


def test_keys_at_odd_times_are_sampled_and_noted() -> None:
    step, n_frames, notes = found(np.array([0.0, 0.1234567, 0.31, 0.777]))
    assert (step, n_frames) == (1 / 60, 47)
    assert notes == ["its keys fit no usual frame rate: sampled at 60; override with fps="]


def test_careless_times_are_still_recognised() -> None:
    times = np.round(np.arange(100) / 30, 3)
    assert found(times)[:2] == (1 / 30, 100)


def test_a_wanted_rate_samples_the_same_span() -> None:
    grid = find_frame_grid(singles(1 / 30, range(31)), 1 / 90, None, [])
    assert (grid.n_frames, grid.frame_time) == (91, 1 / 90)


def test_keys_that_begin_later() -> None:
    grid = find_frame_grid(singles(1 / 24, range(1, 25)), None, None, [])
    assert grid.first == pytest.approx(1 / 24)
    assert grid.n_frames == 24


@given(rate=st.integers(10, 240), n_frames=st.integers(2, 3000), first=st.integers(0, 3000))
def test_any_whole_rate_anywhere(rate: int, n_frames: int, first: int) -> None:
    assert found(singles(1 / rate, range(first, first + n_frames)))[:2] == (1 / rate, n_frames)
