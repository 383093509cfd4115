"""Animated GIFs, written frame by frame so that long ones take no more memory."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import numpy as np
from PIL import GifImagePlugin, Image, ImageChops

from motionloom.atomic_write import atomic_output
from motionloom.display.camera import View, check_view
from motionloom.display.canvas import check_size, plain_background
from motionloom.display.movie import check_fps, plan_movie
from motionloom.display.scene import build_scene
from motionloom.motion.result import ClipLike

TICK = 0.01
"""Seconds; GIF delays are whole multiples of it."""

MIN_DELAY = 2
"""Ticks; browsers play anything shorter at a tenth of a second."""

TRANSPARENT = 255
"""Palette entry for "as in the frame before"."""

N_SAMPLES = 5
"""Frames from which the palette is made."""

_WHERE_ZERO = [255] + [0] * 255
"""Lookup table from a difference to a mask of where it is zero."""


def write_gif(
    clips: ClipLike | Sequence[ClipLike],
    path: str | PathLike[str],
    *,
    width: int = 640,
    height: int = 360,
    fps: float = 25.0,
    view: View = "auto",
    title: str = "",
    overwrite: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write one clip or several as a looping GIF that plays in real time.

    Parameters
    ----------
    clips
        One clip, or several in one scene.
    path
        File to write.
    width, height
        Pixels.
    fps
        Frame rate; the closest one that GIF allows is used (100 divided by a whole number above 1).
    view
        "auto" (three-quarter), "side", "front" or "top".
    title
        A line of text in the upper left corner.
    overwrite
        Whether an existing file may be replaced.
    progress
        Called with the number of finished frames and the number of all frames.

    >>> import tempfile
    >>> from motionloom.motion import Clip, Skeleton
    >>> pole = Skeleton(["foot", "top"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    >>> clip = Clip(pole, 0.1, [[0, 0, 0], [1, 0, 0]], np.tile([1.0, 0, 0, 0], (2, 2, 1)))
    >>> write_gif(clip, Path(tempfile.mkdtemp()) / "pole.gif", width=128, height=96).name
    'pole.gif'
    """
    size, look = check_size(width, height), check_view(view)
    delay = gif_delay(check_fps(fps))
    movie = plan_movie(build_scene(clips), 1.0 / (delay * TICK), size, look, title)
    with atomic_output(path, overwrite) as temporary, open(temporary, "wb") as file:
        samples = movie.paint_frames(np.linspace(0, movie.n_frames - 1, N_SAMPLES).astype(int).tolist())
        palette = _make_palette(list(samples))
        _write_header(file, size, palette.indexed_background)
        before: Image.Image | None = None
        for done, image in enumerate(movie.paint_frames(range(movie.n_frames)), start=1):
            indexed = palette.to_indexed(image)
            _write_frame(file, indexed, before, delay)
            before = indexed
            if progress is not None:
                progress(done, movie.n_frames)
        file.write(b";")
    return Path(path)


def gif_delay(fps: float) -> int:
    """Return the delay between frames, in hundredths of a second, whose rate is closest to this one.

    >>> gif_delay(25), gif_delay(30), gif_delay(120)
    (4, 3, 2)
    """
    return max(MIN_DELAY, round(1.0 / (fps * TICK)))


@dataclass(frozen=True, eq=False)
class _Palette:
    """The colours that all frames share; with one palette they do not flicker.

    Pillow looks colours up coarsely, which puts bands into a soft gradient. Pixels that show the plain
    background are therefore taken from ``indexed_background``, whose shades are exact.
    """

    background: Image.Image
    indexed_background: Image.Image

    def to_indexed(self, image: Image.Image) -> Image.Image:
        """Return the image in entries of the shared palette."""
        found = image.quantize(palette=self.indexed_background, dither=Image.Dither.NONE)
        change = ImageChops.difference(image, self.background).convert("L")
        found.paste(self.indexed_background, mask=change.point(_WHERE_ZERO))
        return found


def _make_palette(samples: Sequence[Image.Image]) -> _Palette:
    """Make a palette of the background's shades and the most frequent other colours, 255 in all."""
    width, height = samples[0].size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for number, sample in enumerate(samples):
        sheet.paste(sample, (0, number * height))

    background = plain_background((width, height))
    shades, rows = np.unique(np.asarray(background)[:, 0], axis=0, return_inverse=True)
    room = TRANSPARENT - len(shades)
    others = sheet.quantize(room, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []

    entries = np.repeat(rows.reshape(-1, 1), width, axis=1).astype(np.uint8)
    indexed_background = Image.frombytes("P", (width, height), entries.tobytes())
    indexed_background.putpalette(shades.ravel().tolist() + others[: 3 * room])
    return _Palette(background, indexed_background)


def _write_header(file: BinaryIO, size: tuple[int, int], palette: Image.Image) -> None:
    """Write signature, size, the shared palette of 256 colours and the extension that makes it loop."""
    colours = bytes(palette.getpalette() or [])[: 3 * TRANSPARENT]
    file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0xF7, 0, 0) + colours.ljust(3 * 256, b"\0"))
    file.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")


def _write_frame(file: BinaryIO, image: Image.Image, before: Image.Image | None, delay: int) -> None:
    """Write what changed since the frame before: the bounding box, transparent where nothing did."""
    milliseconds = 10 * delay
    if before is None:
        file.writelines(GifImagePlugin.getdata(image, duration=milliseconds))
        return
    change = ImageChops.difference(_plain(image), _plain(before))
    box = change.getbbox() or (0, 0, 1, 1)
    same = change.crop(box).point(_WHERE_ZERO)
    patch = image.crop(box)
    patch.paste(TRANSPARENT, (0, 0, *patch.size), same)
    corner = (box[0], box[1])
    file.writelines(
        GifImagePlugin.getdata(patch, corner, duration=milliseconds, transparency=TRANSPARENT, disposal=1)
    )


def _plain(indexed: Image.Image) -> Image.Image:
    """Return the palette entries as grey values, so that images can be compared entry by entry."""
    return Image.frombytes("L", indexed.size, indexed.tobytes())
