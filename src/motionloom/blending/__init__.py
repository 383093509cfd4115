"""Blend registered clips: new motion from weights.

:mod:`blend` makes each frame in four steps: :mod:`advance`, :mod:`place`, :mod:`average` and
:mod:`constrain`. The weights come from :mod:`weights` or :mod:`controls`.
"""

from motionloom.blending.blend import blend
from motionloom.blending.controls import Controls, SpeedAndTurn
from motionloom.blending.hand_over import HandOver
from motionloom.blending.keyed_controls import ControlKey, KeyedControls
from motionloom.blending.layers import body_part, part_weights
from motionloom.blending.linear import LinearSettings
from motionloom.blending.live_blend import LiveBlend
from motionloom.blending.result import BlendedFlight, BlendReport, BlendResult
from motionloom.blending.variations import variations
from motionloom.blending.weights import (
    CallableWeights,
    ConstantWeights,
    KeyedWeights,
    SampledWeights,
    TransitionWeights,
    WeightFunction,
)

__all__ = [
    "BlendReport",
    "BlendResult",
    "BlendedFlight",
    "CallableWeights",
    "ConstantWeights",
    "ControlKey",
    "Controls",
    "HandOver",
    "KeyedControls",
    "KeyedWeights",
    "LinearSettings",
    "LiveBlend",
    "SampledWeights",
    "SpeedAndTurn",
    "TransitionWeights",
    "WeightFunction",
    "blend",
    "body_part",
    "part_weights",
    "variations",
]
