"""The height of planted feet: flat on the ground, and up on the toes where the capture goes there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.enforcement.limbs import Plant
from motionloom.enforcement.rolling import FLAT, rolled

N_FRAMES = 20


def plant(height: float = 0.0) -> Plant:
    return Plant(0, range(N_FRAMES), np.zeros(3), np.array([0.5, height, 0.0]))


def at_heights(heights: FloatArray) -> FloatArray:
    return np.stack([np.zeros(N_FRAMES), heights, np.zeros(N_FRAMES)], axis=-1)


def test_a_foot_flat_on_the_ground_is_put_on_it_entirely() -> None:
    noisy = at_heights(np.random.default_rng(0).normal(0.03, 0.005, N_FRAMES))
    assert rolled(plant(0.1), noisy, np.ones(N_FRAMES, dtype=bool)).tolist() == [0.1] * N_FRAMES


def test_a_rise_after_the_heel_has_left_is_kept_but_for_the_first_millimetres() -> None:
    rising = at_heights(np.concatenate([np.full(10, 0.01), np.linspace(0.01, 0.05, 10)]))
    heights = rolled(plant(), rising, np.arange(N_FRAMES) < 10)
    assert heights[:10].tolist() == [0.0] * 10
    assert heights[-1] == pytest.approx(0.04 - FLAT, abs=1e-4)


def test_a_point_planted_alone_stands_as_low_as_it_usually_does() -> None:
    heights = rolled(plant(), at_heights(np.full(N_FRAMES, 0.03)), np.zeros(N_FRAMES, dtype=bool))
    assert heights.tolist() == [0.0] * N_FRAMES


def test_what_is_on_target_stays() -> None:
    here = at_heights(np.linspace(0.0, 0.04, N_FRAMES)) + np.array([0.5, 0.0, 0.0])
    assert np.array_equal(rolled(plant(), here, np.zeros(N_FRAMES, dtype=bool)), here[:, 1])


def test_a_point_that_hovers_over_its_target_comes_down() -> None:
    hovering = at_heights(np.full(N_FRAMES, 0.02)) + np.array([0.5, 0.0, 0.0])
    assert rolled(plant(), hovering, np.ones(N_FRAMES, dtype=bool)).tolist() == [0.0] * N_FRAMES


@given(st.integers(0, 1000))
def test_no_point_sinks_below_its_target(seed: int) -> None:
    rng = np.random.default_rng(seed)
    heights = rolled(plant(0.2), at_heights(rng.normal(0, 0.05, N_FRAMES)), rng.random(N_FRAMES) < 0.5)
    assert (heights >= 0.2 - 1e-12).all()
