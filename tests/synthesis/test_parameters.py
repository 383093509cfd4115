from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.synthesis.parameters import check_turn, frame_times


def test_turns_are_at_most_half_a_turn() -> None:
    with pytest.raises(ParameterError, match=r"turn must be from -pi to pi radians .* not 90"):
        check_turn(90)
    assert check_turn(np.radians(180)) == np.pi


def test_frames_that_are_too_few_or_too_many() -> None:
    with pytest.raises(ParameterError, match="gives 1 frames: ask for 2 to 1000000"):
        frame_times(0.001, 30)
    with pytest.raises(ParameterError, match="gives 60000001 frames"):
        frame_times(1e6, 60)
    with pytest.raises(ParameterError, match="duration must be a positive number of seconds, not inf"):
        frame_times(float("inf"), 60)


def test_both_ends_are_frames() -> None:
    np.testing.assert_allclose(frame_times(1.0, 4), [0.0, 0.25, 0.5, 0.75, 1.0])
    assert len(frame_times(2.0, 29.97)) == 61
