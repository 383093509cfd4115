from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.annotation import labels
from motionloom.annotation.events import swing_angles
from motionloom.errors import ParameterError
from motionloom.framespace import BodyStates, State, as_body_states, detect_states
from motionloom.framespace.labels import DEFAULT_LABELS
from motionloom.motion import Event
from tests.framespace.spaces import captured_loop, walking


def test_a_state_has_a_label() -> None:
    with pytest.raises(ParameterError, match=r"the state at phase 0.5 has no label"):
        State(0.5, ())


def test_a_phase_is_a_number() -> None:
    with pytest.raises(ParameterError, match=r"the phase of state 'L.et'"):
        State(float("nan"), ("L.et",))


def test_halves_have_names() -> None:
    with pytest.raises(ParameterError, match="states are given for 'lower' and 'upper', not for 'left'"):
        as_body_states({"left": [(0.0, "L.et")]})


@pytest.mark.parametrize("entry", [0.5, (0.5,), (0.5, "L.et", "R.et")])
def test_an_entry_is_a_phase_and_labels(entry: object) -> None:
    with pytest.raises(ParameterError, match="a state is a phase and its label or labels"):
        as_body_states([entry])  # type: ignore[list-item]


def test_states_come_in_order_and_close_once() -> None:
    states = as_body_states([(1.0, "L.et"), (0.5, "R.et"), (0.0, "L.et"), (1.25, "L.mt")])
    assert [(state.phase, state.labels) for state in states.lower] == [
        (0.0, ("L.et",)),
        (0.25, ("L.mt",)),
        (0.5, ("R.et",)),
    ]


def test_one_moment_of_both_halves_is_two_states() -> None:
    states = as_body_states([(0.2, ["L.et", "R.S flex"])])
    assert states == BodyStates((State(0.2, ("L.et",)),), (State(0.2, ("R.S flex",)),))
    assert states.whole == (State(0.2, ("L.et", "R.S flex")),)


def test_given_halves_win_over_joint_codes() -> None:
    assert as_body_states({"upper": [(0.3, "clap")]}).upper == (State(0.3, ("clap",)),)


def test_choosing_and_leaving_out() -> None:
    states = as_body_states([(0.0, ["L.et", "R.HI flex"]), (0.5, "R.et")])
    assert states.only(["R.et", "HI flex"]).lower == (State(0.0, ("R.HI flex",)), State(0.5, ("R.et",)))
    assert states.without("R. et").lower == (State(0.0, ("L.et", "R.HI flex")),)


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
