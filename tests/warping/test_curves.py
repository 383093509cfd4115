"""Curves through keys: they fade, hold, and go from key to key."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError, UnknownJointError
from motionloom.synthesis import biped
from motionloom.warping.curves import curves_of, eased_curve
from motionloom.warping.keys import Key


def values(*numbers: float) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    return [np.array([number]) for number in numbers]


def test_only_the_root_moves_and_joints_must_exist() -> None:
    with pytest.raises(ParameterError, match="only the root can be moved: use reach for other joints"):
        curves_of([Key(0, "Head", move=(0, 1, 0))], biped(), 0.0)
    with pytest.raises(UnknownJointError):
        curves_of([Key(0, "Tail", rotate=(0, 1, 0))], biped(), 0.0)


def test_scales_of_one_joint_share_their_zero() -> None:
    keys = [Key(0, "Head", scale=2, zero=(1, 0, 0, 0)), Key(1, "Head", scale=2, zero=(0, 1, 0, 0))]
    with pytest.raises(ParameterError, match="count from different zeros"):
        curves_of(keys, biped(), 0.0)


def test_a_key_fades_smoothly_to_nothing() -> None:
    bump = eased_curve([1.0], values(2.0), [0.5])
    np.testing.assert_allclose(bump([0.4, 0.5, 0.75, 1.0, 1.25, 1.5]).ravel(), [0, 0, 1, 2, 1, 0])
    np.testing.assert_array_equal(bump.derivative([0.5, 1.0, 1.5]).ravel(), np.zeros(3))


def test_a_held_key_is_level() -> None:
    held = eased_curve([1.0], values(2.0), [None])
    np.testing.assert_array_equal(held([0.0, 9.0]).ravel(), [2.0, 2.0])
    ends = eased_curve([1.0, 2.0], values(2.0, 4.0), [None, 0.5])
    np.testing.assert_array_equal(ends([0.0, 1.0, 2.0, 2.5]).ravel(), [2.0, 2.0, 4.0, 0.0])


def test_near_keys_are_joined_and_far_ones_have_rest_between_them() -> None:
    near = eased_curve([1.0, 1.5], values(1.0, 1.0), [0.5, 0.5])
    # Slopes of a Catmull–Rom spline: (1 - 0) / 1 at the first key, so that it swings to 1 + 0.5 / 4 between.
    assert near(1.25).tolist() == [1.125]
    far = eased_curve([1.0, 3.0], values(1.0, 1.0), [0.5, 0.5])
    np.testing.assert_array_equal(far([1.5, 2.0, 2.5]).ravel(), np.zeros(3))
    touching = eased_curve([1.0, 2.0], values(1.0, 1.0), [0.5, 0.5])
    assert touching(1.5).tolist() == [0.0]


def test_tension_slows_the_curve_at_keys() -> None:
    through = [
        eased_curve([0.0, 1.0, 2.0], values(0, 1, 2), [None] * 3, t).derivative(1.0)[0] for t in (0, 0.5, 1)
    ]
    assert through == [1.0, 0.5, 0.0]


@given(st.lists(st.tuples(st.floats(0.02, 2.0), st.none() | st.floats(0.05, 2.0)), min_size=1, max_size=8))
def test_every_key_is_met(keys: list[tuple[float, float | None]]) -> None:
    times = np.cumsum([gap for gap, _ in keys]).tolist()
    wanted = [np.array([np.sin(5 * time), time]) for time in times]
    curve = eased_curve(times, wanted, [ease for _, ease in keys])
    np.testing.assert_allclose(curve(times), wanted, atol=1e-12)
    ease = keys[-1][1]
    if ease is not None:
        np.testing.assert_array_equal(curve(times[-1] + ease + 1e-9), [0.0, 0.0])


def test_constant_curves_are_known() -> None:
    assert curves_of([Key(0, "Head", rotate=(0, 1, 0), ease=None)], biped(), 0.0).are_constant
    assert not curves_of([Key(0, "Head", rotate=(0, 1, 0))], biped(), 0.0).are_constant
