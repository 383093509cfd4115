"""`find_isosurface`: closed surfaces that face outwards."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.synthesis.mannequin_shape import find_isosurface


def ball(radius: float = 1.0, spacing: float = 0.2) -> tuple[FloatArray, IntArray]:
    axis = np.arange(-1.6, 1.6001, spacing)
    x, y, z = np.meshgrid(axis, axis, axis, indexing="ij")
    return find_isosurface(np.sqrt(x**2 + y**2 + z**2) - radius, np.full(3, -1.6), spacing)


def test_a_ball_is_round_closed_and_faces_outwards() -> None:
    vertices, triangles = ball()
    assert np.abs(np.linalg.norm(vertices, axis=1) - 1.0).max() < 0.02
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    _, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 2).all()
    assert len(vertices) - len(counts) + len(triangles) == 2  # Euler: one piece without holes
    a, b, c = (vertices[triangles[:, n]] for n in range(3))
    assert (np.einsum("fi,fi->f", np.cross(b - a, c - a), a + b + c) > 0).all()


def test_nothing_inside_gives_no_surface() -> None:
    vertices, triangles = find_isosurface(np.ones((4, 4, 4)), np.zeros(3), 1.0)
    assert len(vertices) == len(triangles) == 0


def test_one_sample_inside_gives_a_box() -> None:
    values = np.ones((3, 3, 3))
    values[1, 1, 1] = -1.0
    vertices, triangles = find_isosurface(values, np.zeros(3), 1.0)
    assert (len(vertices), len(triangles)) == (8, 12)
    np.testing.assert_allclose(vertices.mean(axis=0), [1, 1, 1])
