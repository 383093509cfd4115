from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.synthesis.parameters import checked_choice, checked_number, checked_turn, frame_times


def test_numbers_out_of_range_are_told_with_range_and_unit() -> None:
    with pytest.raises(ParameterError, match=r"speed must be from 0\.4 to 2\.1 m/s, not 9"):
        checked_number("speed", 9, 0.4, 2.1, "m/s")
    with pytest.raises(ParameterError, match="not nan"):
        checked_number("speed", float("nan"), 0.4, 2.1, "m/s")


def test_turns_are_at_most_half_a_turn() -> None:
    with pytest.raises(ParameterError, match=r"turn must be from -pi to pi radians .* not 90"):
        checked_turn(90)
    assert checked_turn(np.radians(180)) == np.pi


def test_choices_are_listed() -> None:
    with pytest.raises(ParameterError, match="side must be one of 'left', 'right', not 'up'"):
        checked_choice("side", "up", ["left", "right"])


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
