"""The axis of a joint: its own where it bends, the usual one where it does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.geometry import rotations as rot
from motionloom.ik import hinges

DOWN = np.array([[0.0, -0.4, 0.0]])
RIGHT = np.array([-1.0, 0.0, 0.0])


def bent(angle: float) -> tuple[np.ndarray, np.ndarray]:
    """Thigh and shin of a knee bent backwards by an angle."""
    return DOWN, rot.rotate(rot.from_axis_angle([1.0, 0.0, 0.0], angle), DOWN)


def test_a_bent_knee_straightens_about_the_right() -> None:
    thigh, shin = bent(0.5)
    assert hinges.straightening(thigh, shin) == pytest.approx(np.array([[-np.sin(0.5), 0.0, 0.0]]))
    assert hinges.steady(thigh, shin, [0.0, 0.0, 1.0]) == pytest.approx(RIGHT[None])


def test_a_straight_knee_takes_the_usual_hinge() -> None:
    askew = np.array([-0.8, 0.6, 0.0])
    assert hinges.steady(DOWN, DOWN, askew) == pytest.approx(RIGHT[None])


def test_without_any_sign_of_a_hinge_some_axis_across_the_bone_is_taken() -> None:
    (axis,) = hinges.steady(DOWN, DOWN, [0.0, 1.0, 0.0])
    assert np.linalg.norm(axis) == pytest.approx(1.0)
    assert axis @ DOWN[0] == pytest.approx(0.0)


def test_the_usual_axis_leans_on_the_frames_that_bend_most() -> None:
    axes = np.concatenate([hinges.straightening(*bent(1.0)), [[0.0, 0.0, 1e-6]]])
    assert hinges.usual(axes, [0.0, 0.0, 1.0]) == pytest.approx(RIGHT, abs=1e-5)
    assert hinges.usual(np.zeros((3, 3)), [0.0, 0.0, 1.0]).tolist() == [0.0, 0.0, 1.0]


def test_the_axis_changes_smoothly_as_a_knee_straightens() -> None:
    angles = np.linspace(0.3, -0.05, 200)
    shins = rot.rotate(rot.from_axis_angle([1.0, 0.0, 0.1], angles), DOWN)
    axes = hinges.steady(np.repeat(DOWN, 200, axis=0), shins, RIGHT)
    assert np.abs(np.diff(axes, axis=0)).max() < 0.02


@given(st.integers(0, 1000))
def test_axes_are_units_across_the_lower_bone(seed: int) -> None:
    upper, lower, hinge = np.random.default_rng(seed).normal(size=(3, 20, 3))
    axes = hinges.steady(upper, lower, hinge)
    assert np.linalg.norm(axes, axis=-1) == pytest.approx(np.ones(20))
    assert (axes * lower).sum(axis=-1) == pytest.approx(np.zeros(20), abs=1e-9)
