"""Strides, locomotion and phase."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from motionloom.annotation import annotate, gait_fault, gait_phase, is_locomotion, strides, strikes
from motionloom.annotation.labels import STRIKE
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Event
from motionloom.synthesis import MOTIONS

GAITS = [name for name in MOTIONS if name.startswith(("walk", "jog", "sneak"))]


@cache
def annotated(name: str) -> Clip:
    return annotate(MOTIONS[name](fps=60).clip)


def with_strikes(*hits: tuple[str, float]) -> Clip:
    events = tuple(Event(frame, STRIKE, side + "Foot") for side, frame in hits)
    return replace(MOTIONS["walk"](fps=60).clip, events=events)


def test_no_phase_without_a_gait() -> None:
    with pytest.raises(
        ParameterError, match="shows no gait: it has 0 strikes and needs 3: annotate it first"
    ):
        gait_phase(MOTIONS["walk"](fps=60).clip)
    hopping = with_strikes(("Left", 10), ("Left", 40), ("Left", 70))
    with pytest.raises(
        ParameterError, match=r"the left foot strikes twice in a row, at frames 10\.0 and 40\.0"
    ):
        gait_phase(hopping)
    uneven = with_strikes(("Left", 10), ("Right", 20), ("Left", 80))
    with pytest.raises(ParameterError, match=r"its steps take from 10\.0 to 60\.0 frames"):
        gait_phase(uneven)
    with pytest.raises(ParameterError, match="which is stepping on the spot"):
        gait_phase(annotated("turn_back"))


def test_the_fault_says_why_there_is_no_gait() -> None:
    assert gait_fault(annotated("walk")) is None
    two = with_strikes(("Left", 10), ("Right", 40))
    assert gait_fault(two) == "it has 2 strikes and needs 3: annotate it first, or use a longer clip"


def test_strides_go_from_strike_to_strike_of_the_same_foot() -> None:
    clip = with_strikes(("Left", 10), ("Right", 30.5), ("Left", 50), ("Right", 71))
    assert [hit.side for hit in strikes(clip)] == ["left", "right", "left", "right"]
    assert strides(clip) == [("left", 10.0, 50.0), ("right", 30.5, 71.0)]


def test_the_phase_is_whole_at_left_strikes_and_goes_on_beyond_them() -> None:
    clip = with_strikes(("Right", 20), ("Left", 40), ("Right", 70))
    phase = gait_phase(clip)
    assert phase[[20, 40, 70]] == pytest.approx([-0.5, 0.0, 0.5])
    assert phase[[0, 10, 30]] == pytest.approx([-1.0, -0.75, -0.25])
    assert phase[100] == pytest.approx(1.0)
    assert np.all(np.diff(phase) > 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", MOTIONS)
def test_gaits_are_locomotion_and_nothing_else_is(name: str) -> None:
    assert is_locomotion(annotated(name)) == (name in GAITS)


@pytest.mark.parametrize("name", GAITS)
def test_the_phase_of_a_gait_is_the_true_one(name: str) -> None:
    motion = MOTIONS[name](fps=60)
    apart = gait_phase(annotated(name)) - motion.phase
    cycle = 1.0 / np.diff(motion.phase).mean()
    # Strikes are right within a frame; before the first and after the last that may add up.
    assert np.abs(apart - np.rint(apart.mean())).max() < 2.0 / cycle
