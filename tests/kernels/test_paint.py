from __future__ import annotations

import numpy as np
import pytest

from motionloom import kernels
from motionloom.arrays import FloatArray
from motionloom.kernels.array_types import Bytes

BLACK = np.zeros((1, 1), dtype=np.uint8)
SAMPLES = 16
"""Points per side of a pixel by which the slow reference counts what a shape covers."""


def paper(height: int, width: int) -> Bytes:
    return np.full((height, width, 1), 255, dtype=np.uint8)


def covered_by_counting(rod: FloatArray, height: int, width: int) -> FloatArray:
    """Fractions (H, W) of pixels within the union of circles along a rod, counted."""
    at = (np.arange(max(height, width) * SAMPLES) + 0.5) / SAMPLES
    x, y = at[None, : width * SAMPLES], at[: height * SAMPLES, None]
    inside = np.zeros((height * SAMPLES, width * SAMPLES), dtype=bool)
    for t in np.linspace(0.0, 1.0, 400):
        (cx, cy), radius = (1 - t) * rod[:2] + t * rod[2:4], (1 - t) * rod[4] + t * rod[5]
        inside |= (x - cx) ** 2 + (y - cy) ** 2 <= radius**2
    return np.asarray(inside.reshape(height, SAMPLES, width, SAMPLES).mean(axis=(1, 3)))


def test_a_line_of_one_pixel_by_hand() -> None:
    image = paper(3, 6)
    kernels.paint.paint_rods(image, np.array([[1.5, 1.5, 4.5, 1.5, 0.5, 0.5]]), BLACK)
    assert image[:, :, 0].tolist() == [[255] * 6, [255, 0, 0, 0, 0, 255], [255] * 6]


def test_half_a_pixel_is_half_covered() -> None:
    image = paper(3, 6)
    kernels.paint.paint_rods(image, np.array([[1.5, 2.0, 4.5, 2.0, 0.5, 0.5]]), BLACK)
    assert image[1:, 2:4, 0].tolist() == [[128, 128], [128, 128]]


@pytest.mark.parametrize(
    "rod",
    [
        [5.0, 6.0, 24.0, 15.0, 4.0, 1.5],
        [20.3, 3.2, 7.1, 17.8, 1.0, 3.0],
        [10.0, 10.0, 10.0, 10.0, 5.3, 5.3],
        [10.0, 10.0, 11.0, 10.0, 6.0, 2.0],
        [10.0, 10.0, 11.0, 10.0, 2.0, 6.0],
        [12.0, -5.0, 12.0, 40.0, 2.2, 2.2],
        [-20.0, 9.0, 60.0, 11.0, 3.0, 3.0],
    ],
)
def test_coverage_is_that_of_counting(rod: list[float]) -> None:
    image = paper(20, 30)
    kernels.paint.paint_rods(image, np.array([rod]), BLACK)
    expected = covered_by_counting(np.array(rod), 20, 30)
    np.testing.assert_allclose(1.0 - image[:, :, 0] / 255.0, expected, atol=0.12)


def test_later_rods_cover_earlier_ones() -> None:
    image = paper(10, 10)
    rods = np.array([[5.0, 5, 5, 5, 4, 4], [5.0, 5, 5, 5, 2, 2]])
    kernels.paint.paint_rods(image, rods, np.array([[10], [20]], dtype=np.uint8))
    assert image[5, 5, 0] == 20
    assert image[5, 2, 0] == 10


def test_what_lies_outside_is_not_drawn() -> None:
    image = paper(8, 8)
    rods = np.array([[-50.0, -50, -20, -30, 5, 5], [100.0, 3, 900, 3, 5, 5]])
    kernels.paint.paint_rods(image, rods, np.zeros((2, 1), dtype=np.uint8))
    assert (image == 255).all()


def test_a_polygon_covers_its_area() -> None:
    image = paper(12, 12)
    turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    corners = np.column_stack([6.0 + 4.0 * np.cos(turn), 6.0 + 2.0 * np.sin(turn)])
    kernels.paint.paint_polygon(image, corners, BLACK)
    assert (1.0 - image / 255.0).sum() == pytest.approx(np.pi * 8.0, rel=0.03)
    assert image[6, 6, 0] == 0
    assert image[1, 6, 0] == 255
