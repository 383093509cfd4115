"""Where the ankle has to be so that heel and toe are on their targets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import Floor, annotate
from motionloom.annotation.ground import Ground
from motionloom.arrays import FloatArray
from motionloom.enforcement.goals import LimbGoals, find_goals, roll_heights
from motionloom.enforcement.targets import HeldLimb, Hold, choose_targets, find_limbs
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.synthesis import stand, walk
from tests.enforcement.measuring import skating

FLOOR = Ground(Floor(0.0))
REACH = 15.0
N_FRAMES = 20
WIDTH = 3.0


def left_leg(clip: Clip) -> tuple[Clip, HeldLimb, LimbGoals]:
    aimed = choose_targets(clip, FLOOR)
    limb = next(limb for limb in find_limbs(aimed)[0] if limb.name == "left leg")
    return aimed, limb, find_goals(aimed, limb, REACH, FLOOR)


def points_reached(clip: Clip, limb: HeldLimb, goals: LimbGoals) -> FloatArray:
    """World positions (P, T, 3) of the points when the ankle is where and as it has to be."""
    return np.asarray(clip.world_positions()[:, limb.end] + goals.shifts + goals.arms)


def test_what_stands_on_its_targets_has_no_offsets() -> None:
    motion = stand(duration=0.5, fps=30)
    _, _, goals = left_leg(replace(motion.clip, constraints=motion.plants))
    assert np.abs(goals.shifts).max() < 1e-9
    assert np.abs(goals.flexions[:, 1:]).max() < 1e-9


def test_both_points_come_to_their_targets_at_once() -> None:
    clip, limb, goals = left_leg(skating(annotate(walk(duration=3.0).clip)))
    reached = points_reached(clip, limb, goals)
    for place, point in zip(reached, limb.points, strict=True):
        pinned, targets = point.is_held(clip.n_frames), point.targets(clip.n_frames)
        assert np.abs((place - targets)[pinned][:, [0, 2]]).max() < 1e-6
        assert (place - targets)[pinned][:, 1].min() > -1e-6


def test_a_bent_toe_is_flattened_where_heel_and_toe_are_held_and_eases_out() -> None:
    clip = annotate(walk(duration=3.0).clip)
    toe = clip.skeleton.index("LeftToeBase")
    turns = np.array(clip.rotations)
    wave = rot.from_axis_angle([1.0, 0.0, 0.0], 0.1 * np.sin(np.arange(clip.n_frames) / 9.0))
    turns[:, toe] = rot.multiply(turns[:, toe], wave)
    waving, limb, goals = left_leg(replace(clip, rotations=turns))
    assert goals.flex_joint == toe
    reached = points_reached(waving, limb, goals)
    both = np.all([point.is_held(clip.n_frames) for point in limb.points], axis=0)
    apart = np.linalg.norm(reached[1] - reached[0], axis=-1)[both]
    wanted = np.linalg.norm(
        limb.points[1].targets(clip.n_frames) - limb.points[0].targets(clip.n_frames), axis=-1
    )[both]
    assert apart == pytest.approx(wanted, abs=1e-7)
    # It eases out, and into the next step, without overshooting.
    bends = np.abs(goals.flexions[:, 1:]).max(axis=1)
    assert bends.max() < 1.1 * bends[both].max()
    far = np.array([np.abs(np.flatnonzero(both) - frame).min() for frame in range(clip.n_frames)]) > REACH
    assert bends[far].min() < 0.05 * bends.max()


def test_toes_are_turned_up_where_they_would_sink_while_the_heel_is_held() -> None:
    clip = annotate(stand(duration=1.0, fps=30).clip)
    heel = next(plant for plant in clip.constraints if plant.joint == "LeftFoot")
    toe = next(plant for plant in clip.constraints if plant.joint == "LeftToeBase")
    ankle = clip.skeleton.index("LeftFoot")
    turns = np.array(clip.rotations)
    turns[10:, ankle] = rot.multiply(turns[10:, ankle], rot.from_axis_angle([1.0, 0.0, 0.0], 0.3))
    down = replace(clip, rotations=turns, constraints=(heel, replace(toe, end=5)))
    aimed, limb, goals = left_leg(down)
    assert limb.points[1].positions(aimed)[12:, 1].max() < -0.02
    assert points_reached(aimed, limb, goals)[1, 12:, 1].min() > -0.001


def hold_at(height: float = 0.0) -> Hold:
    return Hold(0, range(N_FRAMES), np.zeros(3), np.array([0.5, height, 0.0]))


def at_heights(heights: FloatArray) -> FloatArray:
    return np.stack([np.zeros(N_FRAMES), heights, np.zeros(N_FRAMES)], axis=-1)


ALWAYS, NEVER = np.ones(N_FRAMES, dtype=bool), np.zeros(N_FRAMES, dtype=bool)


def test_a_foot_flat_on_the_ground_is_put_on_it_entirely() -> None:
    heights = roll_heights(hold_at(0.1), at_heights(np.full(N_FRAMES, 0.03)), ALWAYS, WIDTH)
    assert heights == pytest.approx(0.1, abs=1e-12)


def test_a_foot_that_trembles_goes_on_trembling_by_no_more() -> None:
    """Hips tremble with it: a foot that stood stock-still would make nearly straight knees shake."""
    noise = np.random.default_rng(0).uniform(-0.001, 0.001, N_FRAMES)
    heights = roll_heights(hold_at(), at_heights(0.03 + noise), ALWAYS, WIDTH)
    assert np.ptp(heights) <= np.ptp(noise) + 1e-12
    assert heights.max() <= 0.002


def test_a_slow_rise_of_the_floor_is_levelled() -> None:
    heights = roll_heights(hold_at(), at_heights(np.linspace(0.0, 0.02, N_FRAMES)), ALWAYS, 1.0)
    assert heights.max() < 0.003


def test_a_rise_after_the_heel_has_left_is_kept() -> None:
    rising = at_heights(np.concatenate([np.full(10, 0.01), np.linspace(0.01, 0.05, 10)]))
    heights = roll_heights(hold_at(), rising, np.arange(N_FRAMES) < 10, WIDTH)
    assert heights[:10] == pytest.approx(0.0, abs=1e-12)
    assert heights[-1] == pytest.approx(0.04, abs=1e-12)


def test_a_point_planted_alone_stands_as_low_as_it_usually_does() -> None:
    heights = roll_heights(hold_at(), at_heights(np.full(N_FRAMES, 0.03)), NEVER, WIDTH)
    assert heights == pytest.approx(0.0, abs=1e-12)


def test_a_foot_on_the_tips_of_its_toes_stays_up_there() -> None:
    heights = roll_heights(
        hold_at(), at_heights(np.full(N_FRAMES, 0.07)), NEVER, WIDTH, np.full(N_FRAMES, 0.05)
    )
    assert heights == pytest.approx(0.05, abs=1e-12)


def test_what_is_on_target_stays() -> None:
    here = at_heights(np.linspace(0.0, 0.04, N_FRAMES)) + np.array([0.5, 0.0, 0.0])
    assert np.array_equal(roll_heights(hold_at(), here, NEVER, WIDTH), here[:, 1])


def test_what_was_planted_already_stays_where_its_tips_carry_it() -> None:
    above = at_heights(np.full(N_FRAMES, 0.07)) + np.array([0.5, 0.0, 0.0])
    assert roll_heights(replace(hold_at(), given=True), above, NEVER, WIDTH).tolist() == [0.07] * N_FRAMES


def test_a_point_that_hovers_over_its_target_comes_down() -> None:
    hovering = at_heights(np.full(N_FRAMES, 0.02)) + np.array([0.5, 0.0, 0.0])
    assert roll_heights(hold_at(), hovering, ALWAYS, WIDTH) == pytest.approx(0.0, abs=1e-12)


@given(st.integers(0, 1000))
def test_no_point_sinks_below_its_target(seed: int) -> None:
    rng = np.random.default_rng(seed)
    heights = roll_heights(
        hold_at(0.2), at_heights(rng.normal(0, 0.05, N_FRAMES)), rng.random(N_FRAMES) < 0.5, WIDTH
    )
    assert (heights >= 0.2 - 1e-12).all()
