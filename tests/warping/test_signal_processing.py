"""Bands of frequency and waveshaping."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError, UnknownJointError
from motionloom.geometry import rotations as rot
from motionloom.warping.signal_processing import (
    apply_gains,
    count_bands,
    scale_bands,
    soft_limits,
    split_bands,
    twist_angles,
    waveshape,
)
from tests.figures import smooth_clip
from tests.refusals import refused
from tests.warping.measuring import angle_between


def test_too_many_gains_are_refused() -> None:
    with pytest.raises(ParameterError, match="9 gains were given, but 20 frames have 4 bands"):
        scale_bands(smooth_clip(20), np.ones(9).tolist())


def test_an_impulse_by_hand() -> None:
    impulse = np.zeros((9, 1))
    impulse[4] = 16.0
    fast, slow = split_bands(impulse, 1)
    np.testing.assert_array_equal(slow.ravel(), [0, 0, 1, 4, 6, 4, 1, 0, 0])
    np.testing.assert_array_equal((fast + slow).ravel(), impulse.ravel())


def test_straight_lines_are_in_no_band() -> None:
    line = np.arange(20.0)[:, None] * [1.0, -2.0]
    for band in split_bands(line, count_bands(20))[:-1]:
        np.testing.assert_allclose(band, 0.0, atol=1e-12)


@pytest.mark.slow
@given(st.integers(2, 70), st.integers(0, 50))
def test_bands_add_up(n_frames: int, seed: int) -> None:
    signal = np.random.default_rng(seed).normal(size=(n_frames, 3))
    np.testing.assert_allclose(sum(split_bands(signal, count_bands(n_frames))), signal, atol=1e-12)
    np.testing.assert_allclose(apply_gains(signal, np.ones(count_bands(n_frames))), signal, atol=1e-12)


def test_gains_of_one_give_the_clip_back() -> None:
    clip = smooth_clip(64)
    same = scale_bands(clip, [1.0] * 6, root_path=True)
    assert angle_between(same.rotations, clip.rotations) < 1e-9
    np.testing.assert_allclose(same.root_positions, clip.root_positions, atol=1e-12)


def test_fast_shaking_is_calmed_and_slow_motion_is_not() -> None:
    clip = smooth_clip(128)
    shake = rot.from_rotation_vector(0.02 * (-1.0) ** np.arange(128)[:, None] * np.array([1.0, 0, 0]))
    turns = np.array(clip.rotations)
    turns[:, 1] = rot.multiply(turns[:, 1], shake)
    shaken = replace(clip, rotations=turns)
    calm = scale_bands(shaken, [0.0], joints=["left"])
    assert angle_between(calm.rotations[5:-5, 1], clip.rotations[5:-5, 1]) < 5e-3
    np.testing.assert_array_equal(calm.rotations[:, 2:], clip.rotations[:, 2:])
    assert angle_between(scale_bands(clip, [1.0] * 3 + [2.0] * 3).rotations, clip.rotations) > 0.1


def test_bad_input_is_refused() -> None:
    clip = smooth_clip(20)
    with pytest.raises(UnknownJointError):
        waveshape(clip, "tail", (1, 0, 0), soft_limits(0, 1))
    with pytest.raises(ParameterError, match="axis of joint 'left' must not be zero"):
        waveshape(clip, "left", (0, 0, 0), soft_limits(0, 1))
    with pytest.raises(ParameterError, match="shape must return a finite angle for each of the 20 angles"):
        waveshape(clip, "left", (1, 0, 0), lambda angles: angles[:3])
    with pytest.raises(ParameterError, match="the lower limit 1 must lie below the upper one 0"):
        soft_limits(1, 0)
    with refused("softness", 2):
        soft_limits(0, 1, 2)


def test_soft_limits_hold_rise_and_leave_the_middle_alone() -> None:
    angles: FloatArray = np.linspace(-4.0, 4.0, 400)
    shaped = soft_limits(-1.0, 0.5)(angles)
    assert shaped.min() >= -1.0
    assert shaped.max() <= 0.5
    assert (np.diff(shaped) >= 0.0).all()
    middle = np.abs(angles + 0.25) < 0.5
    np.testing.assert_allclose(shaped[middle], angles[middle])


def test_only_the_angle_about_the_axis_changes() -> None:
    clip = smooth_clip(40)
    axis = np.array([1.0, 2.0, -1.0])
    before = twist_angles(clip, "left", axis)
    shaped = waveshape(clip, "left", axis, lambda angles: 0.5 * angles + 0.1)
    np.testing.assert_allclose(twist_angles(shaped, "left", axis), 0.5 * before + 0.1, atol=1e-9)
    unit = axis / np.linalg.norm(axis)
    # Where the axis points stays: the swing is the same.
    np.testing.assert_allclose(
        rot.rotate(shaped.rotations[:, 1], unit), rot.rotate(clip.rotations[:, 1], unit), atol=1e-12
    )
    np.testing.assert_array_equal(shaped.rotations[:, 2:], clip.rotations[:, 2:])
