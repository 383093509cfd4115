"""Plots of a registration: distance grids with the timewarp curve, and constraints in common time."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.atomic import atomic_output
from motionloom.errors import MissingPackageError
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve, distance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_GRIDS = 8
"""Distance grids that one figure shows; further clips are left to figures of their own."""

MOST_CELLS = 250
"""Rows and columns of a drawn grid; longer clips are drawn coarser."""

CLIP_COLOURS = ("#2a78d6", "#eb6834", "#1baf7a", "#eda100", "#e87ba4", "#008300", "#4a3aa7", "#e34948")
INK, PAPER = "#0b0b0b", "#fcfcfb"


def plot_registration(
    curve: RegistrationCurve, path: str | PathLike[str], *, overwrite: bool = False
) -> Path:
    """Draw a registration curve into a ``.png``, ``.svg`` or ``.pdf`` file.

    Above, for each clip, its distance grid with the reference (dark is near) and the timewarp curve; below,
    the constraints of all clips, by joint and kind, over the common parameter u, matches joined by bands.

    Parameters
    ----------
    curve
        The registration.
    path
        The file to make; its ending decides the format.
    overwrite
        Whether an existing file may be replaced.
    """
    path = Path(path)
    others = [k for k in range(curve.n_clips) if k != curve.reference][:MOST_GRIDS]
    lanes = sorted({(match.joint, match.kind) for match in curve.matches})
    figure = _figure(len(others), len(lanes) * curve.n_clips)
    grid = figure.add_gridspec(
        2, len(others), height_ratios=[3.2, max(1.2, 0.09 * len(lanes) * curve.n_clips)]
    )
    for n, k in enumerate(others):
        _draw_grid(figure.add_subplot(grid[0, n]), curve, k)
    _draw_lanes(figure.add_subplot(grid[1, :]), curve, lanes)
    with atomic_output(path, overwrite=overwrite) as temporary:
        figure.savefig(temporary, dpi=130, facecolor=PAPER)
    return path


def _figure(n_grids: int, n_lanes: int) -> Figure:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise MissingPackageError("matplotlib", "plotting", "pip install 'motionloom[plot]'") from None
    size = (max(6.5, 3.4 * n_grids), 4.6 + 0.16 * max(n_lanes, 6))
    return Figure(figsize=size, layout="constrained", facecolor=PAPER)


def _draw_grid(axes: Axes, curve: RegistrationCurve, k: int) -> None:
    """The distances between the reference and one clip, and how the timewarp curve runs through them."""
    reference, other = curve.clips[curve.reference], curve.clips[k]
    values = np.sqrt(_coarse_distance(reference, other))
    extent = (-0.5, other.n_frames - 0.5, -0.5, reference.n_frames - 0.5)
    image = axes.imshow(
        values, origin="lower", extent=extent, cmap="Greys_r", aspect="auto", interpolation="nearest"
    )
    frames = curve.timewarp(np.linspace(*curve.domain, 300))
    axes.plot(frames[:, k], frames[:, curve.reference], color=CLIP_COLOURS[1], linewidth=2)
    axes.set_xlabel(f"frame of clip {k}")
    axes.set_ylabel(f"frame of clip {curve.reference} (reference)")
    axes.set_title(f"{_name(curve, k)}: distance in metres", fontsize=9, loc="left")
    axes.figure.colorbar(image, ax=axes, shrink=0.8)


def _coarse_distance(a: Clip, b: Clip) -> FloatArray:
    """The distance grid, with so many frames left out that it stays small."""
    step = max(1, -(-max(a.n_frames, b.n_frames) // MOST_CELLS))
    return distance(a[::step], b[::step], window=0.0).values


def _draw_lanes(axes: Axes, curve: RegistrationCurve, lanes: list[tuple[str, str]]) -> None:
    """One lane per joint, kind and clip; matches are joined across the clips."""
    labels: list[str] = []
    for lane, (joint, kind) in enumerate(lanes):
        base = lane * (curve.n_clips + 1)
        labels.append(f"{joint} {kind}")
        for k, clip in enumerate(curve.clips):
            low, high = curve.spans[:, k]
            for constraint in clip.constraints:
                if (constraint.joint, constraint.kind) == (joint, kind):
                    ends = np.clip([constraint.start, constraint.end], low, high)
                    first, last = curve.timewarp.inverse(k, ends)
                    axes.barh(base + k, last - first, left=first, height=0.7, color=CLIP_COLOURS[k % 8])
        for match in curve.matches:
            if (match.joint, match.kind) == (joint, kind):
                rows = base + np.arange(curve.n_clips)
                axes.fill_betweenx(
                    rows, match.spans[:, 0], match.spans[:, 1], color=INK, alpha=0.12, linewidth=0
                )
    middle = (curve.n_clips - 1) / 2
    axes.set_yticks([lane * (curve.n_clips + 1) + middle for lane in range(len(lanes))], labels, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(*curve.domain)
    axes.set_xlabel("common time u")
    verdict = f"{curve.report.verdict.value} ({curve.report.reason})"
    axes.set_title(f"constraints of all clips, matches shaded; {verdict}", fontsize=9, loc="left")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _name(curve: RegistrationCurve, k: int) -> str:
    return Path(curve.clips[k].source.path).stem or f"clip {k}"
