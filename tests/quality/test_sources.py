from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion.anatomy import body_positions
from motionloom.quality import nearest_pose_distances, speed_ratios
from motionloom.quality.sources import VELOCITY_TIME
from motionloom.synthesis import kick, walk
from tests.figures import smooth_clip
from tests.quality.bodies import swinging_rod


def test_sources_are_checked() -> None:
    clip = walk(duration=1.0).clip
    with pytest.raises(ParameterError, match="there are no sources to compare the clip with"):
        nearest_pose_distances(clip, [])
    with pytest.raises(ParameterError, match="both need the same skeleton"):
        nearest_pose_distances(clip, [smooth_clip()])
    with pytest.raises(ParameterError, match="there are no sources to compare the clip with"):
        speed_ratios(clip, [])
    with pytest.raises(ParameterError, match="source 0 has other joints than the clip"):
        speed_ratios(clip, [smooth_clip(60)])


def test_part_of_a_source_placed_elsewhere_is_at_no_distance() -> None:
    clip = walk(duration=2.0, fps=30).clip
    placed = clip.placed(GroundTransform(1.0, 2.0, 3.0))
    assert nearest_pose_distances(placed, [kick(duration=1.5, fps=30).clip, clip]).max() < 1e-9


def test_a_rod_at_another_angle_is_a_chord_away() -> None:
    still, raised = swinging_rod(np.zeros(40), fps=30.0), swinging_rod(np.full(40, np.pi / 3), fps=30.0)
    # The end of the rod is half a metre off, the other two joints are in place.
    np.testing.assert_allclose(nearest_pose_distances(raised, [still]), 0.5 / np.sqrt(3.0))


def test_velocity_counts_too() -> None:
    still = swinging_rod(np.zeros(40), fps=30.0)
    moving = swinging_rod(np.linspace(-0.1, 0.1, 40), fps=30.0)
    assert np.abs(body_positions(moving)[20] - body_positions(still)[20]).max() < 0.01
    speed = 0.5 * 0.2 / (39 / 30)
    assert nearest_pose_distances(moving, [still]).min() == pytest.approx(
        VELOCITY_TIME * speed / np.sqrt(3.0), rel=0.05
    )


def test_ratios_are_against_the_fastest_source() -> None:
    slow, fast = (swinging_rod(speed * np.arange(100.0) / 100.0) for speed in (1.0, 4.0))
    still = swinging_rod(np.zeros(100))
    np.testing.assert_allclose(
        speed_ratios(swinging_rod(0.06 * np.arange(100.0)), [slow, fast])[2], 1.5, rtol=1e-2
    )
    assert speed_ratios(still, [fast]).tolist() == [0.0, 0.0, 0.0]
    assert speed_ratios(fast, [still]).tolist() == [0.0, 0.0, np.inf]
