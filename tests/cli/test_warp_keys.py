from __future__ import annotations

import numpy as np
import pytest

from motionloom.cli.warp_keys import parse_key, parse_time, parse_time_keys
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.synthesis import walk
from motionloom.warping import Key, TimeKeys


@pytest.fixture(scope="module")
def clip() -> Clip:
    return walk(duration=2.0, fps=30).clip


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0.6s LeftLeg", "the key '0.6s LeftLeg' must look like"),
        ("0.6s LeftLeg twist x=3", "must look like '0.6s LeftKnee rotate x=20'"),
        ("0.6s LeftLeg rotate w=3", "has an unknown word 'w=3'"),
        ("0.6s LeftLeg rotate x=far", "'far' in .* is not a number"),
        ("soon LeftLeg rotate x=3", "'soon' is not a time: write seconds like 0.6s, or a frame like 72f"),
        ("0.6s LeftLeg scale 2 3", "gives scale twice: leave one out"),
        ("0.6s LeftLeg scale 2 x=3", "has an unknown word 'x=3'"),
        ("0.6s LeftLeg rotate 20", "has an unknown word '20'"),
        ("0.6s LeftLeg rotate x=10 x=20", "gives x twice: leave one out"),
        ("72f LeftHand reach ease=0.4", "has no x=, y= or z= for its reach: write"),
        ("0.6s LeftLeg rotate hold", "has no x=, y= or z= for its rotate: write"),
    ],
)
def test_wrong_keys_are_refused(line: str, message: str, clip: Clip) -> None:
    with pytest.raises(ParameterError, match=message):
        parse_key(line, clip)


def test_keys_and_times(clip: Clip) -> None:
    assert parse_key("0.6s Spine rotate x=90 ease=0.4", clip) == Key(
        0.6, "Spine", rotate=(np.pi / 2, 0, 0), ease=0.4
    )
    assert parse_key("15f root move y=-0.1 hold", clip) == Key(0.5, "", move=(0, -0.1, 0), ease=None)
    assert parse_key("0.5 Head scale 1.5", clip) == Key(0.5, "Head", scale=1.5)
    assert parse_key("0.5 LeftHand reach x=1 y=2 z=3", clip) == Key(0.5, "LeftHand", reach=(1, 2, 3))
    assert parse_time(" 3f", clip) == pytest.approx(0.1)


def test_time_keys_of_the_body_and_of_limbs(clip: Clip) -> None:
    assert parse_time_keys(["0.6s=0.9s"], clip) == [TimeKeys([(0.6, 0.9)])]
    both = parse_time_keys(["0.2=0.3", "LeftArm 6f=12f", "0.6=0.9"], clip, curve="cardinal", tension=0.5)
    assert both == [
        TimeKeys([(0.2, 0.3), (0.6, 0.9)], curve="cardinal", tension=0.5),
        TimeKeys([(0.2, 0.4)], joint="LeftArm", curve="cardinal", tension=0.5),
    ]
    with pytest.raises(ParameterError, match=r"the time key '0\.6' must look like '0\.6s=0\.9s'"):
        parse_time_keys(["0.6"], clip)
