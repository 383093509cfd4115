from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.framespace import StateWarp, correspond
from motionloom.framespace.correspondence import MIN_GAP, correspond_halves
from motionloom.framespace.labels import EQUIVALENT
from motionloom.framespace.warp import WarpKind, cyclic_weights, time_part
from tests.framespace.paper_tables import states_of
from tests.refusals import refused

KINDS: tuple[WarpKind, ...] = ("linear", "smooth")


def table_warp(names: tuple[str, ...], kind: WarpKind) -> StateWarp:
    return StateWarp(correspond([states_of(name).lower for name in names]).phases, kind)


def test_kinds_have_names() -> None:
    with refused("warp", "cubic"):
        StateWarp(np.zeros((1, 2)), "cubic")  # type: ignore[arg-type]


def test_phases_increase() -> None:
    with pytest.raises(ParameterError, match="the phases of clip 1 do not increase within one cycle"):
        StateWarp(np.array([[0.0, 0.3], [0.5, 0.2]]))
    with pytest.raises(ParameterError, match="a warp needs at least one matched state"):
        StateWarp(np.zeros((0, 2)))


def test_equations_7_to_10_by_hand() -> None:
    """Half-way between run and walk, R.et lies at 0.485 and L.HI flex at 0.83."""
    warp = table_warp(("run", "walk"), "linear")
    half = np.array([[0.5, 0.5]])
    assert warp.times(half)[0].round(9).tolist() == [0.0, 0.22, 0.26, 0.485, 0.83, 0.865, 1.0]
    found = warp.moments([0.6575], half)
    assert found.phases[0].tolist() == pytest.approx([0.63, 0.685])


@pytest.mark.parametrize("kind", KINDS)
def test_states_meet(kind: WarpKind) -> None:
    warp = table_warp(("run", "walk", "dance1", "dance2"), kind)
    weights = np.array([0.4, 0.3, 0.2, 0.1])
    times = warp.times(weights)[:-1]
    found = warp.moments(times, np.tile(weights, (len(times), 1)))
    assert np.allclose(found.phases, warp.phases, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_state_only_shifts(kind: WarpKind) -> None:
    warp = StateWarp(np.array([[0.2, 0.7]]), kind)
    found = warp.moments([0.25, 1.5], [[0.5, 0.5]] * 2)
    assert np.allclose(found.phases, [[0.45, 0.95], [1.7, 2.2]])


def test_smooth_has_no_jump_of_speed_and_linear_has() -> None:
    times = np.linspace(0.0, 2.0, 40001)
    weights = np.tile([0.5, 0.5], (len(times), 1))

    def largest_jump(kind: WarpKind) -> float:
        rates = np.diff(table_warp(("run", "walk"), kind).moments(times, weights).phases, axis=0)
        return float(np.abs(np.diff(rates, axis=0)).max() / rates.mean())

    assert largest_jump("linear") > 0.2
    assert largest_jump("smooth") < 0.01


@st.composite
def state_phases(draw: st.DrawFn) -> FloatArray:
    n_states, n_clips = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    gaps = draw(
        st.lists(
            st.lists(st.floats(0.05, 1.0), min_size=n_clips, max_size=n_clips),
            min_size=n_states,
            max_size=n_states,
        )
    )
    ends = np.cumsum(gaps, axis=0)
    starts = np.array(draw(st.lists(st.floats(0.0, 0.99), min_size=n_clips, max_size=n_clips)))
    return np.asarray(starts + np.concatenate([np.zeros((1, n_clips)), ends[:-1]]) / ends[-1])


@pytest.mark.slow
@given(state_phases(), st.sampled_from(KINDS), st.integers(0, 3))
def test_weight_one_is_the_clip_itself(phases: FloatArray, kind: WarpKind, k: int) -> None:
    k %= phases.shape[1]
    times = np.linspace(0.0, 3.0, 101)
    alone = np.tile(np.eye(phases.shape[1])[k], (101, 1))
    found = StateWarp(phases, kind).moments(times, alone)
    assert np.allclose(found.phases[:, k], phases[0, k] + times, atol=1e-12)


@pytest.mark.slow
@given(state_phases(), st.sampled_from(KINDS), st.integers(0, 1000))
def test_phases_increase_and_their_mean_is_the_time(phases: FloatArray, kind: WarpKind, seed: int) -> None:
    weights = np.random.default_rng(seed).dirichlet(np.ones(phases.shape[1]))
    times = np.linspace(0.0, 2.0, 200)
    warp = StateWarp(phases, kind)
    found = warp.moments(times, np.tile(weights, (200, 1)))
    assert (np.diff(found.phases, axis=0) > 0.0).all()
    assert (np.diff(found.u) > 0.0).all()
    assert np.allclose(weights @ (found.phases - warp.origins).T, times, atol=1e-12)


@pytest.mark.slow
@given(state_phases(), st.sampled_from(KINDS))
def test_parameters_undo_phases(phases: FloatArray, kind: WarpKind) -> None:
    warp = StateWarp(phases, kind)
    weights = np.full((50, phases.shape[1]), 1.0 / phases.shape[1])
    found = warp.moments(np.linspace(0.0, 1.99, 50), weights)
    for k in range(phases.shape[1]):
        assert np.allclose(warp.parameters(k, found.phases[:, k]), found.u, atol=1e-7)


def test_cycles_begin_on_whole_frames() -> None:
    states = correspond([states_of(name).lower for name in ("dance1", "dance2")])
    lengths = np.array([73.0, 92.0])
    part = time_part(states, lengths, "linear")
    begun = part.warp.origins * lengths
    assert np.allclose(begun, np.rint(begun))
    assert np.abs(part.warp.phases - states.phases)[0].max() <= 0.5 / 73
    assert np.array_equal(part.warp.phases[1:], states.phases[1:])


def test_the_first_state_does_not_pass_its_neighbours() -> None:
    states = correspond([states_of(name).lower for name in ("run", "walk")])
    part = time_part(states, np.array([5.0, 5.0]), "linear")
    assert (np.diff(part.warp.phases, axis=0) > 0.0).all()


def test_both_halves_of_a_clip_meet_where_it_is_alone() -> None:
    """Dance2's arms lie half a cycle off: its upper cycle lags by about half a cycle more than the run's."""
    chosen = [states_of(name) for name in ("run", "dance2")]
    lengths = np.array([77.0, 307.0])
    below, above = correspond_halves(chosen, EQUIVALENT, MIN_GAP)
    lower = time_part(below, lengths, "smooth")
    upper = time_part(above, lengths, "smooth", lower.warp)
    assert upper.lags.round(2).tolist() == [0.0, -0.18]
    for k in range(2):
        only = np.tile(np.eye(2)[k], (9, 1))
        times = np.linspace(0.0, 2.0, 9)
        legs = lower.warp.moments(times, only).phases[:, k]
        arms = upper.warp.moments(times + only @ upper.lags, only).phases[:, k]
        assert np.allclose(np.exp(2j * np.pi * legs), np.exp(2j * np.pi * arms))


def test_weights_among_cyclic_clips() -> None:
    weights = np.array([[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]])
    assert cyclic_weights(weights, np.array([True, True, True])) is weights
    assert cyclic_weights(weights, np.array([True, True, False])) == pytest.approx(
        np.array([[2 / 3, 1 / 3], [0.5, 0.5]])
    )
