"""Sampling of spaces whose parameters are plain functions of the weights."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.spaces.sample_space import SampledSpace, sample_space
from motionloom.spaces.simplex_mesh import SimplexMesh

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


def count_covers(mesh: SimplexMesh, point: FloatArray) -> int:
    corners = mesh.points[mesh.simplices]
    inner = np.linalg.solve(
        np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2), (point - corners[:, 0])[..., None]
    )
    coordinates = np.concatenate([1.0 - inner.sum(axis=1), inner[..., 0]], axis=1)
    return int((coordinates.min(axis=1) > 1e-9).sum())


def test_a_blend_that_would_fold_the_mesh_is_refused() -> None:
    flat = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.2]])

    def measure(weights: FloatArray) -> FloatArray:
        # Half-way between the first two clips, the blend lies beyond the third one.
        return np.asarray(np.array([0.0, 1.6 * weights[0] * weights[1]]) + weights @ flat)

    found = sample_space(flat, measure, extrapolation=0.0, accuracy=0.01, max_blends=200)
    assert found.n_refused > 0
    assert max(count_covers(found.mesh, point) for point in found.mesh.draw_points(500, seed=0)) == 1


def test_a_border_that_grows_into_another_simplex_is_refused() -> None:
    # Two triangles that touch at one vertex, as the prongs of a fork.
    fork = SimplexMesh(
        np.array([[0.0, 0.0], [1.0, 0.1], [1.0, 0.3], [1.0, -0.1], [1.0, -0.3]]),
        np.eye(5),
        np.array([[0, 1, 2], [0, 4, 3]]),
    )
    assert not fork.is_folded_by((0, 1), np.array([0.5, 0.0]))
    assert fork.is_folded_by((0, 1), np.array([0.5, -0.1]))


def test_what_no_blend_reaches_is_cut_off() -> None:
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.45, 0.45]])

    def measure(weights: FloatArray) -> FloatArray:
        # Blends of the second and the third clip bend inward, beyond the fourth one.
        return np.asarray(weights @ corners - 1.2 * weights[1] * weights[2])

    found = sample_space(corners, measure, extrapolation=0.0, accuracy=0.01, max_blends=400)
    assert found.mesh.find_nearest(np.array([0.48, 0.48])).distance > 0.0
    for request in found.mesh.draw_points(100, seed=1):
        assert np.abs(measure(found.mesh.interpolate(request)) - request).max() < 0.05
