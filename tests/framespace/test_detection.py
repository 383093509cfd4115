from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.annotation import labels
from motionloom.annotation.action_events import swing_angles
from motionloom.framespace import detect_states
from motionloom.framespace.labels import DEFAULT_LABELS
from motionloom.motion import Event
from tests.framespace.spaces import captured_loop, walking


def test_edited_events_make_edited_states() -> None:
    clip = walking()
    moved = replace(clip, events=(Event(6.2, labels.STRIKE, "LeftFoot"),))
    (state,) = detect_states(moved, ["L.et"]).lower
    assert state.phase == pytest.approx(6.2 / clip.n_frames)


def test_a_walk_has_the_states_of_table_1() -> None:
    states = detect_states(walking())
    assert sorted(label for state in states.lower for label in state.labels) == sorted(
        ["L.et", "L.mt", "L.HI flex", "R.et", "R.mt", "R.HI flex"]
    )
    assert sorted(label for state in states.upper for label in state.labels) == sorted(
        ["L.S ext", "L.S flex", "L.S msw", "L.S msw", "R.S ext", "R.S flex", "R.S msw", "R.S msw"]
    )


def test_knees_elbows_and_lifts_on_request() -> None:
    states = detect_states(walking(), ["lift", "K flex", "E flex"])
    assert {label[2:] for state in states.whole for label in state.labels} >= {"lift", "K flex"}


def test_mid_swing_is_half_way_between_extremes() -> None:
    clip = walking()
    arm, forearm = clip.skeleton.index("LeftArm"), clip.skeleton.index("LeftForeArm")
    angles = swing_angles(clip, arm, forearm)
    half = (angles.max() + angles.min()) / 2.0
    for state in detect_states(clip, ["L.S msw"]).upper:
        angle = np.interp(state.phase * clip.n_frames, np.arange(clip.n_frames), angles)
        assert angle == pytest.approx(half, abs=0.02 * np.ptp(angles))


@pytest.mark.parametrize("name", ["walk_straight_16_15", "jog_straight_16_35", "run_straight_16_45"])
def test_captured_gaits_have_every_leg_state_once(mocap: Path, name: str) -> None:
    states = detect_states(captured_loop(mocap, name), DEFAULT_LABELS)
    found = [label for state in states.lower for label in state.labels]
    assert sorted(found) == ["L.HI flex", "L.et", "L.mt", "R.HI flex", "R.et", "R.mt"]
