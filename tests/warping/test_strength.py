from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.synthesis import walk
from motionloom.warping import Key, Warp, warp
from motionloom.warping.strength import checked_amount, with_strength


@pytest.mark.parametrize("amount", [100.1, -1e300, inf, nan])
def test_amounts_beyond_all_measure_are_refused(amount: float) -> None:
    with pytest.raises(ParameterError, match="the amount of a warp must"):
        checked_amount(amount)


def test_a_whole_warp_stays_as_it_is() -> None:
    made = Warp.of([Key(0.5, "Head", reach=(0, 1, 0))])
    assert with_strength(walk(duration=1.0).clip, made, 1.0) is made


def test_reaches_are_solved_before_they_are_scaled() -> None:
    clip = walk(duration=2.0, fps=30).clip
    hand = clip.world_positions()[30, clip.skeleton.index("RightHand")]
    goal = hand + np.array([0.0, 0.1, 0.05])
    made = Warp.of([Key(1.0, "RightHand", reach=goal)])
    half = warp(clip, with_strength(clip, made, 0.5))
    moved = half.world_positions()[30, clip.skeleton.index("RightHand")] - hand
    assert np.linalg.norm(moved) == pytest.approx(0.5 * np.linalg.norm(goal - hand), rel=0.3)
