"""Framespaces: cyclic motions mixed along a drawn curve, with automatic timing (Ashraf & Wong 2000).

Data flow: :mod:`basis_clips` (one cycle of each clip) → :mod:`states` → :mod:`correspondence` → :mod:`warp`,
once per space; then :mod:`interpolant` → :mod:`timing` → :mod:`root` and :mod:`poses` → :mod:`annotations`
for every blend, called one after the other in :mod:`blend`.
"""

from motionloom.framespace.blend import FramespaceReport
from motionloom.framespace.correspondence import Correspondence, DroppedLabel, MatchedState, correspond
from motionloom.framespace.framespace import Framespace
from motionloom.framespace.interpolant import (
    FunctionInterpolant,
    Interpolant,
    PolylineInterpolant,
    SplineInterpolant,
)
from motionloom.framespace.states import BodyStates, State, as_body_states, detect_states
from motionloom.framespace.warp import StateWarp

__all__ = [
    "BodyStates",
    "Correspondence",
    "DroppedLabel",
    "Framespace",
    "FramespaceReport",
    "FunctionInterpolant",
    "Interpolant",
    "MatchedState",
    "PolylineInterpolant",
    "SplineInterpolant",
    "State",
    "StateWarp",
    "as_body_states",
    "correspond",
    "detect_states",
]
