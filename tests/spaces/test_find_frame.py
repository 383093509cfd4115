"""Moments of joints, to a fraction of a frame."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.spaces.find_frame import find_frame, find_peak
from motionloom.synthesis import kick, reach_out


def test_a_parabola_gives_the_fraction() -> None:
    frames = np.arange(60.0)
    assert find_peak(-((frames - 31.3) ** 2), 1.0) == pytest.approx(31.3)
    assert find_peak(frames, 1.0) == 59.0


def test_a_peak_is_followed_from_where_it_is_expected() -> None:
    frames = np.arange(200.0)
    two = np.exp(-(((frames - 50) / 8.0) ** 2)) + 2.0 * np.exp(-(((frames - 140) / 8.0) ** 2))
    assert find_peak(two, 1 / 60) == pytest.approx(140, abs=0.1)
    assert find_peak(two, 1 / 60, near=54.0) == pytest.approx(50, abs=0.1)
    # Twice as far away as is looked at first: it is climbed to.
    assert find_peak(two, 1 / 60, near=66.0) == pytest.approx(50, abs=0.1)


def test_moments_of_a_kick() -> None:
    clip = kick(fps=60).clip
    foot = clip.world_positions()[:, clip.skeleton.index("RightFoot")]
    apex, highest = (find_frame(clip, foot, at) for at in ("apex", "highest"))
    assert highest == pytest.approx(foot[:, 1].argmax(), abs=1.0)
    assert apex == pytest.approx(highest, abs=6.0)
    assert find_frame(clip, foot, 0.5) == pytest.approx(30.0)
    assert find_frame(clip, foot, "50 %") == pytest.approx((clip.n_frames - 1) / 2)
    speeds = np.linalg.norm(np.diff(foot, axis=0), axis=1)
    assert find_frame(clip, foot, "fastest") == pytest.approx(speeds.argmax(), abs=2.0)


def test_moments_that_are_not_there() -> None:
    clip = reach_out(fps=30, duration=1.0).clip
    hand = clip.world_positions()[:, clip.skeleton.index("RightHand")]
    with pytest.raises(ParameterError, match=r"the clip lasts 1\.00 s, so it has no moment at 3 s"):
        find_frame(clip, hand, 3.0)
    with pytest.raises(ParameterError, match="has no 'left strike' events"):
        find_frame(clip, hand, "left strike")
