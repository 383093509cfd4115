"""From one clip to another: where, how wide, and four ways to get across.

Data flow: :mod:`planning` (with :mod:`width`, :mod:`centre` and :mod:`cycles`) → :mod:`registered` (with
:mod:`aligning` and :mod:`outwards`), :mod:`linear`, :mod:`inertialize` or :mod:`dead`, which make the
:mod:`middle` → :mod:`joining` (with :mod:`seams`) → :mod:`stringing`, called by :mod:`pipeline`.
"""

from motionloom.transitions.transition import concatenate, transition
from motionloom.transitions.width import TransitionMethod

__all__ = ["TransitionMethod", "concatenate", "transition"]
