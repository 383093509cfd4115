"""Surfaces of fields: triangles where a function of space is zero, by naive surface nets.

Each cell that the surface passes gets one vertex, at the mean of the points where the surface crosses its
edges, and each crossed edge of the grid becomes a quad between the four cells around it. Gibson, "Constrained
elastic surface nets", 1998.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from motionloom.arrays import FloatArray, IntArray

_CORNERS = np.array(list(product((0, 1), repeat=3)))
_EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(_CORNERS[a] - _CORNERS[b]).sum() == 1]


def find_isosurface(values: FloatArray, origin: FloatArray, spacing: float) -> tuple[FloatArray, IntArray]:
    """Return vertices (V, 3) and triangles (F, 3) of the surface where sampled values change sign.

    Parameters
    ----------
    values
        (X, Y, Z) samples, negative inside. The surface must not reach the border of the grid.
    origin
        (3,) position of the first sample.
    spacing
        Distance between neighbouring samples.

    >>> axis = np.linspace(-1.5, 1.5, 16)
    >>> x, y, z = np.meshgrid(axis, axis, axis, indexing="ij")
    >>> vertices, triangles = find_isosurface(np.sqrt(x**2 + y**2 + z**2) - 1.0, np.full(3, -1.5), 0.2)
    >>> bool(abs(np.linalg.norm(vertices, axis=1) - 1.0).max() < 0.02)
    True
    """
    inside = values < 0.0
    shape = np.array(values.shape) - 1
    n_inside = np.zeros(tuple(shape), np.int64)
    for corner in _CORNERS:
        n_inside += inside[_block(corner, shape)]
    cells = np.argwhere((n_inside > 0) & (n_inside < len(_CORNERS)))
    corners = np.stack([values[tuple((cells + corner).T)] for corner in _CORNERS], axis=1)
    total, count = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for a, b in _EDGES:
        crossed = (corners[:, a] < 0.0) != (corners[:, b] < 0.0)
        low, high = corners[crossed, a], corners[crossed, b]
        at = (low / (low - high))[:, None]
        total[crossed] += _CORNERS[a] + at * (_CORNERS[b] - _CORNERS[a])
        count[crossed] += 1
    vertices = origin + spacing * (cells + total / count[:, None])
    numbers = np.full(tuple(shape), -1)
    numbers[tuple(cells.T)] = np.arange(len(cells))
    return np.asarray(vertices), _make_triangles(inside, numbers)


def _make_triangles(inside: np.ndarray, numbers: IntArray) -> IntArray:
    """Return two triangles for each edge of the grid that the surface crosses, facing outwards."""
    found = []
    for axis in range(3):
        across, other = (axis + 1) % 3, (axis + 2) % 3
        step = np.eye(3, dtype=np.int64)
        before = np.array(inside.shape) - step[axis]
        starts = inside[_block(np.zeros(3, np.int64), before)]
        ends = inside[_block(step[axis], before)]
        edges = np.argwhere(starts != ends)
        around = [edges - step[across] - step[other], edges - step[other], edges, edges - step[across]]
        quads = np.stack([numbers[tuple(cells.T)] for cells in around], axis=1)
        leaves = starts[tuple(edges.T)]
        quads = np.where(leaves[:, None], quads, quads[:, ::-1])
        found += [quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]
    return np.concatenate(found)


def _block(first: IntArray, size: IntArray) -> tuple[slice, ...]:
    return tuple(slice(int(start), int(start + n)) for start, n in zip(first, size, strict=True))
