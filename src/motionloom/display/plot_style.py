"""Colours and legends that all plots share."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

CLIP_COLOURS = ("#2a78d6", "#eb6834", "#1baf7a", "#eda100", "#e87ba4", "#008300", "#4a3aa7", "#e34948")
"""Colours of clips; they repeat after the eighth, hatched or dashed."""

INK, PAPER = "#0b0b0b", "#fcfcfb"

LETTERS_PER_INCH = 14
"""Letters of a title or a legend that fit into an inch."""

KEY_LETTERS = 8
"""Width of a colour sample in a legend, in letters."""


def colour_of(k: int) -> str:
    """Return the colour of clip k."""
    return CLIP_COLOURS[k % len(CLIP_COLOURS)]


def draw_legend(figure: Figure, handles: Sequence[Artist], names: Sequence[str]) -> None:
    """Draw a legend below a figure, in as many columns as fit.

    Names are file names, which may have any letters: none is read as mathematics or left out.
    """
    letters = int(figure.get_figwidth() * LETTERS_PER_INCH)
    legend = figure.legend(
        list(handles),
        [fill(name, letters - KEY_LETTERS) for name in names],
        loc="outside lower left",
        ncols=max(1, letters // (max(map(len, names)) + KEY_LETTERS)),
        fontsize=8,
        frameon=False,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
