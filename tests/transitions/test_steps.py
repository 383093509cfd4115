from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.anatomy.thresholds import MAX_KNEE_SPEED
from motionloom.quality import plant_measures
from motionloom.synthesis import stand, walk
from motionloom.transitions import transition
from motionloom.transitions.steps import max_knee_speed, move_ankle, step_over
from tests.figures import smooth_clip


def sliding(metres: float = 0.3) -> Clip:
    """Somebody who stands, and whose whole body slides sideways from frame 15 to 45."""
    motion = stand(duration=2.0, fps=30)
    roots = motion.clip.root_positions.copy()
    roots[:, 0] += metres * np.clip((np.arange(len(roots)) - 15) / 30, 0.0, 1.0)
    return replace(motion.clip, root_positions=roots, constraints=motion.plants)


def test_feet_step_one_after_the_other() -> None:
    clip = sliding()
    stepped, notes = step_over(clip, 15, 45)
    assert len(notes) == 2
    assert all("foot steps by 30 cm" in note for note in notes)
    assert plant_measures(clip).travel.max() > 0.29
    assert plant_measures(stepped).travel.max() < 0.03
    left, right = (stepped.world_positions()[:, leg.ankle, 1] for leg in find_anatomy(clip.skeleton).legs)
    resting = clip.world_positions()[0, find_anatomy(clip.skeleton).legs[0].ankle, 1]
    assert max(left.max(), right.max()) > resting + 0.05
    assert np.minimum(left, right).max() < resting + 0.02  # one foot is always on the ground


@pytest.mark.parametrize("frames", [(2, 20), (38, 46)])
def test_feet_step_in_turns_where_one_is_dragged_in_one_half_only(frames: tuple[int, int]) -> None:
    """A foot jumped to where a step from the centre on would have been, or did not step at all."""
    motion = stand(duration=2.0, fps=30)
    roots = motion.clip.root_positions.copy()
    roots[:, 0] += np.interp(np.arange(len(roots)), frames, (0.0, 0.2))
    clip = replace(motion.clip, root_positions=roots, constraints=motion.plants)
    stepped, notes = step_over(clip, 0, 60)
    assert len(notes) == 2
    for leg in find_anatomy(clip.skeleton).legs:
        ankle = stepped.world_positions()[:, leg.ankle, 0]
        moving = np.abs(np.diff(ankle)) > 1e-6
        # It leaves where it stands and arrives there at rest.
        first, last = np.flatnonzero(moving)[[0, -1]]
        assert max(abs(ankle[first + 1] - ankle[first]), abs(ankle[last + 1] - ankle[last])) < 0.01


def test_other_frames_stay_as_they_are() -> None:
    clip = sliding()
    stepped, _ = step_over(clip, 15, 45)
    for frames in (slice(0, 16), slice(45, None)):
        np.testing.assert_allclose(
            stepped.world_positions()[frames], clip.world_positions()[frames], atol=1e-9
        )


def test_feet_that_stay_do_not_step() -> None:
    clip = sliding(0.04)
    stepped, notes = step_over(clip, 15, 45)
    assert notes == ()
    assert stepped.rotations is clip.rotations


def test_a_body_without_legs_does_not_step() -> None:
    clip = smooth_clip(40)
    assert step_over(clip, 10, 30) == (clip, ())


def test_a_foot_does_not_step_while_the_other_is_in_the_air() -> None:
    clip = sliding()
    left = find_anatomy(clip.skeleton).legs[0]
    shifts = np.zeros((clip.n_frames, 3))
    shifts[:, 1] = 0.3
    hopping = move_ankle(clip, left, shifts, 15, 45)
    assert hopping is not None
    plants = tuple(c for c in clip.constraints if "Right" in c.joint)
    stepped, notes = step_over(replace(hopping, constraints=plants), 15, 45)
    assert notes == ()
    np.testing.assert_array_equal(stepped.rotations, hopping.rotations)


def test_hips_go_down_for_a_leg_that_is_too_short() -> None:
    clip = sliding(0.0)
    leg = find_anatomy(clip.skeleton).legs[0]
    shifts = np.zeros((clip.n_frames, 3))
    shifts[:, 0] = 0.25 * np.exp(-0.5 * ((np.arange(clip.n_frames) - 30.0) / 5.0) ** 2)
    moved = move_ankle(clip, leg, shifts, 0, 60)
    assert moved is not None
    drops = clip.root_positions[:, 1] - moved.root_positions[:, 1]
    assert 0.005 < drops.max() <= 0.06
    np.testing.assert_allclose(
        moved.world_positions()[:, leg.ankle], clip.world_positions()[:, leg.ankle] + shifts, atol=5e-3
    )
    other = find_anatomy(clip.skeleton).legs[1].ankle
    np.testing.assert_allclose(moved.world_positions()[:, other], clip.world_positions()[:, other], atol=1e-3)


def test_a_leg_does_not_reach_for_what_is_too_far() -> None:
    clip = sliding(0.0)
    shifts = np.zeros((clip.n_frames, 3))
    shifts[25:35, 0] = 0.9
    assert move_ankle(clip, find_anatomy(clip.skeleton).legs[0], shifts, 0, 60) is None


@pytest.mark.parametrize("degrees", [-8.0, 8.0])
def test_a_knee_that_bends_backwards_does_not_flip(degrees: float) -> None:
    """Some captured knees are overstretched. It was put forwards in one frame, 9 cm in a captured pair."""
    clip = sliding(0.0)
    leg = find_anatomy(clip.skeleton).legs[0]
    rotations = clip.rotations.copy()
    bend = rot.from_axis_angle([1.0, 0.0, 0.0], np.radians(degrees))
    rotations[:, leg.knee] = rot.multiply(rotations[:, leg.knee], bend)
    clip = replace(clip, rotations=rotations)
    shifts = np.zeros((clip.n_frames, 3))
    shifts[:, 1] = 0.05 * np.exp(-0.5 * ((np.arange(clip.n_frames) - 30.0) / 6.0) ** 2)
    moved = move_ankle(clip, leg, np.where(shifts > 1e-3, shifts, 0.0), 0, 60)
    assert moved is not None
    knees = moved.world_positions()[:, leg.knee]
    assert np.linalg.norm(np.diff(knees, axis=0), axis=1).max() < 0.05


def test_knees_do_not_snap() -> None:
    """Two steps of 60 cm in a quarter of a second each would snap the knees: the feet slide instead."""
    clip = sliding(0.6)
    faster = replace(clip, frame_time=clip.frame_time / 3.0)
    stepped, _ = step_over(faster, 15, 45)
    assert max_knee_speed(stepped, 15, 45) <= max(MAX_KNEE_SPEED, max_knee_speed(faster, 15, 45))


def test_a_plant_begins_when_the_foot_has_arrived() -> None:
    clip = sliding()
    landing = tuple(replace(c, start=30.0) for c in clip.constraints if "Right" in c.joint)
    stepped, _ = step_over(replace(clip, constraints=landing), 15, 45)
    assert all(40.0 < c.start < 46.0 for c in stepped.constraints)


def test_a_walk_keeps_its_plants() -> None:
    clip = annotate(walk(duration=3.0, fps=30).clip)
    result = transition(clip, clip)
    assert not any("foot steps" in note for note in result.report.notes)
