"""The options of annotation."""

from __future__ import annotations

from dataclasses import replace

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


def test_the_floor_may_lie_below_zero() -> None:
    assert AnnotationSettings(floor=-0.3).floor == -0.3
