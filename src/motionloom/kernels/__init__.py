"""Compiled inner loops: arrays and numbers in, arrays out, nothing else.

Kernel modules are loaded on first use: write ``from motionloom import kernels`` and call
``kernels.kinematics.world_transforms(...)``. The layer shows at the call site. Numba is imported only where
no library of compiled kernels was built (:mod:`motionloom.kernels.compiling`).
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from motionloom.kernels import advance as advance
    from motionloom.kernels import average as average
    from motionloom.kernels import banded as banded
    from motionloom.kernels import channels as channels
    from motionloom.kernels import dtw as dtw
    from motionloom.kernels import hand_over as hand_over
    from motionloom.kernels import kinematics as kinematics
    from motionloom.kernels import legs as legs
    from motionloom.kernels import live_blend as live_blend
    from motionloom.kernels import match_web as match_web
    from motionloom.kernels import nearest_segments as nearest_segments
    from motionloom.kernels import paint as paint
    from motionloom.kernels import place as place
    from motionloom.kernels import point_cloud as point_cloud
    from motionloom.kernels import rotations as rotations
    from motionloom.kernels import roughness as roughness
    from motionloom.kernels import route_search as route_search
    from motionloom.kernels import route_steps as route_steps
    from motionloom.kernels import subsequence as subsequence
    from motionloom.kernels import text as text

__all__ = [
    "advance",
    "average",
    "banded",
    "channels",
    "dtw",
    "hand_over",
    "kinematics",
    "legs",
    "live_blend",
    "match_web",
    "nearest_segments",
    "paint",
    "place",
    "point_cloud",
    "rotations",
    "roughness",
    "route_search",
    "route_steps",
    "subsequence",
    "text",
]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
