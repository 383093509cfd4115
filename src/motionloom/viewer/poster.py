"""The poster: a still picture of the clips as SVG, until the page has started and where WebGL is missing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip, PointClip
from motionloom.motion.anatomy import body_height

WIDTH, HEIGHT = 640, 360
"""Size of the poster in the units of its drawing."""

MARGIN = 24

MAX_FIGURES = 12
"""Figures in a poster at most; more would be too small to see."""

MAX_COLUMNS = 6
"""Figures of a row at most."""

SPACING, ROW_SPACING = 1.1, 2.2
"""From figure to figure, and from row to row, metres."""

BONE, HEAD, POINT = 0.075, 0.2, 0.02
"""Thickness of bones, diameters of a head and of a lone point, metres, for a person of 1.7 m."""

REFERENCE_HEIGHT = 1.7

AZIMUTH, ELEVATION = np.radians(35.0), np.radians(12.0)
"""From where figures are seen: from ahead, turned to the side, and from above."""


def draw_poster(clips: Sequence[Clip | PointClip]) -> str:
    """Draw a pose from the middle of each clip, in one or two rows, as an SVG element.

    Colours come from the style sheet of the page (classes ``figure-0`` to ``figure-7``).

    >>> from motionloom.synthesis import walk
    >>> draw_poster([walk(duration=1.0, fps=30).clip])[:37]
    '<svg class="poster" role="img" aria-l'
    """
    shapes: list[tuple[int, str, FloatArray, float]] = []
    drawn = clips[:MAX_FIGURES]
    label = "a pose of each clip" if len(drawn) == len(clips) else f"a pose of the first {MAX_FIGURES} clips"
    columns = -(-len(drawn) // -(-len(drawn) // MAX_COLUMNS)) if drawn else 1
    for n, clip in enumerate(drawn):
        row, column = divmod(n, columns)
        for kind, points, thickness in _figure(clip):
            shapes.append((n, kind, points + np.array([SPACING * column, -ROW_SPACING * row]), thickness))
    if not shapes:
        return _svg("", label)
    corners = np.concatenate([points for _, _, points, _ in shapes])
    low, high = corners.min(axis=0) - HEAD, corners.max(axis=0) + HEAD
    scale = float(min((WIDTH - 2 * MARGIN) / (high - low)[0], (HEIGHT - 2 * MARGIN) / (high - low)[1]))
    offset, centre = (low + high) / 2.0, np.array([WIDTH, HEIGHT]) / 2.0
    lines = []
    for n, kind, points, thickness in shapes:
        placed = (centre + (points - offset) * [scale, -scale]).round(1)
        lines.append(_shape(f"figure-{n % 8}", kind, placed, round(thickness * scale, 1)))
    return _svg("".join(lines), label)


def _figure(clip: Clip | PointClip) -> list[tuple[str, FloatArray, float]]:
    """Return the parts of a figure: kind, points (N, 2) on the picture in metres, thickness."""
    frame = clip.n_frames // 2
    if isinstance(clip, PointClip):
        points = clip.positions[frame]
        seen = points[np.isfinite(points).all(axis=1)]
        return [("dot", _project(seen[n : n + 1], seen), POINT) for n in range(len(seen))]
    body = clip.body
    pose, skeleton = body[frame : frame + 1].world_positions()[0], body.skeleton
    thickness = BONE * (body_height(skeleton) or REFERENCE_HEIGHT) / REFERENCE_HEIGHT
    parts = []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            parts.append(("bone", _project(pose[[parent, joint]], pose), thickness))
        if "head" in skeleton.names[joint].lower() and joint not in skeleton.parents:
            parts.append(("dot", _project(pose[[joint]], pose), thickness * HEAD / BONE))
    return parts or [("dot", _project(pose, pose), POINT)]


def _project(points: FloatArray, pose: FloatArray) -> FloatArray:
    """Project points (N, 3) of a pose, whose middle is at 0: to the right and up, metres."""
    x, y, z = (points - np.array([1.0, 0.0, 1.0]) * pose.mean(axis=0)).T
    right = np.cos(AZIMUTH) * x - np.sin(AZIMUTH) * z
    towards = np.sin(AZIMUTH) * x + np.cos(AZIMUTH) * z
    return np.stack([right, np.cos(ELEVATION) * y - np.sin(ELEVATION) * towards], axis=1)


def _shape(colour: str, kind: str, points: FloatArray, thickness: float) -> str:
    (x, y), (to_x, to_y) = points[0], points[-1]
    if kind == "dot":
        return f'<circle class="{colour}" cx="{x}" cy="{y}" r="{thickness / 2.0:.1f}"/>'
    return f'<path class="{colour}" d="M{x} {y}L{to_x} {to_y}" stroke-width="{thickness}"/>'


def _svg(content: str, label: str) -> str:
    return (
        f'<svg class="poster" role="img" aria-label="{label}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'stroke-linecap="round">{content}</svg>'
    )
