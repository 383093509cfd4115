"""The body and its feet, moved together: what nobody should see stays as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.annotation import Floor, annotate
from motionloom.annotation.ground import Ground
from motionloom.arrays import FloatArray, norm
from motionloom.enforcement.enforce import enforce
from motionloom.enforcement.goals import LimbPlan, plan_limb
from motionloom.enforcement.move_body import move_body
from motionloom.enforcement.targets import add_free_feet, choose_targets, find_limbs
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.quality import measure_changes
from motionloom.quality.stances import find_darts, track_soles
from motionloom.synthesis import stand, walk
from tests.enforcement.measuring import knee_angles, skating

FLOOR = Ground(Floor(0.0))


def moved(clip: Clip) -> tuple[Clip, FloatArray, list[LimbPlan]]:
    aimed = choose_targets(clip, FLOOR)
    plans = [
        plan_limb(aimed, limb, FLOOR, 7.5)
        for limb in add_free_feet(aimed, find_limbs(aimed, clip.constraints)[0])
    ]
    return aimed, *move_body(aimed, plans, FLOOR, 0.25)


def swaying(clip: Clip, size: float = 0.03) -> Clip:
    """The clip as a whole, going to and fro sideways under its feet: they slide."""
    offsets = size * np.sin(np.linspace(0.0, 4.0 * np.pi, clip.n_frames))
    return replace(clip, root_positions=clip.root_positions + offsets[:, None] * [1.0, 0.0, 0.0])


def test_without_legs_nothing_moves() -> None:
    clip = stand(duration=0.5, fps=30).clip
    shifts, plans = move_body(clip, [], FLOOR, 0.25)
    assert (shifts.shape, np.abs(shifts).max(), plans) == ((16, 3), 0.0, [])


def test_what_stands_on_its_targets_stays_to_the_last_bits() -> None:
    motion = walk(duration=2.0)
    _, shifts, plans = moved(replace(motion.clip, constraints=motion.plants))
    assert np.abs([shifts, *(plan.end_shifts for plan in plans)]).max() < 1e-12


@pytest.mark.parametrize("fps", [30, 120])
def test_planted_feet_are_where_they_are_to_be(fps: float) -> None:
    _, _, plans = moved(skating(annotate(walk(duration=2.0, fps=fps).clip)))
    for plan in plans:
        held = plan.goals.held
        assert held.any()
        assert not held.all()
        assert np.array_equal(plan.end_shifts[held], plan.goals.shifts[held])


def test_a_body_that_sways_goes_on_swaying_over_feet_that_stand() -> None:
    """The feet were stuck to the body and slid; once they stand, legs lean, and knees hardly change."""
    clip = swaying(annotate(stand(duration=2.0, fps=60).clip))
    _, shifts, _ = moved(clip)
    assert np.abs(shifts[:, 0]).max() < 0.015
    assert np.abs(shifts[:, 1]).max() < 0.005
    held = enforce(clip, stretch=0.0)
    assert np.degrees(np.abs(knee_angles(held.clip) - knee_angles(clip))).max() < 3.0


def test_the_body_goes_along_with_feet_that_are_sent_elsewhere() -> None:
    motion = stand(duration=1.0, fps=60)
    offset = np.array([0.3, 0.0, 0.1])
    there = [replace(plant, target=np.array(plant.target) + offset) for plant in motion.plants]
    _, shifts, _ = moved(replace(motion.clip, constraints=tuple(there)))
    assert shifts == pytest.approx(np.tile(offset, (motion.clip.n_frames, 1)), abs=0.002)


@pytest.mark.parametrize("sides", [("Right",), ("Left", "Right")])
def test_the_body_goes_along_with_another_floor_also_on_one_foot(sides: tuple[str, ...]) -> None:
    clip = annotate(stand(duration=1.0, fps=60).clip)
    plants = tuple(c for c in clip.constraints if c.joint.startswith(sides))
    raised = enforce(replace(clip, constraints=plants), ground=0.3).clip.root_positions - clip.root_positions
    assert raised == pytest.approx(np.tile([0.0, 0.3, 0.0], (clip.n_frames, 1)), abs=0.002)


def test_hips_and_knees_stay_while_feet_that_slid_stand() -> None:
    clip = skating(annotate(walk(duration=4.0, fps=60).clip), 1.06)
    changes = measure_changes(clip, enforce(clip, stretch=0.0).clip)
    assert changes.value("new darts") == 0.0
    assert abs(changes.value("hip shift")) < 0.5
    assert abs(changes.value("hip shift, peak")) < 1.5
    assert abs(changes.value("knee change, peak")) < 6.0
    assert changes.value("hip bobbing ratio") < 1.1
    assert changes.value("swing clearance ratio") > 0.9


def test_a_foot_without_plants_stays_where_it_stands() -> None:
    """Only the right foot has plants; the left one stands as well, and is not dragged along."""
    clip = swaying(annotate(stand(duration=2.0, fps=60).clip))
    left_free = tuple(c for c in clip.constraints if not c.joint.startswith("Left"))
    assert 0 < len(left_free) < len(clip.constraints)
    held = enforce(replace(clip, constraints=left_free))
    foot = clip.skeleton.index("LeftFoot")
    speeds = norm(np.diff(held.clip.world_positions()[:, foot][:, [0, 2]], axis=0)) / clip.frame_time
    assert np.quantile(speeds, 0.95) < 0.02


def test_the_rate_of_frames_does_not_matter() -> None:
    shifts = [moved(skating(annotate(walk(duration=2.0, fps=fps).clip)))[1] for fps in (30, 120)]
    assert shifts[1][::4] == pytest.approx(shifts[0], abs=0.004)


@pytest.mark.parametrize("n_frames", [1, 2, 3])
def test_the_shortest_clips(n_frames: int) -> None:
    clip = swaying(annotate(stand(duration=2.0, fps=60).clip))[10 : 10 + n_frames]
    _, shifts, _ = moved(clip)
    assert shifts.shape == (n_frames, 3)
    assert np.isfinite(shifts).all()


def test_a_foot_that_creeps_from_plant_to_plant_keeps_its_plants(mocap: Path) -> None:
    """It darted over the rest of the way, and so quickly that its plants were shortened for it."""
    clip = annotate(load_clip(mocap / "library/124/124_09.bvh").resampled(30.0))[:601]
    held = enforce(clip)
    assert held.report.released == ()
    assert find_darts(track_soles(held.clip), track_soles(clip)) == []
