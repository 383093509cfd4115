"""Colours and proportions of the pictures, in one place."""

from __future__ import annotations

from dataclasses import dataclass

Colour = tuple[int, int, int]

SKY: Colour = (250, 251, 253)
"""Background at the top of a picture."""
GROUND: Colour = (236, 240, 244)
"""Background at the bottom of a picture, and what ground lines and shadows fade into."""
GRID: Colour = (196, 204, 214)
SHADOW: Colour = (66, 80, 98)
INK: Colour = (38, 46, 58)
"""Titles and times."""
FAINT_INK: Colour = (122, 132, 146)

SHADOW_STRENGTH = 0.30
"""Share of the shadow's colour where it is darkest."""

FAR_FADE = 0.38
"""How much of the background's colour the limb farthest from the camera takes on."""


@dataclass(frozen=True)
class FigureColours:
    """The colours of one figure: its trunk, and its left and right limbs."""

    core: Colour
    left: Colour
    right: Colour


ALONE = FigureColours(core=(44, 54, 70), left=(24, 128, 170), right=(232, 101, 52))
"""One figure: a dark trunk, blue left limbs, orange right limbs."""

TOGETHER = (
    FigureColours(core=(26, 106, 158), left=(78, 164, 214), right=(14, 70, 112)),
    FigureColours(core=(214, 94, 38), left=(246, 152, 92), right=(160, 60, 16)),
    FigureColours(core=(34, 132, 88), left=(92, 186, 140), right=(14, 88, 56)),
    FigureColours(core=(128, 74, 168), left=(178, 132, 212), right=(86, 40, 120)),
    FigureColours(core=(186, 142, 10), left=(226, 188, 74), right=(132, 98, 0)),
    FigureColours(core=(190, 48, 92), left=(228, 112, 148), right=(134, 20, 58)),
)
"""Several figures: one hue each, left limbs light and right limbs dark."""


def figure_colours(index: int, n_figures: int) -> FigureColours:
    """The colours of figure number ``index`` among ``n_figures``; hues repeat after six.

    >>> figure_colours(0, 1) == ALONE, figure_colours(7, 9) == TOGETHER[1]
    (True, True)
    """
    return ALONE if n_figures == 1 else TOGETHER[index % len(TOGETHER)]


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """The colour with this share (0 to 1) of the other one in it.

    >>> mixed((0, 0, 0), (200, 100, 50), 0.5)
    (100, 50, 25)
    """
    share = min(max(share, 0.0), 1.0)
    return (
        round(colour[0] + (other[0] - colour[0]) * share),
        round(colour[1] + (other[1] - colour[1]) * share),
        round(colour[2] + (other[2] - colour[2]) * share),
    )
