"""What plots share: file names, colours and how they are saved."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from motionloom.atomic_write import atomic_output
from motionloom.errors import MissingPackageError, ParameterError

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")

CLIP_COLOURS = ("#2a78d6", "#eb6834", "#1baf7a", "#eda100", "#e87ba4", "#008300", "#4a3aa7", "#e34948")
"""Colours of clips; those after the eighth have them again, hatched or dashed."""

INK, PAPER = "#0b0b0b", "#fcfcfb"

LETTERS_PER_INCH = 14
"""Letters of a title or a legend that fit into an inch."""

KEY_LETTERS = 8
"""Letters' worth of room that a clip's colour takes beside its name."""


def check_figure(path: str | PathLike[str]) -> None:
    """Refuse a name that no figure can be saved under, and say so where the plotting package is missing.

    >>> check_figure("curve.txt")
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: curve.txt: a figure is saved as .png, .svg or .pdf
    """
    if Path(path).suffix.lower() not in SUFFIXES:
        raise ParameterError(f"{path}: a figure is saved as {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")
    if find_spec("matplotlib") is None:
        raise MissingPackageError("matplotlib", "plotting", "pip install 'motionloom[plot]'")


def save_figure(figure: Figure, path: Path, overwrite: bool) -> Path:
    """Write a figure whole or not at all."""
    with atomic_output(path, overwrite=overwrite) as temporary:
        figure.savefig(temporary, dpi=130, facecolor=PAPER)
    return path


def colour_of(k: int) -> str:
    """The colour of clip k."""
    return CLIP_COLOURS[k % len(CLIP_COLOURS)]


def draw_legend(figure: Figure, handles: Sequence[Artist], names: Sequence[str]) -> None:
    """Name each handle below a figure, in as many columns as its width has room for.

    Names are those of files, which may have any letters: none is read as mathematics or left out.
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
