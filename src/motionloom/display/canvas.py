"""A picture under construction: drawn larger than it will be, so that its edges come out smooth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from motionloom.arrays import FloatArray
from motionloom.display.camera import Camera
from motionloom.display.style import GROUND, SKY, Colour


class Canvas:
    """A drawing surface with a camera; coordinates inside are those of the enlarged picture.

    Parameters
    ----------
    width, height
        Size of the finished picture, pixels.
    camera
        The camera of the finished picture.
    oversampling
        How many times larger the drawing is than the picture.
    backdrop
        A drawing of the same size to start from; a plain background when None.
    """

    def __init__(
        self, width: int, height: int, camera: Camera, oversampling: int, backdrop: Image.Image | None = None
    ) -> None:
        self.oversampling = oversampling
        self.camera = camera.enlarged(oversampling)
        size = (width * oversampling, height * oversampling)
        self.drawing = _background(size).copy() if backdrop is None else backdrop.copy()
        self.pen = ImageDraw.Draw(self.drawing)

    def finished(self) -> Image.Image:
        """The picture at its own size."""
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
        """Lay a colour over the picture, as strong as a mask of the picture's own size says."""
        box = mask.getbbox()
        if box is None:
            return
        enlarged = [edge * self.oversampling for edge in box]
        size = (enlarged[2] - enlarged[0], enlarged[3] - enlarged[1])
        large = mask.crop(box).resize(size, Image.Resampling.BILINEAR)
        self.drawing.paste(colour, (enlarged[0], enlarged[1], enlarged[2], enlarged[3]), large)


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
    picture: Image.Image,
    place: tuple[float, float],
    text: str,
    size: float,
    colour: Colour,
    anchor: str = "la",
) -> None:
    """Write a line of text on a finished picture; the anchor is Pillow's two-letter code."""
    ImageDraw.Draw(picture).text(place, text, fill=colour, font=_font(size), anchor=anchor)


@lru_cache(maxsize=8)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def plain_background(size: tuple[int, int], oversampling: int) -> Image.Image:
    """A finished picture with nothing on it.

    >>> plain_background((3, 100), 2).getpixel((1, 0)) == SKY
    True
    """
    return _background((size[0] * oversampling, size[1] * oversampling)).reduce(oversampling)


@lru_cache(maxsize=2)
def _background(size: tuple[int, int]) -> Image.Image:
    """A vertical gradient from sky to ground."""
    share = np.linspace(0.0, 1.0, size[1])[:, None]
    column = np.rint(np.array(SKY) * (1.0 - share) + np.array(GROUND) * share).astype(np.uint8)
    return Image.fromarray(column[:, None, :]).resize(size, Image.Resampling.NEAREST)
