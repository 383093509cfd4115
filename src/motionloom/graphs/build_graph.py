"""`build_graph`: the transitions between takes, from candidates to what can be played for ever."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor

import numpy as np

from motionloom.graphs.edge import Edge
from motionloom.graphs.find_candidates import Candidates, find_candidates
from motionloom.graphs.graph_builder import GraphBuilder
from motionloom.graphs.make_edges import HALF_WIDTH, Candidate, Rejection, make_edges
from motionloom.graphs.node import GraphNode
from motionloom.graphs.prune import Links, Parts, find_core, find_parts, links_of, measure_core
from motionloom.graphs.report import GraphReport, prune_and_report
from motionloom.graphs.screen_candidates import CrossFadeScreen
from motionloom.graphs.smoothness import measure_usual_peaks
from motionloom.jobs.parallel import open_pool

MAX_THRESHOLD = 0.1
"""Metres: largest distance of poses that meet if the threshold is chosen. Few of those
farther apart are good."""

MAX_FAR_THRESHOLD = 0.14
"""Metres: the same for takes that connect with nothing otherwise."""

MIN_THRESHOLD = 0.03
"""Metres: smallest threshold that is chosen. What is nearer hardly differs from the take itself."""

MIN_DENSITY, DENSITIES = 2, (2, 4, 8, 16, 32)
"""Transitions from and to each second of a take by default: at least, and as long as there are tries left."""

MAX_TRIES = 2_500
"""Transitions that are made by default before takes have all they can have: some twenty seconds' work."""

ROUNDS = 3
"""How often further candidates are tried where transitions turned out not to be good enough."""

MENDING_ROUNDS, TRIES_PER_END, CHOICES_PER_END = 3, 3, 24
"""How often, and with how many candidates each time, the ends of takes that are cut off are tried again; and
among how many of the nearest the smoothest are chosen."""

MAX_PARTS, LARGE_PART = 4, 0.25
"""How many parts that do not connect are extended, and how large they are at least against the largest: loops
are parts of their own at first, and the largest may be the one that nothing else suits."""


def build_graph(
    nodes: Sequence[GraphNode],
    *,
    threshold: float | None,
    keep: float,
    density: int | None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[list[Edge], GraphReport]:
    """Return the transitions of a graph and a report; :class:`MotionGraph` documents the options."""
    screen = CrossFadeScreen(nodes, [measure_usual_peaks(node.clip) for node in nodes], HALF_WIDTH)
    candidates = find_candidates(nodes, MAX_THRESHOLD if threshold is None else threshold, HALF_WIDTH)
    chosen = choose_threshold(nodes, candidates, keep) if threshold is None else threshold
    n_done = 0

    with open_pool(jobs, executor) as pool:

        def make(items: list[Candidate]) -> dict[Candidate, Edge | Rejection]:
            def count(done: int, total: int) -> None:
                if progress is not None:
                    progress(n_done + done, n_done + total)

            nonlocal n_done
            outcomes = make_edges(nodes, items, screen.find_ordinary, executor=pool, progress=count)
            n_done += len(items)
            return outcomes

        builder = GraphBuilder(nodes, candidates, chosen, screen, make)
        _fill(builder, density)
        _mend_ends(builder, keep, threshold is None)
    return prune_and_report(
        nodes,
        builder.edges,
        builder.rejections,
        threshold=builder.threshold,
        candidates=len(builder.candidates),
    )


def _fill(builder: GraphBuilder, density: int | None) -> None:
    """Make the transitions that the takes lack, some from and to each second of them.

    Without a density there are as many as :data:`MAX_TRIES` allow, and :data:`MIN_DENSITY` in any case.
    """
    left = MAX_TRIES
    for wanted in DENSITIES if density is None else (density,):
        for _ in range(ROUNDS):
            chosen = builder.choose(wanted)
            if density is None and wanted > MIN_DENSITY:
                chosen = chosen[: max(left, 0)]
            if not chosen:
                break
            builder.attempt(chosen)
            left -= len(chosen)


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


def _mend_ends(builder: GraphBuilder, keep: float, is_chosen: bool) -> None:
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
        repairs = (_find_repairs(builder, parts, part) for part in _list_large(parts))
        builder.attempt(dict.fromkeys(n for own in repairs for n in own), register=True)
        builder.threshold = min(limit, 1.25 * builder.threshold)


def _keeps_enough(nodes: Sequence[GraphNode], parts: Parts, kept: Sequence[int], keep: float) -> bool:
    """Return whether a fraction of the frames is kept, of all takes and of those of each label."""
    tags = {tag for node in nodes for tag in node.tags}
    groups = [range(len(nodes)), *([n for n, node in enumerate(nodes) if tag in node.tags] for tag in tags)]
    return all(measure_core(nodes, parts, kept, own) >= keep for own in groups)


def _list_large(parts: Parts) -> list[int]:
    """Return the parts that could be the core, the largest first: each grows by the takes that suit it."""
    order = np.argsort(-parts.sizes, kind="stable")
    return [int(n) for n in order[:MAX_PARTS] if parts.sizes[n] >= LARGE_PART * parts.sizes[order[0]]]


def _find_repairs(builder: GraphBuilder, parts: Parts, part: int) -> list[int]:
    """Return candidates that would extend a part towards the ends of takes, the smoothest at each end."""
    every = builder.candidates
    own = builder.list_untried(min_gain=0.0)
    in_core = [frames == part for frames in parts.frames]
    spans = [(int(c.argmax()), len(c) - 1 - int(c[::-1].argmax())) if c.any() else None for c in in_core]
    half = round(HALF_WIDTH / builder.nodes[0].clip.frame_time)
    lengths = [node.n_frames for node in builder.nodes]
    by_end: dict[tuple[int, str, bool], list[int]] = {}
    for n in own.tolist():
        source, target = int(every.source[n]), int(every.target[n])
        departure, landing = int(every.source_frame[n]) - half, int(every.target_frame[n]) + half
        from_span, to_span = spans[source], spans[target]
        enters = from_span is not None and from_span[0] <= departure <= from_span[1]
        leaves = to_span is not None and to_span[0] <= landing <= to_span[1]
        # A take that is wholly cut off has to be entered before it is left: both halves are tried.
        end: tuple[int, str, bool] | None = None
        if enters and (to_span is None or landing < to_span[0]):
            end = target, "start", to_span is None and 2 * landing > lengths[target]
        elif leaves and (from_span is None or departure > from_span[1]):
            end = source, "end", from_span is None and 2 * departure < lengths[source]
        if end is not None and len(by_end.setdefault(end, [])) < CHOICES_PER_END:
            by_end[end].append(n)
    return [n for own in by_end.values() for n in builder.sort_by_seam(own)[:TRIES_PER_END]]
