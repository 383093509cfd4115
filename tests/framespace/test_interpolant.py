from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline

from motionloom.errors import ParameterError
from motionloom.framespace import FunctionInterpolant, PolylineInterpolant, SplineInterpolant
from motionloom.framespace.interpolant import (
    Shape,
    as_interpolant,
    bspline_basis,
    choose_shape,
    count_coordinates,
    weights_at,
)
from tests.refusals import refused

X = np.linspace(0.0, 1.0, 301)


@pytest.mark.parametrize("vertices", [[], [(0.0,)], [(0, 1, 2, 3)], [(0, 0), (1, 0, 0)]])
def test_vertices_are_x_and_one_or_two_coordinates(vertices: list[tuple[float, ...]]) -> None:
    with pytest.raises(
        ParameterError, match=r"an interpolant needs vertices \(x, v\), or \(x, v, w\) in a box"
    ):
        SplineInterpolant(vertices)


def test_time_never_goes_back() -> None:
    with pytest.raises(ParameterError, match=r"vertex 2 at x = 0.4 follows one at x = 0.6"):
        PolylineInterpolant([(0, 0), (0.6, 1), (0.4, 0)])


def test_a_function_returns_numbers() -> None:
    with pytest.raises(ParameterError, match="coordinates that the interpolant returned must be finite"):
        FunctionInterpolant(lambda x: float("nan"))([0.5])


def test_a_quadratic_by_hand() -> None:
    """Three evenly spaced vertices: v = 2 x (1 - x) at height 1 in the middle."""
    curve = SplineInterpolant([(0, 0), (0.5, 1), (1, 0)])
    assert np.allclose(curve(X)[:, 0], 2 * X * (1 - X), atol=1e-12)


def test_a_polyline_holds_at_its_ends() -> None:
    assert PolylineInterpolant([(0.25, 0), (0.75, 1)])([0.0, 0.5, 1.0]).ravel().tolist() == [0.0, 0.5, 1.0]


def test_a_spline_holds_at_its_ends() -> None:
    curve = SplineInterpolant([(0.25, 0.2), (0.5, 1), (0.6, 0), (0.75, 0.8)])
    assert curve([0.0, 0.25]).ravel().tolist() == pytest.approx([0.2, 0.2])
    assert curve([0.75, 1.0]).ravel().tolist() == pytest.approx([0.8, 0.8])


def test_vertices_outside_come_to_the_border() -> None:
    curve = SplineInterpolant([(-0.5, -1), (0.5, 2), (1.5, 0)])
    assert curve.is_clipped
    assert np.allclose(curve(X), SplineInterpolant([(0, 0), (0.5, 1), (1, 0)])(X))
    assert not SplineInterpolant([(0, 0), (1, 1)]).is_clipped
    assert not FunctionInterpolant(lambda x: x).is_clipped


def test_vertices_at_one_place_are_passed_at_once() -> None:
    curve = SplineInterpolant([(0, 0), (0.5, 0), (0.5, 0), (0.5, 1), (0.5, 1), (1, 1)])
    values = curve(X)[:, 0]
    assert values[0] == 0.0
    assert values[-1] == pytest.approx(1.0)
    assert (np.diff(values) >= -1e-9).all()


def test_what_callers_may_give() -> None:
    assert as_interpolant(0.3)(X).tolist() == [[0.3]] * len(X)
    assert as_interpolant([(0, 0.1, 0.9)])([0.5]).tolist() == [[0.1, 0.9]]
    assert isinstance(as_interpolant(lambda x: x), FunctionInterpolant)
    line = PolylineInterpolant([(0, 0)])
    assert as_interpolant(line) is line


@pytest.mark.parametrize(("n_vertices", "degree"), [(4, 3), (7, 3), (3, 2), (2, 1), (1, 0), (60, 3)])
def test_the_basis_is_that_of_scipy(n_vertices: int, degree: int) -> None:
    basis = bspline_basis(X, n_vertices, degree)
    rows = np.arange(len(X))[:, None]
    knots = np.concatenate([np.zeros(degree), np.linspace(0, 1, n_vertices - degree + 1), np.ones(degree)])
    peer = BSpline(knots, np.eye(n_vertices), degree)
    for ours, theirs in ((basis.weights, peer(X)), (basis.slopes, peer.derivative()(X) if degree else 0 * X)):
        dense = np.zeros((len(X), n_vertices))
        dense[rows, basis.vertices] = ours
        assert np.allclose(dense, theirs if np.ndim(theirs) == 2 else 0.0, atol=1e-12)


def test_a_thousand_vertices_take_little_memory() -> None:
    vertices = np.stack([np.linspace(0, 1, 1000), np.full(1000, 0.5)], axis=1)
    tracemalloc.start()
    SplineInterpolant(vertices)(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 150_000_000  # all weights of all vertices took gigabytes


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.floats(0.0, 1.0), st.floats(-0.5, 1.5)), min_size=1, max_size=9),
)
def test_a_spline_stays_in_the_space_and_on_its_curve(vertices: list[tuple[float, float]]) -> None:
    ordered = sorted(vertices, key=lambda vertex: vertex[0])
    values = SplineInterpolant(ordered)(X)
    assert values.shape == (len(X), 1)
    assert values.min() >= -1e-12
    assert values.max() <= 1.0 + 1e-12
    hull = np.clip([v for _, v in ordered], 0.0, 1.0)
    assert hull.min() - 1e-9 <= values.min() <= values.max() <= hull.max() + 1e-9


def test_shapes_need_their_clips() -> None:
    with pytest.raises(ParameterError, match="a framespace takes two clips or more, not 1"):
        choose_shape(1)
    with pytest.raises(ParameterError, match="a box takes four clips, one at each corner, not 3"):
        choose_shape(3, "box")
    with pytest.raises(ParameterError, match="a rectangle takes two clips, not 4"):
        choose_shape(4, "rectangle")
    with refused("shape", "ring"):
        choose_shape(4, "ring")  # type: ignore[arg-type]


def test_corners_of_a_box_are_its_clips() -> None:
    corners = [[0, 0], [1, 0], [0, 1], [1, 1]]
    assert np.array_equal(weights_at(corners, "box", 4), np.eye(4))


def test_clips_stand_along_a_line() -> None:
    assert np.allclose(weights_at(np.linspace(0, 1, 5)[:, None], "line", 5), np.eye(5))


@pytest.mark.parametrize(("shape", "n_clips"), [("rectangle", 2), ("line", 2), ("line", 7), ("box", 4)])
def test_weights_are_shares_of_one(shape: Shape, n_clips: int) -> None:
    points = np.random.default_rng(0).uniform(size=(200, count_coordinates(shape)))
    weights = weights_at(points, shape, n_clips)
    assert weights.shape == (200, n_clips)
    assert (weights >= 0.0).all()
    assert np.allclose(weights.sum(axis=1), 1.0)
