from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.synthesis import punch
from motionloom.synthesis.punch import PunchStyle
from tests.refusals import refused
from tests.synthesis import truth


def test_refuses_unknown_punches_and_durations() -> None:
    wrong: Any = "hook"
    with refused("style", "hook"):
        punch(style=wrong)
    with pytest.raises(ParameterError, match=r"duration must be from 0\.5 to 10 s for a punch, not 0\.1"):
        punch(duration=0.1)


@pytest.mark.parametrize(("style", "hand"), [("jab", "Left"), ("strong", "Right")])
def test_the_usual_hand_strikes_forward(style: PunchStyle, hand: str) -> None:
    clip = punch(style=style).clip
    fist = truth.joint_positions(clip, hand + "Hand")
    other = truth.joint_positions(clip, ("Right" if hand == "Left" else "Left") + "Hand")
    assert fist[:, 2].max() > fist[0, 2] + 0.25
    assert fist[:, 2].max() > other[:, 2].max() + 0.1
    assert abs(fist[fist[:, 2].argmax(), 0]) < 0.15


def test_a_strong_punch_is_stronger() -> None:
    def hand_speed(style: PunchStyle, hand: str) -> float:
        clip = punch(style=style, duration=1.0).clip
        return float(
            np.linalg.norm(np.diff(truth.joint_positions(clip, hand), axis=0), axis=-1).max() * clip.fps
        )

    assert hand_speed("strong", "RightHand") > hand_speed("jab", "LeftHand") > 2.0


@pytest.mark.parametrize("style", ["jab", "strong"])
def test_either_hand_strikes_alike(style: PunchStyle) -> None:
    left, right = punch(style=style, side="left").clip, punch(style=style, side="right").clip
    for name in ("Hand", "Foot", "Leg"):
        mirrored = truth.joint_positions(right, "Right" + name) * [-1.0, 1.0, 1.0]
        np.testing.assert_allclose(mirrored, truth.joint_positions(left, "Left" + name), atol=1e-9)


def test_both_feet_stand_and_the_guard_comes_back() -> None:
    motion = punch(style="strong")
    assert truth.grounded(motion, "Left").all()
    assert truth.grounded(motion, "Right").all()
    world = motion.clip.world_positions()
    np.testing.assert_allclose(world[-1], world[0], atol=1e-9)
