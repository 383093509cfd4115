from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.framespace import Correspondence, correspond
from motionloom.framespace.correspondence import LEAST_GAP
from motionloom.framespace.halves import among_cyclic, matched_halves, matched_whole, timed_part
from motionloom.framespace.labels import EQUIVALENT
from motionloom.framespace.states import BodyStates
from tests.framespace.paper_tables import states_of


def test_a_single_cyclic_clip_needs_no_states() -> None:
    for found in (matched_whole([BodyStates()], EQUIVALENT, LEAST_GAP), *alone()):
        assert [state.phases for state in found.matched] == [(0.0,)]


def alone() -> tuple[Correspondence, Correspondence]:
    return matched_halves([BodyStates()], EQUIVALENT, LEAST_GAP)


def test_arms_without_common_states_follow_the_legs() -> None:
    stiff = [replace(states_of(name), upper=()) for name in ("run", "walk")]
    lower, upper = matched_halves(stiff, EQUIVALENT, LEAST_GAP)
    assert upper.matched == lower.matched
    assert [lost.reason for lost in upper.dropped] == ["the clips share none, so it follows the lower body"]


def test_cycles_begin_on_whole_frames() -> None:
    states = correspond([states_of(name).lower for name in ("dance1", "dance2")])
    lengths = np.array([73.0, 92.0])
    part = timed_part(states, lengths, "linear")
    begun = part.warp.origins * lengths
    assert np.allclose(begun, np.rint(begun))
    assert np.abs(part.warp.phases - states.phases)[0].max() <= 0.5 / 73
    assert np.array_equal(part.warp.phases[1:], states.phases[1:])


def test_the_first_state_does_not_pass_its_neighbours() -> None:
    states = correspond([states_of(name).lower for name in ("run", "walk")])
    part = timed_part(states, np.array([5.0, 5.0]), "linear")
    assert (np.diff(part.warp.phases, axis=0) > 0.0).all()


def test_both_halves_of_a_clip_meet_where_it_is_alone() -> None:
    """Dance2's arms lie half a cycle off: its upper cycle lags by about half a cycle more than the run's."""
    chosen = [states_of(name) for name in ("run", "dance2")]
    lengths = np.array([77.0, 307.0])
    below, above = matched_halves(chosen, EQUIVALENT, LEAST_GAP)
    lower = timed_part(below, lengths, "smooth")
    upper = timed_part(above, lengths, "smooth", lower.warp)
    assert upper.lags.round(2).tolist() == [0.0, -0.18]
    for k in range(2):
        only = np.tile(np.eye(2)[k], (9, 1))
        times = np.linspace(0.0, 2.0, 9)
        legs = lower.warp.moments(times, only).phases[:, k]
        arms = upper.warp.moments(times + only @ upper.lags, only).phases[:, k]
        assert np.allclose(np.exp(2j * np.pi * legs), np.exp(2j * np.pi * arms))


def test_weights_among_cyclic_clips() -> None:
    weights = np.array([[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]])
    assert among_cyclic(weights, np.array([True, True, True])) is weights
    assert among_cyclic(weights, np.array([True, True, False])) == pytest.approx(
        np.array([[2 / 3, 1 / 3], [0.5, 0.5]])
    )
