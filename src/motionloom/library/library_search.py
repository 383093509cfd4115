"""`LibrarySearch`: the segments of a library that resemble a motion, in one step or in several.

What a search needs to know is small and can be sent to other processes: the query, or where in the library it
lies, and `SearchOptions`. The library is opened where the search is done.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.arrays import FloatArray, IntArray
from motionloom.errors import MotionloomError, ParameterError, RegistrationWarning
from motionloom.library.body_points import PELVIS, RATE, map_points, sample_points
from motionloom.library.exact_search import Match, find_matches, make_query, mirror_query
from motionloom.library.hits import Hit, Hits, locate_segment, make_hits
from motionloom.library.library_state import LibraryState
from motionloom.library.match_limits import choose_limits, measure_spread
from motionloom.library.signatures import SampleRate, Singles, frame_of_sample
from motionloom.library.stepwise_search import (
    MAX_CANDIDATES,
    FindAll,
    MatchEdge,
    MatchNode,
    search_in_steps,
)
from motionloom.library.take import Segment
from motionloom.motion import Clip
from motionloom.motion.result import check_clip
from motionloom.registration.register import register
from motionloom.registration.verdict import Verdict
from motionloom.validation import check_count, check_number

MAX_HITS, MAX_STEPS = 100_000, 3
"""Hits and steps of a search at most: chains of more steps derail."""

SPEED_FRAMES = 6
"""Frames at 30 Hz over which a speed is measured, so that the sway of the hips adds little to it."""


@dataclass(frozen=True)
class SearchOptions:
    """What is searched, and how; see :meth:`motionloom.Library.search`.

    Attributes
    ----------
    k, mirrored, max_distance, steps, rarity, rate
        As there.
    durations, speeds
        The fewest and the most seconds that a hit may last, and metres per second that its pelvis may move.
    chosen
        The takes to search, by their numbers in the search index; None searches all.
    """

    k: int
    mirrored: bool
    durations: tuple[float, float]
    speeds: tuple[float, float]
    max_distance: float | None
    steps: int
    rarity: bool
    rate: SampleRate
    chosen: tuple[int, ...] | None


def check_options(
    k: int,
    mirrored: bool,
    min_duration: float,
    max_duration: float | None,
    min_speed: float,
    max_speed: float | None,
    max_distance: float | None,
    steps: int,
    rarity: bool,
    rate: SampleRate,
) -> SearchOptions:
    """Return options for a search of all takes, or fail with a sentence about the one that is wrong."""
    return SearchOptions(
        check_count("k", k, max=MAX_HITS),
        mirrored,
        _check_range("duration", min_duration, max_duration),
        _check_range("speed", min_speed, max_speed),
        None if max_distance is None else check_number("max_distance", max_distance, min=0.0),
        check_count("steps", steps, max=MAX_STEPS),
        rarity,
        check_rate(rate),
        None,
    )


def check_rate(rate: SampleRate) -> SampleRate:
    """Return samples per second, or fail if libraries have no such samples."""
    if rate not in (10, 30):
        raise ParameterError(
            f"must be 10 or 30 samples per second, not {rate!r}", parameter="rate", value=rate
        )
    return rate


@dataclass(frozen=True)
class Place:
    """A query that lies in the library: a take, by its id, and its frames from start to end."""

    take: int
    start: int
    end: int
    mirrored: bool


@dataclass(frozen=True, eq=False)
class Found:
    """What a search finds, without the motion itself.

    Attributes
    ----------
    matches
        Segments, nearest first, with the step in which each was found, and within how many metres it probably
        is the same motion.
    spread, limit, edges
        As in :class:`~motionloom.library.hits.Hits`.
    """

    matches: tuple[tuple[Match, int, float], ...]
    spread: float
    limit: float
    edges: tuple[MatchEdge, ...] = ()


class LibrarySearch:
    """One search in one state of a library.

    Parameters
    ----------
    query
        A motion, or where in the library it lies. None where only :meth:`find` is used.
    state, options
        Where to search, and how.
    """

    def __init__(self, query: Clip | Place | None, state: LibraryState, options: SearchOptions) -> None:
        self._query, self._state, self._options = query, state, options
        self._index = state.index
        self._references = self._index.references if options.rarity else None

    def run(self, find_all: FindAll | None = None) -> Found:
        """Find the nearest segments.

        ``find_all`` searches for several motions of a step at once, where that is not done here one by one.
        """
        options = self._options
        first = make_query(self._points, options.rate, self._references)
        spread = measure_spread(first.windows, options.rate)
        (limit,) = choose_limits([first.signatures], self._index.references, spread).tolist()

        def choose(matches: Sequence[Match]) -> FloatArray:
            segments = [self._signatures(match) for match in matches]
            return choose_limits(segments, self._index.references, spread)

        if options.steps == 1:
            within = np.inf if options.max_distance is None else options.max_distance
            found = self.find(self._points, within)
            limits = choose(found).tolist()
            matches = tuple((match, 1, own) for match, own in zip(found, limits, strict=True))
            return Found(matches, spread, limit)

        def limits_of(nodes: Sequence[MatchNode]) -> FloatArray:
            if options.max_distance is not None:
                return np.full(len(nodes), options.max_distance)
            return choose([node.match() for node in nodes])

        nodes, edges = search_in_steps(
            self._index,
            first,
            find_all or (lambda wanted: [self.find(points, within) for points, within in wanted]),
            self._points,
            options.steps,
            limit if options.max_distance is None else options.max_distance,
            limits_of,
            self._would_blend,
        )
        nodes = nodes[: options.k]
        limits = choose([node.match() for node in nodes]).tolist()
        kept = tuple(edge for edge in edges if max(edge.found_by, edge.found) < options.k)
        matches = tuple((node.match(), node.step, own) for node, own in zip(nodes, limits, strict=True))
        return Found(matches, spread, limit, kept)

    def find(self, points: Singles, max_distance: float) -> list[Match]:
        """Find what resembles some points, which later steps take from hits."""
        options = self._options

        def accept(match: Match) -> bool:
            take = self._state.searchable[match.take]
            if is_free and take.id != own:
                return True
            segment = locate_segment(match, take, len(points), options.rate)
            min_seconds, max_seconds = options.durations
            fits = min_seconds <= segment.duration <= max_seconds and self._has_speed(match)
            return fits and not _is_part_of(segment, self._query)

        is_free = options.durations == options.speeds == (0.0, np.inf)
        own = self._query.take if isinstance(self._query, Place) else None
        plain = make_query(points, options.rate, self._references)
        forms = [(False, plain), *([(True, mirror_query(points, plain))] if options.mirrored else [])]
        return find_matches(
            self._index,
            forms,
            options.k if options.steps == 1 else max(options.k, MAX_CANDIDATES),
            self._chosen,
            accept=None if is_free and own is None else accept,
            max_distance=max_distance,
        )

    def make_hits(self, found: Found) -> Hits:
        """Return what was found with time alignments, placements and takes."""
        return Hits(self._place(found.matches), found.spread, found.limit, found.edges)

    @cached_property
    def _chosen(self) -> IntArray:
        chosen = self._options.chosen
        return np.arange(len(self._index.rows)) if chosen is None else np.array(chosen, dtype=np.int64)

    @cached_property
    def _clip(self) -> Clip:
        query = self._query
        if not isinstance(query, Place):
            return check_clip("search", query)
        (take,) = [take for take in self._state.takes if take.id == query.take]
        return take.segment(query.start, query.end, mirrored=query.mirrored).clip()

    @cached_property
    def _points(self) -> Singles:
        return sample_points(self._clip).astype(np.float32)

    @cached_property
    def _scale(self) -> float:
        return map_points(self._clip.body.skeleton).scale

    @cached_property
    def _annotated(self) -> Clip:
        return annotate(self._clip)

    def _has_speed(self, match: Match) -> bool:
        """Return whether the pelvis moves over the ground about as fast as was asked for."""
        min_speed, max_speed = self._options.speeds
        if min_speed == 0.0 and max_speed == np.inf:
            return True
        first, last = frame_of_sample(match.path[[0, -1]], self._options.rate)
        pelvis = self._index.points(match.take)[first : last + 1 : SPEED_FRAMES, PELVIS, ::2]
        lengths = np.linalg.norm(np.diff(pelvis, axis=0), axis=1) / self._index.rows[match.take].scale
        speed = float(lengths.mean()) * RATE / SPEED_FRAMES if len(lengths) else 0.0
        return min_speed <= speed <= max_speed

    def _signatures(self, match: Match) -> Singles:
        """Return the signatures of the segment of a match, mirrored or not."""
        return self._index.signatures(match.take, self._options.rate)[:, match.path[0] : match.path[-1] + 1]

    def _place(self, matches: Sequence[tuple[Match, int, float]]) -> tuple[Hit, ...]:
        """Return matches, each with its step and its limit, as hits."""
        return make_hits(
            matches,
            self._state.searchable,
            self._index,
            self._points,
            self._scale,
            self._clip.fps,
            self._options.rate,
        )

    def _would_blend(self, node: MatchNode) -> bool:
        """Return whether registration finds that the query and what a node matches correspond."""
        (hit,) = self._place([(node.match(), 1, np.inf)])
        both = [self._annotated, hit.clip()]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RegistrationWarning)
                curve = register(both)
        except MotionloomError:
            return False
        return curve.report.verdict is not Verdict.UNFIT


def _is_part_of(segment: Segment, query: Clip | Place | None) -> bool:
    """Return whether a segment overlaps the query, where that lies in the library itself."""
    if not isinstance(query, Place) or query.take != segment.take.id:
        return False
    return segment.start < query.end and query.start < segment.end


def _check_range(name: str, min: float, max: float | None) -> tuple[float, float]:
    low = check_number(f"min_{name}", min, min=0.0)
    if max is None:
        return low, np.inf
    high = check_number(f"max_{name}", max, min=0.0)
    if high < low:
        raise ParameterError(f"max_{name} {high:g} is less than min_{name} {low:g}")
    return low, high
