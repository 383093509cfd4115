"""Euler channels: continuity from row to row, and the same angles as plain NumPy gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom import kernels
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot

COLUMNS = np.array([[0, 1, 2]])


def continuous(rows: list[list[float]], columns: list[int]) -> list[list[float]]:
    values = np.array(rows, dtype=float)
    kernels.channels.make_continuous(values, np.array([columns]))
    return [list(row) for row in values]


def angles_of(turns: FloatArray, order: str) -> FloatArray:
    out = np.zeros((len(turns), 3))
    axes = np.array([["XYZ".index(axis) for axis in order]])
    kernels.channels.channels_from_rotations(turns[:, None].copy(), COLUMNS, axes, out, 0, len(turns))
    return np.radians(out)


def test_full_turns_are_added() -> None:
    assert continuous([[170, 0, 0], [-170, 0, 0], [-90, 0, 0]], [0, 1, 2]) == [
        [170, 0, 0],
        [190, 0, 0],
        [270, 0, 0],
    ]


def test_the_other_solution_is_taken_where_it_is_nearer() -> None:
    assert continuous([[20, 85, -30], [-160, 85, 150]], [0, 1, 2]) == [[20, 85, -30], [20, 95, -30]]


def test_the_other_solution_needs_all_three_angles() -> None:
    assert continuous([[20, 85, -30], [-161, 85, 151]], [0, -1, 2]) == [[20, 85, -30], [199, 85, -209]]


@pytest.mark.parametrize("order", ["XYZ", "ZXY", "YXZ"])
@pytest.mark.parametrize("middle", [np.pi / 2, -np.pi / 2])
def test_gimbal_lock_puts_the_whole_turn_into_the_first_angle(order: str, middle: float) -> None:
    locked = rot.from_euler([[0.4, middle, -0.9]], order)
    assert angles_of(locked, order) == pytest.approx(rot.to_euler(locked, order), abs=1e-9)
    assert angles_of(locked, order)[0, 2] == pytest.approx(0.0, abs=1e-9)


@given(st.integers(0, 1000), st.sampled_from(["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]))
def test_angles_are_those_of_plain_numpy(seed: int, order: str) -> None:
    turns = rot.normalize(np.random.default_rng(seed).normal(size=(20, 4)))
    assert angles_of(turns, order) == pytest.approx(rot.to_euler(turns, order), abs=1e-9)


@given(st.integers(0, 1000))
def test_continuous_angles_are_the_same_rotations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = np.degrees(rot.to_euler(rot.normalize(rng.normal(size=(20, 4))), "ZXY"))
    chosen = rows.copy()
    kernels.channels.make_continuous(chosen, COLUMNS)
    same = rot.from_euler(np.radians(rows), "ZXY") * rot.from_euler(np.radians(chosen), "ZXY")
    assert np.abs(same.sum(axis=-1)) == pytest.approx(np.ones(20))
