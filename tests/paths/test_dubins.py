"""Dubins paths: they end where they should, and none of the other words is shorter."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.paths.dubins import dubins_length, list_dubins
from tests.refusals import refused


def test_all_words_end_at_the_goal() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        start, end = (tuple(map(float, rng.uniform(-3.0, 3.0, 3))) for _ in range(2))
        radius = float(rng.uniform(0.2, 1.5))
        for path in list_dubins(start, end, radius):  # type: ignore[arg-type]
            points = path.points()
            assert np.allclose(points[-1], end[:2], atol=1e-6)
            bends = {"L": 1.0, "S": 0.0, "R": -1.0}
            parts = zip(path.word, path.parts, strict=True)
            yaw = start[2] + sum(bends[kind] * part / radius for kind, part in parts)
            assert np.sin((yaw - end[2]) / 2.0) == pytest.approx(0.0, abs=1e-6)
            assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() <= path.length + 1e-9


def test_lengths_worked_by_hand() -> None:
    assert dubins_length((0, 0, 0), (0, 4, 0), 0.5) == pytest.approx(4.0)
    # Half a circle to the left, where +X is.
    assert dubins_length((0, 0, 0), (2, 0, np.pi), 1.0) == pytest.approx(np.pi)
    assert dubins_length((0, 0, 0), (1, 1, np.pi / 2), 1.0) == pytest.approx(np.pi / 2)


def test_no_path_is_shorter_than_the_straight_line() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        x, z, yaw = rng.uniform(-3.0, 3.0, 3)
        assert dubins_length((0, 0, 0), (x, z, yaw), 0.4) >= np.hypot(x, z) - 1e-9


def test_a_radius_must_be_positive() -> None:
    with refused("radius"):
        list_dubins((0, 0, 0), (1, 1, 0), 0.0)
