from __future__ import annotations

import numpy as np
import pytest

from motionloom.cli.warp_keys import parse_key, parse_obstacle, parse_stretch, parse_time, parse_time_keys
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.synthesis import walk
from motionloom.warping import Key, Obstacle, TimeKeys


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
        ("0.6s LeftLeg scale 2 x=3", "gives one factor and factors by axis: leave one out"),
        ("left strike 2, rotate x=3", "must look like 'left strike 2, left knee rotate x=20 body'"),
        ("left strike 2, left knee twist x=3", "must look like 'left strike 2, left knee rotate"),
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


def test_keys_at_moments(clip: Clip) -> None:
    assert parse_key("left strike 2, left knee rotate x=90 body ease=0.4", clip) == Key(
        "left strike 2", "left knee", rotate=(np.pi / 2, 0, 0), ease=0.4, frame="body"
    )
    assert parse_key("crossing 1, leading ankle reach y=0.03 ground", clip) == Key(
        "crossing 1", "leading ankle", reach=(0, 0.03, 0), frame="ground"
    )
    assert parse_key("0.5, Head scale x=2", clip) == Key(0.5, "Head", scale=(2, 1, 1))
    assert parse_key("50% Head scale 2 hold", clip) == Key("50%", "Head", scale=2.0, ease=None)
    posed = parse_key("15f Head orient x=90 solve=scale", clip)
    assert (posed.time, posed.solve) == (0.5, "scale")


def test_stretches_and_obstacles(clip: Clip) -> None:
    assert parse_stretch("every left strike, left lift, 0.75", clip) == (
        "every left strike",
        "left lift",
        0.75,
    )
    assert parse_stretch("0.5s, 30f, 2", clip) == (0.5, 1.0, 2.0)
    assert parse_obstacle("block") == Obstacle("block")
    assert parse_obstacle("hurdle, 0.25, 0.1") == Obstacle("hurdle", 0.25, 0.1)
    with pytest.raises(
        ParameterError, match="the stretch 'start' must look like 'every left strike, left lift"
    ):
        parse_stretch("start", clip)
    with pytest.raises(ParameterError, match="'high' in 'hurdle,high' is not a number"):
        parse_obstacle("hurdle,high")
    with pytest.raises(ParameterError, match="the obstacle 'hurdle,1,2,3' must look like hurdle"):
        parse_obstacle("hurdle,1,2,3")


def test_time_keys_of_the_body_and_of_limbs(clip: Clip) -> None:
    assert parse_time_keys(["0.6s=0.9s"], clip) == [TimeKeys([(0.6, 0.9)])]
    both = parse_time_keys(["0.2=0.3", "LeftArm 6f=12f", "0.6=0.9"], clip, curve="cardinal", tension=0.5)
    assert both == [
        TimeKeys([(0.2, 0.3), (0.6, 0.9)], curve="cardinal", tension=0.5),
        TimeKeys([(0.2, 0.4)], joint="LeftArm", curve="cardinal", tension=0.5),
    ]
    with pytest.raises(ParameterError, match=r"the time key '0\.6' must look like '0\.6s=0\.9s'"):
        parse_time_keys(["0.6"], clip)
