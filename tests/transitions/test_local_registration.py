from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.motion.kinematics import world_points
from motionloom.registration import RegistrationCurve, pair_alignment
from motionloom.registration.dtw import SlopeRule
from motionloom.registration.pair_alignment import PairTask, align_pair
from motionloom.registration.point_cloud import point_cloud
from motionloom.transitions import transition
from motionloom.transitions.local_registration import align_by_supports, align_outwards
from tests.blending.curves import two_walks
from tests.transitions.motions import jog_cycle, jogging, walk_cycle, walking


def _task(*pins: tuple[int, int]) -> PairTask:
    one, other = point_cloud(walking()), point_cloud(jogging())
    return PairTask(
        one,
        other,
        half_width=5,
        fps=30.0,
        rule=SlopeRule(3, "reversible"),
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
    monkeypatch.setattr(pair_alignment, "MAX_GRID", 1000)
    found = align_outwards(_task(*pins))
    steps = np.diff(found.alignment.path, axis=0)
    assert {tuple(step) for step in steps.tolist()} <= {(1, 1), (1, 0), (0, 1)}
    assert set(pins) <= {tuple(cell) for cell in found.alignment.path.tolist()}
    assert found.frames[0].min() == 0
    assert (found.frames[-1] == np.array([120, 120])).any()
    assert len(found.distances) == len(found.frames)
    assert found.alignment.mean_cost < 1.2 * whole.alignment.mean_cost


def test_very_wide_transitions_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_alignment, "MAX_GRID", 1000)
    made = transition(walk_cycle(), jog_cycle(), half_width=2.0, loop=True)
    first, last = made.report.seams
    assert last - first == 120


def gaps(curve: RegistrationCurve) -> list[float]:
    """How far apart on the ground the clips are, in metres, at every match half-way through its hold."""
    found = []
    for match in curve.matches:
        start, end = match.spans[:, 0].max(), match.spans[:, 1].min()
        if start >= end:
            continue
        u = (start + end) / 2.0
        frames = np.rint(curve.timewarp(u)).astype(int)
        positions = []
        for k, clip in enumerate(curve.clips):
            held = clip.constraints[match.sources[k]]
            part = clip[int(frames[k]) : int(frames[k]) + 1]
            point = world_points(
                part.world_positions(),
                part.world_rotations(),
                [clip.skeleton.index(held.joint)],
                [held.point],
            )
            positions.append(curve.alignment.transform(float(u), k).apply(point[0, 0]))
        found.append(float(np.linalg.norm((positions[0] - positions[1])[[0, 2]])))
    return found


def test_nothing_that_stands_leaves_the_curve_as_it_is() -> None:
    curve = replace(two_walks(), matches=())
    assert align_by_supports(curve) is curve


def test_what_stands_is_put_on_each_other() -> None:
    before, after = gaps(two_walks()), gaps(align_by_supports(two_walks()))
    assert len(before) >= 4
    assert np.mean(before) > 0.05
    # What is left is what the feet themselves move while they stand.
    assert np.mean(after) < 0.02


def test_yaws_stay_as_they_are() -> None:
    curve = two_walks()
    u = np.linspace(*curve.domain, 50)
    yaws = (own.alignment(u)[..., 0] for own in (curve, align_by_supports(curve)))
    one, other = yaws
    np.testing.assert_allclose(one, other, atol=1e-3)
