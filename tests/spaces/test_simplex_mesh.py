"""Weights between measured blends: simplices, their borders, and what is nearest outside."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.spaces.simplex_mesh import SimplexMesh, check_spread, triangulate

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def square() -> SimplexMesh:
    return triangulate(SQUARE, np.eye(4))


def test_too_few_and_flat_points() -> None:
    with pytest.raises(ParameterError, match=r"2 parameters need at least 3 clips .* but there are 2"):
        check_spread(np.array([[0.0, 0.0], [1.0, 1.0]]))
    line = np.array([[0.0, 0.0], [0.5, 0.5], [1.0, 1.0]])
    with pytest.raises(ParameterError, match="lie on a line, so that they cannot be chosen one by one"):
        check_spread(line)
    plane = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    with pytest.raises(ParameterError, match="in a plane or on a line"):
        check_spread(plane)


def test_too_many_numbers() -> None:
    with pytest.raises(ParameterError, match="8 numbers at most, not 9: ask for fewer parameters"):
        check_spread(np.vstack([np.zeros(9), np.eye(9)]))


def test_one_parameter_is_a_line_of_segments() -> None:
    mesh = triangulate(np.array([[0.0], [1.0], [0.4]]), np.eye(3))
    np.testing.assert_allclose(mesh.interpolate(np.array([0.2])), [0.5, 0.0, 0.5])
    np.testing.assert_allclose(mesh.interpolate(np.array([7.0])), [0.0, 1.0, 0.0])
    assert mesh.find_nearest(np.array([-2.0])).distance == 2.0
    assert mesh.volume == 1.0


def test_points_are_reproduced_and_weights_are_convex() -> None:
    mesh = square()
    for point, own in zip(SQUARE, np.eye(4), strict=True):
        np.testing.assert_allclose(mesh.interpolate(point), own, atol=1e-12)
    for request in np.random.default_rng(0).random((50, 2)):
        weights = mesh.interpolate(request)
        np.testing.assert_allclose(weights @ SQUARE, request, atol=1e-12)
        assert weights.min() >= 0.0
        assert weights.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("request_at", "expected"),
    [((0.5, -1.0), (0.5, 0.0)), ((2.0, 3.0), (1.0, 1.0)), ((-0.1, 0.25), (0.0, 0.25))],
)
def test_outside_the_nearest_point_of_the_border(
    request_at: tuple[float, float], expected: tuple[float, float]
) -> None:
    nearest = square().find_nearest(np.array(request_at))
    np.testing.assert_allclose(nearest.point, expected, atol=1e-12)
    assert nearest.distance == pytest.approx(np.hypot(*np.subtract(request_at, expected)))
    np.testing.assert_allclose(nearest.coordinates @ SQUARE[nearest.vertices], expected, atol=1e-12)


def test_the_nearest_point_of_a_box_against_brute_force() -> None:
    corners = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
    mesh = triangulate(corners, np.eye(8))
    assert mesh.volume == pytest.approx(1.0)
    for request in np.random.default_rng(1).uniform(-1.0, 2.0, (40, 3)):
        np.testing.assert_allclose(mesh.find_nearest(request).point, np.clip(request, 0.0, 1.0), atol=1e-9)


def test_an_edge_is_split_in_all_its_simplices() -> None:
    mesh = square()
    diagonal = next(edge for edge in mesh.edges() if edge in ((0, 3), (1, 2)))
    middle = np.zeros(4)
    middle[list(diagonal)] = 0.5
    split = mesh.split(diagonal, np.array([0.5, 0.6]), middle)
    assert (len(mesh.simplices), len(split.simplices)) == (2, 4)
    assert split.volume == pytest.approx(1.0)
    np.testing.assert_allclose(split.interpolate(np.array([0.5, 0.6])), middle, atol=1e-12)


def test_weights_are_continuous_across_simplices() -> None:
    mesh = square().split((0, 1), np.array([0.5, 0.2]), np.array([0.5, 0.5, 0.0, 0.0]))
    line = np.stack([np.linspace(0.02, 0.97, 2000), np.linspace(0.9, 0.3, 2000)], axis=1)
    weights = np.array([mesh.interpolate(point) for point in line])
    assert np.abs(np.diff(weights, axis=0)).max() < 5e-3


def test_weights_change_no_faster_than_the_steepest_simplex() -> None:
    line = triangulate(np.array([[0.0], [1.0], [0.4]]), np.eye(3))
    assert line.max_slope == pytest.approx(2.5)
    mesh = square().split((0, 1), np.array([0.5, 0.2]), np.array([0.5, 0.5, 0.0, 0.0]))
    random = np.random.default_rng(0)
    for start, end in random.uniform(-0.2, 1.2, (20, 2, 2)):
        points = np.linspace(start, end, 1000)
        weights = np.array([mesh.interpolate(point) for point in points])
        step = float(np.linalg.norm(points[1] - points[0]))
        # Outside, the nearest point of this border, which bends inward a little, moves a little faster.
        inside = np.array([mesh.find_nearest(point).distance == 0.0 for point in points])
        steps = np.abs(np.diff(weights, axis=0)).max(axis=1)[inside[1:] & inside[:-1]]
        assert steps.max(initial=0.0) <= mesh.max_slope * step + 1e-12


def test_simplices_that_no_weights_reach_and_slivers_are_left_out() -> None:
    # The fourth blend is one of the first two, but lies away from the line between them.
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0], [0.5, -0.4]])
    weights = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.5, 0.0]])
    assert len(triangulate(points, weights).simplices) < 4
    nearly = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0], [0.5, 1e-3]])
    mesh = triangulate(nearly, np.eye(4))
    assert mesh.find_nearest(np.array([0.5, 5e-4])).distance > 0.0
    assert set(mesh.simplices.ravel().tolist()) == {0, 1, 2, 3}


def test_points_are_drawn_inside() -> None:
    mesh = square()
    drawn = mesh.draw_points(200, seed=3)
    assert all(mesh.find_nearest(point).distance == 0.0 for point in drawn)
    np.testing.assert_allclose(drawn.mean(axis=0), 0.5, atol=0.1)
