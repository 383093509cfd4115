from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.viewer.packing import MAX_QUANTUM, choose_quantum, compress, pack_table, unpack_table
from tests.figures import smooth_clip


def test_a_joint_beyond_reach_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"a joint is farther than 134 km from the origin"):
        pack_table("positions", np.full((2, 1, 3), 2e5), MAX_QUANTUM)


def test_distances_below_a_kilometre_are_told_in_metres() -> None:
    small = np.zeros((2, 2, 3))
    small[:, 1, 1] = 0.001
    far = small + np.array([200.0, 0.0, 0.0])
    with pytest.raises(ParameterError, match=r"a joint is farther than \d+(\.\d+)? m from the origin"):
        pack_table("p", far, choose_quantum(far))


def test_a_column_by_hand() -> None:
    # Steps 2, 3, 5, 4: first differences 2, 1, 2, -1, second differences 2, -1, 1, -3, folded 4, 1, 2, 5.
    column = np.array([2.0, 3.0, 5.0, 4.0])
    table = np.stack([column, np.zeros(4), np.zeros(4)], axis=1)[:, None]
    how, data = pack_table("positions", table, 1.0)
    assert (how.shape, how.n_bytes, how.has_gaps) == ((4, 1, 3), 1, False)
    assert list(data) == [4, 1, 2, 5, *[0] * 8]
    np.testing.assert_array_equal(unpack_table(how, data), table)


@given(st.integers(1, 12), st.integers(1, 4), st.booleans(), st.integers(0, 2**32 - 1))
def test_what_is_packed_comes_back_within_half_a_step(
    n_frames: int, n_points: int, gaps: bool, seed: int
) -> None:
    random = np.random.default_rng(seed)
    table = random.normal(scale=30.0, size=(n_frames, n_points, 3))
    if gaps:
        table[random.random((n_frames, n_points)) < 0.4] = np.nan
    how, data = pack_table("positions", table, MAX_QUANTUM)
    back = unpack_table(how, data)
    np.testing.assert_array_equal(np.isnan(back), np.isnan(table))
    assert np.nanmax(np.abs(back - table), initial=0.0) <= 0.5001 * MAX_QUANTUM


def test_small_figures_get_small_steps() -> None:
    person = np.array([[[0.0, 0.0, 0.0], [0.2, 1.7, 0.1]]])
    assert choose_quantum(person) == MAX_QUANTUM
    assert choose_quantum(0.01 * person) == pytest.approx(0.017 / 2000)
    assert choose_quantum(np.full((3, 2, 3), np.nan)) == MAX_QUANTUM
    assert choose_quantum(np.zeros((3, 1, 3))) == MAX_QUANTUM


def test_motion_takes_a_fifth_of_its_numbers_or_less() -> None:
    positions = smooth_clip(400).world_positions()
    _, data = pack_table("positions", positions, choose_quantum(positions))
    assert len(compress([data])) < 4 * positions.size / 5
