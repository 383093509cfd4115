"""Stick figures: limbs as tapered rods with a light outline, painted from far to near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.display.body import HEAD_RADIUS
from motionloom.display.canvas import Canvas, join_points
from motionloom.display.scene import Actor
from motionloom.display.style import PAPER, SKY, Colour, mix_colours

OUTLINE_WIDTH = 0.0042
"""Width of the light line around a limb as a fraction of the figure's height."""

MIN_RADIUS = 0.25
"""Radius of the thinnest limb, pixels."""

FAR_FADE = 0.38
"""How much of the background's colour the limb farthest from the camera takes on."""

LIMB_DEPTH = 0.4
"""Distance from far to near limbs, in figure heights, over which the far ones fade fully."""


@dataclass(frozen=True, eq=False)
class PosedActor:
    """An actor in one pose: points (P, 3), and its opacity from 0 to 1."""

    actor: Actor
    points: FloatArray
    strength: float = 1.0


def paint_figures(canvas: Canvas, posed: Sequence[PosedActor]) -> None:
    """Paint figures in the given order, the limbs of each from far to near."""
    for figure in posed:
        _paint_figure(canvas, figure)


def _paint_figure(canvas: Canvas, figure: PosedActor) -> None:
    body = figure.actor.body
    pixels, depth = canvas.camera.project(figure.points)
    scale = canvas.camera.pixels_per_metre(depth)
    radii = np.maximum(body.radii * scale, MIN_RADIUS)
    outline = OUTLINE_WIDTH * body.height * float(scale.mean())
    mean_depth = float(depth.mean())

    rods: list[FloatArray] = []
    colours: list[Colour] = []

    def add_rods(starts: Sequence[int], ends: Sequence[int], widths: FloatArray, colour: Colour) -> None:
        rods.append(join_points(pixels, widths, np.array(starts), np.array(ends)))
        colours.extend([colour] * len(starts))

    limbs = [(float(depth[list(chain)].mean()), chain) for chain in body.chains]
    for distance, chain in sorted(limbs, key=lambda limb: -limb[0]):
        far = np.clip(0.5 + (distance - mean_depth) / (LIMB_DEPTH * body.height), 0.0, 1.0)
        colour = _limb_colour(figure, int(body.sides[chain[-1]]), FAR_FADE * float(far))
        add_rods(chain[:-1], chain[1:], radii + outline, PAPER)
        add_rods(chain[:-1], chain[1:], radii, colour)
        add_rods(chain[:-1], chain[:-1], 0.5 * radii, mix_colours(colour, SKY, 0.55))
        if body.head is not None and body.head[0] in chain:
            centre = figure.points[list(body.head)].mean(axis=0)
            rods.append(_head_discs(canvas, centre, body.height, outline))
            colours.extend([PAPER, colour])
    if len(body.bones) == 0:
        add_rods([0], [0], np.maximum(radii, 1.0), _limb_colour(figure, 0, 0.0))
    canvas.rods(np.concatenate(rods), np.array(colours, dtype=np.uint8))


def _limb_colour(figure: PosedActor, side: int, fade: float) -> Colour:
    return mix_colours(PAPER, mix_colours(figure.actor.colour(side), PAPER, fade), figure.strength)


def _head_discs(canvas: Canvas, centre: FloatArray, height: float, outline: float) -> FloatArray:
    """Return the head (2, 6) as rods without length: its outline, then the head itself."""
    (x, y), depth = canvas.camera.project(centre)
    radius = HEAD_RADIUS * height * float(canvas.camera.pixels_per_metre(depth))
    return np.array([[x, y, x, y, wide, wide] for wide in (radius + outline, radius)])
