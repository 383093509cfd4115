"""The floor of a rendered scene: its lines, and what lies on it: shadows, paths and foot plants."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from motionloom.arrays import FloatArray
from motionloom.display.canvas import Canvas, draw_rod
from motionloom.display.scene import FloorPath, PlantMarker, Scene
from motionloom.display.stick_figures import PosedActor
from motionloom.display.style import PAPER, Colour, mix_colours

FLOOR_LINE_COLOUR: Colour = (196, 204, 214)

FLOOR_LINE_STRENGTH = 0.85
"""Opacity of the floor lines among the figures."""

FLOOR_LINE_SPACING = 0.5
"""Wanted distance between floor lines in figure heights; rounded up to 1, 2 or 5 times a power of ten."""

FLOOR_MAX_LINES = 60
"""Floor lines across the figures at most; farther travel gets a wider spacing."""

FLOOR_FADE = 1.7
"""Distance outside the figures, in their height or in spacings, at which floor lines are down to a third."""

FLOOR_MIN_STRENGTH = 0.02
"""Opacity below which a line on the floor is left out."""

SHADOW_COLOUR: Colour = (66, 80, 98)

SHADOW_STRENGTH = 0.30
"""Opacity of a shadow at its darkest."""

SHADOW_RIGHT, SHADOW_BACK = 0.22, 0.16
"""How far shadows lean to the camera's right and away from the camera, per metre of height."""

SHADOW_BLUR = 0.6
"""Softness of shadows in limb thicknesses."""

PLANT_RINGS = ((1.0, 0.55), (0.72, 0.12), (0.42, 0.8))
"""Discs that a plant is painted with, from the outermost: fraction of its radius, and opacity."""


def paint_floor(canvas: Canvas, scene: Scene, low: FloatArray, high: FloatArray) -> None:
    """Paint floor lines around the box from ``low`` to ``high`` (2,), x and z, fading outwards."""
    spacing = _line_spacing(scene.height, float((high - low).max()))
    fade = FLOOR_FADE * max(spacing, scene.height)
    first, last = (np.floor((low - 2.0 * fade) / spacing), np.ceil((high + 2.0 * fade) / spacing))
    for axis in (0, 1):
        along = np.arange(first[1 - axis], last[1 - axis] + 0.25, 0.5) * spacing
        for line in np.arange(first[axis], last[axis] + 1) * spacing:
            points = np.empty((len(along), 3))
            points[:, 2 * axis], points[:, 1], points[:, 2 - 2 * axis] = line, scene.floor, along
            outside = np.maximum(np.maximum(low - points[:, [0, 2]], points[:, [0, 2]] - high), 0.0)
            strength = np.exp(-np.square(np.linalg.norm(outside, axis=1) / fade))
            _paint_line(canvas, points, strength)


def _line_spacing(height: float, extent: float) -> float:
    """Return a round number (1, 2 or 5 times a power of ten) of metres."""
    wanted = max(FLOOR_LINE_SPACING * height, extent / FLOOR_MAX_LINES)
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= wanted * (1 - 1e-9)))


def _paint_line(canvas: Canvas, points: FloatArray, strength: FloatArray) -> None:
    pixels, depth = canvas.camera.project(points)
    visible = (depth > canvas.camera.near) & (strength > FLOOR_MIN_STRENGTH)
    width = max(canvas.oversampling, 1)
    for k in np.flatnonzero(visible[:-1] & visible[1:]).tolist():
        opacity = FLOOR_LINE_STRENGTH * float(strength[k] + strength[k + 1]) / 2.0
        colour = mix_colours(PAPER, FLOOR_LINE_COLOUR, opacity)
        canvas.pen.line([tuple(pixels[k].tolist()), tuple(pixels[k + 1].tolist())], fill=colour, width=width)


def paint_path(canvas: Canvas, path: FloorPath) -> None:
    """Paint the path of a foot or of the root on the floor."""
    pixels, depth = canvas.camera.project(path.points)
    radii = path.widths / 2.0 * canvas.camera.pixels_per_metre(depth)
    radii = np.maximum(radii, 0.5 * canvas.oversampling)
    drawn = (path.strength > FLOOR_MIN_STRENGTH) & (depth > canvas.camera.near)
    for k in np.flatnonzero(drawn[:-1] & drawn[1:]).tolist():
        colour = mix_colours(PAPER, path.colour, float(path.strength[k]))
        canvas.rod(pixels[k], pixels[k + 1], radii[k], radii[k + 1], colour)


def paint_plant(canvas: Canvas, plant: PlantMarker, strength: float) -> None:
    """Paint rings on the floor where a foot is planted; ``strength`` is their opacity."""
    for radius, opacity in PLANT_RINGS:
        turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
        rim = plant.position + plant.radius * radius * np.column_stack(
            [np.cos(turn), np.zeros_like(turn), np.sin(turn)]
        )
        pixels, depth = canvas.camera.project(rim)
        if depth.min() > canvas.camera.near:
            fill = mix_colours(PAPER, plant.colour, opacity * strength)
            canvas.pen.polygon([(float(x), float(y)) for x, y in pixels], fill=fill)


def paint_shadows(canvas: Canvas, scene: Scene, posed: Sequence[PosedActor]) -> None:
    """Paint soft shadows of all figures, darkest for the strongest ones."""
    factor = canvas.oversampling
    size = (canvas.drawing.width // factor, canvas.drawing.height // factor)
    mask = Image.new("L", size, 0)
    pen = ImageDraw.Draw(mask)
    blur = 0.0
    for figure in sorted(posed, key=lambda figure: figure.strength):
        pixels, radii = _shadow_shape(canvas, scene, figure)
        shade = round(255 * SHADOW_STRENGTH * figure.strength)
        for a, b in figure.actor.body.bones.tolist():
            draw_rod(
                pen, pixels[a] / factor, pixels[b] / factor, (radii[a] / factor, radii[b] / factor), shade
            )
        blur = max(blur, float(np.median(radii)) / factor)
    canvas.shade(mask.filter(ImageFilter.GaussianBlur(SHADOW_BLUR * blur)), SHADOW_COLOUR)


def _shadow_shape(canvas: Canvas, scene: Scene, figure: PosedActor) -> tuple[FloatArray, FloatArray]:
    """Return pixels (P, 2) and pixel radii (P,) of a figure that slanting light projects onto the floor."""
    right, _, forward = canvas.camera.axes
    above = np.maximum(figure.points[:, 1:2] - scene.floor, 0.0)
    lean = SHADOW_RIGHT * right + SHADOW_BACK * forward
    pixels, depth = canvas.camera.project(scene.drop_to_floor(figure.points + above * lean))
    return pixels, figure.actor.body.radii * canvas.camera.pixels_per_metre(depth)
