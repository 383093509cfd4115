"""Random time alignments, and a slow independent answer to the exact fit."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import BSpline
from scipy.optimize import nnls

from motionloom.arrays import FloatArray
from motionloom.registration.timewarp import MIN_ADVANCE
from motionloom.registration.timewarp_spline import STRAIGHTENING


def staircase(rng: np.random.Generator, n_samples: int, slope_limit: int, n_clips: int = 2) -> FloatArray:
    """Frames (N, K) of a path with unit steps on which no clip waits ``slope_limit`` times in a row."""
    rows = [np.zeros(n_clips)]
    waits = np.zeros(n_clips)
    while len(rows) < n_samples:
        step = (rng.random(n_clips) < rng.choice([0.5, 1.0])).astype(np.float64)
        if not step.any() or (waits * (1 - step)).max() >= slope_limit - 1:
            step[:] = 1.0
        waits = np.where(step > 0, 0, waits + 1)
        rows.append(rows[-1] + step)
    return np.array(rows)


def objective(samples: FloatArray, control_points: FloatArray, smoothing: float = 0.0) -> float:
    """Squared error plus bending penalty of a curve with ends."""
    values = design(len(samples), len(control_points) - 2) @ control_points
    bends = np.diff(control_points, 2, axis=0)
    return float(((values - samples) ** 2).sum() + (STRAIGHTENING + smoothing) * (bends**2).sum())


def design(n_samples: int, n_pieces: int) -> FloatArray:
    """Values (N, D) of each control point's weight at each sample."""
    spacing = (n_samples - 1) / n_pieces
    knots = np.arange(-2.0, n_pieces + 3.0)
    positions = np.clip(np.arange(n_samples) / spacing, 0, n_pieces)
    return np.asarray(BSpline(knots, np.eye(n_pieces + 2), 2)(positions))


def exact_control_points(
    samples: FloatArray, n_pieces: int, min_rate: float, pinned: tuple[bool, bool], base: int
) -> FloatArray:
    """The minimiser over all clips' control points (D, K) at once, for one base, densely.

    Pins are removed by a basis of their null space; what remains is a least-distance problem, which
    Lawson and Hanson turn into non-negative least squares.
    """
    n_clips, n_points = samples.shape[1], n_pieces + 2
    values = design(len(samples), n_pieces)
    bends = np.diff(np.eye(n_points), 2, axis=0)
    hessian = np.kron(np.eye(n_clips), values.T @ values + STRAIGHTENING * bends.T @ bends)
    linear = (values.T @ samples).T.ravel()
    rows, limits = _inequalities(samples, n_pieces, min_rate, base)
    origin, free = _pins(samples, n_points, pinned)

    inner = np.linalg.cholesky(free.T @ hessian @ free)
    target = np.linalg.solve(inner, free.T @ (linear - hessian @ origin))
    turned = np.linalg.solve(inner, (rows @ free).T)
    system = np.vstack([turned, limits - rows @ origin - turned.T @ target])
    right = np.append(np.zeros(len(turned)), 1.0)
    residual = system @ nnls(system, right, maxiter=20000)[0] - right
    shift = -residual[:-1] / residual[-1]
    solution = origin + free @ np.linalg.solve(inner.T, shift + target)
    return np.asarray(solution.reshape(n_clips, n_points).T)


def _inequalities(
    samples: FloatArray, n_pieces: int, min_rate: float, base: int
) -> tuple[FloatArray, FloatArray]:
    n_clips = samples.shape[1]
    steps = np.diff(np.eye(n_pieces + 2), axis=0)
    floors = MIN_ADVANCE * (samples[-1] - samples[0]) / n_pieces
    rows, limits = [], []
    for k, clip in enumerate(np.eye(n_clips)):
        rows.append(np.kron(clip, steps))
        limits.append(np.full(len(steps), floors[k]))
        if k != base and min_rate > 0:
            other = np.eye(n_clips)[base]
            rows += [np.kron(clip - min_rate * other, steps), np.kron(other - min_rate * clip, steps)]
            limits += [np.zeros(len(steps))] * 2
    return np.concatenate(rows), np.concatenate(limits)


def _pins(samples: FloatArray, n_points: int, pinned: tuple[bool, bool]) -> tuple[FloatArray, FloatArray]:
    ends = np.zeros((2, n_points))
    ends[0, :2] = ends[1, -2:] = 0.5
    held = [i for i in (0, 1) if pinned[i]]
    rows = np.kron(np.eye(samples.shape[1]), ends[held])
    if not held:
        return np.zeros(rows.shape[1]), np.eye(rows.shape[1])
    origin = np.linalg.lstsq(rows, samples[[0, -1]][held].T.ravel(), rcond=None)[0]
    return origin, np.linalg.svd(rows)[2][len(rows) :].T
