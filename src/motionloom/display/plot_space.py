"""A plot of a motion space: clips, measured blends, and how exactly requests are met."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from motionloom.display.plot_style import INK, PAPER, colour_of, draw_legend
from motionloom.spaces.accuracy import measure_accuracy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.figure import Figure

    from motionloom.spaces.accuracy import SpaceAccuracy
    from motionloom.spaces.space import MotionSpace

PANEL = 5.0
"""Inches of a panel."""

MAX_ERROR = 0.02
"""Error, as a fraction of the clips' range, at which the colours end."""


def draw_space(space: MotionSpace, names: Sequence[str], n_requests: int) -> Figure:
    """Draw a space in the planes of each two of its parameters, or its weights over the only one."""
    from matplotlib.figure import Figure

    accuracy = measure_accuracy(space, n_requests)
    pairs = list(combinations(range(len(space.names)), 2))
    n_panels = max(len(pairs), 1)
    figure = Figure(figsize=(PANEL * n_panels + 1.0, PANEL), layout="constrained", facecolor=PAPER)
    panels = [figure.add_subplot(1, n_panels, n + 1) for n in range(n_panels)]
    dots = [_draw_plane(axes, space, accuracy, pair) for axes, pair in zip(panels, pairs, strict=bool(pairs))]
    if not pairs:
        dots = [_draw_line(panels[0], space, accuracy)]
    bar = figure.colorbar(dots[-1], ax=panels, shrink=0.8)
    bar.set_label("error of interpolated weights (% of the clips' range)")
    handles = [panels[0].plot([], [], "o", color=colour_of(k), markersize=8)[0] for k in range(len(names))]
    draw_legend(figure, handles, names)
    return figure


def _draw_plane(
    axes: Axes, space: MotionSpace, accuracy: SpaceAccuracy, pair: tuple[int, int]
) -> PathCollection:
    """Draw simplices, measured blends, requests and clips over two parameters."""
    mesh = space.hull
    a, b = pair
    for first, second in mesh.edges():
        ends = mesh.points[[first, second]]
        axes.plot(ends[:, a], ends[:, b], color=INK, linewidth=0.3, alpha=0.3)
    axes.plot(mesh.points[:, a], mesh.points[:, b], ".", color=INK, markersize=2)
    dots = _draw_requests(axes, accuracy, accuracy.requests[:, a], accuracy.requests[:, b])
    for k, example in enumerate(space.examples):
        axes.plot(example[a], example[b], "o", color=colour_of(k), markersize=8, markeredgecolor=PAPER)
    axes.set_xlabel(_label(space, a))
    axes.set_ylabel(_label(space, b))
    return dots


def _draw_line(axes: Axes, space: MotionSpace, accuracy: SpaceAccuracy) -> PathCollection:
    """Draw the weights of the clips over the only parameter, and the requests below."""
    mesh = space.hull
    order = np.argsort(mesh.points[:, 0])
    for k, column in enumerate(mesh.weights.T):
        axes.plot(mesh.points[order, 0], column[order], color=colour_of(k), linewidth=1.5)
        axes.plot(space.examples[k], [1.0], "o", color=colour_of(k), markersize=8, markeredgecolor=PAPER)
    dots = _draw_requests(axes, accuracy, accuracy.requests[:, 0], np.full(len(accuracy.requests), -0.25))
    axes.set_xlabel(_label(space, 0))
    axes.set_ylabel("weight")
    return dots


def _draw_requests(
    axes: Axes, accuracy: SpaceAccuracy, x: Sequence[float] | np.ndarray, y: Sequence[float] | np.ndarray
) -> PathCollection:
    percent = 100.0 * accuracy.interpolated
    return axes.scatter(x, y, c=percent, s=14, cmap="viridis", vmin=0.0, vmax=100.0 * MAX_ERROR)


def _label(space: MotionSpace, n: int) -> str:
    unit = space.units[n]
    return f"{space.names[n]} ({unit})" if unit else space.names[n]
