"""Stepping stones: every foot lands where it is told to."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.unroll import extend_cycle
from motionloom.synthesis import walk
from motionloom.warping import stepping_stones
from motionloom.warping.footholds import find_footholds
from tests.enforcement.measuring import largest_slide


def cyclic_walk() -> Clip:
    """A keyframe-like walk: one cycle over and over."""
    return extend_cycle(cyclify(annotate(walk().clip), cycles=1).clip, 240)


def test_more_stones_than_steps_are_refused() -> None:
    with pytest.raises(ParameterError, match="there are 99 stones, but the walk has"):
        stepping_stones(cyclic_walk(), np.zeros((99, 2)))


def test_feet_land_on_irregular_stones() -> None:
    clip = cyclic_walk()
    rng = np.random.default_rng(7)
    stones = np.array([hold.centre[[0, 2]] for hold in find_footholds(clip)]) + rng.uniform(
        -0.08, 0.08, (len(find_footholds(clip)), 2)
    )
    result = stepping_stones(clip, stones)
    landed = np.array([hold.centre[[0, 2]] for hold in find_footholds(result.clip)])
    np.testing.assert_allclose(landed, stones, atol=0.005)
    assert largest_slide(result.clip) < 1e-3
    assert result.report.n_keys == len(stones)
    assert result.report.plants is not None
    assert result.report.plants.unreached == ()
