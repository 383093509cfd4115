from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from motionloom.blending.scattered_weights import MAX_LINE_WIDTH, SAME_POINT, ScatteredWeights
from motionloom.errors import ParameterError
from tests.refusals import refused

numbers = st.floats(-2.0, 2.0)
places = st.tuples(numbers, numbers)


def test_points_are_needed() -> None:
    with pytest.raises(ParameterError, match="there are no points to weight"):
        ScatteredWeights(np.empty((0, 2)))
    with refused("points"):
        ScatteredWeights([1, 2, 3])


def test_two_points_make_a_line() -> None:
    weights = ScatteredWeights([[0, 0], [1, 1]])
    assert weights([0.25, 0.25]).tolist() == pytest.approx([0.75, 0.25])
    assert weights([1.0, 0.0]).tolist() == pytest.approx([0.5, 0.5])
    assert weights([5.0, 5.0]).tolist() == [0.0, 1.0]


def test_one_place_shares_its_weight() -> None:
    assert ScatteredWeights([[1, 2]] * 3)([0, 0]).tolist() == pytest.approx([1 / 3] * 3)
    assert ScatteredWeights([[0, 0], [1, 0], [1, 0]])([1, 0]).tolist() == pytest.approx([0, 0.5, 0.5])


def test_a_bent_row_is_a_line_and_not_a_flat_triangle() -> None:
    """Straight, left and right at nearly one speed: no turn is the straight one, whatever the speed."""
    row = ScatteredWeights([[0.5, 0.0], [0.45, 1.0], [0.45, -1.0]])
    assert row([0.3, 0.0]).tolist() == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)


def test_outside_is_clamped_to_the_hull() -> None:
    square = ScatteredWeights([[0, 0], [1, 0], [1, 1], [0, 1]])
    assert square([3.0, 0.5]).tolist() == pytest.approx([0, 0.5, 0.5, 0])
    assert square([3.0, 3.0]).tolist() == pytest.approx([0, 0, 1, 0])


@given(st.lists(places, min_size=1, max_size=9), places)
def test_weights_are_convex_whatever_the_points(
    points: list[tuple[float, float]], goal: tuple[float, float]
) -> None:
    weights = ScatteredWeights(points)(goal)
    assert weights.shape == (len(points),)
    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0)


@pytest.mark.slow
@given(st.lists(places, min_size=2, max_size=9))
def test_each_point_is_its_own(points: list[tuple[float, float]]) -> None:
    given_points = np.array(points)
    gaps = np.linalg.norm(given_points[:, None] - given_points[None], axis=-1) + np.eye(len(points))
    assume(gaps.min() > 2 * SAME_POINT)
    weights = ScatteredWeights(points)
    for n, point in enumerate(points):
        assert weights(point)[n] == pytest.approx(1.0, abs=1e-6)


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=3, max_size=9, unique=True),
    places,
    st.floats(0, 6.3),
)
def test_weights_reproduce_what_lies_inside_and_change_gradually(
    points: list[tuple[int, int]], goal: tuple[float, float], angle: float
) -> None:
    corners = np.array(points, dtype=float)
    centred = corners - corners.mean(axis=0)
    assume(np.linalg.svd(centred)[1][-1] > 2 * MAX_LINE_WIDTH)
    weights = ScatteredWeights(corners)
    inside = weights(goal) @ corners
    assert np.allclose(weights(inside) @ corners, inside, atol=1e-7)
    near = np.asarray(goal) + 1e-6 * np.array([np.cos(angle), np.sin(angle)])
    assert np.abs(weights(near) - weights(goal)).max() < 1e-4
