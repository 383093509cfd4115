from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.validation import (
    check_choice,
    check_count,
    check_names,
    check_number,
    check_positive,
    check_string,
)


@pytest.mark.parametrize("value", ["3", b"3", None, [1], True, float("nan"), float("inf"), 10**400])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ParameterError, match="the frame must be a finite number, not "):
        check_number("the frame", value)
    with pytest.raises(ParameterError, match="fps must be a positive number, not "):
        check_positive("fps", value)


@pytest.mark.parametrize("value", [0, -1.5])
def test_zero_and_less_are_not_positive(value: float) -> None:
    with pytest.raises(ParameterError, match=f"fps must be a positive number, not {value}"):
        check_positive("fps", value)
    assert check_number("x", value) == value


def test_texts_and_names() -> None:
    with pytest.raises(ParameterError, match="the label must be a string, not 3"):
        check_string("the label", 3)
    with pytest.raises(ParameterError, match="joint names must be a list of strings, not 'abc'"):
        check_names("joint names", "abc")
    with pytest.raises(ParameterError, match="joint names must be a list of strings, not 3"):
        check_names("joint names", 3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="each of the joint names must be a string, not 1"):
        check_names("joint names", ["a", 1])  # type: ignore[list-item]
    assert check_names("joint names", np.array(["a", "b"])) == ("a", "b")


@pytest.mark.parametrize("value", [2, np.float64(2), np.int64(2), np.array(2.0)])
def test_numbers_of_any_kind_become_floats(value: Any) -> None:
    assert check_number("x", value) == 2.0
    assert type(check_number("x", value)) is float


@pytest.mark.parametrize("value", [9, -1, float("nan"), "1"])
def test_the_message_states_range_and_unit(value: Any) -> None:
    with pytest.raises(ParameterError, match=r"speed must be from 0\.4 to 2\.1 m/s, not "):
        check_number("speed", value, min=0.4, max=2.1, unit="m/s")
    assert check_number("speed", 2.1, min=0.4, max=2.1) == 2.1


def test_one_bound_is_stated_alone() -> None:
    with pytest.raises(ParameterError, match="ease must be a number of at least 0 seconds, not -1"):
        check_number("ease", -1, min=0, unit="seconds")
    with pytest.raises(ParameterError, match="ease must be a number of at most 2, not 3"):
        check_number("ease", 3, max=2)
    with pytest.raises(ParameterError, match="fps must be a positive number of at most 240 frames, not 300"):
        check_positive("fps", 300, max=240, unit="frames")
    with pytest.raises(ParameterError, match="duration must be a positive number of seconds, not 0"):
        check_positive("duration", 0, unit="seconds")


@pytest.mark.parametrize("value", [0, 2.0, True, "2", None, np.float64(2)])
def test_counts_are_whole_numbers(value: Any) -> None:
    with pytest.raises(ParameterError, match="cycles must be a whole number of at least 1, not "):
        check_count("cycles", value)


def test_counts_of_any_integer_type_become_ints() -> None:
    assert type(check_count("cycles", np.int64(2))) is int
    assert check_count("seed", 0, min=0) == 0
    with pytest.raises(ParameterError, match="n_poses must be a whole number from 1 to 200, not 201"):
        check_count("n_poses", 201, max=200)


@pytest.mark.parametrize("value", ["up", None, 3, np.array(["left", "right"])])
def test_choices_are_listed(value: Any) -> None:
    with pytest.raises(ParameterError, match="side must be one of 'left', 'right', not "):
        check_choice("side", value, ["left", "right"])
