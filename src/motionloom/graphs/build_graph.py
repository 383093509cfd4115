"""`build_graph`: the transitions between takes, from candidates to what can be played for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.graphs.edge import Edge
from motionloom.graphs.find_candidates import Candidates, find_candidates
from motionloom.graphs.make_edges import (
    HALF_WIDTH,
    Candidate,
    Rejection,
    make_edges,
    measure_takes,
)
from motionloom.graphs.node import GraphNode
from motionloom.graphs.prune import NOWHERE, Links, Parts, find_core, find_parts, measure_reach
from motionloom.graphs.report import GraphReport
from motionloom.graphs.select_candidates import (
    MIN_GAIN,
    Quotas,
    find_spots,
    score_candidates,
    select_candidates,
)

MAX_THRESHOLD = 0.1
"""Metres: largest distance of poses that meet if the threshold is chosen. Few of those
farther apart are good."""

MAX_FAR_THRESHOLD = 0.14
"""Metres: the same for takes that connect with nothing otherwise."""

MIN_THRESHOLD = 0.03
"""Metres: smallest threshold that is chosen. What is nearer hardly differs from the take itself."""

ROUNDS = 3
"""How often further candidates are tried where transitions turned out not to be good enough."""

MENDING_ROUNDS, TRIES_PER_END = 3, 3
"""How often, and with how many candidates each time, the ends of takes that are cut off are tried again."""


@dataclass(eq=False)
class _Builder:
    """What is known while a graph is built."""

    nodes: Sequence[GraphNode]
    candidates: Candidates
    make: Callable[[list[Candidate], int], dict[Candidate, Edge | Rejection]]
    threshold: float
    quotas: Quotas = field(default_factory=Quotas)
    edges: list[Edge] = field(default_factory=list)
    rejections: Counter[str] = field(default_factory=Counter)
    tried: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.lengths = [node.n_frames for node in self.nodes]
        self.spots = self._find_spots()

    def _find_spots(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        time, every = self.nodes[0].clip.frame_time, self.candidates
        return (
            find_spots(every.source, every.source_frame, time),
            find_spots(every.target, every.target_frame, time),
        )

    def add_candidates(self, more: Candidates) -> None:
        """Consider more candidates than before."""
        self.candidates = self.candidates.append(more)
        self.spots = self._find_spots()

    def attempt(self, chosen: Iterable[int]) -> int:
        """Make the transitions of candidates that were not tried yet; return how many are good."""
        new = [n for n in chosen if n not in self.tried]
        every = self.candidates
        items = [
            Candidate(
                int(every.source[n]),
                int(every.source_frame[n]),
                int(every.target[n]),
                int(every.target_frame[n]),
                float(every.distance[n]),
            )
            for n in new
        ]
        outcomes = self.make(items, len(self.tried))
        self.tried |= set(new)
        good = 0
        for n, item in zip(new, items, strict=True):
            outcome = outcomes[item]
            if isinstance(outcome, Edge):
                good += 1
                self.edges.append(outcome)
                self.quotas.add(self.spots[0][n], self.spots[1][n])
            else:
                self.rejections[outcome.value] += 1
        return good

    def within(self, min_gain: float = MIN_GAIN) -> IntArray:
        """Return the candidates below the threshold that gain something and were not tried yet."""
        fits = (self.candidates.distance <= self.threshold) & (self.candidates.gain >= min_gain)
        fits[list(self.tried)] = False
        return np.flatnonzero(fits)

    def rank(self) -> list[int]:
        """Return these candidates, the best first."""
        own = self.within()
        every = self.candidates.take(own)
        scores = score_candidates(every, self.lengths, self.nodes[0].clip.frame_time, self.threshold)
        return [int(n) for n in own[np.argsort(-scores, kind="stable")]]


def build_graph(
    nodes: Sequence[GraphNode],
    *,
    threshold: float | None,
    keep: float,
    density: int,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[list[Edge], GraphReport]:
    """Return the transitions of a graph and a report; :class:`MotionGraph` documents the options."""
    usual = measure_takes(nodes)

    def make(items: list[Candidate], before: int) -> dict[Candidate, Edge | Rejection]:
        def count(done: int, total: int) -> None:
            if progress is not None:
                progress(before + done, before + total)

        return make_edges(nodes, items, usual, jobs=jobs, executor=executor, progress=count)

    limit = MAX_THRESHOLD if threshold is None else threshold
    candidates = find_candidates(nodes, limit, HALF_WIDTH)
    chosen = choose_threshold(nodes, candidates, keep) if threshold is None else threshold
    builder = _Builder(nodes, candidates, make, chosen)
    for _ in range(ROUNDS):
        wanted = select_candidates(builder.spots, builder.rank(), builder.quotas, density)
        if not wanted:
            break
        builder.attempt(wanted)
    _mend_ends(builder, keep, threshold is None)
    return _finish(builder)


def choose_threshold(nodes: Sequence[GraphNode], candidates: Candidates, keep: float) -> float:
    """Return the smallest threshold with which candidates keep a fraction of the frames."""
    half = round(HALF_WIDTH / nodes[0].clip.frame_time)
    links = Links(
        candidates.source,
        candidates.source_frame - half,
        candidates.target,
        candidates.target_frame + half,
    )
    lengths = [node.n_frames for node in nodes]
    low, high = MIN_THRESHOLD, MAX_THRESHOLD
    while high - low > 0.0025:
        mean = 0.5 * (low + high)
        parts = find_parts(lengths, links.select(candidates.distance <= mean))
        enough = measure_core(nodes, parts, (int(parts.sizes.argmax()),)) >= keep
        low, high = (low, mean) if enough else (mean, high)
    return high


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


def _mend_ends(builder: _Builder, keep: float, is_chosen: bool) -> None:
    """Try more candidates until enough is kept, of each label too, and no take is cut off.

    If the threshold is chosen, it is raised, and takes that connect with nothing are compared again: poses of
    unlike styles that are farther apart may still meet smoothly.
    """
    nodes = builder.nodes
    limits = [MAX_THRESHOLD] * MENDING_ROUNDS + [MAX_FAR_THRESHOLD] if is_chosen else [builder.threshold] * 2
    for limit in limits:
        parts, kept = find_core(nodes, links_of(builder.edges))
        kept = kept[:1]
        outside = {n for n, own in enumerate(parts.frames) if not np.isin(own, kept).any()}
        if not outside and _keeps_enough(nodes, parts, kept, keep):
            return
        if limit > MAX_THRESHOLD:
            if not outside:
                return
            more = find_candidates(nodes, limit, HALF_WIDTH, outside)
            builder.add_candidates(more.take(np.flatnonzero(more.distance > MAX_THRESHOLD)))
            builder.threshold = limit
        builder.attempt(_find_repairs(builder, parts, kept))
        builder.threshold = min(limit, 1.25 * builder.threshold)


def _keeps_enough(nodes: Sequence[GraphNode], parts: Parts, kept: Sequence[int], keep: float) -> bool:
    """Return whether a fraction of the frames is kept, of all takes and of those of each label."""
    tags = {tag for node in nodes for tag in node.tags}
    groups = [range(len(nodes)), *([n for n, node in enumerate(nodes) if tag in node.tags] for tag in tags)]
    return all(measure_core(nodes, parts, kept, own) >= keep for own in groups)


def _find_repairs(builder: _Builder, parts: Parts, kept: Sequence[int]) -> list[int]:
    """Return candidates that would extend the core towards the ends of takes, nearest first at each end."""
    every = builder.candidates
    own = builder.within(min_gain=0.0)
    in_core = [np.isin(frames, kept) for frames in parts.frames]
    spans = [(int(c.argmax()), len(c) - 1 - int(c[::-1].argmax())) if c.any() else None for c in in_core]
    half = round(HALF_WIDTH / builder.nodes[0].clip.frame_time)
    quota: Counter[tuple[int, str, bool]] = Counter()
    chosen = []
    for n in own.tolist():
        source, target = int(every.source[n]), int(every.target[n])
        departure, landing = int(every.source_frame[n]) - half, int(every.target_frame[n]) + half
        from_span, to_span = spans[source], spans[target]
        enters = from_span is not None and from_span[0] <= departure <= from_span[1]
        leaves = to_span is not None and to_span[0] <= landing <= to_span[1]
        # A take that is wholly cut off has to be entered before it is left: both halves are tried.
        end: tuple[int, str, bool] | None = None
        if enters and (to_span is None or landing < to_span[0]):
            end = target, "start", to_span is None and 2 * landing > builder.lengths[target]
        elif leaves and (from_span is None or departure > from_span[1]):
            end = source, "end", from_span is None and 2 * departure < builder.lengths[source]
        if end is not None and quota[end] < TRIES_PER_END:
            quota[end] += 1
            chosen.append(n)
    return chosen


def links_of(edges: Sequence[Edge]) -> Links:
    """Return the links of edges."""
    columns = [(e.source, e.departure, e.target, e.landing) for e in edges]
    return Links(*np.array(columns, dtype=np.int64).reshape(-1, 4).T)


def _finish(builder: _Builder) -> tuple[list[Edge], GraphReport]:
    """Prune what leads nowhere, and report."""
    nodes, every = builder.nodes, builder.edges
    every.sort(key=lambda e: (e.source, e.departure, e.target, e.landing))
    links = links_of(every)
    parts, kept = find_core(nodes, links)
    edges = [edge for edge, part in zip(every, parts.links.tolist(), strict=True) if part in kept]
    frame_time = nodes[0].clip.frame_time
    times = _measure_times(edges, links.select(np.isin(parts.links, kept[:1])), parts, kept)
    rejections = tuple(sorted(builder.rejections.items(), key=lambda item: (-item[1], item[0])))
    islands = _find_islands(nodes, parts, kept)
    report = GraphReport(
        threshold=builder.threshold,
        duration=float(sum(node.clip.duration for node in nodes)),
        frames=sum(builder.lengths),
        frames_kept=int(sum(np.isin(own, kept).sum() for own in parts.frames)),
        core_fraction=measure_core(nodes, parts, kept),
        candidates=len(builder.candidates),
        tried=len(builder.tried),
        edges=len(edges),
        cut_edges=len(every) - len(edges),
        rejections=rejections,
        median_time=float(np.median(times)) * frame_time if len(times) else 0.0,
        max_time=float(times.max(initial=0.0)) * frame_time,
        tags=_measure_tags(nodes, parts, kept),
        islands=islands,
        lost=_describe_lost(nodes, parts, kept, islands),
    )
    return edges, report


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
            why = f"it connects only with {', '.join(others[:4])}" if others else "it connects with nothing"
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


MAX_END = 2.0
"""Seconds at an end of a take that may be cut off without a word."""
