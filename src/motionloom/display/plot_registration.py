"""Plots of a registration: distance grids with the timewarp curve, and constraints in common time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.display.plot_style import (
    CLIP_COLOURS,
    INK,
    LETTERS_PER_INCH,
    PAPER,
    colour_of,
    draw_legend,
)
from motionloom.motion import Clip
from motionloom.motion.unroll import extend_cycle
from motionloom.registration import RegistrationCurve, distance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

MAX_GRIDS = 8
"""Distance grids that one figure shows; further clips are left to figures of their own."""

GRIDS_PER_ROW = 4

MAX_CELLS = 250
"""Rows and columns of a drawn grid; longer clips are drawn coarser."""

GRID_SIZE = (3.4, 3.3)
"""Inches that a distance grid takes."""

MIN_WIDTH = 7.0
"""Inches; the constraints need the room even where there is one grid."""

LANES_FRAME, LANE_HEIGHT = 1.6, 0.11
"""Inches for title, axis and legend of the constraints, and for each lane."""

HATCHES = ("", "/////", ".....", "xxxxx")
"""How clips after the eighth, which have the same colours again, are told apart."""

PATH_COLOUR = CLIP_COLOURS[0]
"""The time alignment, under the timewarp curve that was fitted to it."""

UNDER_BARS = 0.5
"""Drawing order of the bands: a tint over the bars would change the colours that tell clips apart."""

Role = tuple[str, str]
"""Joint and kind of a constraint."""


def draw_registration(curve: RegistrationCurve) -> Figure:
    """Draw distance grids with the timewarp curve, and the constraints of all clips in common time."""
    from matplotlib.figure import Figure

    others = [k for k in range(curve.n_clips) if k != curve.reference]
    shown, roles = others[:MAX_GRIDS], _roles(curve)
    columns = min(len(shown), GRIDS_PER_ROW)
    rows = -(-len(shown) // GRIDS_PER_ROW)
    heights = [GRID_SIZE[1]] * rows + [LANES_FRAME + LANE_HEIGHT * len(roles) * (curve.n_clips + 1)]
    width = max(MIN_WIDTH, GRID_SIZE[0] * columns)
    figure = Figure(figsize=(width, sum(heights)), layout="constrained", facecolor=PAPER)
    parts = figure.add_gridspec(rows + 1, columns, height_ratios=heights)
    for n, k in enumerate(shown):
        _draw_grid(figure.add_subplot(parts[divmod(n, columns)]), curve, k, width / columns)
    _draw_lanes(figure.add_subplot(parts[-1, :]), curve, roles, width)
    keys = [_bar((0.0, 0.0), 1.0, k) for k in range(curve.n_clips)]
    draw_legend(figure, keys, [f"{k}: {_name(curve, k)}" for k in range(curve.n_clips)])
    if len(others) > len(shown):
        more = f"… and {len(others) - len(shown)} more clips, whose grids are not drawn"
        figure.suptitle(more, fontsize=9, x=0.99, horizontalalignment="right")
    return figure


def _roles(curve: RegistrationCurve) -> list[Role]:
    """Joint and kind of all constraints that any clip has."""
    return sorted(
        {(constraint.joint, constraint.kind) for clip in curve.clips for constraint in clip.constraints}
    )


def _draw_grid(axes: Axes, curve: RegistrationCurve, k: int, width: float) -> None:
    """The distances between the reference and one clip, the time alignment, and the curve fitted to it."""
    first_row, reference = _clip_on_curve(curve, curve.reference)
    first_column, other = _clip_on_curve(curve, k)
    extent = (
        first_column - 0.5,
        first_column + other.n_frames - 0.5,
        first_row - 0.5,
        first_row + reference.n_frames - 0.5,
    )
    values = np.sqrt(_coarse_distance(reference, other))
    image = axes.imshow(
        values, origin="lower", extent=extent, cmap="Greys_r", aspect="auto", interpolation="nearest"
    )
    if curve.samples is not None:
        axes.plot(curve.samples[:, k], curve.samples[:, curve.reference], color=PATH_COLOUR, linewidth=1)
    frames = curve.timewarp(np.linspace(*curve.domain, 300))
    axes.plot(frames[:, k], frames[:, curve.reference], color=CLIP_COLOURS[1], linewidth=2)
    one, two = _name(curve, k), _name(curve, curve.reference)
    axes.set_xlabel(f"frame of {one}", parse_math=False)
    axes.set_ylabel(f"frame of {two} (reference)", parse_math=False)
    _set_title(
        axes,
        f"Pose distance (m) of {one} and {two}, and corresponding frames",
        0.75 * width,
    )
    axes.figure.colorbar(image, ax=axes, shrink=0.8)


def _clip_on_curve(curve: RegistrationCurve, k: int) -> tuple[int, Clip]:
    """A clip and the number of its first frame; of a cyclic clip, the cycle that the curve covers."""
    clip = curve.clips[k]
    if curve.timewarp.periods is None:
        return 0, clip
    # The curve may enter a cycle anywhere, so what it covers can reach into the cycle after it.
    first, last = int(np.floor(curve.spans[0, k])), int(np.ceil(curve.spans[1, k]))
    start = first % clip.n_frames
    return first, extend_cycle(clip, start + last - first + 1)[start:]


def _coarse_distance(a: Clip, b: Clip) -> FloatArray:
    """The distance grid, with so many frames left out that it stays small."""
    step = max(1, -(-max(a.n_frames, b.n_frames) // MAX_CELLS))
    return distance(a[::step], b[::step], window=0.0).values


def _draw_lanes(axes: Axes, curve: RegistrationCurve, roles: list[Role], width: float) -> None:
    """One lane per joint, kind and clip; matches are joined across the clips."""
    tops = [n * (curve.n_clips + 1) for n in range(len(roles))]
    for top, role in zip(tops, roles, strict=True):
        for k in range(curve.n_clips):
            for first, last in _constraint_spans(curve, k, role):
                axes.add_patch(_bar((first, top + k - 0.4), last - first, k))
        _draw_matches(axes, curve, role, top)
    centres = [top + (curve.n_clips - 1) / 2 for top in tops]
    axes.set_yticks(centres, [" ".join(role) for role in roles], fontsize=8, parse_math=False)
    axes.set_ylim(max(len(roles), 1) * (curve.n_clips + 1) - 1.0, -1.0)
    axes.set_xlim(*curve.domain)
    axes.set_xlabel("common time u")
    _set_title(axes, f"Constraints, matches shaded. Registration: {curve.report}", 0.8 * width)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _draw_matches(axes: Axes, curve: RegistrationCurve, role: Role, top: float) -> None:
    lanes = top + np.arange(curve.n_clips)
    for match in curve.matches:
        if (match.joint, match.kind) == role:
            for shift in _shifts(curve, float(match.spans.min()), float(match.spans.max())):
                starts, ends = (match.spans + shift).T
                axes.fill_betweenx(lanes, starts, ends, color=INK, alpha=0.18, linewidth=0, zorder=UNDER_BARS)


def _constraint_spans(curve: RegistrationCurve, k: int, role: Role) -> Iterator[tuple[float, float]]:
    """When a clip has constraints of a role, as first and last ``u``; what crosses a seam comes twice."""
    for constraint in curve.clips[k].constraints:
        if (constraint.joint, constraint.kind) != role:
            continue
        ends = np.array([constraint.start, constraint.end])
        if curve.timewarp.periods is None:
            ends = np.clip(ends, *curve.spans[:, k])
        first, last = curve.timewarp.inverse(k, ends).tolist()
        for shift in _shifts(curve, first, last):
            yield first + shift, last + shift


def _shifts(curve: RegistrationCurve, first: float, last: float) -> list[float]:
    """By how much to move an interval so that it is seen in the domain: for each cycle that it touches."""
    start, end = curve.domain
    if curve.timewarp.periods is None:
        return [0.0] if first < last else []
    period = end - start
    cycles = range(int(np.floor((first - start) / period)), int(np.ceil((last - start) / period)))
    return [-cycle * period for cycle in cycles]


def _bar(corner: tuple[float, float], length: float, k: int) -> Patch:
    from matplotlib.patches import Rectangle

    hatch = HATCHES[k // len(CLIP_COLOURS) % len(HATCHES)]
    return Rectangle(corner, length, 0.8, facecolor=colour_of(k), edgecolor=PAPER, linewidth=0, hatch=hatch)


def _set_title(axes: Axes, title: str, width: float) -> None:
    """A title of as many lines as it needs in a width in inches; file names may have any letters."""
    lines = fill(title, int(width * LETTERS_PER_INCH))
    axes.set_title(lines, fontsize=9, loc="left", parse_math=False)


def _name(curve: RegistrationCurve, k: int) -> str:
    return Path(curve.clips[k].source.path).stem or f"clip {k}"
