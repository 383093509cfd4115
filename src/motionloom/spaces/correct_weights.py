"""`correct_weights`: weights whose blend measures what was asked for, found from those of a mesh."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.spaces.sample_space import Measure
from motionloom.spaces.simplex_mesh import SimplexMesh

MAX_CORRECTIONS = 8
"""Corrections of a request by what its blend measures. The first leaves about a tenth of the error, later
ones less and less; three are usual."""

EXACT = 1e-6
"""Error, in units of the clips' ranges, that is not corrected further."""

MIN_PROGRESS = 0.1
"""Fraction of what was asked for more that must be measured more, for a step to say something about the next
one."""


def correct_weights(mesh: SimplexMesh, measure: Measure, goal: FloatArray) -> FloatArray:
    """Return weights (K,) whose blend measures a point (d,) of the mesh, or the nearest that were found.

    The weights of a request reproduce it within the accuracy of the mesh, so asking for as much more as is
    missing is nearly a Newton step: the derivative of what is measured by what is asked for is nearly 1. What
    it lacks, each step learns from the one before (Broyden). The weights change smoothly with the request,
    and stay within those of the measured blends.

    >>> from motionloom.spaces.simplex_mesh import triangulate
    >>> line = triangulate(np.array([[0.0], [1.0]]), np.eye(2))
    >>> correct_weights(line, lambda weights: weights[1:] ** 2, np.array([0.25])).round(6).tolist()
    [0.5, 0.5]
    """
    asked, best, min_size = goal, mesh.interpolate(goal), np.inf
    inverse = np.eye(len(goal))
    asked_before, error_before = goal, np.zeros(len(goal))
    for n in range(MAX_CORRECTIONS):
        weights = mesh.interpolate(asked)
        error = goal - measure(weights)
        size = float(np.linalg.norm(error))
        if size < min_size:
            best, min_size = weights, size
        if size < EXACT:
            break
        if n:
            inverse = update_inverse(inverse, asked - asked_before, error_before - error)
        asked_before, error_before = asked, error
        asked = mesh.find_nearest(asked + inverse @ error).point
    return best


def update_inverse(inverse: FloatArray, asked: FloatArray, measured: FloatArray) -> FloatArray:
    """Return the inverse (d, d) of a derivative that fits a step: asked (d,) for more, measured (d,) more.

    Broyden's update, the smallest that fits; a step that would turn it singular changes nothing.

    >>> update_inverse(np.eye(1), np.array([1.0]), np.array([0.5])).tolist()
    [[2.0]]
    """
    row = asked @ inverse
    denominator = float(row @ measured)
    if abs(denominator) <= MIN_PROGRESS * float(asked @ asked):
        return inverse
    return np.asarray(inverse + np.outer(asked - inverse @ measured, row) / denominator)
