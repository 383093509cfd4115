"""Blending registered clips: new motion from weights.

Data flow: :mod:`weights` → :mod:`timing` (advance) → :mod:`course` (place) → :mod:`average` →
:mod:`constrain`, put together by :mod:`blend`.
"""

from motionloom.blending.blend import blend
from motionloom.blending.controls import Controls
from motionloom.blending.keyed_controls import ControlKey, KeyedControls
from motionloom.blending.layers import body_part
from motionloom.blending.linear import LinearSettings
from motionloom.blending.live_blend import LiveBlend
from motionloom.blending.result import BlendReport, BlendResult
from motionloom.blending.variations import variations
from motionloom.blending.weights import (
    CalledWeights,
    ConstantWeights,
    KeyedWeights,
    SampledWeights,
    TransitionWeights,
    WeightFunction,
)

__all__ = [
    "BlendReport",
    "BlendResult",
    "CalledWeights",
    "ConstantWeights",
    "ControlKey",
    "Controls",
    "KeyedControls",
    "KeyedWeights",
    "LinearSettings",
    "LiveBlend",
    "SampledWeights",
    "TransitionWeights",
    "WeightFunction",
    "blend",
    "body_part",
    "variations",
]
