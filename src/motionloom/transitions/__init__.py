"""Transitions from one clip to another.

:mod:`transition` goes from clip to clip: it plans each transition (:mod:`request`, :mod:`plan`), makes its
:mod:`segment` (:mod:`by_registration`, :mod:`linear`, :mod:`inertialize`, :mod:`dead_blend`, :mod:`overlap`)
and splices it to the result (:mod:`splice`). :mod:`concatenate` does so for clips in a row.
"""

from motionloom.options.transitions import JoinMethod, TransitionMethod
from motionloom.transitions.concatenate import concatenate
from motionloom.transitions.transition import transition

__all__ = ["JoinMethod", "TransitionMethod", "concatenate", "transition"]
