from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.framespace import Correspondence, State, correspond
from motionloom.framespace.correspondence import (
    CROSSING,
    MIN_GAP,
    TOO_CLOSE,
    correspond_bodies,
    correspond_halves,
)
from motionloom.framespace.labels import EQUIVALENT, Half
from motionloom.framespace.states import BodyStates
from tests.framespace import paper_tables as paper
from tests.framespace.paper_tables import states_of


def rows(names: tuple[str, ...], half: Half, equivalences: dict[str, str] | None = None) -> paper.Rows:
    found = correspond(
        [states_of(name).of(half) for name in names],
        equivalences={"H gnd": "et"} if equivalences is None else equivalences,
    )
    return [state.phases for state in found.matched]


def test_clips_without_common_labels_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"share no state \(clip 0 has L.et; clip 1 has none\)"):
        correspond([[State(0.0, ("L.et",))], []])


def test_only_a_matched_state_can_be_taken_out() -> None:
    found = correspond([[State(0.0, ("L.et",))], [State(0.5, ("L.et",))]])
    with pytest.raises(ParameterError, match=r"no matched state carries 'R.et': they are L.et"):
        found.without("R.et")
    with pytest.raises(ParameterError, match=r"'L.et' is the only matched state"):
        found.without("L.et")


def test_run_and_walk_of_table_3() -> None:
    assert rows(("run", "walk"), "lower") == paper.RUN_WALK_LOWER
    assert rows(("run", "walk"), "upper") == paper.RUN_WALK_UPPER


def test_upper_bodies_of_table_3() -> None:
    assert rows(("dance1", "dance2"), "upper") == paper.DANCES_UPPER
    assert rows(("run", "walk", "dance1", "dance2"), "upper") == paper.ALL_UPPER


def test_the_dances_differ_from_table_3_where_it_pairs_ground_contact_with_other_events() -> None:
    """The paper pairs dance1's left contact with dance2's L.mt; a contact ends a transfer: L.et."""
    ours = rows(("dance1", "dance2"), "lower")
    differing = [
        (own, printed) for own, printed in zip(ours, paper.DANCES_LOWER, strict=True) if own != printed
    ]
    assert differing == [((0.69, 0.36), (0.69, 0.0))]


def test_four_motions_differ_from_table_3_in_one_row() -> None:
    """The paper pairs R.mt with dance1's right contact, we pair R.et with it."""
    ours = rows(("run", "walk", "dance1", "dance2"), "lower")
    differing = [(own, printed) for own, printed in zip(ours, paper.ALL_LOWER, strict=True) if own != printed]
    assert differing == [((0.48, 0.49, 0.14, 0.76), (0.26, 0.26, 0.14, 0.49))]


def test_the_papers_own_equivalences_give_its_columns() -> None:
    """It uses two that contradict each other: one in each column."""
    left = {"R.H gnd": "R.et", "L.H gnd": "L.mt"}
    assert rows(("dance1", "dance2"), "lower", left) == paper.DANCES_LOWER
    right = {"R.H gnd": "R.mt", "L.H gnd": "L.et"}
    assert rows(("run", "walk", "dance1", "dance2"), "lower", right) == paper.ALL_LOWER


def test_arms_of_run_and_walk_cross_with_their_legs() -> None:
    found = correspond([states_of(name).whole for name in ("run", "walk")])
    assert [(lost.label, lost.reason) for lost in found.dropped] == [
        ("L.S msw", CROSSING),
        ("R.S msw", CROSSING),
    ]


def test_dance2_arms_cross_with_its_legs() -> None:
    """Its arms go against its legs the other way round than those of a run."""
    found = correspond([states_of(name).whole for name in ("run", "dance2")])
    assert {lost.label for lost in found.dropped} >= {"L.S ext", "R.S ext"}
    kept = {label for state in found.matched for label in state.labels}
    assert {"L.et", "R.HI flex", "R.mt", "R.et", "L.HI flex", "L.mt"} <= kept


def test_any_of_several_events_may_match() -> None:
    one = [State(0.0, ("a", "b")), State(0.5, ("c",))]
    other = [State(0.1, ("b",)), State(0.7, ("c", "d"))]
    found = correspond([one, other])
    assert [(state.labels, state.phases) for state in found.matched] == [
        (("b",), (0.0, 0.1)),
        (("c",), (0.5, 0.7)),
    ]


def test_repeated_labels_match_in_order() -> None:
    one = [State(phase, ("a",)) for phase in (0.0, 0.25, 0.5, 0.75)]
    other = [State(phase, ("a",)) for phase in (0.1, 0.3, 0.6, 0.8)]
    assert len(correspond([one, other]).matched) == 4


def test_states_too_near_to_each_other_are_told_from_crossing_ones() -> None:
    one = [State(0.0, ("L.et",)), State(0.005, ("L.S ext",))]
    found = correspond([one, one])
    assert [(lost.label, lost.reason) for lost in found.dropped] == [("L.S ext", TOO_CLOSE)]


def test_contacts_win_over_arms() -> None:
    one = [State(0.0, ("x",)), State(0.2, ("L.S ext",)), State(0.4, ("L.et",)), State(0.7, ("y",))]
    other = [State(0.0, ("x",)), State(0.2, ("L.et",)), State(0.4, ("L.S ext",)), State(0.7, ("y",))]
    kept = [label for state in correspond([one, other]).matched for label in state.labels]
    assert kept == ["x", "L.et", "y"]


@pytest.mark.slow
@given(
    st.lists(st.floats(0.02, 1.0), min_size=2, max_size=7),
    st.lists(st.floats(0.02, 1.0), min_size=7, max_size=7),
    st.floats(0.0, 1.0),
)
def test_one_cyclic_order_matches_wherever_the_cycles_begin(
    gaps: list[float], others: list[float], shift: float
) -> None:
    labels = [chr(ord("a") + n) for n in range(len(gaps))]
    first = np.cumsum(gaps) / sum(gaps)
    second = np.cumsum(others[: len(gaps)]) / sum(others[: len(gaps)]) + shift
    found = correspond(
        [
            [State(float(phase), (label,)) for phase, label in zip(phases, labels, strict=True)]
            for phases in (first, second)
        ],
        min_gap=1e-6,
        max_gap_ratio=np.inf,
    )
    assert len(found.matched) == len(gaps)
    assert (np.diff(found.phases, axis=0) > 0.0).all()
    assert (found.phases[-1] < found.phases[0] + 1.0).all()


@given(st.permutations(["a", "b", "c", "d", "e"]), st.permutations(["a", "b", "c", "d", "e"]))
def test_matched_states_never_cross(one: list[str], other: list[str]) -> None:
    states = [[State(n / 5, (label,)) for n, label in enumerate(order)] for order in (one, other)]
    found = correspond(states)
    kept = [state.labels[0] for state in found.matched]
    for order in (one, other):
        places = [order.index(label) for label in kept]
        turns = sum(after < before for before, after in zip(places, places[1:] + places[:1], strict=True))
        assert turns <= 1
    assert len(found.dropped) + len(kept) == 5
    assert len(kept) == largest_common(one, other)


def largest_common(one: list[str], other: list[str]) -> int:
    """The most labels that stand in the same cyclic order in both, by trying all subsets."""
    for size in range(len(one), 0, -1):
        for chosen in combinations(one, size):
            turned = [label for label in other if label in chosen]
            start = turned.index(chosen[0])
            if turned[start:] + turned[:start] == list(chosen):
                return size
    return 0


def test_a_single_cyclic_clip_needs_no_states() -> None:
    for found in (correspond_bodies([BodyStates()], EQUIVALENT, MIN_GAP), *alone()):
        assert [state.phases for state in found.matched] == [(0.0,)]


def alone() -> tuple[Correspondence, Correspondence]:
    return correspond_halves([BodyStates()], EQUIVALENT, MIN_GAP)


def test_arms_without_common_states_follow_the_legs() -> None:
    stiff = [replace(states_of(name), upper=()) for name in ("run", "walk")]
    lower, upper = correspond_halves(stiff, EQUIVALENT, MIN_GAP)
    assert upper.matched == lower.matched
    assert [lost.reason for lost in upper.dropped] == ["the clips share none, so it follows the lower body"]
