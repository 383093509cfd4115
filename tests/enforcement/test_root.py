"""The body follows its feet: the nearest shift within reach of two legs, and smooth motion there."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import Floor, annotate
from motionloom.annotation.ground import Ground
from motionloom.enforcement.enforce import enforce, move_to_targets
from motionloom.enforcement.root import (
    CLOSE,
    ReachSphere,
    keep_falling,
    nearest_within,
    shift_into_reach,
)
from motionloom.enforcement.targets import choose_targets, find_limbs
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy, find_body_masses
from motionloom.synthesis import stand, walk
from tests.enforcement.measuring import skating

FLOOR = Ground(Floor(0.0))


def ball(centre: tuple[float, float, float], radius: float) -> ReachSphere:
    return ReachSphere(np.array([centre]), np.array([radius]))


@pytest.mark.parametrize(
    ("point", "nearest"),
    [
        ((0.2, 0.0, 0.0), (0.2, 0.0, 0.0)),  # inside both
        ((3.0, 0.0, 0.0), (1.0, 0.0, 0.0)),  # on the first alone
        ((-3.0, 0.0, 0.0), (0.0, 0.0, 0.0)),  # on the second alone
        ((0.5, 3.0, 0.0), (0.5, 0.75**0.5, 0.0)),  # on the circle of both
    ],
)
def test_nearest_place_within_two_balls(
    point: tuple[float, float, float], nearest: tuple[float, float, float]
) -> None:
    found = nearest_within(np.array([point]), [ball((0, 0, 0), 1.0), ball((1, 0, 0), 1.0)])
    assert found[0] == pytest.approx(nearest, abs=1e-9)


def test_balls_that_do_not_meet_are_met_halfway() -> None:
    found = nearest_within(np.array([[0.0, 9.0, 0.0]]), [ball((0, 0, 0), 1.0), ball((4, 0, 0), 2.0)])
    assert found[0] == pytest.approx([1.5, 0.0, 0.0])


def test_without_balls_nothing_moves() -> None:
    assert nearest_within(np.ones((1, 3)), []).tolist() == [[1.0, 1.0, 1.0]]
    assert shift_into_reach(np.ones((4, 3)), [], 2.0).tolist() == [[1.0, 1.0, 1.0]] * 4


@given(st.integers(0, 300))
def test_no_nearer_place_is_within_both(seed: int) -> None:
    rng = np.random.default_rng(seed)
    balls = [ball((0, 0, 0), 1.0), ReachSphere(rng.normal(size=(1, 3)) * 0.5, rng.uniform(0.8, 1.5, 1))]
    point = rng.normal(size=(1, 3)) * 2.0
    found = nearest_within(point, balls)
    others = rng.normal(size=(4000, 3))
    inside = np.all([np.linalg.norm(others - each.centres, axis=-1) <= each.radii for each in balls], axis=0)
    for each in balls:
        assert np.linalg.norm(found - each.centres) <= each.radii[0] + 1e-9
    away = np.linalg.norm(others[inside] - point, axis=-1).min(initial=np.inf)
    assert np.linalg.norm(found - point) <= away + 1e-9


def test_the_way_is_smooth_and_within_reach() -> None:
    centres = np.zeros((120, 3))
    centres[60, 1] = -0.1
    balls = [ReachSphere(centres, np.full(120, 0.05)), ReachSphere(np.zeros((120, 3)), np.full(120, 2.0))]
    shifts = shift_into_reach(np.zeros((120, 3)), balls, 20.0)
    assert np.linalg.norm(shifts[60] - centres[60]) <= 0.05 + CLOSE
    assert np.abs(np.diff(shifts, 2, axis=0)).max() < 0.002
    assert not shifts[:10].any()


def held(clip: Clip, stretch: float = 0.026) -> Clip:
    aimed = choose_targets(clip, FLOOR)
    return move_to_targets(aimed, find_limbs(aimed)[0], FLOOR, stretch, 0.25)


def test_without_limbs_the_clip_stays() -> None:
    clip = stand(duration=0.5).clip
    done = move_to_targets(clip, (), FLOOR, 0.026, 0.25)
    assert np.array_equal(done.rotations, clip.rotations)
    assert np.array_equal(done.root_positions, clip.root_positions)


def test_bones_that_do_not_stretch_leave_no_translations() -> None:
    clip = skating(annotate(walk(duration=2.0).clip))
    assert held(clip, stretch=0.0).translations is None
    assert held(clip, stretch=0.026).translations is not None


def test_a_body_that_floats_comes_down_as_it_is() -> None:
    """Feet four centimetres above the floor: the whole body sinks, and no knee bends."""
    clip = annotate(walk(duration=2.0).clip)
    floating = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.04, 0.0]))
    done = held(floating)
    assert done.root_positions == pytest.approx(clip.root_positions, abs=0.003)


def test_the_body_moves_smoothly() -> None:
    clip = skating(annotate(walk(duration=4.0, fps=120).clip), 1.15)
    way = held(clip).root_positions - clip.root_positions
    assert np.abs(way).max() > 0.002
    assert np.abs(np.diff(way, 2, axis=0)).max() / clip.frame_time**2 < 5.0


@pytest.mark.parametrize("name", ["speeds/fast_07_11", "speeds/slow_07_04", "s16/walk_straight_16_15"])
def test_captured_walks_do_not_crouch(mocap: Path, name: str) -> None:
    """The body comes down where a leg is too short for a moment, and not for the whole walk."""
    clip = annotate(load_clip(mocap / "locomotion" / f"{name}.bvh"))
    bends = [_mean_knee_bend(each) for each in (clip, enforce(clip).clip)]
    assert bends[1] - bends[0] < 9.5


def _mean_knee_bend(clip: Clip) -> float:
    """Degrees by which knees are bent on average."""
    places = clip.world_positions()
    bends = []
    for leg in find_anatomy(clip.skeleton).legs:
        thigh, shin = (places[:, b] - places[:, a] for a, b in pairwise(leg.chain))
        sizes = np.linalg.norm(thigh, axis=1) * np.linalg.norm(shin, axis=1)
        along = np.einsum("tc,tc->t", thigh, shin) / sizes
        bends.append(np.degrees(np.arccos(np.clip(along, -1.0, 1.0))).mean())
    return float(np.mean(bends))


def test_the_centre_of_mass_falls_as_before_in_flights() -> None:
    clip = stand(duration=1.0, fps=30).clip
    lift = np.sin(np.arange(31) / 5.0)[:, None] * [0.0, 0.05, 0.02]
    leg = clip.skeleton.index("LeftLeg")
    rotations = np.array(clip.rotations)
    rotations[10:20, leg] = [0.9, 0.43588989, 0.0, 0.0]
    moved = replace(clip, root_positions=clip.root_positions + lift, rotations=rotations)
    kept = keep_falling(clip, moved, [(5.5, 24.2)])
    body = find_body_masses(clip.skeleton)
    assert body is not None
    before, after = (body.centre(c.world_positions(), c.world_rotations()) for c in (clip, kept))
    assert np.abs(np.diff(after - before, n=2, axis=0)[6:22]).max() < 1e-12
    # Outside of the flight, and at its ends, nothing changes.
    outside = [*range(7), *range(24, 31)]
    np.testing.assert_allclose(kept.root_positions[outside], moved.root_positions[outside], atol=1e-12)
    assert keep_falling(clip, moved, ()) is moved
