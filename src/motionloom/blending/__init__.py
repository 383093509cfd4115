"""Blending registered clips: new motion from weights.

Data flow: :mod:`weights` → :mod:`timing` (advance) → :mod:`course` (place) → :mod:`average` →
:mod:`constrain`, put together by :mod:`pipeline`.
"""

from motionloom.blending.layers import body_part
from motionloom.blending.pipeline import blend
from motionloom.blending.result import BlendReport, BlendResult
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
    "KeyedWeights",
    "SampledWeights",
    "TransitionWeights",
    "WeightFunction",
    "blend",
    "body_part",
]
