from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.validation import checked_names, checked_number, checked_positive, checked_text


@pytest.mark.parametrize("value", ["3", b"3", None, [1], float("nan"), float("inf"), 10**400])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ParameterError, match="the frame must be a finite number, not "):
        checked_number("the frame", value)
    with pytest.raises(ParameterError, match="fps must be a positive number, not "):
        checked_positive("fps", value)


@pytest.mark.parametrize("value", [0, -1.5])
def test_zero_and_less_are_not_positive(value: float) -> None:
    with pytest.raises(ParameterError, match=f"fps must be a positive number, not {value}"):
        checked_positive("fps", value)
    assert checked_number("x", value) == value


def test_texts_and_names() -> None:
    with pytest.raises(ParameterError, match="the label must be a text, not 3"):
        checked_text("the label", 3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="joint names must be a list of texts, not 'abc'"):
        checked_names("joint names", "abc")
    with pytest.raises(ParameterError, match="joint names must be a list of texts, not 3"):
        checked_names("joint names", 3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="each of the joint names must be a text, not 1"):
        checked_names("joint names", ["a", 1])  # type: ignore[list-item]
    assert checked_names("joint names", np.array(["a", "b"])) == ("a", "b")


@pytest.mark.parametrize("value", [2, np.float64(2), np.int64(2), np.array(2.0)])
def test_numbers_of_any_kind_become_floats(value: Any) -> None:
    assert checked_number("x", value) == 2.0
    assert type(checked_number("x", value)) is float
