"""Uniform quadratic B-splines: values, derivatives and inverses.

A spline with ``D`` control points has ``D - 2`` pieces of equal length. A *position* counts pieces from
the start: 0 is the first knot, ``D - 2`` the last. At knot ``i`` the value is ``(c[i] + c[i + 1]) / 2`` and
the slope is ``c[i + 1] - c[i]``; between knots the slope is linear. All control-point differences being
positive is therefore necessary and sufficient for a strictly increasing spline.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray


def locate(positions: npt.ArrayLike, n_pieces: int) -> tuple[IntArray, FloatArray]:
    """The piece (...) each position lies in and how far into it, 0 to 1; the last knot ends the last piece.

    >>> locate([0.0, 1.25, 2.0], 2)
    (array([0, 1, 1]), array([0.  , 0.25, 1.  ]))
    """
    given = np.asarray(positions, dtype=np.float64)
    pieces = np.asarray(np.minimum(np.maximum(given, 0.0), n_pieces - 1), dtype=np.int64)
    return pieces, np.asarray(given - pieces)


def basis(positions: npt.ArrayLike, n_pieces: int) -> tuple[IntArray, FloatArray]:
    """First control point (...) that acts at each position, and weights (..., 3) of it and the next two.

    >>> basis(0.0, 2)
    (array(0), array([0.5, 0.5, 0. ]))
    """
    pieces, local = locate(positions, n_pieces)
    rest = 1.0 - local
    return pieces, np.stack([rest * rest / 2, 0.5 + local * rest, local * local / 2], axis=-1)


def evaluate(control_points: FloatArray, positions: npt.ArrayLike) -> FloatArray:
    """Values (..., K) of the spline with control points (D, K).

    >>> evaluate(np.array([[0.0], [2.0], [4.0]]), 0.5)
    array([2.])
    """
    pieces, local = locate(positions, len(control_points) - 2)
    first, second, third = (control_points[pieces + i] for i in range(3))
    t = local[..., None]
    return np.asarray((first + second) / 2 + t * ((second - first) + t / 2 * (third - 2 * second + first)))


def derivative(control_points: FloatArray, positions: npt.ArrayLike) -> FloatArray:
    """Slopes (..., K) per piece of the spline with control points (D, K).

    >>> derivative(np.array([[0.0], [2.0], [6.0]]), [0.0, 0.5, 1.0])
    array([[2.],
           [3.],
           [4.]])
    """
    pieces, local = locate(positions, len(control_points) - 2)
    first, second, third = (control_points[pieces + i] for i in range(3))
    t = local[..., None]
    return np.asarray((1.0 - t) * (second - first) + t * (third - second))


def inverse(control_points: FloatArray, values: npt.ArrayLike) -> FloatArray:
    """Positions (...) at which a strictly increasing spline with control points (D,) takes the values (...).

    On each piece the spline is a parabola with positive end slopes ``d0`` and ``d1``. The root is taken as
    ``2 q / (d0 + sqrt(d0² + 2 (d1 - d0) q))``, in which nothing cancels however straight the piece is.

    >>> spline = np.array([0.0, 2.0, 6.0, 7.0])
    >>> evaluate(spline[:, None], inverse(spline, [1.0, 2.5, 6.5])).ravel()
    array([1. , 2.5, 6.5])
    """
    given = np.asarray(values, dtype=np.float64)
    knots = (control_points[:-1] + control_points[1:]) / 2
    steps = np.diff(control_points)

    pieces = np.clip(np.searchsorted(knots, given, side="right") - 1, 0, len(knots) - 2)
    advance = given - knots[pieces]
    slope, bend = steps[pieces], steps[pieces + 1] - steps[pieces]
    root = np.sqrt(np.maximum(slope * slope + 2.0 * bend * advance, 0.0))
    return np.asarray(pieces + np.clip(2.0 * advance / (slope + root), 0.0, 1.0))
