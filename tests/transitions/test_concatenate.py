from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError, RegistrationWarning
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


def test_concatenate_takes_one_pair_for_each_transition() -> None:
    with pytest.raises(ParameterError, match="one pair of frames for each transition: 2, not 1"):
        concatenate([walking(), jogging(), walking()], at=[(40, 40)])


@pytest.mark.parametrize("count", [0, 1])
def test_concatenate_takes_two_clips(count: int) -> None:
    with pytest.raises(ParameterError, match=f"concatenate takes two or more clips, not {count}"):
        concatenate([walking()] * count)


def test_concatenate_takes_lists() -> None:
    with pytest.raises(ParameterError, match="clips must be a list of clips, not "):
        concatenate(walking())  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="at must be a list of pairs of frames, not 40"):
        concatenate([walking(), jogging()], at=40)  # type: ignore[arg-type]


def test_centres_out_of_order_are_refused() -> None:
    with pytest.raises(ParameterError, match="s of motion are missing"):
        concatenate([walking(), jogging(), walking()], at=[(60, 80), (30, 30)], half_width=0.3)


def test_concatenate_needs_an_overlap_for_that_method() -> None:
    with pytest.raises(ParameterError, match='method "overlap" needs overlap='):
        concatenate([walking(), jogging()], method="overlap")
    with pytest.raises(ParameterError, match="overlap and correspondences belong to method"):
        concatenate([walking(), jogging()], overlap=(1.0, 1.0))


@pytest.mark.slow
def test_clips_in_a_row() -> None:
    clips = [walking(6.0), jogging(5.0), walking(6.0)]
    result = concatenate(clips, half_width=0.4)
    assert result.weights.shape == (result.clip.n_frames, 3)
    assert len(result.report.seams) == 4
    assert sorted(result.report.seams) == list(result.report.seams)
    notes = [
        f"from clip {n} to clip {n + 1}: frame {first} of the first clip meets frame {second} of the second"
        for n, (first, second) in enumerate(result.report.centres)
    ]
    assert len(notes) == 2
    assert set(notes) <= set(result.report.notes)
    assert result.weights[0].tolist() == [1.0, 0.0, 0.0]
    assert result.weights[-1].tolist() == [0.0, 0.0, 1.0]
    alone = result.weights[:, 1] == 1.0
    assert alone.any()
    assert (np.diff(result.u) > 0.0).all()
    assert sole_clip_errors(result, clips).max() < 1e-9


def test_two_clips_in_a_row_are_a_transition() -> None:
    both = concatenate([walking(), jogging()], at=[(61, 50)], half_width=0.4)
    alone = transition(walking(), jogging(), at=(61, 50), half_width=0.4)
    np.testing.assert_array_equal(both.clip.rotations, alone.clip.rotations)
    np.testing.assert_array_equal(both.placements, alone.placements)
    assert both.clip.constraints == alone.clip.constraints


@pytest.mark.slow
def test_cycles_in_a_row() -> None:
    clips = [walk_cycle(), jog_cycle(), walk_cycle(), jog_cycle()]
    result = concatenate(clips, half_width=0.5, loop=True)
    assert len(result.report.seams) == 6
    assert sole_clip_errors(result, clips).max() < 1e-9
    fastest = [np.abs(clip.world_velocities()).max() for clip in clips]
    assert np.abs(result.clip.world_velocities()).max() < 1.3 * max(fastest)


def test_plants_run_on_from_transition_to_transition() -> None:
    result = concatenate([walk_cycle(), jog_cycle(), walk_cycle()], half_width=0.3, loop=True)
    short = [
        c for c in result.clip.constraints if c.end - c.start < 2 and 1 < c.start < result.clip.n_frames - 3
    ]
    assert short == []


@pytest.mark.slow
def test_overlaps_in_a_row() -> None:
    """Each join is that of a transition of its two clips, wherever the result has come to."""
    clips = [walking(), jogging(), walking()]
    chain = concatenate(clips, method="overlap", overlap=(1.0, 0.8))
    assert chain.report.method == "overlap"
    assert len(chain.report.seams) == 4
    assert chain.report.centres == ()
    assert sole_clip_errors(chain, clips).max() < 1e-9
    single = transition(*clips[:2], method="overlap", overlap=(1.0, 0.8))
    stop = int(chain.report.seams[1])
    np.testing.assert_allclose(
        chain.clip.world_positions()[:stop], single.clip.world_positions()[:stop], atol=1e-12
    )
    other = transition(*clips[1:], method="overlap", overlap=(1.0, 0.8))
    assert np.diff(chain.report.seams)[2] == np.diff(other.report.seams)[0]


# Centre and width


def test_frames_that_hardly_correspond_fade_over_in_plain_time() -> None:
    a, b = smooth_clip(60, seed=0), smooth_clip(60, seed=1)
    with pytest.warns(RegistrationWarning, match=r"from clip 0 to clip 1 .* \d+ cm apart on average") as said:
        result = transition(a, b, at=(30, 30), half_width=0.2)
    assert said[0].filename == __file__
    assert any("cross-faded without a registration" in note for note in result.report.notes)
    plain = transition(a, b, at=(30, 30), half_width=0.2, method="linear")
    np.testing.assert_array_equal(result.clip.rotations, plain.clip.rotations)


@pytest.mark.slow
def test_where_the_best_place_is_too_short_another_does() -> None:
    a, b = captured_takes("actions/jumps/hop_short_83_48", "actions/jumps/hopturn_left270_83_58")
    first, last = transition(a, b, half_width=0.25).report.seams
    assert last - first == round(0.5 / a.frame_time)


@pytest.mark.slow
def test_a_gait_that_does_not_go_on_throughout_is_left_and_entered_like_an_action() -> None:
    """After a run-up and a kick, somebody stands: half a second, in which the feet step."""
    takes = captured_takes("actions/kicks/soccerkick_10_03", "actions/kicks/soccerkick_10_05")
    result = transition(*takes)
    first, last = result.report.seams
    assert last - first == round(0.5 * takes[0].fps)
    found = plant_measures(result.clip)
    inside = [c.end > first and c.start < last for c in found.constraints]
    assert found.travel[inside].max() < 0.06
