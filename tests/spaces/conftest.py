"""Spaces that several tests ask."""

from __future__ import annotations

import pytest

from motionloom.motion import Clip
from motionloom.spaces import parameters
from motionloom.spaces.space import MotionSpace
from motionloom.synthesis import reach_out


@pytest.fixture(scope="session")
def reaches() -> list[Clip]:
    """Four reaches of the right hand: low and high, to the side and to the middle."""
    return [reach_out(target=(x, y, 0.4), fps=30, duration=1.5).clip for x in (-0.3, 0.0) for y in (0.9, 1.3)]


@pytest.fixture(scope="session")
def reach_space(reaches: list[Clip]) -> MotionSpace:
    """The space of these reaches, by where the hand is from the front."""
    return MotionSpace(reaches, {"hand": parameters.position("RightHand", axes="xy")})
