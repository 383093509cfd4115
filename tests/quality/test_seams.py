from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom import load
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.quality import SeamPeaks, seam_smoothness
from motionloom.quality.derivatives import CUTOFF
from motionloom.synthesis import walk
from tests.figures import smooth_clip
from tests.quality.bodies import dot_along_x

FPS = 200.0
TIMES = np.arange(801) / FPS


def joined(first: Clip, second: Clip) -> Clip:
    """Both clips in a row, without any care for the seam."""
    return replace(
        first,
        root_positions=np.concatenate([first.root_positions, second.root_positions]),
        rotations=np.concatenate([first.rotations, second.rotations]),
    )


def test_sources_and_seams_are_checked() -> None:
    clip = walk(duration=1.0).clip
    with pytest.raises(ParameterError, match="there are no sources to compare the clip with"):
        seam_smoothness(clip, [3], [])
    with pytest.raises(ParameterError, match="source 1 has other joints than the clip"):
        seam_smoothness(clip, [3], [clip, smooth_clip(60)])
    with pytest.raises(ParameterError, match="frame 400 lies outside the clip"):
        seam_smoothness(clip, [400], [clip])


def test_a_kink_scores_its_known_acceleration_over_that_of_the_sine_it_is_held_against() -> None:
    frequency, jump = 1.0, 0.8
    source = dot_along_x(np.sin(2 * np.pi * frequency * TIMES), FPS)
    kinked = dot_along_x(jump * np.maximum(TIMES - 2.0, 0.0), FPS)
    found = seam_smoothness(kinked, [400], [source]).world_acceleration
    # A jump of velocity under a Gaussian of standard deviation s gives an acceleration of jump / (s √(2π)).
    spread = np.sqrt(np.log(2)) / (2 * np.pi * CUTOFF)
    usual = (2 * np.pi * frequency) ** 2 * 2.0 ** (-((frequency / CUTOFF) ** 2) / 2)
    assert found.peaks[0, 0] == pytest.approx(jump / (spread * np.sqrt(2 * np.pi)), rel=0.03)
    assert found.usual_overall == pytest.approx(usual, rel=0.002)
    assert found.score == found.overall[0] == pytest.approx(found.peaks[0, 0] / usual, rel=0.002)


def test_only_what_is_near_a_seam_counts() -> None:
    kinked = dot_along_x(np.maximum(TIMES - 2.0, 0.0), FPS)
    found = seam_smoothness(kinked, [400, 330, 600], [kinked])
    at, near, far = found.world_jerk.peaks[:, 0]
    assert at > 100.0
    # The filter reaches 3 standard deviations, 33 ms; 0.35 s away a kink is out of the 0.25 s that count.
    assert near < 1e-6
    assert far < 1e-6


def test_joints_that_do_not_move_have_no_ratio_and_moving_ones_none_that_is_finite() -> None:
    peaks = SeamPeaks("m/s²", np.array([[0.0, 3.0, 6.0]]), np.array([0.0, 0.0, 3.0]), 3.0)
    assert peaks.ratios.tolist() == [[0.0, np.inf, 2.0]]
    assert peaks.mean.tolist() == [2.0]
    assert peaks.worst_joint.tolist() == [np.inf]
    assert SeamPeaks("m/s²", np.zeros((0, 3)), np.ones(3), 1.0).score == 0.0


def test_untouched_motion_scores_one_or_less_nearly_everywhere() -> None:
    clip = walk(duration=4.0).clip
    frames = np.arange(30, 210, 3)
    found = seam_smoothness(clip, frames, [clip])
    for peaks in (found.world_acceleration, found.world_jerk, found.body_acceleration, found.body_jerk):
        assert np.mean(peaks.overall <= 1.0) > 0.9
        assert np.median(peaks.overall) > 0.3


def test_where_the_clip_is_on_the_ground_does_not_matter() -> None:
    clip = walk(duration=2.0).clip
    here = seam_smoothness(clip, [60], [clip])
    there = seam_smoothness(clip.placed(GroundTransform(2.0, 5.0, -7.0)), [60], [clip])
    np.testing.assert_allclose(there.world_jerk.peaks, here.world_jerk.peaks, atol=1e-6)
    np.testing.assert_allclose(there.body_jerk.peaks, here.body_jerk.peaks, atol=1e-6)


def test_a_cut_between_captured_clips_shows(mocap: Path) -> None:
    walked = load(mocap / "locomotion/s16/walk_straight_16_15.bvh")
    ran = load(mocap / "locomotion/s16/run_straight_16_45.bvh")
    cut = joined(walked[:220], ran[60:].placed(GroundTransform(0.1, *walked.root_positions[220, [0, 2]])))
    assert seam_smoothness(cut, [219.5], [walked, ran]).acceleration > 10.0
    # The run's own frames, far from its ends, are as smooth as capture is.
    assert seam_smoothness(ran, [68], [walked, ran]).acceleration <= 1.2
