"""Strongly connected parts of takes, by hand."""

from __future__ import annotations

import numpy as np

from motionloom.graphs.prune import NOWHERE, Links, find_parts


def _link(*rows: tuple[int, int, int, int]) -> Links:
    return Links(*np.array(rows).T)


def test_what_leads_away_belongs_to_no_part() -> None:
    parts = find_parts([100, 100], _link((0, 80, 0, 20), (0, 60, 1, 10)))
    assert np.flatnonzero(parts.frames[0] != NOWHERE)[[0, -1]].tolist() == [20, 80]
    assert (parts.frames[1] == NOWHERE).all()
    assert parts.links[0] != NOWHERE
    assert parts.links[1] == NOWHERE


def test_two_loops_are_two_parts() -> None:
    parts = find_parts([100, 50], _link((0, 80, 0, 20), (1, 40, 1, 10)))
    assert parts.links[0] != parts.links[1]
    assert sorted(parts.sizes[parts.sizes > 0].tolist()) == [31, 61]


def test_a_take_that_is_left_where_it_is_entered_still_plays() -> None:
    parts = find_parts([100, 100], _link((0, 80, 1, 50), (1, 50, 0, 20)))
    assert (parts.links != NOWHERE).all()
    assert np.flatnonzero(parts.frames[1] != NOWHERE).tolist() == [50]
