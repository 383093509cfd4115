"""Colours of rendered images; those of the floor lines and shadows are in `floor.py`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray

Colour = tuple[int, int, int]
Colours = npt.NDArray[np.uint8]
"""Several colours (N, 3)."""


def mix_colours(colour: Colour, other: Colour, fraction: float) -> Colour:
    """Return the colour with this fraction (0 to 1) of the other one mixed in.

    >>> mix_colours((0, 0, 0), (200, 100, 50), 0.5)
    (100, 50, 25)
    """
    fraction = min(max(fraction, 0.0), 1.0)
    return (
        round(colour[0] + (other[0] - colour[0]) * fraction),
        round(colour[1] + (other[1] - colour[1]) * fraction),
        round(colour[2] + (other[2] - colour[2]) * fraction),
    )


SKY: Colour = (250, 251, 253)
"""Background at the top of an image."""
FLOOR: Colour = (236, 240, 244)
"""Background at the bottom of an image."""
PAPER = mix_colours(SKY, FLOOR, 0.6)
"""Roughly the background behind a figure: what limbs and lines fade into, and the colour of outlines."""
INK: Colour = (38, 46, 58)
"""Titles."""
FAINT_INK: Colour = (122, 132, 146)
"""Times, and the path of the root."""


def fade_colour(colour: Colour, strengths: FloatArray) -> Colours:
    """Return a colour at opacities (N,) over :data:`PAPER`, (N, 3).

    >>> fade_colour((0, 0, 0), np.array([0.0, 1.0])).tolist() == [list(PAPER), [0, 0, 0]]
    True
    """
    paper = np.array(PAPER)
    mixed = paper + (np.array(colour) - paper) * np.clip(strengths, 0.0, 1.0)[:, None]
    colours: Colours = np.rint(mixed).astype(np.uint8)
    return colours


@dataclass(frozen=True)
class FigureColours:
    """The colours of one figure: its trunk, and its left and right limbs."""

    core: Colour
    left: Colour
    right: Colour


SINGLE_FIGURE = FigureColours(core=(44, 54, 70), left=(24, 128, 170), right=(232, 101, 52))
"""One figure: a dark trunk, blue left limbs, orange right limbs."""

SEVERAL_FIGURES = (
    FigureColours(core=(26, 106, 158), left=(78, 164, 214), right=(14, 70, 112)),
    FigureColours(core=(214, 94, 38), left=(246, 152, 92), right=(160, 60, 16)),
    FigureColours(core=(34, 132, 88), left=(92, 186, 140), right=(14, 88, 56)),
    FigureColours(core=(128, 74, 168), left=(178, 132, 212), right=(86, 40, 120)),
    FigureColours(core=(186, 142, 10), left=(226, 188, 74), right=(132, 98, 0)),
    FigureColours(core=(190, 48, 92), left=(228, 112, 148), right=(134, 20, 58)),
)
"""Several figures: one hue each, left limbs light and right limbs dark."""


def figure_colours(index: int, n_figures: int) -> FigureColours:
    """Return the colours of figure number ``index`` of ``n_figures``; hues repeat after six.

    >>> figure_colours(0, 1) == SINGLE_FIGURE, figure_colours(7, 9) == SEVERAL_FIGURES[1]
    (True, True)
    """
    return SINGLE_FIGURE if n_figures == 1 else SEVERAL_FIGURES[index % len(SEVERAL_FIGURES)]
