"""Framespaces: cyclic motions mixed along a drawn curve, with automatic timing.

Data flow: :mod:`preparation` (one cycle of each clip) → :mod:`detection` (states) → :mod:`correspondence` →
:mod:`warp`, once per space; then :mod:`interpolant` → :mod:`timing` → :mod:`root` and :mod:`posing` →
:mod:`annotations` for every blend, put together by :mod:`pipeline`.
"""

from motionloom.framespace.blend import FramespaceReport
from motionloom.framespace.correspondence import Correspondence, DroppedLabel, MatchedState, correspond
from motionloom.framespace.framespace import Framespace
from motionloom.framespace.interpolant import (
    CalledInterpolant,
    Interpolant,
    PolylineInterpolant,
    SplineInterpolant,
)
from motionloom.framespace.states import BodyStates, State, as_body_states, detect_states
from motionloom.framespace.warp import StateWarp

__all__ = [
    "BodyStates",
    "CalledInterpolant",
    "Correspondence",
    "DroppedLabel",
    "Framespace",
    "FramespaceReport",
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
