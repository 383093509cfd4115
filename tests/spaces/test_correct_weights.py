"""Weights corrected by what their blend measures."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.spaces.correct_weights import correct_weights, update_inverse
from motionloom.spaces.simplex_mesh import triangulate

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def bent(weights: FloatArray) -> FloatArray:
    """Parameters that are off by up to a tenth, as on a mesh that was sampled coarsely."""
    x, y = weights @ CORNERS
    return np.array([x + 0.4 * y * (1.0 - y), y - 0.3 * x * (1.0 - x)])


def test_requests_are_met_where_the_mesh_is_coarse() -> None:
    mesh = triangulate(CORNERS, np.eye(4))
    for goal in np.random.default_rng(0).uniform(0.2, 0.8, (40, 2)):
        np.testing.assert_allclose(bent(correct_weights(mesh, bent, goal)), goal, atol=1e-6)


def test_out_of_reach_the_nearest_that_was_found_is_returned() -> None:
    line = triangulate(np.array([[0.0], [1.0]]), np.eye(2))
    weights = correct_weights(line, lambda given: 0.5 * given[1:], np.array([0.9]))
    np.testing.assert_allclose(weights, [0.0, 1.0], atol=1e-12)


def test_an_inverse_fits_the_last_step() -> None:
    step, change = np.array([0.3, -0.1]), np.array([0.2, 0.1])
    np.testing.assert_allclose(update_inverse(np.eye(2), step, change) @ change, step)
    np.testing.assert_array_equal(update_inverse(np.eye(2), step, np.zeros(2)), np.eye(2))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_weights_stay_within_those_of_the_mesh(share: float) -> None:
    mesh = triangulate(CORNERS, np.eye(4))
    weights = correct_weights(mesh, bent, np.array([share, 1.0 - share]))
    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0)
