from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion.anatomy import body_positions
from motionloom.quality.derivatives import (
    CUTOFF,
    Signal,
    derivative,
    magnitudes,
    window_peaks,
)
from motionloom.synthesis import walk
from tests.refusals import refused

POSE_RATE = 200.0


def sine(frequency: float) -> FloatArray:
    """Four seconds of a sine."""
    return np.asarray(np.sin(2 * np.pi * frequency * np.arange(800.0) / POSE_RATE))


def test_short_clips_are_refused_with_the_frames_that_they_need() -> None:
    with pytest.raises(
        ParameterError, match="a clip of 5 frames is too short to measure derivatives of order 3: it needs 12"
    ):
        derivative(np.zeros(5), 1 / 120, 3)
    with refused("cutoff", 0):
        derivative(np.zeros(50), 1 / 120, 3, cutoff=0.0)


def test_raw_differences_of_a_cubic_are_exact_and_lie_at_their_frames() -> None:
    times = np.arange(6.0) * 0.5
    jerk = derivative(times**3, 0.5, 3, cutoff=None)
    np.testing.assert_allclose(jerk.values, 6.0)
    assert (jerk.first, len(jerk.values)) == (1.5, 3)
    acceleration = derivative(times**3, 0.5, 2, cutoff=None)
    np.testing.assert_allclose(acceleration.values, 6.0 * times[1:-1])
    assert acceleration.first == 1.0


def test_the_filter_halves_the_power_at_its_cut_off() -> None:
    smooth = derivative(sine(CUTOFF), 1 / POSE_RATE, 0)
    assert abs(smooth.values).max() == pytest.approx(np.sqrt(0.5), rel=0.01)


@pytest.mark.parametrize(("order", "power"), [(2, 2), (3, 3)])
def test_a_sine_has_its_known_acceleration_and_jerk(order: int, power: int) -> None:
    frequency, size = 2.0, 0.3
    points = np.stack([size * sine(frequency), np.zeros(800), np.zeros(800)], axis=1)
    # A Gaussian with this cut-off passes 2^(-(f / cutoff)² / 2) of a sine.
    passed = 2.0 ** (-((frequency / CUTOFF) ** 2) / 2)
    peak = magnitudes(points, 1 / POSE_RATE, order).values.max()
    assert peak == pytest.approx(size * (2 * np.pi * frequency) ** power * passed, rel=0.002)


def test_values_around_a_frame_include_both_ends_of_the_reach() -> None:
    signal = Signal(np.arange(10.0), first=2.0)
    assert signal.around(5.0, 1.0).tolist() == [2.0, 3.0, 4.0]
    assert signal.around(0.0, 1.0).tolist() == [0.0]
    assert signal.around(13.0, 1.5).tolist() == [9.0]


@given(
    st.lists(st.floats(-5, 5), min_size=1, max_size=40),
    st.integers(1, 50),
)
def test_window_peaks_equal_those_window_by_window(values: list[float], width: int) -> None:
    array, wide = np.array(values), min(width, len(values))
    slow = [max(values[k : k + wide]) for k in range(len(values) - wide + 1)]
    assert window_peaks(array, width).tolist() == slow


def test_the_body_sees_itself_alike_wherever_it_is() -> None:
    clip = walk(duration=1.0, fps=30).clip
    moved = clip.placed(GroundTransform(2.0, 3.0, -4.0))
    np.testing.assert_allclose(body_positions(moved), body_positions(clip), atol=1e-9)
