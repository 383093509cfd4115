from __future__ import annotations

import numpy as np
import pytest

from motionloom.registration import pairs
from motionloom.registration.pairs import PairTask, align_pair
from motionloom.registration.point_cloud import point_cloud
from motionloom.transitions import transition
from motionloom.transitions.outwards import align_outwards
from tests.transitions.motions import jog_cycle, jogging, walk_cycle, walking


def _task(*pins: tuple[int, int]) -> PairTask:
    one, other = point_cloud(walking()), point_cloud(jogging())
    return PairTask(
        one,
        other,
        half_width=5,
        fps=30.0,
        slope_limit=3,
        form="reversible",
        start="free",
        end="free",
        pins=pins,
    )


def test_small_grids_are_aligned_as_a_whole() -> None:
    task = _task((60, 50))
    np.testing.assert_array_equal(align_outwards(task).frames, align_pair(task).frames)


@pytest.mark.parametrize("pins", [((60, 50),), ((31, 39), (60, 50), (92, 73))])
def test_large_grids_are_aligned_both_ways_from_a_pin(
    monkeypatch: pytest.MonkeyPatch, pins: tuple[tuple[int, int], ...]
) -> None:
    """A path as the rules want it, through all pins, with the distances of its own cells."""
    whole = align_outwards(_task(*pins))
    monkeypatch.setattr(pairs, "LARGEST_GRID", 1000)
    found = align_outwards(_task(*pins))
    steps = np.diff(found.alignment.path, axis=0)
    assert {tuple(step) for step in steps.tolist()} <= {(1, 1), (1, 0), (0, 1)}
    assert set(pins) <= {tuple(cell) for cell in found.alignment.path.tolist()}
    assert found.frames[0].min() == 0
    assert (found.frames[-1] == np.array([120, 120])).any()
    assert len(found.distances) == len(found.frames)
    assert found.alignment.mean_cost < 1.2 * whole.alignment.mean_cost


def test_very_wide_transitions_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "LARGEST_GRID", 1000)
    made = transition(walk_cycle(), jog_cycle(), half_width=2.0, loop=True)
    first, last = made.report.seams
    assert last - first == 120
