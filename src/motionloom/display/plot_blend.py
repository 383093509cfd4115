"""A plot of a blend: what went into every frame, and where it led."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motionloom.blending import BlendResult
from motionloom.display.plot_style import CLIP_COLOURS, INK, PAPER, colour_of, draw_legend
from motionloom.motion.anatomy import facing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (12.0, 8.0)
"""Inches of a whole figure."""

LANE_HEIGHT = 0.6
"""Share of a lane's height that its bars take."""

MAX_ARROWS = 24
"""Headings drawn along the path."""

DASHES = ("-", "--", ":", "-.")
"""How clips after the eighth, which have the same colours again, are told apart."""


def draw_blend(result: BlendResult, names: Sequence[str]) -> Figure:
    """Draw what went into every frame of a blend, and the path of its root."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained", facecolor=PAPER)
    parts = figure.add_gridspec(4, 2, width_ratios=[3, 2])
    lanes = [figure.add_subplot(parts[row, 0]) for row in range(4)]
    for axes in lanes[1:]:
        axes.sharex(lanes[0])
    _draw_weights(lanes[0], result)
    _draw_parameter(lanes[1], result)
    _draw_source_frames(lanes[2], result)
    _draw_constraints(lanes[3], result)
    _draw_path(figure.add_subplot(parts[:, 1]), result)
    for axes in lanes:
        for seam in result.report.seams:
            axes.axvline(seam * result.clip.frame_time, color=INK, linewidth=0.8, linestyle=":")
    lanes[-1].set_xlabel("time (s)")
    draw_legend(figure, lanes[0].get_lines()[: len(names)], names)
    return figure


def _dashes(k: int) -> str:
    return DASHES[k // len(CLIP_COLOURS) % len(DASHES)]


def _seconds(result: BlendResult) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.arange(result.clip.n_frames, dtype=np.float64) * result.clip.frame_time


def _draw_weights(axes: Axes, result: BlendResult) -> None:
    for k in range(result.weights.shape[1]):
        axes.plot(_seconds(result), result.weights[:, k], _dashes(k), color=colour_of(k))
    axes.set_title("Weights", fontsize=9, loc="left")


def _draw_parameter(axes: Axes, result: BlendResult) -> None:
    axes.plot(_seconds(result), result.u, color=INK)
    rates = axes.twinx()
    rates.plot(_seconds(result)[1:], np.diff(result.u), color=colour_of(0), linewidth=0.8)
    rates.set_ylabel("u per frame", color=colour_of(0), fontsize=8)
    axes.set_title("Common time u (black) and its rate (blue)", fontsize=9, loc="left")


def _draw_source_frames(axes: Axes, result: BlendResult) -> None:
    for k in range(result.frames.shape[1]):
        frames = result.frames[:, k].copy()
        # A cyclic clip begins again: no line leads back from its last frame to its first.
        frames[1:][np.diff(frames) < 0.0] = np.nan
        axes.plot(_seconds(result), frames, _dashes(k), color=colour_of(k), linewidth=1)
    axes.set_title("Source frames", fontsize=9, loc="left")


def _draw_constraints(axes: Axes, result: BlendResult) -> None:
    roles = sorted({(constraint.joint, constraint.kind) for constraint in result.clip.constraints})
    for lane, role in enumerate(roles):
        spans = [
            (
                constraint.start * result.clip.frame_time,
                (constraint.end - constraint.start) * result.clip.frame_time,
            )
            for constraint in result.clip.constraints
            if (constraint.joint, constraint.kind) == role
        ]
        axes.broken_barh(spans, (lane - LANE_HEIGHT / 2, LANE_HEIGHT), color=INK, alpha=0.7)
    axes.set_yticks(range(len(roles)), [" ".join(role) for role in roles], fontsize=7, parse_math=False)
    axes.set_title("Constraints" if roles else "No constraints", fontsize=9, loc="left")


def _draw_path(axes: Axes, result: BlendResult) -> None:
    from matplotlib.collections import LineCollection

    ground = result.clip.body.root_positions[:, [0, 2]]
    heaviest = result.weights.argmax(axis=1)
    steps = np.stack([ground[:-1], ground[1:]], axis=1)
    colours = [colour_of(k) for k in heaviest[1:]]
    axes.add_collection(LineCollection(list(steps), colors=colours, linewidths=2))
    shown = np.linspace(0, len(ground) - 1, min(MAX_ARROWS, len(ground))).astype(int)
    headings = facing(result.clip)[shown]
    axes.quiver(*ground[shown].T, np.sin(headings), np.cos(headings), color=INK, width=0.004, alpha=0.6)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.1)
    axes.set_xlabel("x (m)")
    axes.set_ylabel("z (m)")
    axes.set_title("Root path from above, with headings", fontsize=9, loc="left")
