"""The drawing surface of images: larger than the image, so that edges come out smooth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from motionloom.arrays import FloatArray
from motionloom.display.camera import Camera
from motionloom.display.style import FLOOR, SKY, Colour
from motionloom.errors import ParameterError
from motionloom.validation import check_count

MIN_SIDE, MAX_SIDE = 64, 8192
"""Smallest and largest width or height of an image, pixels."""

MAX_PIXELS = 34_000_000
"""Pixels of the largest image: 8K video, whose drawing fits in memory at three times the size."""


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
            f"an image of {width} x {height} pixels is too large: keep width times height below {MAX_PIXELS}"
        )
    return size[0], size[1]


class Canvas:
    """A drawing surface with a camera; coordinates are those of the enlarged drawing.

    Parameters
    ----------
    width, height
        Size of the finished image, pixels.
    camera
        The camera of the finished image.
    oversampling
        How many times larger the drawing is than the image.
    backdrop
        A drawing of the same size to start from; a plain background when None.
    """

    def __init__(
        self, width: int, height: int, camera: Camera, oversampling: int, backdrop: Image.Image | None = None
    ) -> None:
        self.oversampling = oversampling
        self.camera = camera.scaled(oversampling)
        size = (width * oversampling, height * oversampling)
        self.drawing = _background(size).copy() if backdrop is None else backdrop.copy()
        self.pen = ImageDraw.Draw(self.drawing)

    def to_image(self) -> Image.Image:
        """Return the image at its own size."""
        return self.drawing.reduce(self.oversampling)

    def disc(self, centre: FloatArray, radius: float, colour: Colour) -> None:
        """Fill a circle; centre (2,) and radius in drawing pixels."""
        x, y = float(centre[0]), float(centre[1])
        self.pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)

    def rod(
        self, start: FloatArray, end: FloatArray, start_radius: float, end_radius: float, colour: Colour
    ) -> None:
        """Fill a tapered line with round ends."""
        draw_rod(self.pen, start, end, (start_radius, end_radius), colour)

    def shade(self, mask: Image.Image, colour: Colour) -> None:
        """Blend a colour over the drawing with the opacity of a mask of the image's size."""
        box = mask.getbbox()
        if box is None:
            return
        scaled_box = [edge * self.oversampling for edge in box]
        size = (scaled_box[2] - scaled_box[0], scaled_box[3] - scaled_box[1])
        large = mask.crop(box).resize(size, Image.Resampling.BILINEAR)
        self.drawing.paste(colour, (scaled_box[0], scaled_box[1], scaled_box[2], scaled_box[3]), large)


def draw_rod(
    pen: ImageDraw.ImageDraw,
    start: FloatArray,
    end: FloatArray,
    radii: tuple[float, float],
    fill: Colour | int,
) -> None:
    """Fill a tapered line with round ends: the hull of two circles."""
    along = end - start
    length = float(np.hypot(along[0], along[1]))
    if length > 0.0:
        across = np.array([-along[1], along[0]]) / length
        a, b = across * radii[0], across * radii[1]
        corners: Sequence[tuple[float, float]] = [
            (float(x), float(y)) for x, y in (start + a, end + b, end - b, start - a)
        ]
        pen.polygon(corners, fill=fill)
    for centre, radius in ((start, radii[0]), (end, radii[1])):
        x, y = float(centre[0]), float(centre[1])
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)


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


def plain_background(size: tuple[int, int], oversampling: int) -> Image.Image:
    """Return a finished image with nothing on it.

    >>> plain_background((3, 100), 2).getpixel((1, 0)) == SKY
    True
    """
    return _background((size[0] * oversampling, size[1] * oversampling)).reduce(oversampling)


@lru_cache(maxsize=2)
def _background(size: tuple[int, int]) -> Image.Image:
    """Return a vertical gradient from sky to floor."""
    fraction = np.linspace(0.0, 1.0, size[1])[:, None]
    column = np.rint(np.array(SKY) * (1.0 - fraction) + np.array(FLOOR) * fraction).astype(np.uint8)
    return Image.fromarray(column[:, None, :]).resize(size, Image.Resampling.NEAREST)
