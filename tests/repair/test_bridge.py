from __future__ import annotations

import numpy as np
import pytest

from motionloom.geometry import rotations as rot
from motionloom.repair.bridge import bridge, fill_gap


def test_a_cubic_is_continued_exactly_by_its_own_slopes() -> None:
    line = np.arange(8.0)[:, None]
    assert np.allclose(fill_gap(line, 2, 5), line[2:6])


@pytest.mark.parametrize(("first", "last"), [(0, 1), (6, 7), (1, 2), (5, 6), (0, 7)])
def test_gaps_at_the_ends_are_filled_from_one_side(first: int, last: int) -> None:
    line = np.arange(8.0)[:, None]
    assert np.allclose(fill_gap(line, first, last), line[first : last + 1])


def test_rotations_are_bridged_whatever_their_signs() -> None:
    spin = rot.from_yaw(np.linspace(0.0, 0.5, 6))
    signs = np.array([1.0, -1.0, 1.0, 1.0, -1.0, 1.0])[:, None]
    filled = fill_gap(spin * signs, 2, 3, rotations=True)
    assert np.allclose(np.abs(np.einsum("ti,ti->t", filled, spin[2:4])), 1.0, atol=1e-6)
    assert np.allclose(np.linalg.norm(filled, axis=1), 1.0)


def test_the_bridge_continues_even_acceleration() -> None:
    t = np.arange(-1.0, 5.0)
    curve = bridge((t**2)[[0, 1, 4, 5]].reshape(1, 4, 1), 2)[0, :, 0]
    assert np.allclose(curve, t[2:4] ** 2)
