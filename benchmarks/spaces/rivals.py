"""Other ways to choose the weights of a request, from the literature."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import RBFInterpolator

from motionloom.arrays import FloatArray
from motionloom.spaces.simplex_mesh import triangulate
from motionloom.spaces.space import MotionSpace

LIMIT = 0.15
"""How far sampled weights may lie outside 0 to 1 (Kovar and Gleicher 2004 allow as much)."""

SAMPLES_PER_CLIP = 10

NEIGHBOURS = 10

Chooser = Callable[[FloatArray], FloatArray]
"""A request (d,) in units of the clips' ranges -> weights (K,)."""


def normalize(space: MotionSpace, values: FloatArray) -> FloatArray:
    """Return parameters in units of the clips' ranges."""
    low = space.examples.min(axis=0)
    return np.asarray((values - low) / np.ptp(space.examples, axis=0))


def nearest_neighbours(space: MotionSpace) -> Chooser:
    """Choose weights as in Kovar and Gleicher 2004: a mean of the nearest of randomly sampled blends."""
    random = np.random.default_rng(0)
    points = normalize(space, space.examples)
    n_clips, d = points.shape
    rows = [*np.eye(n_clips)]
    for _ in range(SAMPLES_PER_CLIP * n_clips):
        place = random.uniform(-LIMIT, 1.0 + LIMIT, d)
        chosen = np.argsort(np.linalg.norm(points - place, axis=1))[: d + 1]
        row = np.zeros(n_clips)
        row[chosen] = _draw_weights(random, len(chosen))
        rows.append(row)
    weights = np.array(rows)
    measured = normalize(space, np.array([space.blends.measure(row) for row in weights]))
    count = min(NEIGHBOURS, len(weights))

    def choose(request: FloatArray) -> FloatArray:
        distances = np.linalg.norm(measured - request, axis=1)
        order = np.argsort(distances)[:count]
        near = np.maximum(distances[order], 1e-9)
        shares = 1.0 / near - 1.0 / near[-1]
        return np.asarray(shares @ weights[order] / shares.sum())

    return choose


def _draw_weights(random: np.random.Generator, n: int) -> FloatArray:
    """Draw weights (n,) of sum 1 within the limit."""
    while True:
        drawn = random.uniform(-LIMIT, 1.0 + LIMIT, n)
        drawn[-1] = 1.0 - drawn[:-1].sum()
        if -LIMIT <= drawn[-1] <= 1.0 + LIMIT:
            return drawn


def radial_basis(space: MotionSpace) -> Chooser:
    """Choose weights as in Rose and others 1998: a linear fit plus radial basis functions at the clips."""
    points = normalize(space, space.examples)
    fit = RBFInterpolator(points, np.eye(len(points)), kernel="linear", degree=1)
    return lambda request: np.asarray(fit(request[None])[0])


def barycentric(space: MotionSpace) -> Chooser:
    """Choose barycentric weights between the clips, as if parameters were linear in the weights."""
    points = normalize(space, space.examples)
    used = [k for k in range(len(points)) if k not in space.left_out]
    mesh = triangulate(points[used], np.eye(len(points))[used])
    return mesh.interpolate


def nearest_clip(space: MotionSpace) -> Chooser:
    """Choose the clip that is nearest to the request."""
    points = normalize(space, space.examples)
    return lambda request: np.eye(len(points))[np.linalg.norm(points - request, axis=1).argmin()]


RIVALS: dict[str, Callable[[MotionSpace], Chooser]] = {
    "k-nearest blends": nearest_neighbours,
    "radial basis": radial_basis,
    "barycentric": barycentric,
    "nearest clip": nearest_clip,
}


def list_ways(space: MotionSpace) -> dict[str, Chooser]:
    """Return ours and all other ways to choose weights."""
    ranges, low = np.ptp(space.examples, axis=0), space.examples.min(axis=0)
    return {"ours": lambda request: space.weights(low + request * ranges)} | {
        name: make(space) for name, make in RIVALS.items()
    }
