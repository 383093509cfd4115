from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from motionloom.arrays import FloatArray
from motionloom.display.camera import (
    MIN_CLEARANCE,
    Camera,
    ImageFrame,
    View,
    check_view,
    frame_points,
    view_axes,
)
from motionloom.errors import ParameterError

VIEWS: list[View] = ["auto", "side", "front", "top"]
FRAME = ImageFrame(400, 300, side=20, top=30, bottom=10)


def test_unknown_view_lists_the_known_ones() -> None:
    with pytest.raises(
        ParameterError, match="view must be one of 'auto', 'side', 'front', 'top', not 'back'"
    ):
        check_view("back")


def test_projection_by_hand() -> None:
    camera = Camera(
        np.diag([1.0, 1.0, -1.0]), np.array([0.0, 0.0, 10.0]), 100.0, np.array([50.0, 50.0]), 10.0
    )
    pixels, depth = camera.project(np.array([[0.0, 0.0, 0.0], [2.0, 1.0, 5.0]]))
    np.testing.assert_allclose(pixels, [[50.0, 50.0], [90.0, 30.0]])
    np.testing.assert_allclose(depth, [10.0, 5.0])


def test_points_behind_the_camera_stay_finite() -> None:
    camera = Camera(np.diag([1.0, 1.0, -1.0]), np.zeros(3), 100.0, np.zeros(2), 1.0)
    pixels, _ = camera.project(np.array([[0.0, 0.0, 5.0], [1.0, 0.0, 0.0]]))
    assert np.isfinite(pixels).all()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("yaw", [0.0, 1.0, -2.5])
def test_axes_are_orthonormal_and_not_mirrored(view: View, yaw: float) -> None:
    axes = view_axes(view, np.array([np.sin(yaw), np.cos(yaw)]), travels=True)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    # Right, up and the direction towards the viewer are right-handed.
    np.testing.assert_allclose(np.cross(axes[0], axes[1]), -axes[2], atol=1e-12)


@pytest.mark.parametrize("view", ["auto", "side", "top"])
def test_a_travelling_figure_goes_from_left_to_right(view: View) -> None:
    heading = np.array([0.6, -0.8])
    axes = view_axes(view, heading, travels=True)
    assert axes[0] @ np.array([0.6, 0.0, -0.8]) > 0.8


def test_the_front_view_looks_the_figure_in_the_face() -> None:
    axes = view_axes("front", np.array([0.0, 1.0]), travels=False)
    assert axes[2] @ np.array([0.0, 0.0, -1.0]) > 0.95


@pytest.mark.parametrize("view", VIEWS)
def test_a_single_point_can_be_framed(view: View) -> None:
    camera = frame_points(np.zeros((1, 3)), view_axes(view, np.array([0.0, 1.0]), travels=True), FRAME)
    assert np.isfinite(camera.position).all()


@given(
    points=arrays(np.float64, (12, 3), elements=st.floats(-1e3, 1e3)),
    view=st.sampled_from(VIEWS),
    yaw=st.floats(-4.0, 4.0),
)
def test_framing_contains_every_point_and_touches_the_margins(
    points: FloatArray, view: View, yaw: float
) -> None:
    spread = points + 1e-3 * np.arange(36.0).reshape(12, 3) ** 1.5
    camera = frame_points(spread, view_axes(view, np.array([np.sin(yaw), np.cos(yaw)]), True), FRAME)
    pixels, depth = camera.project(spread)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    assert (depth > 0.0).all()
    slack = 1e-3
    assert (low >= np.array([20, 30]) - slack).all()
    assert (high <= np.array([380, 290]) + slack).all()
    if depth.min() < (MIN_CLEARANCE + 1e-6) * np.ptp(depth):
        return
    fills_width = abs(low[0] - 20) < 0.1 and abs(high[0] - 380) < 0.1
    fills_height = abs(low[1] - 30) < 0.1 and abs(high[1] - 290) < 0.1
    assert fills_width or fills_height
