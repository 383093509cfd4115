"""`SimplexMesh`: measured blends as the vertices of simplices, between which weights are interpolated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray
from motionloom.errors import ParameterError

INSIDE = -1e-9
"""Barycentric coordinate from which a point counts as inside a simplex."""

MIN_FLATNESS = 0.02
"""Volume of a simplex, as a fraction of that of a regular one with its longest edge, below which it is left
out at the border: across such a sliver the weights would change over a very short distance."""

MIN_SPREAD = 0.02
"""Smallest singular value of points, as a fraction of the largest, below which they lie in a flat."""


MIN_HALF = 0.02
"""Volume that splitting an edge leaves of a simplex on either side, as a fraction of the whole, at least:
below 0 the simplex folds over its neighbour, and a request there has two answers."""

MAX_DIMENSIONS = 8
"""Numbers of a request at most: simplices, and the faces of their border, grow exponentially with them."""


class NearestPoint(NamedTuple):
    """The point of a mesh that is nearest to a request.

    Attributes
    ----------
    point
        (d,) the request itself where it lies in the mesh.
    vertices, coordinates
        (n,) the vertices of the face that holds it, and its barycentric coordinates there.
    distance
        From the request; 0 inside.
    """

    point: FloatArray
    vertices: IntArray
    coordinates: FloatArray
    distance: float


@dataclass(frozen=True, eq=False)
class SimplexMesh:
    """Blends of K clips as points in the space of d parameters, and the simplices between them.

    Attributes
    ----------
    points
        (V, d) measured parameters of each blend, in units of the clips' ranges.
    weights
        (V, K) the weights of each blend.
    simplices
        (M, d + 1) vertices of the simplices: segments, triangles, tetrahedra.

    >>> mesh = triangulate(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.eye(3))
    >>> mesh.interpolate(np.array([0.25, 0.5])).round(9).tolist(), mesh.volume
    ([0.25, 0.25, 0.5], 0.5)
    """

    points: FloatArray
    weights: FloatArray
    simplices: IntArray

    def interpolate(self, request: FloatArray) -> FloatArray:
        """Return the weights (K,) of a request (d,), or of the nearest point of the mesh."""
        nearest = self.find_nearest(request)
        return np.asarray(nearest.coordinates @ self.weights[nearest.vertices])

    def find_nearest(self, request: FloatArray) -> NearestPoint:
        """Return the point of the mesh that is nearest to a request (d,)."""
        coordinates = self._maps @ np.append(request, 1.0)
        best = int(coordinates.min(axis=1).argmax())
        if coordinates[best].min() >= INSIDE:
            inside = np.maximum(coordinates[best], 0.0)
            return NearestPoint(request, self.simplices[best], inside / inside.sum(), 0.0)
        faces = zip(self._border, self._projections, strict=True)
        found = [self._project(own, projections, request) for own, projections in faces]
        return min(found, key=lambda nearest: nearest.distance)

    def draw_points(self, n: int, seed: int) -> FloatArray:
        """Draw points (n, d) at random, evenly over the volume."""
        random = np.random.default_rng(seed)
        volumes = _volumes(self.points, self.simplices)
        chosen = random.choice(len(volumes), size=n, p=volumes / volumes.sum())
        coordinates = random.dirichlet(np.ones(self.simplices.shape[1]), size=n)
        return np.asarray(np.einsum("ni,nid->nd", coordinates, self.points[self.simplices[chosen]]))

    @cached_property
    def volume(self) -> float:
        """Volume of all simplices, in units of the clips' ranges."""
        return float(_volumes(self.points, self.simplices).sum())

    @cached_property
    def max_slope(self) -> float:
        """Largest change of a weight per unit of the request: interpolated weights never change faster."""
        gradients = np.einsum("mik,mid->mkd", self.weights[self.simplices], self._maps[:, :, :-1])
        return float(np.linalg.norm(gradients, axis=-1).max())

    def edges(self) -> list[tuple[int, int]]:
        """Return the edges of all simplices, each once."""
        columns = combinations(range(self.simplices.shape[1]), 2)
        ends = np.concatenate([np.sort(self.simplices[:, pair], axis=1) for pair in columns])
        return [(int(a), int(b)) for a, b in np.unique(ends, axis=0)]

    def split(self, edge: tuple[int, int], point: FloatArray, weights: FloatArray) -> SimplexMesh:
        """Return the mesh with a new vertex (its d parameters, its K weights) in the middle of an edge.

        Every simplex with this edge becomes two. The vertex need not lie on the straight edge: the measured
        parameters of a blend seldom do.
        """
        has_edge = self._has_edge(edge)
        halves = _halve(self.simplices[has_edge], edge, len(self.points))
        simplices = np.concatenate([self.simplices[~has_edge], *halves])
        return SimplexMesh(np.vstack([self.points, point]), np.vstack([self.weights, weights]), simplices)

    def is_folded_by(self, edge: tuple[int, int], point: FloatArray) -> bool:
        """Return whether the mesh would cover something twice with an edge split at a point (d,).

        A half that turns over lies on its neighbour. So does one whose new vertex, at the border, comes to
        lie in a simplex elsewhere.
        """
        has_edge = self._has_edge(edge)
        old = self.simplices[has_edge]
        points = np.vstack([self.points, point])
        whole = _signed_volumes(points, old)
        for half in _halve(old, edge, len(self.points)):
            if (_signed_volumes(points, half) * np.sign(whole) < MIN_HALF * np.abs(whole)).any():
                return True
        elsewhere = self._maps[~has_edge] @ np.append(point, 1.0)
        return bool((elsewhere.min(axis=1) > -INSIDE).any())

    def find_outer_simplices(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return the simplices that can be taken away, with their facet at the border.

        One facet of theirs is at the border, and each of their vertices belongs to others too.
        """
        return _find_outer(self.points, self.simplices)

    def _has_edge(self, edge: tuple[int, int]) -> BoolArray:
        """Return which simplices (M,) have an edge."""
        a, b = edge
        return np.asarray((self.simplices == a).any(axis=1) & (self.simplices == b).any(axis=1))

    @cached_property
    def _maps(self) -> FloatArray:
        """Matrices (M, d + 1, d + 1) from a point and 1 to barycentric coordinates."""
        return _invert_simplices(self.points[self.simplices])

    @cached_property
    def _border(self) -> list[IntArray]:
        """Faces of the border by number of vertices: corners (N, 1), edges (N, 2), up to facets (N, d)."""
        d = self.points.shape[1]
        facets = _find_border(self.simplices)
        return [
            np.unique(
                np.concatenate([facets[:, list(columns)] for columns in combinations(range(d), size)]), axis=0
            )
            for size in range(1, d + 1)
        ]

    @cached_property
    def _projections(self) -> list[FloatArray]:
        """For the faces of the border, matrices (N, n - 1, d) from an offset to coordinates in the face."""
        corners = [self.points[faces] for faces in self._border]
        spans = [np.swapaxes(each[:, 1:] - each[:, :1], 1, 2) for each in corners]
        return [np.asarray(np.linalg.pinv(own), dtype=np.float64) for own in spans]

    def _project(self, faces: IntArray, projections: FloatArray, request: FloatArray) -> NearestPoint:
        """Return the nearest of the points in which a request is projected onto faces (N, n)."""
        corners = self.points[faces]
        inner = np.einsum("nid,nd->ni", projections, request - corners[:, 0])
        coordinates = np.concatenate([1.0 - inner.sum(axis=1, keepdims=True), inner], axis=1)
        feet = np.einsum("ni,nid->nd", coordinates, corners)
        distances = np.linalg.norm(feet - request, axis=1)
        # A foot outside its face is no point of the mesh; the faces below hold the nearest one then.
        distances[coordinates.min(axis=1) < INSIDE] = np.inf
        best = int(distances.argmin())
        return NearestPoint(feet[best], faces[best], coordinates[best], float(distances[best]))


def triangulate(points: FloatArray, weights: FloatArray) -> SimplexMesh:
    """Make a mesh of blends with measured parameters (V, d) and weights (V, K).

    Simplices whose blends are all blends of fewer are left out: no weights reach the parameters in them. So
    are slivers at the border.
    """
    d = points.shape[1]
    check_spread(points)
    if d == 1:
        order = np.argsort(points[:, 0], kind="stable")
        simplices = np.stack([order[:-1], order[1:]], axis=1)
    else:
        from scipy.spatial import Delaunay

        simplices = np.asarray(Delaunay(points).simplices, dtype=np.int64)
    spans = weights[simplices[:, 1:]] - weights[simplices[:, :1]]
    independent = np.linalg.matrix_rank(spans, tol=1e-9) == d
    return SimplexMesh(points, weights, _drop_slivers(points, simplices[independent]))


def check_spread(points: FloatArray) -> None:
    """Refuse points (V, d) that are too few, or lie on a line or in a plane."""
    n, d = points.shape
    if d > MAX_DIMENSIONS:
        raise ParameterError(
            f"a motion space can have {MAX_DIMENSIONS} numbers at most, not {d}",
            remedy="ask for fewer parameters",
        )
    if n <= d:
        raise ParameterError(
            f"{d} parameters need at least {d + 1} clips that differ in them, but there are {n}",
            remedy="add clips, or ask for fewer parameters",
        )
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    if spread[-1] < MIN_SPREAD * spread[0]:
        where = "on a line" if d == 2 else "in a plane or on a line"
        raise ParameterError(
            f"the parameters of the clips lie {where}, so that they cannot be chosen one by one",
            remedy="leave one out, or add a clip that lies elsewhere",
        )


def _volumes(points: FloatArray, simplices: IntArray) -> FloatArray:
    """Return the volumes (M,) of simplices."""
    return np.asarray(np.abs(_signed_volumes(points, simplices)))


def _signed_volumes(points: FloatArray, simplices: IntArray) -> FloatArray:
    """Return the volumes (M,) of simplices; one that is turned over has the other sign."""
    corners = points[simplices]
    d = points.shape[1]
    return np.asarray(np.linalg.det(corners[:, 1:] - corners[:, :1]) / np.prod(np.arange(1, d + 1)))


def _halve(simplices: IntArray, edge: tuple[int, int], vertex: int) -> list[IntArray]:
    """Return both halves of simplices (N, d + 1) whose edge is split at a vertex."""
    return [np.where(simplices == end, vertex, simplices) for end in edge]


def _invert_simplices(corners: FloatArray) -> FloatArray:
    """Return the matrices (M, d + 1, d + 1) that give barycentric coordinates in simplices (M, d + 1, d)."""
    columns = np.concatenate([corners, np.ones((*corners.shape[:2], 1))], axis=-1)
    return np.asarray(np.linalg.pinv(np.swapaxes(columns, 1, 2)))


def _find_border(simplices: IntArray) -> IntArray:
    """Return the facets (N, d) that belong to one simplex only."""
    d = simplices.shape[1] - 1
    facets = np.concatenate([np.delete(simplices, column, axis=1) for column in range(d + 1)])
    found, counts = np.unique(np.sort(facets, axis=1), axis=0, return_counts=True)
    return np.asarray(found[counts == 1])


def _find_outer(points: FloatArray, simplices: IntArray) -> list[tuple[int, tuple[int, ...]]]:
    """Return the simplices with one facet at the border whose vertices all belong to others too."""
    border = {tuple(facet) for facet in _find_border(simplices).tolist()}
    counts = np.bincount(simplices.ravel(), minlength=len(points))
    found: list[tuple[int, tuple[int, ...]]] = []
    for n, simplex in enumerate(np.sort(simplices, axis=1).tolist()):
        outer = [facet for facet in combinations(simplex, points.shape[1]) if facet in border]
        if len(outer) == 1 and (counts[simplex] > 1).all():
            found.append((n, outer[0]))
    return found


def _drop_slivers(points: FloatArray, simplices: IntArray) -> IntArray:
    """Return simplices without flat ones at the border; no point is lost."""
    d = points.shape[1]
    regular = np.sqrt((d + 1) / 2.0**d) / np.prod(np.arange(1, d + 1))
    while d > 1 and len(simplices) > 1:
        corners = points[simplices]
        max_lengths = max_edges(corners)
        flat = _volumes(points, simplices) < MIN_FLATNESS * regular * max_lengths**d
        thin = [n for n, _ in _find_outer(points, simplices) if flat[n]]
        if not thin:
            break
        simplices = np.delete(simplices, thin[0], axis=0)
    return simplices


def max_edges(corners: FloatArray) -> FloatArray:
    """Return the length (M,) of the longest edge of simplices (M, d + 1, d)."""
    apart = corners[:, :, None] - corners[:, None]
    return np.asarray(np.linalg.norm(apart, axis=-1).max(axis=(1, 2)))
