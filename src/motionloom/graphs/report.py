"""`GraphReport`: what a motion graph keeps of its takes, and how well it is connected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.graphs.edge import Edge
from motionloom.graphs.node import GraphNode
from motionloom.graphs.prune import NOWHERE, Links, Parts, find_core, links_of, measure_core, measure_reach

MAX_END = 2.0
"""Seconds at an end of a take that may be cut off without a word."""


@dataclass(frozen=True, kw_only=True)
class GraphReport:
    """Report on how a motion graph was made.

    Attributes
    ----------
    threshold
        Largest distance in metres of frames that meet in a transition.
    duration
        Seconds of all takes.
    frames, frames_kept
        Frames of all takes, and those from which motion goes on for ever.
    core_fraction
        Fraction of the frames that are kept, of those farther than one transition from the ends of their
        takes.
    candidates, tried
        Pairs of frames at which transitions may meet, and those at which one was tried.
    edges, cut_edges
        Transitions that are kept, and good ones that lead out of what is kept.
    rejections
        How many transitions were not good enough, by reason.
    median_time, max_time
        Seconds from any moment of the core to any other, measured from a sample of them.
    tags
        For each label, the fraction of its frames that is kept.
    islands
        Names of takes that are connected with each other and with no others; the first is the core. Takes
        without any transition are islands of their own.
    lost
        What was cut off and why, in sentences.
    notes
        What was done to the takes, in sentences.
    """

    threshold: float
    duration: float
    frames: int
    frames_kept: int
    core_fraction: float
    candidates: int
    tried: int
    edges: int
    cut_edges: int = 0
    rejections: tuple[tuple[str, int], ...] = ()
    median_time: float = 0.0
    max_time: float = 0.0
    tags: tuple[tuple[str, float], ...] = ()
    islands: tuple[tuple[str, ...], ...] = ()
    lost: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def edges_per_minute(self) -> float:
        """Transitions per minute of take."""
        return 60.0 * self.edges / self.duration if self.duration else 0.0

    def __str__(self) -> str:
        lines = [
            f"{self.edges} transitions in {self.duration:.0f} s of takes, {self.edges_per_minute:.0f} per "
            f"minute, between poses at most {100.0 * self.threshold:.1f} cm apart",
            f"{self.frames_kept} of {self.frames} frames are kept; {100.0 * self.core_fraction:.0f} % of "
            "those farther than one transition from the end of a take",
            f"from any moment to any other in {self.median_time:.1f} s (median), at most "
            f"{self.max_time:.1f} s",
        ]
        if self.rejections:
            reasons = ", ".join(f"{count} {reason}" for reason, count in self.rejections)
            lines.append(f"{self.tried} transitions were tried; not good enough: {reasons}")
        lines += [f"{tag}: {100.0 * kept:.0f} % kept" for tag, kept in self.tags]
        return "\n".join([*lines, *self.lost])


def prune_and_report(
    nodes: Sequence[GraphNode],
    edges: Sequence[Edge],
    rejections: Counter[str],
    *,
    threshold: float,
    candidates: int,
) -> tuple[list[Edge], GraphReport]:
    """Return the edges that do not lead nowhere, in order, and a report on them."""
    every = sorted(edges, key=lambda e: (e.source, e.departure, e.target, e.landing))
    links = links_of(every)
    parts, kept = find_core(nodes, links)
    kept_edges = [edge for edge, part in zip(every, parts.links.tolist(), strict=True) if part in kept]
    frame_time = nodes[0].clip.frame_time
    times = _measure_times(kept_edges, links.select(np.isin(parts.links, kept[:1])), parts, kept)
    reasons = tuple(sorted(rejections.items(), key=lambda item: (-item[1], item[0])))
    islands = _find_islands(nodes, parts, kept)
    report = GraphReport(
        threshold=threshold,
        duration=float(sum(node.clip.duration for node in nodes)),
        frames=sum(node.n_frames for node in nodes),
        frames_kept=int(sum(np.isin(own, kept).sum() for own in parts.frames)),
        core_fraction=measure_core(nodes, parts, kept),
        candidates=candidates,
        tried=len(every) + rejections.total(),
        edges=len(kept_edges),
        cut_edges=len(every) - len(kept_edges),
        rejections=reasons,
        median_time=float(np.median(times)) * frame_time if len(times) else 0.0,
        max_time=float(times.max(initial=0.0)) * frame_time,
        tags=_measure_tags(nodes, parts, kept),
        islands=islands,
        lost=_describe_lost(nodes, parts, kept, islands),
    )
    return kept_edges, report


def _measure_times(edges: Sequence[Edge], core: Links, parts: Parts, kept: Sequence[int]) -> FloatArray:
    """Return frames from moments of the largest part to all others of it."""
    if not kept:
        return np.zeros(0)
    frames = [edge.n_frames for edge in edges if parts.frames[edge.source][edge.departure] == kept[0]]
    return measure_reach(core, np.array(frames, dtype=np.float64)).ravel()


def _measure_tags(
    nodes: Sequence[GraphNode], parts: Parts, kept: Sequence[int]
) -> tuple[tuple[str, float], ...]:
    """Return the fraction of frames that is kept of each label."""
    fractions = []
    for tag in sorted({tag for node in nodes for tag in node.tags}):
        own = np.concatenate([parts.frames[n] for n, node in enumerate(nodes) if tag in node.tags])
        fractions.append((tag, float(np.isin(own, kept).mean())))
    return tuple(fractions)


def _find_islands(
    nodes: Sequence[GraphNode], parts: Parts, kept: Sequence[int]
) -> tuple[tuple[str, ...], ...]:
    """Return the names of takes by the part that most of their connected frames belong to."""
    by_part: dict[int, list[str]] = {}
    alone = []
    for node, frames in zip(nodes, parts.frames, strict=True):
        inside = frames[frames != NOWHERE]
        if len(inside):
            by_part.setdefault(int(np.bincount(inside).argmax()), []).append(node.name)
        else:
            alone.append((node.name,))
    order = sorted(by_part, key=lambda part: (part not in kept, -int(parts.sizes[part]), part))
    return (*(tuple(by_part[part]) for part in order), *alone)


def _describe_lost(
    nodes: Sequence[GraphNode], parts: Parts, kept: Sequence[int], islands: tuple[tuple[str, ...], ...]
) -> tuple[str, ...]:
    """Return sentences on what is not part of the core."""
    sentences = []
    if len(kept) > 1:
        sentences.append(
            f"{len(kept)} islands are kept, because labels would be lost otherwise: no transition leads from "
            "one to another"
        )
    for node, frames in zip(nodes, parts.frames, strict=True):
        inside = np.isin(frames, kept)
        time = node.clip.frame_time
        if not inside.any():
            own = next(island for island in islands if node.name in island)
            others = [name for name in own if name != node.name]
            alone = "nothing" if (frames == NOWHERE).all() else "no other take"
            why = f"it connects only with {', '.join(others[:4])}" if others else f"it connects with {alone}"
            sentences.append(f"{node.name} is cut off ({node.clip.duration:.1f} s): {why}")
            continue
        first, last = int(inside.argmax()), len(inside) - 1 - int(inside[::-1].argmax())
        start, end = first * time, (len(inside) - 1 - last) * time
        if max(start, end) > MAX_END:
            sentences.append(
                f"{node.name} loses {start:.1f} s at its start, where no transition leads, and {end:.1f} s "
                "at its end, from where none does"
            )
    return tuple(sentences)
