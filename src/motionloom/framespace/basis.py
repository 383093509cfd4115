"""Where the basis clips stand in a framespace, and how much each counts at a point of it."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError

Shape = Literal["rectangle", "line", "box"]

N_CORNERS = 4
"""Clips of a box: at (0, 0), (1, 0), (0, 1) and (1, 1)."""

_USUAL_SHAPES: dict[int, Shape] = {2: "rectangle", N_CORNERS: "box"}


def shape_of(n_clips: int, wanted: Shape | None = None) -> Shape:
    """The shape of a framespace of so many clips: two span a rectangle, four a box, others stand on a line.

    >>> shape_of(2), shape_of(3), shape_of(4), shape_of(4, "line")
    ('rectangle', 'line', 'box', 'line')
    """
    if n_clips < 2:
        raise ParameterError(f"a framespace takes two clips or more, not {n_clips}")
    usual = _USUAL_SHAPES.get(n_clips, "line")
    if wanted is None:
        return usual
    if wanted not in ("rectangle", "line", "box"):
        raise ParameterError(f"shape must be one of rectangle, line, box, not {wanted!r}")
    if wanted == "box" and n_clips != N_CORNERS:
        raise ParameterError(f"a box takes four clips, one at each corner, not {n_clips}")
    if wanted == "rectangle" and n_clips != 2:
        raise ParameterError(f"a rectangle takes two clips, not {n_clips}: put them on a line")
    return wanted


def dimensions(shape: Shape) -> int:
    """Weight coordinates of a point: v, and in a box w too.

    >>> dimensions("rectangle"), dimensions("box")
    (1, 2)
    """
    return 2 if shape == "box" else 1


def weights_at(points: npt.ArrayLike, shape: Shape, n_clips: int) -> FloatArray:
    """Weights (S, K), with sum 1, at points (S, D) of the framespace, each coordinate from 0 to 1.

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
