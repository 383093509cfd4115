"""The options of annotation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import AnnotationSettings
from motionloom.errors import ParameterError


def test_refuses_an_unknown_method() -> None:
    with pytest.raises(ParameterError, match="method must be 'thresholds' or 'zero-crossing', not 'neural'"):
        AnnotationSettings(method="neural")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["speed", "height", "shortest", "hole", "smoothing", "flexion", "excursion"])
@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf")])
def test_refuses_numbers_that_make_no_sense(name: str, value: float) -> None:
    with pytest.raises(ParameterError, match=f"{name} must be a finite number, not negative"):
        replace(AnnotationSettings(), **{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["speed", "height"])
def test_refuses_thresholds_of_zero(name: str) -> None:
    with pytest.raises(ParameterError, match=f"{name} must be positive"):
        replace(AnnotationSettings(), **{name: 0.0})  # type: ignore[arg-type]


def test_refuses_a_release_below_the_catch() -> None:
    with pytest.raises(ParameterError, match=r"release must be at least 1, not 0\.5"):
        AnnotationSettings(release=0.5)


@pytest.mark.parametrize("value", ["x", None, True, [0.1]])
def test_refuses_what_is_no_number(value: object) -> None:
    with pytest.raises(ParameterError, match="speed must be a finite number, not negative, not"):
        AnnotationSettings(speed=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["x", True, float("nan")])
def test_refuses_a_floor_that_is_no_number(value: object) -> None:
    with pytest.raises(ParameterError, match="floor must be a finite number, or None to estimate it, not"):
        AnnotationSettings(floor=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["no", 1, None])
def test_refuses_a_replace_that_is_no_truth_value(value: object) -> None:
    with pytest.raises(ParameterError, match="replace must be True or False, not"):
        AnnotationSettings(replace=value)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers() -> None:
    numbers = {"speed": np.float32(0.5), "release": np.int64(2)}
    assert AnnotationSettings(**numbers).speed == 0.5  # type: ignore[arg-type]


def test_the_floor_may_lie_below_zero() -> None:
    assert AnnotationSettings(floor=-0.3).floor == -0.3
