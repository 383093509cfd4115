"""Normals of surfaces made of triangles."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray, IntArray


def find_normals(positions: FloatArray, triangles: IntArray) -> FloatArray:
    """Return normals (V, 3), averaged over the triangles around each vertex and not of unit length.

    >>> find_normals(np.eye(3), np.array([[0, 1, 2]])).tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    a, b, c = (positions[triangles[:, n]] for n in range(3))
    normals = np.zeros_like(positions)
    for n in range(3):
        np.add.at(normals, triangles[:, n], np.cross(b - a, c - a))
    return normals


def unit_vectors(vectors: FloatArray) -> FloatArray:
    """Return vectors (V, 3) of length one; those without a direction point up.

    >>> unit_vectors(np.array([[0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.where(length > 0.0, vectors / np.where(length > 0.0, length, 1.0), [0.0, 1.0, 0.0]))
