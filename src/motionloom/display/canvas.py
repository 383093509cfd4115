"""The drawing surface of images, on which shapes have smooth edges."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray
from motionloom.display.camera import Camera
from motionloom.display.style import FLOOR, SKY, Colour, Colours
from motionloom.errors import ParameterError
from motionloom.validation import check_count

MIN_SIDE, MAX_SIDE = 64, 8192
"""Smallest and largest width or height of an image, pixels."""

MAX_PIXELS = 34_000_000
"""Pixels of the largest image: 8K video."""


def check_size(width: int, height: int) -> tuple[int, int]:
    """Return the size of an image in pixels, which must lie within the limits.

    >>> check_size(640, 360)
    (640, 360)
    """
    size = tuple(
        check_count(f"{name} in pixels", side, min=MIN_SIDE, max=MAX_SIDE)
        for name, side in (("width", width), ("height", height))
    )
    if size[0] * size[1] > MAX_PIXELS:
        raise ParameterError(
            f"an image of {width} x {height} pixels is too large",
            remedy=f"keep width times height below {MAX_PIXELS}",
        )
    return size[0], size[1]


class Canvas:
    """A drawing surface with a camera. Shapes have smooth edges, and cover what was drawn before.

    Parameters
    ----------
    width, height
        Size of the image, pixels.
    camera
        The camera of the image.
    backdrop
        Pixels (H, W, 3) to draw on; a plain background when None.
    """

    def __init__(self, width: int, height: int, camera: Camera, backdrop: Colours | None = None) -> None:
        self.camera = camera
        self.pixels = _background((width, height)).copy() if backdrop is None else backdrop

    def to_image(self) -> Image.Image:
        """Return what was drawn."""
        return Image.fromarray(self.pixels)

    def rods(self, rods: FloatArray, colours: Colours) -> None:
        """Fill tapered lines with round ends (N, 6), in colours (N, 3), one after the other.

        Each is x and y of its start and of its end, and the radii there, in pixels.
        """
        kernels.paint.paint_rods(self.pixels, rods, colours)

    def polygon(self, corners: FloatArray, colour: Colour) -> None:
        """Fill a convex polygon with corners (N, 2)."""
        x, y = corners.T
        turn = float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
        clockwise = np.ascontiguousarray(corners if turn > 0.0 else corners[::-1])
        kernels.paint.paint_polygon(self.pixels, clockwise, np.array([colour], dtype=np.uint8))

    def shade(self, mask: npt.NDArray[np.uint8], corner: tuple[int, int], colour: Colour) -> None:
        """Blend a colour over the drawing with the opacity of a mask (h, w) whose corner is at (x, y)."""
        (left, top), (height, width) = corner, mask.shape
        part = self.pixels[top : top + height, left : left + width]
        opacity = mask[: part.shape[0], : part.shape[1], None] * np.float32(1.0 / 255.0)
        part[:] = part + (np.array(colour, dtype=np.float32) - part) * opacity + np.float32(0.5)


def join_points(pixels: FloatArray, radii: FloatArray, starts: IntArray, ends: IntArray) -> FloatArray:
    """Return the rods (N, 6) from some points to others, given all pixels (P, 2) and radii (P,).

    >>> join_points(np.array([[0.0, 1], [2, 3]]), np.array([4.0, 5]), np.array([0]), np.array([1])).tolist()
    [[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]]
    """
    return np.column_stack([pixels[starts], pixels[ends], radii[starts], radii[ends]])


def write_text(
    image: Image.Image,
    position: tuple[float, float],
    text: str,
    size: float,
    colour: Colour,
    anchor: str = "la",
) -> None:
    """Write a line of text on a finished image; the anchor is Pillow's two-letter code."""
    ImageDraw.Draw(image).text(position, text, fill=colour, font=_font(size), anchor=anchor)


@lru_cache(maxsize=8)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def plain_background(size: tuple[int, int]) -> Image.Image:
    """Return an image with nothing on it.

    >>> plain_background((3, 100)).getpixel((1, 0)) == SKY
    True
    """
    return Image.fromarray(_background(size))


@lru_cache(maxsize=2)
def _background(size: tuple[int, int]) -> Colours:
    """Return a vertical gradient from sky to floor, (H, W, 3)."""
    fraction = np.linspace(0.0, 1.0, size[1])[:, None]
    column = np.rint(np.array(SKY) * (1.0 - fraction) + np.array(FLOOR) * fraction).astype(np.uint8)
    return np.repeat(column[:, None], size[0], axis=1)
