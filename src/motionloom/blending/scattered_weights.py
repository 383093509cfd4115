"""Convex weights of scattered points in a plane that reproduce any point among them."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, check_array
from motionloom.errors import ParameterError

SAME_POINT = 1e-3
"""Distance below which points are one point and divide its weight: a thousandth of the relevant range."""

MAX_LINE_WIDTH = 0.1
"""Distance from a line within which points count as lying on it: a tenth of the relevant range. Across such a
thin strip a triangle would exchange all its weights over a very short distance."""

MIN_LINE_GAP = 0.02
"""Minimum distance between points along a line."""

INSIDE = -1e-9
"""Barycentric weight from which a point counts as inside a triangle."""


class ScatteredWeights:
    """Weights (M,) of points (M, 2): convex, continuous, 1 at each point itself, clamped at their hull.

    Points along a line are interpolated along it, all others in a triangulation. A request outside the hull
    gets the weights of the closest point of the hull.

    Parameters
    ----------
    points
        (M, 2), in units of the relevant range in each direction, so that distances are comparable.
    min_height
        Triangles at the border that are lower than this over their outer edge are left out: across one, two
        far corners would take all the weight of a near third over a very short distance. Points in them get
        the weights of the closest point of the border that is left.

    >>> corners = ScatteredWeights([[0, 0], [1, 0], [0, 1]])
    >>> corners([0.25, 0.5]).round(9).tolist(), corners([-3, 0.5]).round(9).tolist()
    ([0.25, 0.25, 0.5], [0.5, 0.0, 0.5])
    """

    def __init__(self, points: npt.ArrayLike, min_height: float = 0.0) -> None:
        self._min_height = min_height
        given = check_array("points", points, ("M", 2))
        if not len(given):
            raise ParameterError("there are no points to weight")
        # Points at the same place divide its weight equally.
        near = np.linalg.norm(given[:, None] - given[None], axis=-1) <= SAME_POINT
        first = near.argmax(axis=1)
        distinct, self._index = np.unique(first, return_inverse=True)
        self._fractions = 1.0 / np.bincount(self._index)[self._index]
        self._points = given[distinct]

    def __call__(self, point: npt.ArrayLike) -> FloatArray:
        """Return the weights (M,) of a point (2,)."""
        goal = np.asarray(point, dtype=np.float64)
        if len(self._points) == 1:
            weights = np.ones(1)
        elif self._line is not None:
            weights = self._interpolate_line(goal)
        else:
            weights = self._interpolate_triangles(goal)
        return np.asarray(weights[self._index] * self._fractions)

    @cached_property
    def _line(self) -> tuple[FloatArray, FloatArray, IntArray] | None:
        """Direction (2,), sorted coordinates along it and their order; None if points are not on a line."""
        centred = self._points - self._points.mean(axis=0)
        across, along = np.linalg.svd(centred)[2][::-1]
        coordinates = self._points @ along
        order = np.argsort(coordinates)
        width, gap = np.abs(centred @ across).max(), np.diff(coordinates[order]).min()
        # Distinct points without any width are distinct along the line.
        straight = width <= SAME_POINT / 4 or (width <= MAX_LINE_WIDTH and gap >= MIN_LINE_GAP)
        return (along, coordinates[order], order) if straight else None

    def _interpolate_line(self, goal: FloatArray) -> FloatArray:
        assert self._line is not None
        along, coordinates, order = self._line
        at = float(np.clip(goal @ along, coordinates[0], coordinates[-1]))
        after = int(np.clip(np.searchsorted(coordinates, at), 1, len(coordinates) - 1))
        fraction = (at - coordinates[after - 1]) / (coordinates[after] - coordinates[after - 1])
        weights = np.zeros(len(coordinates))
        weights[order[after - 1]], weights[order[after]] = 1.0 - fraction, fraction
        return weights

    @cached_property
    def _triangles(self) -> tuple[IntArray, FloatArray, IntArray]:
        """Corners (N, 3), inverse maps (N, 3, 3) to barycentric weights, and edges (E, 2) of the hull."""
        from scipy.spatial import Delaunay

        corners = np.asarray(Delaunay(self._points).simplices, dtype=np.int64)
        corners, edges = self._drop_flat(corners)
        columns = np.concatenate([self._points[corners], np.ones((*corners.shape, 1))], axis=-1)
        maps = np.linalg.inv(np.swapaxes(columns, 1, 2))
        return corners, maps, edges

    def _drop_flat(self, corners: IntArray) -> tuple[IntArray, IntArray]:
        """Return the triangles without flat ones at the border, and the edges (E, 2) of what is left."""
        while True:
            edges = np.sort(corners[:, [[1, 2], [0, 2], [0, 1]]], axis=-1)
            _, which, counts = np.unique(
                edges.reshape(-1, 2), axis=0, return_inverse=True, return_counts=True
            )
            outer = (counts[which] == 1).reshape(-1, 3)
            spans = self._points[edges[..., 1]] - self._points[edges[..., 0]]
            sides = self._points[corners[:, 1:]] - self._points[corners[:, :1]]
            areas = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
            heights = areas[:, None] / np.linalg.norm(spans, axis=-1)
            # A triangle with two outer edges holds a corner of the hull, which would be lost.
            flat = (heights < self._min_height) & outer & (outer.sum(axis=1, keepdims=True) == 1)
            if not flat.any():
                return corners, edges[outer]
            lowest = int(np.where(flat, heights, np.inf).min(axis=1).argmin())
            corners = np.delete(corners, lowest, axis=0)

    def _interpolate_triangles(self, goal: FloatArray) -> FloatArray:
        corners, maps, edges = self._triangles
        barycentric = maps @ np.append(goal, 1.0)
        best = int(barycentric.min(axis=1).argmax())
        weights = np.zeros(len(self._points))
        if barycentric[best].min() >= INSIDE:
            inside = np.maximum(barycentric[best], 0.0)
            weights[corners[best]] = inside / inside.sum()
            return weights
        starts, ends = self._points[edges[:, 0]], self._points[edges[:, 1]]
        spans = ends - starts
        fraction = np.clip(((goal - starts) * spans).sum(axis=1) / (spans**2).sum(axis=1), 0.0, 1.0)
        nearest = int(np.linalg.norm(starts + fraction[:, None] * spans - goal, axis=1).argmin())
        start, end = edges[nearest]
        weights[start], weights[end] = 1.0 - fraction[nearest], fraction[nearest]
        return weights
