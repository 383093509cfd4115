"""Prune a graph to what can be played for ever: strongly connected parts, so that nothing dead-ends.

The moments of a take are the frames at which edges leave it or land in it. From each moment motion goes on to
the next one of the take, and along the edges that leave there. A frame belongs to a part if it lies between
two moments of it that follow each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

from motionloom.arrays import FloatArray, IntArray
from motionloom.graphs.edge import Edge
from motionloom.graphs.make_edges import HALF_WIDTH
from motionloom.graphs.node import GraphNode

NOWHERE = -1
"""The part of frames from which motion ends sooner or later, or which it never comes to."""

MAX_SAMPLES = 60
"""Moments from which times to all others are measured."""


@dataclass(frozen=True, eq=False)
class Links:
    """Transitions of a graph, or candidates for them: numbers of nodes and frames, (E,) each."""

    source: IntArray
    departure: IntArray
    target: IntArray
    landing: IntArray

    def select(self, which: npt.NDArray[np.bool_]) -> Links:
        """Return some of the links."""
        return Links(*(own[which] for own in vars(self).values()))


def links_of(edges: Sequence[Edge]) -> Links:
    """Return the links of edges."""
    columns = [(e.source, e.departure, e.target, e.landing) for e in edges]
    return Links(*np.array(columns, dtype=np.int64).reshape(-1, 4).T)


@dataclass(frozen=True, eq=False)
class LinkMoments:
    """Moments of all takes, in order: their nodes and frames (M,), and numbers of them (E,) for all links."""

    node: IntArray
    frame: IntArray
    departures: IntArray
    landings: IntArray

    @property
    def steps(self) -> IntArray:
        """Moments that another one of the same take follows."""
        return np.flatnonzero(self.node[1:] == self.node[:-1])


@dataclass(frozen=True, eq=False)
class Parts:
    """Strongly connected parts.

    Attributes
    ----------
    frames
        For each node, (T,) the part of each frame.
    links
        (E,) the part of each link, :data:`NOWHERE` for those that lead from one to another.
    sizes
        Frames of each part.
    """

    frames: tuple[IntArray, ...]
    links: IntArray
    sizes: IntArray


def find_moments(links: Links) -> LinkMoments:
    """Return the moments of links, in the order of nodes and frames."""
    nodes = np.concatenate([links.source, links.target])
    frames = np.concatenate([links.departure, links.landing])
    moments, which = np.unique(np.stack([nodes, frames], axis=1), axis=0, return_inverse=True)
    which = which.ravel()
    n_links = len(links.source)
    return LinkMoments(moments[:, 0], moments[:, 1], which[:n_links], which[n_links:])


def find_parts(lengths: Sequence[int], links: Links) -> Parts:
    """Return the strongly connected parts of takes with so many frames each.

    >>> loop = Links(*(np.array([value]) for value in (0, 80, 0, 20)))
    >>> parts = find_parts([100], loop)
    >>> [int(frame) for frame in np.flatnonzero(parts.frames[0] >= 0)[[0, -1]]]
    [20, 80]
    """
    moments = find_moments(links)
    n_moments = len(moments.node)
    steps = moments.steps
    tails = np.concatenate([steps, moments.departures])
    tips = np.concatenate([steps + 1, moments.landings])
    grid = csr_array((np.ones(len(tails)), (tails, tips)), shape=(n_moments, n_moments))
    _, labels = connected_components(grid, directed=True, connection="strong")
    frames = [np.full(length, NOWHERE, dtype=np.int64) for length in lengths]
    for step in steps[labels[steps] == labels[steps + 1]].tolist():
        span = slice(int(moments.frame[step]), int(moments.frame[step + 1]) + 1)
        frames[int(moments.node[step])][span] = labels[step]
    inside = labels[moments.departures] == labels[moments.landings]
    # A moment at which one link lands and another leaves plays, even if no other moment of its take does.
    for ends in (moments.departures[inside], moments.landings[inside]):
        for moment in ends.tolist():
            frames[int(moments.node[moment])][int(moments.frame[moment])] = labels[moment]
    every = np.concatenate(frames) if frames else np.zeros(0, np.int64)
    return Parts(
        tuple(frames),
        np.where(inside, labels[moments.departures], NOWHERE),
        np.bincount(every[every >= 0], minlength=1),
    )


def find_core(nodes: Sequence[GraphNode], links: Links) -> tuple[Parts, tuple[int, ...]]:
    """Return all parts, and the numbers of those that are kept, the largest first.

    Kept are the largest part and, for each label, the one that holds the largest part of the takes with that
    label alone: otherwise labels would be lost that connect with nothing else.
    """
    lengths = [node.n_frames for node in nodes]
    parts = find_parts(lengths, links)
    kept = [int(parts.sizes.argmax())] if parts.sizes.any() else []
    for tag in sorted({tag for node in nodes for tag in node.tags}):
        own = np.array([tag in node.tags for node in nodes])
        alone = find_parts(lengths, links.select(own[links.source] & own[links.target]))
        if not alone.sizes.any():
            continue
        best = int(alone.sizes.argmax())
        counts = [parts.frames[n][alone.frames[n] == best] for n in np.flatnonzero(own)]
        part = int(np.bincount(np.concatenate(counts)).argmax())
        if part not in kept:
            kept.append(part)
    return parts, tuple(kept)


def measure_core(
    nodes: Sequence[GraphNode], parts: Parts, kept: Sequence[int], among: Iterable[int] | None = None
) -> float:
    """Return the fraction of frames farther than one transition from the ends of takes that are kept.

    ``among`` are the numbers of the takes that count; all by default. Takes too short to have such frames
    count as a whole.
    """
    margin = round(2.0 * HALF_WIDTH / nodes[0].clip.frame_time)
    frames = [parts.frames[n] for n in (range(len(nodes)) if among is None else among)]
    every = np.concatenate([own[margin : len(own) - margin] for own in frames])
    every = every if len(every) else np.concatenate(frames)
    return float(np.isin(every, kept).mean())


def measure_reach(links: Links, n_frames: IntArray, seed: int = 0) -> FloatArray:
    """Return the frames that it takes from sampled moments to all others of a strongly connected part."""
    moments = find_moments(links)
    steps = moments.steps
    tails = np.concatenate([steps, moments.departures])
    tips = np.concatenate([steps + 1, moments.landings])
    costs = np.concatenate([moments.frame[steps + 1] - moments.frame[steps], n_frames + 1.0])
    order = np.lexsort((costs, tips, tails))
    # Of several links between two moments the shortest counts: a matrix would add them up.
    changes = (np.diff(tails[order]) != 0) | (np.diff(tips[order]) != 0)
    order = order[np.concatenate([[True], changes])]
    n_moments = len(moments.node)
    grid = csr_array((costs[order], (tails[order], tips[order])), shape=(n_moments, n_moments))
    rng = np.random.default_rng(seed)
    starts = rng.choice(n_moments, min(MAX_SAMPLES, n_moments), replace=False)
    return np.asarray(dijkstra(grid, indices=np.sort(starts)))
