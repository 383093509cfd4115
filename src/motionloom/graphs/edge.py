"""`Edge`: a transition of a motion graph with its own frames, and the table of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip


@dataclass(frozen=True, eq=False, kw_only=True)
class Edge:
    """A transition from a frame of one take to a frame of another, or of the same.

    All frames are whole: a motion along edges is frames of takes and of edges, one after the other.

    Attributes
    ----------
    source, departure
        Number of the node that is left, and the last of its frames that plays unchanged.
    target, landing
        Number of the node that is entered, and the first of its frames that plays unchanged.
    clip
        (n frames) What plays between the two, in the coordinates of the source's take. Its constraints may
        reach from frame −1, the departure, to frame n, the landing.
    displacement
        What places the target's take in the coordinates of the source's.
    distance
        How far apart the poses are that meet, metres of an adult with legs of 85 cm.
    seam
        Largest acceleration, jerk or turn about the transition over what is usual in both takes, before feet
        are planted; at most 1.
    slide
        How far a planted foot slides within it before feet are planted, metres.
    weights, frames, placements
        (n, 2), (n, 2) and (n, 2, 3), as in a :class:`~motionloom.blending.result.BlendResult`, of source and
        target.
    """

    source: int
    departure: int
    target: int
    landing: int
    clip: Clip
    displacement: GroundTransform
    distance: float
    seam: float
    slide: float
    weights: FloatArray
    frames: FloatArray
    placements: FloatArray

    @property
    def n_frames(self) -> int:
        """Frames of the transition itself."""
        return self.clip.n_frames

    def __repr__(self) -> str:
        return (
            f"Edge({self.source}:{self.departure} -> {self.target}:{self.landing}, "
            f"{100.0 * self.distance:.1f} cm, seam {self.seam:.2f})"
        )


@dataclass(frozen=True, eq=False)
class EdgeTable:
    """All edges of a graph as arrays (E,), for searches.

    Attributes
    ----------
    source, departure, target, landing
        As in :class:`Edge`.
    n_frames
        Frames of the transition between departure and landing.
    displacement
        (E, 3) yaw, x and z of the displacements.
    by_departure
        Numbers of the edges, in the order of their source and then of their departure.
    first
        (N + 1,) for each node, where its edges begin in ``by_departure``.
    """

    source: IntArray
    departure: IntArray
    target: IntArray
    landing: IntArray
    n_frames: IntArray
    displacement: FloatArray
    by_departure: IntArray
    first: IntArray

    def leaving(self, node: int, frame: int = 0) -> IntArray:
        """Return the edges that leave a node at or after a frame, in the order of their departure."""
        own = self.by_departure[self.first[node] : self.first[node + 1]]
        return own[np.searchsorted(self.departure[own], frame) :]

    def successors(self, edge: int) -> IntArray:
        """Return the edges that can follow an edge, in the order of their departure."""
        return self.leaving(int(self.target[edge]), int(self.landing[edge]))


def tabulate_edges(edges: Sequence[Edge], n_nodes: int) -> EdgeTable:
    """Return the edges of a graph of so many nodes as arrays."""

    def numbers(name: str) -> IntArray:
        return freeze(np.array([getattr(edge, name) for edge in edges], dtype=np.int64))

    source, departure = numbers("source"), numbers("departure")
    order = np.lexsort((departure, source))
    return EdgeTable(
        source=source,
        departure=departure,
        target=numbers("target"),
        landing=numbers("landing"),
        n_frames=numbers("n_frames"),
        displacement=freeze(np.array([edge.displacement.row() for edge in edges]).reshape(-1, 3)),
        by_departure=freeze(order),
        first=freeze(np.searchsorted(source[order], np.arange(n_nodes + 1))),
    )
