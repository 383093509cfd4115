"""Waveshaping: one angle of a joint is bent, the rest stays."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError, UnknownJointError
from motionloom.geometry import rotations as rot
from motionloom.warping.waveshape import soft_limits, twist_angles, waveshaped
from tests.figures import smooth_clip


def test_bad_input_is_refused() -> None:
    clip = smooth_clip(20)
    with pytest.raises(UnknownJointError):
        waveshaped(clip, "tail", (1, 0, 0), soft_limits(0, 1))
    with pytest.raises(ParameterError, match="axis of joint 'left' must not be zero"):
        waveshaped(clip, "left", (0, 0, 0), soft_limits(0, 1))
    with pytest.raises(ParameterError, match="shape must give a finite angle for each of the 20 angles"):
        waveshaped(clip, "left", (1, 0, 0), lambda angles: angles[:3])
    with pytest.raises(ParameterError, match="the lower limit 1 must lie below the upper one 0"):
        soft_limits(1, 0)
    with pytest.raises(ParameterError, match="softness is a share of half the range, up to 1, not 2"):
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
    shaped = waveshaped(clip, "left", axis, lambda angles: 0.5 * angles + 0.1)
    np.testing.assert_allclose(twist_angles(shaped, "left", axis), 0.5 * before + 0.1, atol=1e-9)
    unit = axis / np.linalg.norm(axis)
    # Where the axis points stays: the swing is the same.
    np.testing.assert_allclose(
        rot.rotate(shaped.rotations[:, 1], unit), rot.rotate(clip.rotations[:, 1], unit), atol=1e-12
    )
    np.testing.assert_array_equal(shaped.rotations[:, 2:], clip.rotations[:, 2:])
