"""Transitions from one clip to another.

:mod:`concatenate` goes from clip to clip: it plans each transition (:mod:`plan`, :mod:`transition_points`),
makes its :mod:`segment` (:mod:`by_registration`, :mod:`linear`, :mod:`inertialize`, :mod:`dead_blend` or
:mod:`overlap`) and splices it to the result (:mod:`splice`). :mod:`transition` is the case of two clips.
"""

from motionloom.transitions.concatenate import concatenate
from motionloom.transitions.request import JoinMethod, TransitionMethod
from motionloom.transitions.transition import transition

__all__ = ["JoinMethod", "TransitionMethod", "concatenate", "transition"]
