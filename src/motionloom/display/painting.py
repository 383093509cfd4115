"""Painting a scene with Pillow: ground, traces, plants, shadows and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from motionloom.arrays import FloatArray
from motionloom.display.body import HEAD_RADIUS
from motionloom.display.canvas import Canvas, draw_rod
from motionloom.display.scene import Actor, Plant, Scene, Trace
from motionloom.display.style import FAR_FADE, GRID, GROUND, SHADOW, SHADOW_STRENGTH, SKY, Colour, mixed

PAPER = mixed(SKY, GROUND, 0.6)
"""The background behind a figure, about: what faded limbs fade into and outlines are drawn with."""

FAINTEST_LINE = 0.02
"""Strength below which a line on the ground is left out."""

OUTLINE = 0.0042
"""Width of the light line around a limb as a share of the figure's height."""

RINGS = ((1.0, 0.55), (0.72, 0.12), (0.42, 0.8))
"""Discs a plant is painted with, from the outermost: radius and strength as shares of the whole."""

GRID_STRENGTH = 0.85
"""Strength of the ground lines among the figures."""

GRID_FADE = 1.7
"""Distance outside the figures, in their height or in spacings, at which ground lines are down to a third."""

LIMB_DEPTH = 0.4
"""Distance from far to near limbs, in figure heights, over which the far ones fade fully."""

SLANT_RIGHT, SLANT_AWAY = 0.22, 0.16
"""How far shadows lean along camera right and away from the camera, per metre of height."""

BLUR = 0.6
"""Softness of shadows in limb thicknesses."""


@dataclass(frozen=True, eq=False)
class Stand:
    """An actor in one pose: points (P, 3), and how strongly (0 to 1) it is painted."""

    actor: Actor
    points: FloatArray
    strength: float = 1.0


def paint_trace(canvas: Canvas, trace: Trace) -> None:
    """Paint a line on the ground."""
    pixels, depth = canvas.camera.project(trace.points)
    radii = trace.widths / 2.0 * canvas.camera.pixels_per_metre(depth)
    radii = np.maximum(radii, 0.5 * canvas.oversampling)
    drawn = (trace.strength > FAINTEST_LINE) & (depth > canvas.camera.near)
    for k in np.flatnonzero(drawn[:-1] & drawn[1:]).tolist():
        colour = mixed(PAPER, trace.colour, float(trace.strength[k]))
        canvas.rod(pixels[k], pixels[k + 1], radii[k], radii[k + 1], colour)


def paint_plant(canvas: Canvas, plant: Plant, strength: float) -> None:
    """Paint a ring on the ground where something stays put; a full disc inside it at strength 1."""
    for radius, share in RINGS:
        turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
        rim = plant.place + plant.radius * radius * np.column_stack(
            [np.cos(turn), np.zeros_like(turn), np.sin(turn)]
        )
        pixels, depth = canvas.camera.project(rim)
        if depth.min() > canvas.camera.near:
            fill = mixed(PAPER, plant.colour, share * strength)
            canvas.pen.polygon([(float(x), float(y)) for x, y in pixels], fill=fill)


def paint_shadows(canvas: Canvas, scene: Scene, stands: Sequence[Stand]) -> None:
    """Paint soft shadows of all figures, darkest for the strongest ones."""
    factor = canvas.oversampling
    size = (canvas.drawing.width // factor, canvas.drawing.height // factor)
    mask = Image.new("L", size, 0)
    pen = ImageDraw.Draw(mask)
    blur = 0.0
    for stand in sorted(stands, key=lambda stand: stand.strength):
        pixels, radii = _shadow_shape(canvas, scene, stand)
        shade = round(255 * SHADOW_STRENGTH * stand.strength)
        for a, b in stand.actor.body.bones.tolist():
            draw_rod(
                pen, pixels[a] / factor, pixels[b] / factor, (radii[a] / factor, radii[b] / factor), shade
            )
        blur = max(blur, float(np.median(radii)) / factor)
    canvas.shade(mask.filter(ImageFilter.GaussianBlur(BLUR * blur)), SHADOW)


def paint_figures(canvas: Canvas, stands: Sequence[Stand]) -> None:
    """Paint figures in the given order, limbs of each from far to near."""
    for stand in stands:
        _paint_figure(canvas, stand)


def paint_grid(canvas: Canvas, scene: Scene, low: FloatArray, high: FloatArray) -> None:
    """Paint lines on the ground around the box from ``low`` to ``high`` (2,), x and z, fading outwards."""
    spacing = _grid_spacing(scene.height, float((high - low).max()))
    fade = GRID_FADE * max(spacing, scene.height)
    first, last = (np.floor((low - 2.0 * fade) / spacing), np.ceil((high + 2.0 * fade) / spacing))
    for axis in (0, 1):
        along = np.arange(first[1 - axis], last[1 - axis] + 0.25, 0.5) * spacing
        for line in np.arange(first[axis], last[axis] + 1) * spacing:
            ground = np.empty((len(along), 3))
            ground[:, 2 * axis], ground[:, 1], ground[:, 2 - 2 * axis] = line, scene.level, along
            outside = np.maximum(np.maximum(low - ground[:, [0, 2]], ground[:, [0, 2]] - high), 0.0)
            strength = np.exp(-np.square(np.linalg.norm(outside, axis=1) / fade))
            _paint_grid_line(canvas, ground, strength)


def _paint_grid_line(canvas: Canvas, points: FloatArray, strength: FloatArray) -> None:
    pixels, depth = canvas.camera.project(points)
    visible = (depth > canvas.camera.near) & (strength > FAINTEST_LINE)
    width = max(canvas.oversampling, 1)
    for k in np.flatnonzero(visible[:-1] & visible[1:]).tolist():
        colour = mixed(PAPER, GRID, GRID_STRENGTH * float(strength[k] + strength[k + 1]) / 2.0)
        canvas.pen.line([tuple(pixels[k].tolist()), tuple(pixels[k + 1].tolist())], fill=colour, width=width)


def _grid_spacing(height: float, extent: float) -> float:
    """A round number (1, 2 or 5 times a power of ten): about half a figure, and at most 60 lines."""
    wanted = max(0.5 * height, extent / 60.0)
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= wanted * (1 - 1e-9)))


def _shadow_shape(canvas: Canvas, scene: Scene, stand: Stand) -> tuple[FloatArray, FloatArray]:
    """Pixels (P, 2) and pixel radii (P,) of a figure laid flat on the ground by slanting light."""
    right, _, forward = canvas.camera.axes
    above = np.maximum(stand.points[:, 1:2] - scene.level, 0.0)
    lean = SLANT_RIGHT * right + SLANT_AWAY * forward
    pixels, depth = canvas.camera.project(scene.on_ground(stand.points + above * lean))
    return pixels, stand.actor.body.radii * canvas.camera.pixels_per_metre(depth)


def _paint_figure(canvas: Canvas, stand: Stand) -> None:
    body = stand.actor.body
    pixels, depth = canvas.camera.project(stand.points)
    scale = canvas.camera.pixels_per_metre(depth)
    radii = np.maximum(body.radii * scale, 0.5)
    outline = OUTLINE * body.height * float(scale.mean())
    middle = float(depth.mean())

    parts = [(float(depth[list(chain)].mean()), chain) for chain in body.chains]
    for distance, chain in sorted(parts, key=lambda part: -part[0]):
        far = np.clip(0.5 + (distance - middle) / (LIMB_DEPTH * body.height), 0.0, 1.0)
        colour = _tone(stand, int(body.sides[chain[-1]]), FAR_FADE * float(far))
        _paint_chain(canvas, pixels, radii, chain, colour, outline)
        if body.head is not None and body.head[0] in chain:
            _paint_head(canvas, stand.points[list(body.head)].mean(axis=0), body.height, colour, outline)
    if len(body.bones) == 0:
        canvas.disc(pixels[0], max(float(radii[0]), 2.0), _tone(stand, 0, 0.0))


def _tone(stand: Stand, side: int, fade: float) -> Colour:
    strong = mixed(stand.actor.colour(side), PAPER, fade)
    return mixed(PAPER, strong, stand.strength)


def _paint_chain(
    canvas: Canvas,
    pixels: FloatArray,
    radii: FloatArray,
    chain: Sequence[int],
    colour: Colour,
    outline: float,
) -> None:
    links = list(pairwise(chain))
    for a, b in links:
        canvas.rod(pixels[a], pixels[b], radii[a] + outline, radii[b] + outline, PAPER)
    for a, b in links:
        canvas.rod(pixels[a], pixels[b], radii[a], radii[b], colour)
    for joint in chain[:-1]:
        canvas.disc(pixels[joint], 0.5 * float(radii[joint]), mixed(colour, SKY, 0.55))


def _paint_head(canvas: Canvas, centre: FloatArray, height: float, colour: Colour, outline: float) -> None:
    pixel, depth = canvas.camera.project(centre)
    radius = HEAD_RADIUS * height * float(canvas.camera.pixels_per_metre(depth))
    canvas.disc(pixel, radius + outline, PAPER)
    canvas.disc(pixel, radius, colour)
