from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.geometry import AbstractCurve
from motionloom.synthesis.ground_path import ArcPath, CornerPath

PATHS = [ArcPath(1.5), ArcPath(1.2, 0.4), ArcPath(2.0, -0.7), CornerPath(1.4, 2.0, 1.0, 1.5, 0.4)]


def test_a_quarter_circle_to_the_left() -> None:
    """Left is +X for somebody who faces +Z; the radius is 2 m."""
    x, z, heading = ArcPath(np.pi, 0.5)(1.0)
    assert (x, z, heading) == (pytest.approx(2.0), pytest.approx(2.0), pytest.approx(np.pi / 2))


def test_a_straight_line() -> None:
    np.testing.assert_allclose(
        ArcPath(1.5)([-2.0, 0.0, 2.0]), [[0.0, -3.0, 0.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.0]]
    )


def test_a_corner_joins_two_straight_lines() -> None:
    corner = CornerPath(speed=2.0, turn=np.pi / 2, start=1.0, span=1.0, slowing=0.0)
    np.testing.assert_allclose(corner([0.0, 0.5, 1.0]), [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0]])
    after = corner([2.0, 3.0])
    np.testing.assert_allclose(after[1] - after[0], [2.0, 0.0, 0.0], atol=1e-12)
    # The corner is symmetric about its bisector, so it goes as far ahead as aside.
    assert after[0, 0] == pytest.approx(after[0, 1] - 2.0)


def test_without_a_turn_the_corner_is_a_line() -> None:
    time = np.linspace(-1.0, 4.0, 30)
    np.testing.assert_allclose(CornerPath(1.3, 0.0, 1.0, 1.0, 0.0)(time), ArcPath(1.3)(time), atol=1e-12)


@pytest.mark.parametrize("path", PATHS)
def test_derivatives(path: AbstractCurve) -> None:
    time = np.linspace(-1.0, 4.0, 101)
    step = 1e-5
    slope = (path(time + step) - path(time - step)) / (2 * step)
    np.testing.assert_allclose(path.derivative(time), slope, atol=1e-7)
    assert path.domain == (-np.inf, np.inf)


@pytest.mark.parametrize("path", PATHS)
def test_the_path_faces_where_it_goes(path: AbstractCurve) -> None:
    time = np.linspace(-1.0, 4.0, 101)
    heading, velocity = path(time)[:, 2], path.derivative(time)[:, :2]
    speed = np.linalg.norm(velocity, axis=-1)
    np.testing.assert_allclose(
        velocity, speed[:, None] * np.stack([np.sin(heading), np.cos(heading)], axis=-1)
    )


@given(st.floats(-np.pi, np.pi), st.floats(0.3, 3.0), st.floats(0.0, 0.7))
def test_a_corner_turns_by_its_angle(turn: float, span: float, slowing: float) -> None:
    path = CornerPath(1.0, turn, 1.0, span, slowing)
    assert float(path(1.0 + span)[2]) == pytest.approx(turn, abs=1e-12)
    # Fine steps along the path add up to the place the quadrature gives.
    time = np.linspace(1.0, 1.0 + span, 4001)
    middle = (time[1:] + time[:-1]) / 2.0
    walked = (path.derivative(middle)[:, :2] * (span / 4000)).sum(axis=0)
    np.testing.assert_allclose(path(time[-1])[:2] - path(time[0])[:2], walked, atol=1e-6)
