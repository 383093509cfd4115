"""The floor of a rendered scene: its lines, and what lies on it: shadows, paths and foot plants."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageFilter

from motionloom import kernels
from motionloom.arrays import FloatArray
from motionloom.display.canvas import Canvas, join_points
from motionloom.display.scene import FloorPath, PlantMarker, Scene
from motionloom.display.stick_figures import PosedActor
from motionloom.display.style import PAPER, Colour, fade_colour, mix_colours

FLOOR_LINE_COLOUR: Colour = (196, 204, 214)

FLOOR_LINE_STRENGTH = 0.85
"""Opacity of the floor lines among the figures."""

FLOOR_LINE_SPACING = 0.5
"""Wanted distance between floor lines in figure heights; rounded up to 1, 2 or 5 times a power of ten."""

FLOOR_LINE_RADIUS = 0.5
"""Half the width of a line on the floor, pixels; paths are at least as wide."""

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
        lines = np.arange(first[axis], last[axis] + 1) * spacing
        points = np.empty((len(lines), len(along), 3))
        points[..., 2 * axis], points[..., 1], points[..., 2 - 2 * axis] = lines[:, None], scene.floor, along
        ground = points[..., ::2]
        outside = np.maximum(np.maximum(low - ground, ground - high), 0.0)
        _paint_lines(canvas, points, np.exp(-np.square(np.linalg.norm(outside, axis=-1) / fade)))


def _line_spacing(height: float, extent: float) -> float:
    """Return a round number (1, 2 or 5 times a power of ten) of metres."""
    wanted = max(FLOOR_LINE_SPACING * height, extent / FLOOR_MAX_LINES)
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= wanted * (1 - 1e-9)))


def _paint_lines(canvas: Canvas, points: FloatArray, strength: FloatArray) -> None:
    """Paint lines through points (L, N, 3) with opacities (L, N)."""
    pixels, depth = canvas.camera.project(points)
    visible = (depth > canvas.camera.near) & (strength > FLOOR_MIN_STRENGTH)
    shown = visible[:, :-1] & visible[:, 1:]
    opacity = FLOOR_LINE_STRENGTH * (strength[:, :-1] + strength[:, 1:])[shown] / 2.0
    colours = fade_colour(FLOOR_LINE_COLOUR, opacity)
    radii = np.full((len(colours), 2), FLOOR_LINE_RADIUS)
    canvas.rods(np.hstack([pixels[:, :-1][shown], pixels[:, 1:][shown], radii]), colours)


def paint_path(canvas: Canvas, path: FloorPath) -> None:
    """Paint the path of a foot or of the root on the floor."""
    pixels, depth = canvas.camera.project(path.points)
    radii = np.maximum(path.widths / 2.0 * canvas.camera.pixels_per_metre(depth), FLOOR_LINE_RADIUS)
    drawn = (path.strength > FLOOR_MIN_STRENGTH) & (depth > canvas.camera.near)
    shown = np.flatnonzero(drawn[:-1] & drawn[1:])
    colours = fade_colour(path.colour, path.strength[shown])
    canvas.rods(join_points(pixels, radii, shown, shown + 1), colours)


def paint_plant(canvas: Canvas, plant: PlantMarker, strength: float) -> None:
    """Paint rings on the floor where a foot is planted; ``strength`` is their opacity."""
    turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    rim = np.column_stack([np.cos(turn), np.zeros_like(turn), np.sin(turn)])
    for radius, opacity in PLANT_RINGS:
        pixels, depth = canvas.camera.project(plant.position + plant.radius * radius * rim)
        if depth.min() > canvas.camera.near:
            canvas.polygon(pixels, mix_colours(PAPER, plant.colour, opacity * strength))


def paint_shadows(canvas: Canvas, scene: Scene, posed: Sequence[PosedActor]) -> None:
    """Paint soft shadows of all figures, darkest for the strongest ones."""
    figures = sorted(posed, key=lambda figure: figure.strength)
    shapes = [_shadow_shape(canvas, scene, figure) for figure in figures]
    blur = max(float(np.median(radii)) for _, radii in shapes)
    # Only the part of the image around the shadows is painted and blurred.
    margin = max(float(radii.max()) for _, radii in shapes) + 3.0 * SHADOW_BLUR * blur + 2.0
    pixels = np.concatenate([pixels for pixels, _ in shapes])
    size = np.array(canvas.pixels.shape[1::-1])
    corner = np.clip(np.floor(pixels.min(axis=0) - margin), 0, size).astype(np.int64)
    end = np.clip(np.ceil(pixels.max(axis=0) + margin), 0, size).astype(np.int64)
    width, height = (end - corner).tolist()
    if min(width, height) < 1:
        return
    mask = np.zeros((height, width, 1), dtype=np.uint8)
    for figure, (pixels, radii) in zip(figures, shapes, strict=True):
        shade = round(255 * SHADOW_STRENGTH * figure.strength)
        a, b = figure.actor.body.bones.T
        shades = np.full((len(a), 1), shade, dtype=np.uint8)
        kernels.paint.paint_rods(mask, join_points(pixels - corner, radii, a, b), shades)
    soft = Image.fromarray(mask[:, :, 0]).filter(ImageFilter.GaussianBlur(SHADOW_BLUR * blur))
    canvas.shade(np.asarray(soft), (int(corner[0]), int(corner[1])), SHADOW_COLOUR)


def _shadow_shape(canvas: Canvas, scene: Scene, figure: PosedActor) -> tuple[FloatArray, FloatArray]:
    """Return pixels (P, 2) and pixel radii (P,) of a figure that slanting light projects onto the floor."""
    right, _, forward = canvas.camera.axes
    above = np.maximum(figure.points[:, 1:2] - scene.floor, 0.0)
    lean = SHADOW_RIGHT * right + SHADOW_BACK * forward
    pixels, depth = canvas.camera.project(scene.drop_to_floor(figure.points + above * lean))
    return pixels, figure.actor.body.radii * canvas.camera.pixels_per_metre(depth)
