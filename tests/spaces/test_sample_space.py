"""Sampling of spaces whose parameters are plain functions of the weights."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.spaces.sample_space import SampledSpace, sample_space

ENDS = np.array([[0.0], [1.0]])


def sample(bend: float, accuracy: float) -> SampledSpace:
    def measure(weights: FloatArray) -> FloatArray:
        return np.array([weights[1] + 4.0 * bend * weights[0] * weights[1]])

    return sample_space(ENDS, measure, extrapolation=0.0, accuracy=accuracy, max_blends=100)


def test_the_error_that_is_left_is_told() -> None:
    straight, bent = sample(0.008, 0.01), sample(0.1, 0.01)
    assert straight.n_blends == 1
    assert straight.max_error == pytest.approx(0.008)
    # Half an edge of a parabola bends a quarter as much: 0.1 is split, 0.025 too, and 0.00625 is left.
    assert bent.n_blends == 7
    assert bent.max_error == pytest.approx(0.00625)


def test_a_refused_blend_counts_once() -> None:
    def measure(weights: FloatArray) -> FloatArray:
        x = float(weights[1])
        return np.array([x + (3.0 if x == 0.25 else 0.0) + 0.4 * x * (1.0 - x)])

    found = sample_space(ENDS, measure, extrapolation=0.0, accuracy=0.001, max_blends=100)
    assert found.n_blends > 5
    assert found.n_refused == 1
