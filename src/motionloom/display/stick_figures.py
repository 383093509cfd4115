"""Stick figures: limbs as tapered rods with a light outline, painted from far to near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.display.body import HEAD_RADIUS
from motionloom.display.canvas import Canvas
from motionloom.display.scene import Actor
from motionloom.display.style import PAPER, SKY, Colour, mix_colours

OUTLINE_WIDTH = 0.0042
"""Width of the light line around a limb as a fraction of the figure's height."""

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
    radii = np.maximum(body.radii * scale, 0.5)
    outline = OUTLINE_WIDTH * body.height * float(scale.mean())
    mean_depth = float(depth.mean())

    limbs = [(float(depth[list(chain)].mean()), chain) for chain in body.chains]
    for distance, chain in sorted(limbs, key=lambda limb: -limb[0]):
        far = np.clip(0.5 + (distance - mean_depth) / (LIMB_DEPTH * body.height), 0.0, 1.0)
        colour = _limb_colour(figure, int(body.sides[chain[-1]]), FAR_FADE * float(far))
        _paint_limb(canvas, pixels, radii, chain, colour, outline)
        if body.head is not None and body.head[0] in chain:
            _paint_head(canvas, figure.points[list(body.head)].mean(axis=0), body.height, colour, outline)
    if len(body.bones) == 0:
        canvas.disc(pixels[0], max(float(radii[0]), 2.0), _limb_colour(figure, 0, 0.0))


def _limb_colour(figure: PosedActor, side: int, fade: float) -> Colour:
    return mix_colours(PAPER, mix_colours(figure.actor.colour(side), PAPER, fade), figure.strength)


def _paint_limb(
    canvas: Canvas,
    pixels: FloatArray,
    radii: FloatArray,
    chain: Sequence[int],
    colour: Colour,
    outline: float,
) -> None:
    bones = list(pairwise(chain))
    for a, b in bones:
        canvas.rod(pixels[a], pixels[b], radii[a] + outline, radii[b] + outline, PAPER)
    for a, b in bones:
        canvas.rod(pixels[a], pixels[b], radii[a], radii[b], colour)
    for joint in chain[:-1]:
        canvas.disc(pixels[joint], 0.5 * float(radii[joint]), mix_colours(colour, SKY, 0.55))


def _paint_head(canvas: Canvas, centre: FloatArray, height: float, colour: Colour, outline: float) -> None:
    pixel, depth = canvas.camera.project(centre)
    radius = HEAD_RADIUS * height * float(canvas.camera.pixels_per_metre(depth))
    canvas.disc(pixel, radius + outline, PAPER)
    canvas.disc(pixel, radius, colour)
