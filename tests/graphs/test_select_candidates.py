"""Which candidates become transitions: spots, quotas and scores of small cases worked out by hand."""

from __future__ import annotations

import numpy as np

from motionloom.graphs.find_candidates import Candidates
from motionloom.graphs.select_candidates import Quotas, find_spots, score_candidates, select_candidates

RATE = 30
LENGTHS = [90, 90, 90]


def list_candidates(*rows: tuple[int, int, int, int]) -> Candidates:
    """Source, its frame, target and its frame of each candidate; all as near and as gainful as any other."""
    source, first, target, second = np.array(rows, dtype=np.int64).T
    return Candidates(source, first, target, second, np.full(len(rows), 0.02), np.ones(len(rows)))


def select(candidates: Candidates, density: int, quotas: Quotas | None = None) -> list[int]:
    spots = find_spots(candidates, LENGTHS, 1.0 / RATE)
    known = Quotas.of_spots(spots.n_spots) if quotas is None else quotas
    return select_candidates(spots, np.arange(len(candidates)), known, density)


def test_spots_count_on_from_take_to_take() -> None:
    candidates = list_candidates((0, 29, 1, 30), (2, 0, 0, 89))
    spots = find_spots(candidates, LENGTHS, 1.0 / RATE)
    assert spots.n_spots == 9
    assert spots.source.tolist() == [0, 6]
    assert spots.target.tolist() == [4, 2]
    assert spots.take.tolist() == [1, 0]


def test_a_pair_of_spots_has_one_transition() -> None:
    assert select(list_candidates((0, 10, 1, 40), (0, 12, 1, 42), (0, 10, 1, 70)), density=5) == [0, 2]


def test_a_spot_has_two_transitions_to_a_take_at_most() -> None:
    to_one = [(0, 10, 1, 5), (0, 10, 1, 40), (0, 10, 1, 70)]
    assert select(list_candidates(*to_one, (0, 10, 2, 5)), density=5) == [0, 1, 3]


def test_spots_that_have_enough_take_no_more() -> None:
    # Both candidates leave the first second of take 0 and lead to the same second of take 1.
    candidates = list_candidates((0, 10, 1, 40), (0, 10, 2, 40), (2, 10, 1, 40))
    assert select(candidates, density=1) == [0, 1, 2]
    quotas = Quotas.of_spots(9)
    for spot in range(9):
        quotas.leaving[spot] = quotas.arriving[spot] = 1
    assert select(candidates, density=1, quotas=quotas) == []
    assert select(candidates, density=2, quotas=quotas) == [0, 1, 2]


def test_selecting_does_not_count() -> None:
    quotas = Quotas.of_spots(9)
    select(list_candidates((0, 10, 1, 40)), density=1, quotas=quotas)
    assert not quotas.leaving.any()
    assert not quotas.cells


def test_scores_prefer_near_poses_and_the_ends_of_takes() -> None:
    candidates = list_candidates((0, 30, 1, 60), (0, 89, 1, 60), (0, 30, 1, 0))
    scores = score_candidates(candidates, LENGTHS, 1.0 / RATE, threshold=0.04)
    # Gain 1 less half of a half; half a gain more where the source ends or the target starts.
    assert np.allclose(scores, [0.75, 1.25, 1.25])
