"""The interpolant: a curve drawn through the framespace, and the weights of the clips along it.

x runs along the time axis from 0 to 1; v, and in a box w, are the coordinates between the clips.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, final, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.messages import Argument
from motionloom.validation import check_choice

Shape = Literal["rectangle", "line", "box"]

N_CORNERS = 4
"""Clips of a box: at (0, 0), (1, 0), (0, 1) and (1, 1)."""

DEGREE = 3
"""Degree of the B-spline; lower where it has fewer vertices."""

TABLE_SIZE = 256
"""Points of the curve per vertex, among which the search for an x begins."""

MAX_STEPS, TOLERANCE = 20, 1e-14
"""Steps of that search, and the distance from the wanted x at which it ends."""

NEEDED = "an interpolant needs vertices (x, v), or (x, v, w) in a box, each number from 0 to 1"


class Interpolant(ABC):
    """A curve through a framespace. Subclasses are final and implement ``__call__``.

    >>> PolylineInterpolant([(0, 0.0), (1, 0.5)])([0.0, 0.5]).tolist()
    [[0.0], [0.25]]
    """

    @abstractmethod
    def __call__(self, x: npt.ArrayLike) -> FloatArray:
        """Return coordinates (S, D), v or v and w, at x (S,) along the time axis, 0 to 1."""

    @property
    def is_clipped(self) -> bool:
        """Whether vertices lay outside the space and were moved to its border."""
        return False


@final
@dataclass(frozen=True, eq=False)
class SplineInterpolant(Interpolant):
    """A B-spline, cubic with four vertices or more, that begins at its first vertex and ends at its last.

    It stays within the hull of its vertices, which are moved to the border where they lie outside, so the
    curve never leaves the framespace. Before the first vertex and after the last it is constant.

    Attributes
    ----------
    vertices
        (N, 1 + D) rows of x and the coordinates.

    >>> SplineInterpolant([(0, 0.0), (1, 1.0)])([0.0, 0.25, 1.0]).ravel().tolist()
    [0.0, 0.25, 1.0]
    """

    vertices: npt.ArrayLike
    _vertices: _Vertices = field(init=False, repr=False)
    _table: FloatArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        inside = _Vertices.of(self.vertices)
        object.__setattr__(self, "_vertices", inside)
        table = np.linspace(0.0, 1.0, TABLE_SIZE * len(inside.x))
        object.__setattr__(self, "_table", np.stack([table, self._follow(table, inside.x[:, None])[0][:, 0]]))

    @property
    def is_clipped(self) -> bool:
        """Whether vertices lay outside the space and were moved to its border."""
        return self._vertices.clipped

    def __call__(self, x: npt.ArrayLike) -> FloatArray:
        """Return coordinates (S, D) at x (S,)."""
        vertices = self._vertices
        wanted = np.clip(np.asarray(x, dtype=np.float64), vertices.x[0], vertices.x[-1])
        return self._follow(self._find_parameters(wanted), vertices.values)[0]

    def _follow(self, parameters: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the spline of values (N, D) at parameters (S,), 0 to 1, and its derivative, both (S, D)."""
        n_vertices = len(self._vertices.x)
        basis = bspline_basis(parameters, n_vertices, min(DEGREE, n_vertices - 1))
        near = values[basis.vertices]
        point, slope = (np.einsum("sk,skd->sd", weights, near) for weights in (basis.weights, basis.slopes))
        return point, slope

    def _find_parameters(self, wanted: FloatArray) -> FloatArray:
        """Find the parameters at which the spline passes x (S,): Newton steps within one step of a table."""
        x, (table, passed) = self._vertices.x, self._table
        after = np.clip(np.searchsorted(passed, wanted, side="left"), 1, len(table) - 1)
        low, high = table[after - 1], table[after]
        found = np.clip(np.interp(wanted, passed, table), low, high)
        for _ in range(MAX_STEPS):
            (passes,), (rate,) = (column.T for column in self._follow(found, x[:, None]))
            error = passes - wanted
            if np.abs(error).max(initial=0.0) < TOLERANCE:
                break
            found = np.clip(found - error / np.where(rate > 0.0, rate, 1.0), low, high)
        return np.asarray(found)


@final
@dataclass(frozen=True, eq=False)
class PolylineInterpolant(Interpolant):
    """Straight lines from vertex to vertex; constant before the first and after the last.

    Attributes
    ----------
    vertices
        (N, 1 + D) rows of x and the coordinates.
    """

    vertices: npt.ArrayLike
    _vertices: _Vertices = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_vertices", _Vertices.of(self.vertices))

    @property
    def is_clipped(self) -> bool:
        """Whether vertices lay outside the space and were moved to its border."""
        return self._vertices.clipped

    def __call__(self, x: npt.ArrayLike) -> FloatArray:
        """Return coordinates (S, D) at x (S,)."""
        vertices, given = self._vertices, np.asarray(x, dtype=np.float64)
        return np.stack([np.interp(given, vertices.x, column) for column in vertices.values.T], axis=-1)


@final
@dataclass(frozen=True, eq=False)
class FunctionInterpolant(Interpolant):
    """A function of x, 0 to 1, that returns v, or v and w.

    >>> FunctionInterpolant(lambda x: x * x)([0.5]).tolist()
    [[0.25]]
    """

    function: Callable[[float], npt.ArrayLike]

    def __call__(self, x: npt.ArrayLike) -> FloatArray:
        """Return coordinates (S, D) at x (S,), with one call of the function for each."""
        rows = [np.atleast_1d(self.function(float(place))) for place in np.asarray(x, dtype=np.float64)]
        return check_array("coordinates that the interpolant returned", rows, (len(rows), "D"))


InterpolantLike = Interpolant | Callable[[float], npt.ArrayLike] | Sequence[Sequence[float]] | npt.ArrayLike
"""What callers may give: an interpolant, a function of x, or vertices of a B-spline; a number is constant."""


def as_interpolant(given: InterpolantLike) -> Interpolant:
    """Convert whatever a caller may give as interpolant.

    >>> as_interpolant(0.3)([0.0, 1.0]).tolist()
    [[0.3], [0.3]]
    """
    if isinstance(given, Interpolant):
        return given
    if callable(given):
        return FunctionInterpolant(given)
    vertices: Any = [(0.0, given)] if np.ndim(given) == 0 else given
    return SplineInterpolant(vertices)


class SplineBasis(NamedTuple):
    """The vertices (S, K) that count at parameters of a B-spline, their weights (S, K) and derivatives."""

    vertices: npt.NDArray[np.intp]
    weights: FloatArray
    slopes: FloatArray


def bspline_basis(parameters: FloatArray, n_vertices: int, degree: int) -> SplineBasis:
    """Return the ``degree + 1`` vertices of an open uniform B-spline that count at parameters (S,), 0 to 1.

    Weights of rising order are made from those of the order before (Cox and de Boor), for these vertices
    alone, so that memory does not grow with the number of all.

    >>> basis = bspline_basis(np.array([0.0, 0.5, 1.0]), 3, 2)
    >>> basis.weights.tolist()
    [[1.0, 0.0, 0.0], [0.25, 0.5, 0.25], [0.0, 0.0, 1.0]]
    """
    inner = np.linspace(0.0, 1.0, n_vertices - degree + 1)
    knots = np.concatenate([np.zeros(degree), inner, np.ones(degree)])
    piece = np.clip(np.searchsorted(inner, parameters, side="right") - 1, 0, n_vertices - degree - 1) + degree
    weights, slopes = np.ones((len(parameters), 1)), np.zeros((len(parameters), 1))
    for order in range(1, degree + 1):
        # Of the knots around a parameter, weight k of the order before spans from the first to the second.
        steps = np.arange(order)
        first, second = knots[piece[:, None] - order + 1 + steps], knots[piece[:, None] + 1 + steps]
        scaled = weights / (second - first)
        rising, falling = (parameters[:, None] - first) * scaled, (second - parameters[:, None]) * scaled
        edge = np.zeros((len(parameters), 1))
        weights = np.hstack([falling, edge]) + np.hstack([edge, rising])
        slopes = order * (np.hstack([edge, scaled]) - np.hstack([scaled, edge]))
    return SplineBasis(piece[:, None] - degree + np.arange(degree + 1), weights, slopes)


def choose_shape(n_clips: int, shape: Shape | None = None) -> Shape:
    """Return the shape of a framespace: two clips span a rectangle, four a box, others stand on a line.

    >>> choose_shape(2), choose_shape(3), choose_shape(4), choose_shape(4, "line")
    ('rectangle', 'line', 'box', 'line')
    """
    if n_clips < 2:
        raise ParameterError(f"a framespace takes two clips or more, not {n_clips}")
    if shape is None:
        return "rectangle" if n_clips == 2 else "box" if n_clips == N_CORNERS else "line"
    shape = check_choice("shape", shape, get_args(Shape))
    if shape == "box" and n_clips != N_CORNERS:
        raise ParameterError(f"a box takes four clips, one at each corner, not {n_clips}")
    if shape == "rectangle" and n_clips != 2:
        raise ParameterError(
            f"a rectangle takes two clips, not {n_clips}", remedy=("use ", Argument("shape", "line"))
        )
    return shape


def count_coordinates(shape: Shape) -> int:
    """Return the number of coordinates of a point: v, and in a box w too.

    >>> count_coordinates("rectangle"), count_coordinates("box")
    (1, 2)
    """
    return 2 if shape == "box" else 1


def weights_at(points: npt.ArrayLike, shape: Shape, n_clips: int) -> FloatArray:
    """Return weights (S, K), with sum 1, at points (S, D) of the framespace, each coordinate from 0 to 1.

    In a rectangle they are (1 − v, v). In a box they are bilinear, the first clip at v = w = 0, the second at
    v = 1, the third at w = 1 and the fourth at v = w = 1. On a line, clips stand at equal steps of v, and
    only the two on either side of a point count.

    >>> weights_at([[0.25]], "rectangle", 2).tolist()
    [[0.75, 0.25]]
    >>> weights_at([[1.0, 0.25]], "box", 4).tolist()
    [[0.0, 0.75, 0.0, 0.25]]
    >>> weights_at([[0.75]], "line", 3).tolist()
    [[0.0, 0.5, 0.5]]
    """
    given = np.asarray(points, dtype=np.float64)
    v = given[:, :1]
    if shape == "box":
        w = given[:, 1:]
        return np.concatenate([(1 - v) * (1 - w), v * (1 - w), (1 - v) * w, v * w], axis=1)
    if shape == "rectangle":
        return np.concatenate([1.0 - v, v], axis=1)
    return np.asarray(np.maximum(1.0 - np.abs(v * (n_clips - 1) - np.arange(n_clips)), 0.0))


@dataclass(frozen=True, eq=False)
class _Vertices:
    """Vertices inside the space: x (N,) in order and coordinates (N, D); whether any was moved there."""

    x: FloatArray
    values: FloatArray
    clipped: bool

    @classmethod
    def of(cls, given: npt.ArrayLike) -> _Vertices:
        if isinstance(given, Sequence) and len({np.size(row) for row in given}) != 1:
            raise ParameterError(f"{NEEDED}; at least one, and all of one kind")
        rows = check_array("vertices of an interpolant", given, ("N", "D"))
        if len(rows) == 0 or rows.shape[1] not in (2, 3):
            raise ParameterError(f"{NEEDED}; not an array of shape {rows.shape}")
        if (np.diff(rows[:, 0]) < 0.0).any():
            n = int(np.flatnonzero(np.diff(rows[:, 0]) < 0.0)[0])
            raise ParameterError(
                f"an interpolant never goes back in time: vertex {n + 1} at x = {rows[n + 1, 0]:g} follows "
                f"one at x = {rows[n, 0]:g}"
            )
        inside = np.clip(rows, 0.0, 1.0)
        return cls(inside[:, 0], inside[:, 1:], bool((inside != rows).any()))
