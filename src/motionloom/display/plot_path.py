"""A picture from above of a motion that follows a path: the path, the body, footprints and actions."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from motionloom.display.plot_style import INK, PAPER, colour_of
from motionloom.motion.ground_path import ground_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from motionloom.blending import BlendResult
    from motionloom.motion import Clip
    from motionloom.paths.path import Line

SIDE = 7.0
"""Inches of the longer side."""

MARGIN = 0.6
"""Metres around path and body."""

FACING_STEP = 1.0
"""Seconds between the arrows that show where the body faces."""

ARROW = 0.3
"""Metres of an arrow."""


def draw_path(result: BlendResult, path: Line) -> Figure:
    """Draw a motion and the path that it follows, from above; +Z is up and +X to the left."""
    from matplotlib.figure import Figure

    track = ground_path(result.clip.body, smoothing=0.0)
    points = np.concatenate([track[:, :2], path.positions])
    low, high = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
    size = SIDE * (high - low) / (high - low).max()
    figure = Figure(
        figsize=(max(3.5, size[0]), max(3.0, size[1]) + 0.6), layout="constrained", facecolor=PAPER
    )
    axes = figure.add_subplot()
    axes.plot(path.positions[:, 0], path.positions[:, 1], color="0.75", linewidth=6, solid_capstyle="round")
    _draw_prints(axes, result.clip)
    _draw_body(axes, result, track)
    for action in path.actions:
        x, z = path.place(action.at)
        axes.plot(x, z, "x", color=INK, markersize=10, markeredgewidth=2)
        axes.annotate(action.tag, (x, z), xytext=(8, 8), textcoords="offset points").set_parse_math(False)
    axes.set_title(repr(result.report), fontsize=9)
    axes.set_xlim(high[0], low[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect("equal")
    axes.set_xlabel("x (m)")
    axes.set_ylabel("z (m)")
    return figure


def _draw_body(axes: Axes, result: BlendResult, track: np.ndarray) -> None:
    """Draw the body's track in the colours of its takes, and arrows where it faces."""
    takes = np.argmax(result.weights, axis=1)
    cuts = np.concatenate([[0], np.flatnonzero(np.diff(takes)) + 1, [len(takes) - 1]])
    for first, last in pairwise(cuts):
        own = track[first : last + 1]
        axes.plot(own[:, 0], own[:, 1], color=colour_of(int(takes[first])), linewidth=1.4)
    step = max(1, round(FACING_STEP / result.clip.frame_time))
    for x, z, yaw in track[::step]:
        ahead = (x + ARROW * np.sin(yaw), z + ARROW * np.cos(yaw))
        axes.annotate("", ahead, (x, z), arrowprops={"arrowstyle": "->", "color": INK, "linewidth": 0.7})


def _draw_prints(axes: Axes, clip: Clip) -> None:
    """Draw a dot where each planted point stands."""
    for constraint in clip.constraints:
        frames = np.arange(int(np.ceil(constraint.start)), int(constraint.end) + 1)
        frames = frames[(frames >= 0) & (frames < clip.n_frames)]
        if len(frames):
            own = clip.point_positions(constraint.joint, constraint.point)[frames]
            left = "left" in constraint.joint.lower()
            axes.plot(
                own[:, 0], own[:, 2], ".", color="#eb6834" if left else "#2a78d6", markersize=3, alpha=0.5
            )
