from __future__ import annotations

import pytest

from motionloom.errors import ParameterError
from motionloom.framespace import BodyStates, State, as_body_states


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
