from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.synthesis import kick
from motionloom.synthesis.biped import SIDES, Side
from motionloom.synthesis.kick import KickStyle
from tests.refusals import refused
from tests.synthesis import truth

STYLES: tuple[KickStyle, ...] = get_args(KickStyle)


def test_refuses_unknown_kicks_sides_and_durations() -> None:
    wrong: Any = "flying"
    with refused("style", "flying"):
        kick(style=wrong)
    with refused("side", "flying"):
        kick(side=wrong)
    with pytest.raises(ParameterError, match=r"duration must be from 0\.8 to 10 s for a kick, not 0\.1"):
        kick(duration=0.1)


def test_where_the_kicks_go() -> None:
    """Highest ankle and widest ankle of each kick of the right leg, metres."""
    front, side, high = (truth.joint_positions(kick(style=style).clip, "RightFoot") for style in STYLES)
    assert 0.7 < front[:, 1].max() < 0.95
    assert front[:, 2].max() > 0.75
    assert high[:, 1].max() > 1.25
    assert side[:, 0].min() < -0.75
    assert 0.7 < side[:, 1].max() < 1.1


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("side", SIDES)
def test_the_other_foot_stands_throughout(style: KickStyle, side: Side) -> None:
    motion = kick(style=style, side=side)
    other = "Right" if side == "left" else "Left"
    assert truth.grounded(motion, other).all()
    assert not truth.grounded(motion, side.capitalize()).all()
    assert truth.slide(motion.clip, motion.plants) < 1e-9


@pytest.mark.parametrize("style", STYLES)
def test_a_left_kick_mirrors_a_right_kick(style: KickStyle) -> None:
    left, right = (kick(style=style, side=side).clip for side in SIDES)
    for name in ("Foot", "Hand", "Leg", "ToeBase"):
        mirrored = truth.joint_positions(right, "Right" + name) * [-1.0, 1.0, 1.0]
        np.testing.assert_allclose(mirrored, truth.joint_positions(left, "Left" + name), atol=1e-9)


@pytest.mark.parametrize("style", STYLES)
def test_it_begins_and_ends_in_the_same_guard(style: KickStyle) -> None:
    world = kick(style=style).clip.world_positions()
    np.testing.assert_allclose(world[-1], world[0], atol=1e-9)
