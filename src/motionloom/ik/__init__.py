"""Inverse kinematics of limbs: two bones reach for a point, a hinge bends, bones stretch within bounds.

:func:`solve_limb` takes world positions and goals and returns local rotations; :func:`find_hinge` finds the
axis it needs; the others are the geometry of two bones.

>>> bent = bend_bones([[0, -0.4, 0.1]], [[0, -0.4, -0.1]], [[-1.0, 0, 0]], [0.7])
>>> bool(abs(bent.lengths[0] - 0.7) < 1e-12)
True
"""

from motionloom.ik.two_bone import (
    Bend,
    Chain,
    LimbSolution,
    bend_axes,
    bend_bones,
    find_hinge,
    hinge_axes,
    max_lengths,
    mean_axis,
    solve_limb,
)

__all__ = [
    "Bend",
    "Chain",
    "LimbSolution",
    "bend_axes",
    "bend_bones",
    "find_hinge",
    "hinge_axes",
    "max_lengths",
    "mean_axis",
    "solve_limb",
]
