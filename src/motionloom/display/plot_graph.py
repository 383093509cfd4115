"""A plot of a motion graph: takes over time, what is kept of them, and the transitions between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from motionloom.display.plot_style import INK, PAPER, colour_of, draw_legend
from motionloom.motion import Clip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from motionloom.arrays import FloatArray, IntArray

MAX_ARCS = 1500
"""Transitions that are drawn at most, spread evenly: more make a picture black."""

MAX_LABELS = 60
"""Takes up to which each is named."""


class DrawnNode(Protocol):
    """What is drawn of a node."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def clip(self) -> Clip:
        """Its take."""
        ...

    @property
    def tags(self) -> tuple[str, ...]:
        """Its labels."""
        ...

    @property
    def track(self) -> FloatArray:
        """(T, 3) x, z and yaw of the body."""
        ...


class DrawnTable(Protocol):
    """What is drawn of the edges: (E,) nodes and frames."""

    @property
    def source(self) -> IntArray:
        """Nodes that are left."""
        ...

    @property
    def departure(self) -> IntArray:
        """Frames after which they are left."""
        ...

    @property
    def target(self) -> IntArray:
        """Nodes that are entered."""
        ...

    @property
    def landing(self) -> IntArray:
        """Frames at which they are entered."""
        ...


class DrawnGraph(Protocol):
    """A motion graph, as far as it is drawn; it lies above this folder."""

    @property
    def nodes(self) -> Sequence[DrawnNode]:
        """The takes."""
        ...

    @property
    def table(self) -> DrawnTable:
        """The edges as arrays."""
        ...


def draw_graph(graph: DrawnGraph) -> Figure:
    """Draw takes as bars, transitions as arcs between them, and the paths of all takes from above."""
    from matplotlib.figure import Figure

    n_nodes = len(graph.nodes)
    height = float(np.clip(2.0 + 0.22 * n_nodes, 4.0, 16.0))
    figure = Figure(figsize=(14.0, height), layout="constrained", facecolor=PAPER)
    axes = figure.subplots(1, 2, gridspec_kw={"width_ratios": [3, 2]})
    labels = sorted({tag for node in graph.nodes for tag in node.tags})
    colours = {tag: colour_of(k) for k, tag in enumerate(labels)}
    _draw_takes(axes[0], graph, colours)
    _draw_paths(axes[1], graph, colours)
    if labels:
        handles = [axes[0].plot([], [], color=colours[tag], linewidth=4)[0] for tag in labels]
        draw_legend(figure, handles, labels)
    return figure


def _colour(node: DrawnNode, number: int, colours: dict[str, str]) -> str:
    return colours[node.tags[0]] if node.tags else colour_of(0 if colours else number)


def _draw_takes(axes: Axes, graph: DrawnGraph, colours: dict[str, str]) -> None:
    """Draw each take as a bar over its seconds, the core thick, and arcs from departures to landings."""
    table, time = graph.table, graph.nodes[0].clip.frame_time
    every = range(len(table.source))
    drawn: Sequence[int] = every if len(every) <= MAX_ARCS else every[:: -(-len(every) // MAX_ARCS)]
    for e in drawn:
        start = (float(table.departure[e]) * time, float(table.source[e]))
        end = (float(table.landing[e]) * time, float(table.target[e]))
        axes.plot(*zip(start, end, strict=True), color=INK, linewidth=0.4, alpha=0.25, zorder=1)
    for n, node in enumerate(graph.nodes):
        colour = _colour(node, n, colours)
        axes.plot([0.0, node.clip.duration], [n, n], color=colour, linewidth=1.0, alpha=0.5, zorder=2)
        own = np.concatenate([table.departure[table.source == n], table.landing[table.target == n]]) * time
        if len(own):
            axes.plot([own.min(), own.max()], [n, n], color=colour, linewidth=4.0, zorder=3)
    if len(graph.nodes) <= MAX_LABELS:
        axes.set_yticks(range(len(graph.nodes)), [node.name for node in graph.nodes], fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("seconds of the take")
    axes.set_title(f"{len(graph.nodes)} takes, {len(every)} transitions; thick: plays for ever", fontsize=10)


def _draw_paths(axes: Axes, graph: DrawnGraph, colours: dict[str, str]) -> None:
    """Draw the paths of all takes from above, from one origin and heading: where the graph can go."""
    for n, node in enumerate(graph.nodes):
        track = node.track
        x, z = (track[:, :2] - track[0, :2]).T
        c, s = np.cos(track[0, 2]), np.sin(track[0, 2])
        axes.plot(x * c - z * s, x * s + z * c, color=_colour(node, n, colours), linewidth=0.9, alpha=0.7)
    axes.plot(0.0, 0.0, "o", color=INK, markersize=4)
    axes.set_aspect("equal", adjustable="datalim")
    axes.invert_xaxis()
    axes.set_xlabel("to the left (m)")
    axes.set_ylabel("ahead (m)")
    axes.set_title("paths of the takes from where they start", fontsize=10)
