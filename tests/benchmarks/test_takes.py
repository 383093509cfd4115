from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.takes.__main__ import wilson
from benchmarks.takes.calibration import split_pairs
from benchmarks.takes.pairs import (
    MAX_PER_DESCRIPTION,
    Kind,
    different_pairs,
    is_different,
    is_held_out,
    kind_of,
    same_pairs,
    single_action,
)


@pytest.mark.parametrize(
    ("description", "action", "kind"),
    [
        ("Walk", "walk", "gait"),
        ("run/jog", "run/jog", "gait"),
        ("walk, 90-degree left turn", "walk, 90-degree left turn", "gait"),
        ("RunThrough", "runthrough", "gait"),
        ("forward  jump", "forward jump", "action"),
        ("Run Jump Over", "run jump over", "action"),
        ("salsa dance", "salsa dance", "activity"),
        ("Unknown", None, None),
        ("run, leap", None, None),
        ("Punch and kick", None, None),
        ("walk, shake hands (2 subjects - subject A)", None, None),
    ],
)
def test_descriptions_of_one_action(description: str, action: str | None, kind: Kind | None) -> None:
    assert single_action(description) == action
    if action is not None:
        assert kind_of(action) == kind


def test_different_actions_share_no_word() -> None:
    assert is_different("walk", "forward jump")
    assert not is_different("walk", "run/jog")
    assert not is_different("high jump", "hopscotch")
    assert not is_different("drinking water", "drinking a soda")


def test_pairs_are_seeded_and_limited(mocap: Path) -> None:
    pairs = same_pairs()
    assert len(pairs) == 200
    assert pairs == same_pairs()
    counts = [sum(pair.description == each for pair in pairs) for each in {p.description for p in pairs}]
    assert max(counts) == MAX_PER_DESCRIPTION
    assert len({(pair.first, pair.second) for pair in different_pairs()}) > 190


def test_nothing_is_tuned_on_takes_that_are_held_out(mocap: Path) -> None:
    for held_out in (False, True):
        for pair in [each for pairs in split_pairs(held_out, 50) for each in pairs]:
            assert is_held_out(pair.first) == is_held_out(pair.second) == held_out


def test_an_interval_of_a_fraction() -> None:
    assert wilson(9, 10) == "90.0 % (59.6–98.2)"
    assert wilson(0, 0) == "–"
