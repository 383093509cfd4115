"""`find_hits`: the segments of a library that resemble a motion, in one step or in several."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.errors import MotionloomError, RegistrationWarning
from motionloom.library.body_points import PELVIS, RATE, map_points, sample_points
from motionloom.library.hits import Hit, Hits, locate_segment, make_hit
from motionloom.library.search import Match, bound_query, find_matches, make_query, mirror_query
from motionloom.library.search_index import SearchIndex
from motionloom.library.search_steps import MatchNode, choose_limit, measure_spread, search_in_steps
from motionloom.library.signatures import SampleRate, Singles, frame_of_sample
from motionloom.library.take import Segment, Take
from motionloom.motion import Clip
from motionloom.motion.clip import check_clip
from motionloom.registration.register import register
from motionloom.registration.verdict import Verdict

SPEED_FRAMES = 6
"""Frames at 30 Hz over which a speed is measured, so that the sway of the hips adds little to it."""


def find_hits(
    query: Clip | Segment,
    index: SearchIndex,
    takes: Sequence[Take],
    chosen: Sequence[int],
    *,
    k: int,
    mirrored: bool,
    durations: tuple[float, float],
    speeds: tuple[float, float],
    max_distance: float | None,
    steps: int,
    rarity: bool,
    rate: SampleRate,
) -> Hits:
    """Return the k segments that resemble a motion most, as :meth:`motionloom.Library.search` describes.

    Parameters
    ----------
    query, k, mirrored, max_distance, steps, rarity, rate
        As there.
    index, takes
        Signatures and points of the takes that can be searched, and the takes in the same order.
    chosen
        The numbers of those to search.
    durations, speeds
        The fewest and the most seconds that a hit may last, and metres per second that its pelvis may move.
    """
    search = _Search(query, index, takes, chosen, k, mirrored, durations, speeds, rarity, rate)
    points, references = search.points, search.references
    first = make_query(points, rate, references)
    spread = measure_spread(first.windows, rate)
    bounds = bound_query(index, first, np.arange(len(index.rows)))
    limit = choose_limit(first, bounds)
    if steps == 1:
        # Where all takes are searched, these bounds are those that the search needs.
        known = bounds if len(chosen) == len(index.rows) else None
        found = search.find(points, np.inf if max_distance is None else max_distance, known)
        return Hits(tuple(map(search.make_hit, found)), spread, limit)
    within = limit if max_distance is None else max_distance
    nodes, edges = search_in_steps(index, first, search.find, points, steps, within, search.would_blend)
    kept = tuple(edge for edge in edges if max(edge.found_by, edge.found) < k)
    return Hits(tuple(search.make_hit(node.match(), node.step) for node in nodes[:k]), spread, limit, kept)


class _Search:
    """What stays the same over the steps of a search."""

    def __init__(
        self,
        query: Clip | Segment,
        index: SearchIndex,
        takes: Sequence[Take],
        chosen: Sequence[int],
        k: int,
        mirrored: bool,
        durations: tuple[float, float],
        speeds: tuple[float, float],
        rarity: bool,
        rate: SampleRate,
    ) -> None:
        self.query, self.index, self.takes = query, index, takes
        self.k, self.mirrored, self.rate = k, mirrored, rate
        self.durations, self.speeds = durations, speeds
        self.chosen = np.array(chosen, dtype=np.int64)
        self.clip = query.clip() if isinstance(query, Segment) else check_clip("search", query)
        self.points = sample_points(self.clip).astype(np.float32)
        self.scale = map_points(self.clip.body.skeleton).scale
        self.references = index.references if rarity else None

    def find(self, points: Singles, max_distance: float, bounds: Singles | None = None) -> list[Match]:
        """Find what resembles some points, which later steps take from hits; some bounds may be known."""

        def accept(match: Match) -> bool:
            segment = locate_segment(match, self.takes[match.take], len(points), self.rate)
            min_seconds, max_seconds = self.durations
            fits = min_seconds <= segment.duration <= max_seconds and self._has_speed(match)
            return fits and not _is_part_of(segment, self.query)

        plain = make_query(points, self.rate, self.references)
        forms = [(False, plain), *([(True, mirror_query(points, plain))] if self.mirrored else [])]
        return find_matches(
            self.index,
            forms,
            self.k,
            self.chosen,
            accept=accept,
            max_distance=max_distance,
            bounds=bounds,
        )

    def _has_speed(self, match: Match) -> bool:
        """Return whether the pelvis moves over the ground about as fast as was asked for."""
        min_speed, max_speed = self.speeds
        if min_speed == 0.0 and max_speed == np.inf:
            return True
        first, last = frame_of_sample(match.path[[0, -1]], self.rate)
        pelvis = self.index.points(match.take)[first : last + 1 : SPEED_FRAMES, PELVIS, ::2]
        lengths = np.linalg.norm(np.diff(pelvis, axis=0), axis=1) / self.index.rows[match.take].scale
        speed = float(lengths.mean()) * RATE / SPEED_FRAMES if len(lengths) else 0.0
        return min_speed <= speed <= max_speed

    def make_hit(self, match: Match, step: int = 1) -> Hit:
        """Make the hit of a match."""
        scales = self.scale, self.index.rows[match.take].scale
        both = self.points, self.index.points(match.take)
        return make_hit(match, self.takes[match.take], scales, both, self.clip.fps, self.rate, step)

    def would_blend(self, node: MatchNode) -> bool:
        """Return whether registration finds that the query and what a node matches correspond."""
        both = [self._annotated, self.make_hit(node.match()).clip()]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RegistrationWarning)
                curve = register(both)
        except MotionloomError:
            return False
        return curve.report.verdict is not Verdict.UNFIT

    @cached_property
    def _annotated(self) -> Clip:
        return annotate(self.clip)


def _is_part_of(segment: Segment, query: Clip | Segment) -> bool:
    """Return whether a segment overlaps the query, where that is itself one of the library."""
    if not isinstance(query, Segment) or query.take.id != segment.take.id:
        return False
    return segment.start < query.end and query.start < segment.end
