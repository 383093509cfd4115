"""The distance of samples, and the bound that never exceeds it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import motionloom as ml
from motionloom.library.body_points import N_POINTS, WEIGHTS, mirror_points, sample_points
from motionloom.library.signatures import (
    Windows,
    bound_distances,
    count_samples,
    fit_basis,
    load_basis,
    make_windows,
    measure_distances,
    sign_windows,
)


def random_points(seed: int, n: int = 12) -> np.ndarray:
    """Return points of no body: steps at random about random places."""
    rng = np.random.default_rng(seed)
    start, steps = rng.normal(size=(1, N_POINTS, 3)), rng.normal(scale=0.05, size=(n, N_POINTS, 3))
    return np.asarray(start + np.cumsum(steps, axis=0), np.float32)


def slow_distance(a: np.ndarray, b: np.ndarray) -> float:
    """Try many rotations of one window (5, P, 3) against the other."""
    weights = np.tile(WEIGHTS, 5) / 5
    first, second = (points.reshape(-1, 3).astype(np.float64) for points in (a, b))
    first, second = (p - np.array([1, 0, 1]) * (weights @ p) for p in (first, second))
    best = np.inf
    for yaw in np.linspace(0.0, 2.0 * np.pi, 20001):
        moved = ml.GroundTransform(yaw).apply(second)
        best = min(best, float(weights @ np.sum((first - moved) ** 2, axis=1)))
    return float(np.sqrt(best))


def test_the_distance_is_that_of_the_best_rotation() -> None:
    a, b = random_points(0, 5), random_points(1, 5)
    found = measure_distances(make_windows(a, 30), make_windows(b, 30))
    assert found[0, 0] == pytest.approx(slow_distance(a, b), abs=1e-6)


def test_place_and_heading_do_not_matter() -> None:
    points = random_points(2)
    moved = ml.GroundTransform(1.0, 30.0, -20.0).apply(points.astype(np.float64))
    distances = measure_distances(make_windows(points, 30), make_windows(moved, 30))
    np.testing.assert_allclose(np.diag(distances), 0.0, atol=3e-5)


@given(st.integers(0, 10**6))
def test_the_bound_never_exceeds_the_distance(seed: int) -> None:
    a, b = make_windows(random_points(seed), 30), make_windows(random_points(seed + 1), 30)
    for other in (a, b):
        bounds = bound_distances(sign_windows(a), sign_windows(other))
        assert (bounds <= measure_distances(a, other) + 1e-9).all()


def test_any_orthonormal_basis_gives_a_bound() -> None:
    a, b = make_windows(random_points(3), 30), make_windows(random_points(4), 30)
    basis = fit_basis(b)
    bounds = bound_distances(sign_windows(a, basis), sign_windows(b, basis))
    distances = measure_distances(a, b)
    assert (bounds <= distances).all()
    assert (bounds > 0.5 * distances).all()


def test_the_load_basis_is_orthonormal() -> None:
    basis = load_basis()
    np.testing.assert_allclose(basis.ground.conj().T @ basis.ground, np.eye(8), atol=1e-9)
    np.testing.assert_allclose(basis.heights.T @ basis.heights, np.eye(8), atol=1e-9)


@pytest.mark.corpus
def test_bounds_of_captured_motion_are_tight(mocap) -> None:  # type: ignore[no-untyped-def]
    clips = [ml.load(path) for path in sorted(mocap.glob("locomotion/**/*.bvh"))[:6]]
    points = [sample_points(clip) for clip in clips]
    windows = [make_windows(each, 10) for each in (*points, mirror_points(points[0]))]
    merged = Windows(
        np.concatenate([each.ground for each in windows], axis=2),
        np.concatenate([each.heights for each in windows], axis=1),
    )
    distances, bounds = measure_distances(merged, merged), bound_distances(*[sign_windows(merged)] * 2)
    assert (bounds <= distances + 1e-9).all()
    far = distances > 0.02
    assert np.median(bounds[far] / distances[far]) > 0.9


def test_samples_are_counted() -> None:
    assert [count_samples(n, 30) for n in (0, 4, 5, 10)] == [0, 0, 1, 6]
    assert [count_samples(n, 10) for n in (4, 5, 7, 8)] == [0, 1, 1, 2]
