from __future__ import annotations

import warnings

import pytest

from motionloom.blending import KeyedWeights, blend
from motionloom.blending.warned import blend_warnings
from motionloom.synthesis import walk
from motionloom.workflows import prepare


def test_other_warnings_are_not_taken_for_those_of_blending() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        with blend_warnings() as said:
            warnings.warn("something else", UserWarning, stacklevel=1)
    assert said == []


def test_what_fails_says_nothing() -> None:
    with pytest.raises(ZeroDivisionError), blend_warnings():
        raise ZeroDivisionError


def test_a_jump_of_weights_is_said_every_time() -> None:
    clip = walk(duration=3.0, fps=30).clip
    curve = prepare([clip, clip]).register()
    for _ in range(2):
        with blend_warnings() as said:
            blend(curve, KeyedWeights({0.5: (1, 0), 0.51: (0, 1)}))
        assert len(said) == 1
        assert "above 6 a blend looks like a jump" in said[0]
