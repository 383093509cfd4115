"""Inverse kinematics of limbs: two bones reach for a point, a hinge bends, bones stretch within bounds.

:func:`reach` takes world positions and goals and gives local rotations; :func:`usual_hinge` finds the axis it
needs; :mod:`~motionloom.ik.two_bone` and :mod:`~motionloom.ik.hinges` are its steps.

>>> bent = two_bone.bend([[0, -0.4, 0.1]], [[0, -0.4, -0.1]], [[-1.0, 0, 0]], [0.7])
>>> bool(abs(bent.lengths[0] - 0.7) < 1e-12)
True
"""

from motionloom.ik import hinges, two_bone, vectors
from motionloom.ik.limbs import Reach, reach, usual_hinge

__all__ = ["Reach", "hinges", "reach", "two_bone", "usual_hinge", "vectors"]
