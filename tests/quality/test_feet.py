from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.quality import feet_of, skate_ratio, skate_speeds
from motionloom.quality.feet import Feet, depths, ground_heights
from motionloom.synthesis import walk
from tests.figures import smooth_clip
from tests.quality.bodies import gliding


def toe(places: FloatArray, frame_time: float = 0.01) -> Feet:
    """One toe at these places (T, 3) over level ground."""
    return Feet(("foot",), ("toe",), places[:, None], places[:, None, 1], frame_time)


def test_bodies_without_legs_and_bad_grounds_are_refused() -> None:
    with pytest.raises(ParameterError, match="no legs were found"):
        feet_of(Clip(smooth_clip().skeleton, 0.1, np.zeros((0, 3)), np.zeros((0, 6, 4))))
    with pytest.raises(ParameterError, match="ground must be a finite number"):
        feet_of(gliding(0.1), ground=float("nan"))


def test_feet_that_slide_flat_skate_at_their_speed() -> None:
    for clip in (gliding(0.1), gliding(0.1, planted=False), gliding(0.1, fps=30.0)):
        np.testing.assert_allclose(skate_speeds(feet_of(clip)), 0.1, rtol=1e-9)


@pytest.mark.parametrize(
    ("height", "weight"), [(0.0, 1.0), (0.0125, 2.0 - np.sqrt(2.0)), (0.025, 0.0), (0.3, 0.0), (-0.4, 1.0)]
)
def test_sliding_counts_less_with_height(height: float, weight: float) -> None:
    ways = np.arange(11) * 0.002
    places = np.stack([ways, np.full(11, height), ways], axis=1)
    np.testing.assert_allclose(skate_speeds(toe(places)), 0.2 * np.sqrt(2.0) * weight, atol=1e-12)


def test_constraints_say_where_the_sole_is() -> None:
    sunk = feet_of(gliding(0.0, lift=-0.02), ground=0.0)
    np.testing.assert_allclose(depths(sunk), 0.02, atol=1e-12)
    np.testing.assert_allclose(depths(feet_of(gliding(0.0, lift=0.02), ground=0.0)), 0.0)
    # Without them the sole is where the feet stand, which hides a constant error.
    np.testing.assert_allclose(depths(feet_of(gliding(0.0, lift=-0.02, planted=False))), 0.0, atol=1e-9)


def test_heights_are_above_levels_functions_and_estimated_floors() -> None:
    places = np.array([[[1.0, 0.5, 2.0]], [[3.0, 0.5, 0.0]]])
    assert ground_heights(places, 0.2).tolist() == [[0.3], [0.3]]
    assert ground_heights(places, lambda x, z: 0.1 * x + 0.05 * z).round(9).tolist() == [[0.3], [0.2]]
    stairs = feet_of(gliding(1.0), ground=lambda x, z: np.where(x > 0.5, -0.2, 0.0))
    assert stairs.heights[0].max() == pytest.approx(0.0, abs=1e-12)
    assert stairs.heights[-1].min() == pytest.approx(0.2)
    assert stairs.floor == "the function that was given"
    assert feet_of(gliding(0.0)).floor == "floor at 0.000 m"


def test_the_skate_ratio_counts_frames_that_are_low_and_fast() -> None:
    ways = np.concatenate([np.zeros(100), np.arange(1, 101) * 0.01, np.full(100, 1.0)])
    places = np.stack([ways, np.full(300, 0.02), np.zeros(300)], axis=1)
    # One of three seconds at 1 m/s: 20 of 59 steps; at its ends the mean over five is still above 0.5 m/s.
    assert skate_ratio(toe(places)) == pytest.approx(20 / 59, abs=1 / 59)
    high = places + np.array([0.0, 0.04, 0.0])
    assert skate_ratio(toe(high)) == 0.0
    assert skate_ratio(toe(places * [0.4, 1.0, 1.0])) == 0.0
    assert skate_ratio(toe(places[:1])) == 0.0
    # A single fast step, 4 cm within 0.05 s, is slow on average over five.
    twitch = np.stack([np.where(np.arange(300) < 152, 0.0, 0.04), np.zeros(300), np.zeros(300)], axis=1)
    assert skate_ratio(toe(twitch)) == 0.0


def test_a_clean_walk_skates_far_less_than_one_that_is_dragged() -> None:
    clip = walk(duration=3.0).clip
    drag = 0.3 * np.arange(clip.n_frames)[:, None] * clip.frame_time * [1.0, 0.0, 0.0]
    dragged = replace(clip, root_positions=clip.root_positions + drag)
    clean, slid = (float(skate_speeds(feet_of(c)).mean()) for c in (clip, dragged))
    assert slid > clean + 0.05
