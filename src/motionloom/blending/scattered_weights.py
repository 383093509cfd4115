"""Convex weights of scattered points of a plane that add up to any point among them."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, check_array
from motionloom.errors import ParameterError

SAME = 1e-3
"""Distance below which points are one point and share its weight: a thousandth of the range that matters."""

FLAT = 0.1
"""Distance from a line within which points are taken to lie on it: a tenth of the range that matters. Across
such a strip a triangle would exchange all its weights over next to nothing."""

LEAST_GAP = 0.02
"""How far apart the points of a line must lie along it."""

INSIDE = -1e-9
"""Barycentric weight from which a point counts as inside a triangle."""


class ScatteredWeights:
    """Weights (M,) of points (M, 2): convex, continuous, 1 at each point itself, clamped at their hull.

    Points that lie along a line are weighted along it, all others in the triangles between them. What lies
    outside has the weights of the nearest point of the hull.

    Parameters
    ----------
    points
        (M, 2), in units of the range that matters in each direction, so that distances compare.

    >>> corners = ScatteredWeights([[0, 0], [1, 0], [0, 1]])
    >>> corners([0.25, 0.5]).round(9).tolist(), corners([-3, 0.5]).round(9).tolist()
    ([0.25, 0.25, 0.5], [0.5, 0.0, 0.5])
    """

    def __init__(self, points: npt.ArrayLike) -> None:
        given = check_array("points", points, ("M", 2))
        if not len(given):
            raise ParameterError("there are no points to weight")
        # Points in one place share what that place gets.
        near = np.linalg.norm(given[:, None] - given[None], axis=-1) <= SAME
        first = near.argmax(axis=1)
        self._owners, self._place = np.unique(first, return_inverse=True)
        self._shares = 1.0 / np.bincount(self._place)[self._place]
        self._points = given[self._owners]

    def __call__(self, point: npt.ArrayLike) -> FloatArray:
        """Weights (M,) of the point (2,)."""
        goal = np.asarray(point, dtype=np.float64)
        if len(self._points) == 1:
            weights = np.ones(1)
        elif self._line is not None:
            weights = self._along_line(goal)
        else:
            weights = self._in_triangles(goal)
        return np.asarray(weights[self._place] * self._shares)

    @cached_property
    def _line(self) -> tuple[FloatArray, FloatArray, IntArray] | None:
        """Direction (2,), and the points' places along it in order; None when they do not lie on a line."""
        centred = self._points - self._points.mean(axis=0)
        across, along = np.linalg.svd(centred)[2][::-1]
        places = self._points @ along
        order = np.argsort(places)
        width, gap = np.abs(centred @ across).max(), np.diff(places[order]).min()
        # Points that are not the same but have no width lie apart along the line.
        straight = width <= SAME / 4 or (width <= FLAT and gap >= LEAST_GAP)
        return (along, places[order], order) if straight else None

    def _along_line(self, goal: FloatArray) -> FloatArray:
        assert self._line is not None
        along, places, order = self._line
        place = float(np.clip(goal @ along, places[0], places[-1]))
        after = int(np.clip(np.searchsorted(places, place), 1, len(places) - 1))
        share = (place - places[after - 1]) / (places[after] - places[after - 1])
        weights = np.zeros(len(places))
        weights[order[after - 1]], weights[order[after]] = 1.0 - share, share
        return weights

    @cached_property
    def _triangles(self) -> tuple[IntArray, FloatArray, IntArray]:
        """Corners (N, 3), inverse maps (N, 3, 3) to barycentric weights, and edges (E, 2) of the hull."""
        from scipy.spatial import Delaunay

        mesh = Delaunay(self._points)
        corners = np.asarray(mesh.simplices, dtype=np.int64)
        columns = np.concatenate([self._points[corners], np.ones((*corners.shape, 1))], axis=-1)
        maps = np.linalg.inv(np.swapaxes(columns, 1, 2))
        return corners, maps, np.asarray(mesh.convex_hull, dtype=np.int64)

    def _in_triangles(self, goal: FloatArray) -> FloatArray:
        corners, maps, edges = self._triangles
        shares = maps @ np.append(goal, 1.0)
        best = int(shares.min(axis=1).argmax())
        weights = np.zeros(len(self._points))
        if shares[best].min() >= INSIDE:
            inside = np.maximum(shares[best], 0.0)
            weights[corners[best]] = inside / inside.sum()
            return weights
        starts, ends = self._points[edges[:, 0]], self._points[edges[:, 1]]
        ways = ends - starts
        share = np.clip(((goal - starts) * ways).sum(axis=1) / (ways**2).sum(axis=1), 0.0, 1.0)
        nearest = int(np.linalg.norm(starts + share[:, None] * ways - goal, axis=1).argmin())
        start, end = edges[nearest]
        weights[start], weights[end] = 1.0 - share[nearest], share[nearest]
        return weights
