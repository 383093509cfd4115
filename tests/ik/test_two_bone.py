"""Bending two bones to a length: exact where it can be, damped near straight, stretched within bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.ik import two_bone

BONE = 0.42
RIGHT = np.array([[-1.0, 0.0, 0.0]])


def limb(angle: float) -> tuple[FloatArray, FloatArray]:
    """Two bones of equal length with this angle at their joint, π for straight."""
    upper = np.array([[0.0, -BONE, 0.0]])
    return upper, rot.rotate(rot.from_axis_angle([1.0, 0.0, 0.0], np.pi - angle), upper)


def length_at(angle: float) -> float:
    return 2.0 * BONE * float(np.sin(angle / 2.0))


def test_a_right_angle_gives_the_diagonal() -> None:
    found = two_bone.bend(*limb(2.5), RIGHT, [np.sqrt(2.0) * BONE])
    assert found.turns == pytest.approx([np.pi / 2.0 - 2.5])
    assert found.lengths == pytest.approx([np.sqrt(2.0) * BONE])
    assert found.scales.tolist() == [1.0]


def test_what_is_right_stays() -> None:
    found = two_bone.bend(*limb(2.9), RIGHT, [length_at(2.9)], stretch=0.03, damped=True)
    assert found.turns == pytest.approx([0.0], abs=1e-7)
    assert found.scales == pytest.approx([1.0], abs=1e-9)


def test_out_of_reach_the_limb_is_straight() -> None:
    found = two_bone.bend(*limb(2.0), RIGHT, [1.0])
    assert found.turns == pytest.approx([np.pi - 2.0])
    assert found.lengths == pytest.approx([2.0 * BONE])


def test_too_near_the_limb_is_folded() -> None:
    found = two_bone.bend(*limb(2.0), RIGHT, [0.0])
    assert found.lengths == pytest.approx([0.0], abs=1e-9)


def test_a_damped_knee_never_passes_170_degrees() -> None:
    longest = two_bone.longest(*limb(1.0), RIGHT)
    assert longest == pytest.approx([length_at(2.971)], rel=1e-4)
    assert longest[0] / (2.0 * BONE) == pytest.approx(0.9964, abs=1e-4)


def test_damping_is_none_below_its_threshold() -> None:
    found = two_bone.bend(*limb(2.0), RIGHT, [length_at(2.79)], damped=True, stretch=0.05)
    assert found.turns == pytest.approx([0.79])
    assert found.scales == pytest.approx([1.0])


def test_stretching_makes_up_for_what_damping_takes() -> None:
    wanted = length_at(3.1)
    found = two_bone.bend(*limb(2.7), RIGHT, [wanted], damped=True, stretch=0.026)
    assert 0.0 < found.turns[0] < 0.4
    assert 1.0 < found.scales[0] < 1.026
    assert found.lengths == pytest.approx([wanted])


def test_beyond_the_allowed_stretch_the_joint_does_the_rest() -> None:
    found = two_bone.bend(*limb(2.7), RIGHT, [length_at(3.1)], damped=True, stretch=0.0)
    assert found.scales.tolist() == [1.0]
    assert found.turns == pytest.approx([0.4])


def test_the_joint_goes_for_the_bending_length_and_stretching_for_the_rest() -> None:
    found = two_bone.bend(*limb(2.0), RIGHT, [length_at(2.0) * 1.01], bending=[length_at(2.0)], stretch=0.026)
    assert found.turns == pytest.approx([0.0], abs=1e-7)
    assert found.scales == pytest.approx([1.01])


@given(st.floats(0.5, 3.0), st.floats(0.1, 0.83), st.floats(0.0, 0.05))
def test_any_length_within_reach_is_met_and_bounds_are_kept(
    angle: float, wanted: float, stretch: float
) -> None:
    found = two_bone.bend(*limb(angle), RIGHT, [wanted], damped=True, stretch=stretch)
    assert found.lengths == pytest.approx([wanted], abs=1e-9)
    assert abs(found.scales[0] - 1.0) <= stretch + 1e-12


@given(st.floats(2.3, 3.1))
def test_turns_and_scales_change_smoothly_with_the_length(angle: float) -> None:
    """Without a jump anywhere: a millimetre of length never costs more than the undamped 66 degrees."""
    upper, lower = (np.repeat(bone, 400, axis=0) for bone in limb(angle))
    wanted = np.linspace(0.70, 0.85, 400)
    found = two_bone.bend(upper, lower, np.repeat(RIGHT, 400, axis=0), wanted, damped=True, stretch=0.026)
    assert np.abs(np.diff(found.turns)).max() < 0.02
    assert np.abs(np.diff(found.scales)).max() < 0.001
