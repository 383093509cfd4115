from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import PointClip
from motionloom.motion.point_clip import fill_gaps, max_gap_lengths
from tests.refusals import refused


def markers(n_frames: int = 5) -> PointClip:
    positions = np.arange(n_frames * 6, dtype=float).reshape(n_frames, 2, 3)
    positions[2, 1] = np.nan
    return PointClip(("a", "b"), 0.1, positions)


def test_bad_input_is_refused() -> None:
    with refused("positions"):
        PointClip(("a", "b"), 0.1, np.zeros((4, 1, 3)))
    with pytest.raises(ParameterError, match="point names must be unique: 'a' occur more than once"):
        PointClip(("a", "a"), 0.1, np.zeros((4, 2, 3)))
    with pytest.raises(ParameterError, match="one is infinite"):
        PointClip(("a",), 0.1, np.full((1, 1, 3), np.inf))
    with pytest.raises(ParameterError, match=r"positions must be numbers of shape \(T, 1, 3\): "):
        PointClip(("a",), 0.1, [[["x", 0, 0]]])  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="a speed factor must be a positive number, not 0"):
        markers().sped_up(0)


def test_time_operations() -> None:
    clip = markers()
    assert (len(clip), clip.fps, clip.duration) == (5, 10.0, 0.4)
    assert clip[1:3].positions[0, 0].tolist() == [6, 7, 8]
    assert clip[::2].fps == 5.0
    assert clip.resampled(20).n_frames == 9
    assert np.array_equal(clip.resampled(10).positions, clip.positions, equal_nan=True)
    assert clip.reversed().positions[0, 0].tolist() == [24, 25, 26]
    assert repr(clip) == "PointClip(5 frames at 10 fps, 2 points)"


def test_one_frame_is_its_positions() -> None:
    clip = markers()
    assert clip[3].tolist() == clip.positions[3].tolist()
    assert clip[-1].tolist() == clip.positions[4].tolist()
    assert not clip[3].flags.writeable
    with pytest.raises(IndexError):
        clip[5]


def test_sped_up_keeps_the_rate_and_shortens_the_time() -> None:
    fast = markers().sped_up(2.0)
    assert (fast.fps, fast.n_frames) == (10.0, 3)
    assert np.array_equal(fast.positions, markers().positions[::2], equal_nan=True)


def test_gaps_stay_gaps_and_do_not_spread_to_whole_frames() -> None:
    clip = markers()
    assert np.isnan(clip.at(1.5)[1]).all()
    assert np.isnan(clip.at(2.5)[1]).all()
    assert clip.at([1, 3])[:, 1].tolist() == clip.positions[[1, 3], 1].tolist()
    assert clip.at(1.5)[0].tolist() == [9, 10, 11]


def test_placed_keeps_heights() -> None:
    moved = markers().placed(GroundTransform(np.pi, 1, 0))
    assert moved.positions[0, 0] == pytest.approx([1, 1, -2])


LOST = [np.nan] * 3


def test_gaps_are_bridged_straight_and_held_at_the_ends() -> None:
    positions = np.array([LOST, [0.0, 0, 0], LOST, LOST, [3.0, 6, 9], LOST])[:, None]
    found = fill_gaps(positions)[:, 0]
    assert found.tolist() == [[0, 0, 0], [0, 0, 0], [1, 2, 3], [2, 4, 6], [3, 6, 9], [3, 6, 9]]
    assert np.isnan(positions[0]).all()


def test_what_is_never_seen_lies_at_the_origin_and_what_is_seen_stays() -> None:
    positions = np.random.default_rng(3).normal(size=(5, 2, 3))
    positions[:, 1] = np.nan
    found = fill_gaps(positions)
    assert np.array_equal(found[:, 0], positions[:, 0])
    assert (found[:, 1] == 0.0).all()


def test_the_longest_gap_counts() -> None:
    positions = np.zeros((7, 3, 3))
    positions[[0, 2, 3, 6], 0] = np.nan
    positions[:, 1] = np.nan
    assert max_gap_lengths(PointClip(("a", "b", "c"), 0.1, positions)).tolist() == [2, 7, 0]
