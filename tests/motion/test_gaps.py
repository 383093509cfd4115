from __future__ import annotations

import numpy as np

from motionloom.motion import PointClip
from motionloom.motion.gaps import filled, longest_gaps

LOST = [np.nan] * 3


def test_gaps_are_bridged_straight_and_held_at_the_ends() -> None:
    positions = np.array([LOST, [0.0, 0, 0], LOST, LOST, [3.0, 6, 9], LOST])[:, None]
    found = filled(positions)[:, 0]
    assert found.tolist() == [[0, 0, 0], [0, 0, 0], [1, 2, 3], [2, 4, 6], [3, 6, 9], [3, 6, 9]]
    assert np.isnan(positions[0]).all()


def test_what_is_never_seen_lies_at_the_origin_and_what_is_seen_stays() -> None:
    positions = np.random.default_rng(3).normal(size=(5, 2, 3))
    positions[:, 1] = np.nan
    found = filled(positions)
    assert np.array_equal(found[:, 0], positions[:, 0])
    assert (found[:, 1] == 0.0).all()


def test_the_longest_gap_counts() -> None:
    positions = np.zeros((7, 3, 3))
    positions[[0, 2, 3, 6], 0] = np.nan
    positions[:, 1] = np.nan
    assert longest_gaps(PointClip(("a", "b", "c"), 0.1, positions)).tolist() == [2, 7, 0]
