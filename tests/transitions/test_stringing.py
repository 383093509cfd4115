from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import RegistrationWarning
from motionloom.quality import plant_measures
from motionloom.transitions import concatenate, transition
from tests.figures import smooth_clip
from tests.transitions.motions import (
    captured_takes,
    jog_cycle,
    jogging,
    sole_clip_errors,
    walk_cycle,
    walking,
)


def test_clips_in_a_row() -> None:
    clips = [walking(6.0), jogging(5.0), walking(6.0)]
    made = concatenate(clips, half_width=0.4)
    assert made.weights.shape == (made.clip.n_frames, 3)
    assert len(made.report.seams) == 4
    assert sorted(made.report.seams) == list(made.report.seams)
    assert made.weights[0].tolist() == [1.0, 0.0, 0.0]
    assert made.weights[-1].tolist() == [0.0, 0.0, 1.0]
    alone = made.weights[:, 1] == 1.0
    assert alone.any()
    assert (np.diff(made.u) > 0.0).all()
    assert sole_clip_errors(made, clips).max() < 1e-9


def test_two_clips_in_a_row_are_a_transition() -> None:
    both = concatenate([walking(), jogging()], at=[(61, 50)], half_width=0.4)
    alone = transition(walking(), jogging(), at=(61, 50), half_width=0.4)
    np.testing.assert_array_equal(both.clip.rotations, alone.clip.rotations)
    np.testing.assert_array_equal(both.placements, alone.placements)
    assert both.clip.constraints == alone.clip.constraints


def test_cycles_in_a_row() -> None:
    clips = [walk_cycle(), jog_cycle(), walk_cycle(), jog_cycle()]
    made = concatenate(clips, half_width=0.5, loop=True)
    assert len(made.report.seams) == 6
    assert sole_clip_errors(made, clips).max() < 1e-9
    fastest = [np.abs(clip.world_velocities()).max() for clip in clips]
    assert np.abs(made.clip.world_velocities()).max() < 1.3 * max(fastest)


def test_plants_run_on_from_transition_to_transition() -> None:
    made = concatenate([walk_cycle(), jog_cycle(), walk_cycle()], half_width=0.3, loop=True)
    short = [c for c in made.clip.constraints if c.end - c.start < 2 and 1 < c.start < made.clip.n_frames - 3]
    assert short == []


# Where and how wide


def test_frames_that_hardly_correspond_fade_over_in_plain_time() -> None:
    a, b = smooth_clip(60, seed=0), smooth_clip(60, seed=1)
    with pytest.warns(RegistrationWarning, match=r"from clip 0 to 1 .* \d+ cm apart on average") as said:
        made = transition(a, b, at=(30, 30), half_width=0.2)
    assert said[0].filename == __file__
    assert any("they fade over in plain time" in note for note in made.report.notes)
    plain = transition(a, b, at=(30, 30), half_width=0.2, method="linear")
    np.testing.assert_array_equal(made.clip.rotations, plain.clip.rotations)


def test_where_the_best_place_is_too_short_another_does() -> None:
    a, b = captured_takes("actions/jumps/hop_short_83_48", "actions/jumps/hopturn_left270_83_58")
    first, last = transition(a, b, half_width=0.25).report.seams
    assert last - first == round(0.5 / a.frame_time)


def test_a_width_that_nobody_asked_for_is_narrowed_until_clips_correspond() -> None:
    """Two run-ups to a kick correspond for a second, not for two."""
    takes = captured_takes("actions/kicks/soccerkick_10_03", "actions/kicks/soccerkick_10_05")
    made = transition(*takes)
    assert any("hardly correspond over a transition of 1.8" in note for note in made.report.notes)
    first, last = made.report.seams
    found = plant_measures(made.clip)
    inside = [c.end > first and c.start < last for c in found.constraints]
    assert found.travel[inside].max() < 0.06
