"""The viewer page: one HTML file that holds the player and the motion, and asks no network for anything.

A still picture of the clips as SVG, the poster, is shown until the page has started and where WebGL is
missing.
"""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from os import PathLike
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import MotionloomError
from motionloom.motion import Clip, PointClip
from motionloom.motion.anatomy import body_height
from motionloom.validation import check_path
from motionloom.viewer.clip_data import PackedClip
from motionloom.viewer.page_data import PageData

TEMPLATE_VARIABLE = "MOTIONLOOM_VIEWER_PAGE"
"""Environment variable that names another build of the page, for whoever works on it."""

TITLE, POSTER, DATA = "<!--title-->", "<!--poster-->", "<!--data-->"
"""Places of the template that are filled in, in this order."""

NOTEBOOK_HEIGHT = 480
"""Height of the page in a notebook, pixels."""

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


@dataclass(frozen=True)
class ViewerPage:
    """A self-contained HTML page that plays motion; notebooks show it as the result of a cell.

    Attributes
    ----------
    html
        The page.
    title
        Its title.

    >>> page = ViewerPage("<!doctype html>…", "walk")
    >>> page
    <ViewerPage: walk, 18 bytes>
    """

    html: str
    title: str

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the page to a file and return its path; an existing file is replaced only on request."""
        target = check_path(path)
        with atomic_output(target, overwrite) as temporary:
            temporary.write_text(self.html, encoding="utf-8", errors="replace")
        return target

    def __repr__(self) -> str:
        return f"<ViewerPage: {self.title}, {len(self.html.encode('utf-8', 'replace'))} bytes>"

    def _repr_html_(self) -> str:
        """Return a frame with the page, which can reach neither the notebook nor the network."""
        return (
            f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" allow="fullscreen" '
            f'width="100%" height="{NOTEBOOK_HEIGHT}" frameborder="0" srcdoc="{escape(self.html)}"></iframe>'
        )


def read_template() -> str:
    """Return the page without motion, or raise an error that says how to build it."""
    path = template_path()
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        raise MotionloomError(
            f"the viewer's page is not in {path.parent}: build it with 'python studio/build_page.py' in a "
            "checkout (needs Node), or install a released package (pip install motionloom)"
        ) from None


def template_path() -> Path:
    """Return where the page without motion is, or would be after it was built."""
    given = os.environ.get(TEMPLATE_VARIABLE)
    return Path(given) if given else Path(__file__).parent / "page" / "viewer.html"


def is_built() -> bool:
    """Tell whether the page was built, so that motion can be shown in it."""
    return template_path().is_file()


def fill_page(data: PageData, clips: Sequence[PackedClip], poster: str) -> ViewerPage:
    """Fill the page with motion.

    Parameters
    ----------
    data
        What the page shows; its clips are those of ``clips``.
    clips
        The motion, a piece for each clip, so that the page unpacks those that are seen first.
    poster
        An SVG element that is shown until the motion is.
    """
    template = read_template()
    pieces = [_script("page", "application/json", _write_json(asdict(data)))]
    for n, clip in enumerate(clips):
        packed = b64encode(clip.packed).decode("ascii")
        pieces.append(_script(f"clip-{n}", "application/octet-stream", packed))
    head, after_title = template.split(TITLE, 1)
    before_poster, after_poster = after_title.split(POSTER, 1)
    tail, end = after_poster.split(DATA, 1)
    # Names of files may hold bytes that are no UTF-8, which a page cannot hold.
    title = data.title.encode("utf-8", "replace").decode("utf-8")
    parts = [head, escape(title), before_poster, poster, tail, "\n".join(pieces), end]
    return ViewerPage("".join(parts), title)


def _script(name: str, media_type: str, content: str) -> str:
    return f'<script type="{media_type}" id="{name}">{content}</script>'


def _write_json(value: object) -> str:
    """Write JSON that cannot end the script element that holds it."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


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
