"""What a search gives: segments of a library with their distance, time alignment and placement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.geometry import GroundTransform
from motionloom.library.body_points import PARTNERS, RATE, WEIGHTS
from motionloom.library.exact_search import Match
from motionloom.library.search_index import SearchIndex
from motionloom.library.signatures import SampleRate, Singles, frame_of_sample, stride_of
from motionloom.library.stepwise_search import MatchEdge
from motionloom.library.take import Segment, Take
from motionloom.motion import Clip
from motionloom.registration.curve import RegistrationCurve
from motionloom.workflows.prepare_and_register import prepare_and_register


@dataclass(frozen=True, eq=False)
class Hit:
    """A segment that resembles the query.

    Attributes
    ----------
    segment
        Where it is.
    distance
        Mean distance of the poses along the time alignment, metres of an adult with legs of 85 cm.
    path
        (m, 2) frames that correspond: of the query, and of the take.
    placement
        The transform on the ground that puts the segment's clip on the query.
    steps
        1 for what resembles the query itself, 2 for what resembles a hit of step 1, and so on.
    limit
        Metres within which it probably is the same motion as the query: less for a segment that much of the
        library resembles.
    """

    segment: Segment
    distance: float
    path: FloatArray
    placement: GroundTransform
    steps: int = 1
    limit: float = np.inf

    def clip(self) -> Clip:
        """Return the motion of the segment."""
        return self.segment.clip()

    def __repr__(self) -> str:
        return f"Hit({self.segment}, {100 * self.distance:.1f} cm)"


@dataclass(frozen=True, eq=False)
class Hits(Sequence[Hit]):
    """Hits, nearest first, that do not overlap each other.

    Attributes
    ----------
    hits
        The hits.
    spread
        How much the query itself moves: the median distance of its samples at least 0.3 s apart, metres. A
        hit is near where its distance is a small part of this.
    limit
        Metres within which a segment that is as rare as the query probably is the same motion. Each hit has a
        limit of its own.
    edges
        The match graph of a search in several steps: which hit found which, by index; -1 is the query.
    """

    hits: tuple[Hit, ...]
    spread: float
    limit: float
    edges: tuple[MatchEdge, ...] = ()

    @overload
    def __getitem__(self, which: int) -> Hit: ...
    @overload
    def __getitem__(self, which: slice) -> Hits: ...
    def __getitem__(self, which: int | slice) -> Hit | Hits:
        if not isinstance(which, slice):
            return self.hits[which]
        return self._take(range(len(self.hits))[which])

    def _take(self, chosen: Sequence[int]) -> Hits:
        """Return some hits, with who found whom among them."""
        rank = {old: new for new, old in enumerate(chosen)} | {-1: -1}
        edges = tuple(
            MatchEdge(rank[edge.found_by], rank[edge.found], edge.distance)
            for edge in self.edges
            if edge.found_by in rank and edge.found in rank
        )
        return Hits(tuple(self.hits[n] for n in chosen), self.spread, self.limit, edges)

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __repr__(self) -> str:
        nearest = "" if not self.hits else f", the nearest at {100 * self.hits[0].distance:.1f} cm"
        return f"Hits({len(self.hits)} segments{nearest})"

    def near(self) -> Hits:
        """Return the hits that probably are the same motion: those within their own limits.

        Hits of later steps are among them whatever their distance is, since they were found by others.
        """
        return self._take(
            [n for n, hit in enumerate(self.hits) if hit.steps > 1 or hit.distance <= hit.limit]
        )

    def clips(self) -> list[Clip]:
        """Return the motions of all hits, nearest first."""
        return [hit.clip() for hit in self.hits]

    def register(self) -> RegistrationCurve:
        """Return the registration curve of all hits, ready to be blended; mirrored ones are mirrored."""
        return prepare_and_register(self.clips(), cut="whole")[1]


def make_hits(
    matches: Sequence[tuple[Match, int, float]],
    takes: Sequence[Take],
    index: SearchIndex,
    query: Singles,
    query_scale: float,
    query_rate: float,
    rate: SampleRate,
) -> tuple[Hit, ...]:
    """Return matches as hits.

    Parameters
    ----------
    matches
        What was found, each with its step and its limit, as in :class:`Hit`.
    takes, index
        The takes that were searched, and their index.
    query, query_scale
        Points (N, 17, 3) at 30 Hz, and the factor from the query's size to that of the standard body.
    query_rate
        Frames per second of the query.
    rate
        Samples per second of the search.
    """
    if not matches:
        return ()
    found = [match for match, _, _ in matches]
    frames = frame_of_sample(np.array([match.path for match in found], dtype=np.int64), rate)
    queried = frame_of_sample(np.arange(frames.shape[1]), rate)
    frame_times = np.array([takes[match.take].frame_time for match in found])
    paths = np.empty((*frames.shape, 2))
    paths[..., 0] = queried / RATE * query_rate
    paths[..., 1] = frames / RATE / frame_times[:, None]
    placements = _place(found, index, frames, query, query_scale, queried).tolist()
    return tuple(
        Hit(
            locate_segment(match, takes[match.take], len(query), rate),
            match.distance,
            path,
            GroundTransform(*placement),
            step,
            limit,
        )
        for (match, step, limit), path, placement in zip(matches, freeze(paths), placements, strict=True)
    )


def _place(
    matches: Sequence[Match],
    index: SearchIndex,
    frames: IntArray,
    query: Singles,
    query_scale: float,
    queried: IntArray,
) -> FloatArray:
    """Return yaw, x and z (H, 3) of what puts segments, with frames (H, m) at 30 Hz, on a query's (m,)."""
    out = np.empty((len(matches), 3))
    takes = np.array([match.take for match in matches])
    scales = np.array([index.rows[take].scale for take in takes.tolist()])
    are_mirrored = np.array([match.mirrored for match in matches], dtype=np.int64)
    for part, points, begins in index.points_of_all(takes):
        own = np.flatnonzero(np.isin(takes, part))
        placed = np.empty((len(own), 3))
        kernels.nearest_segments.place_segments(
            points,
            begins[np.searchsorted(part, takes[own])],
            frames[own],
            are_mirrored[own],
            scales[own],
            query.ravel(),
            queried,
            query_scale,
            WEIGHTS,
            PARTNERS,
            placed,
        )
        out[own] = placed
    return out


def locate_segment(match: Match, take: Take, n_points: int, rate: SampleRate) -> Segment:
    """Return the segment of a take that a query of so many points at 30 Hz was matched with."""
    stride = stride_of(rate)
    first, last = int(match.path[0]) * stride, int(match.path[-1]) * stride
    # The query goes on a little before its first sample and after its last.
    after = n_points - 1 - (len(match.path) - 1) * stride
    start, end = first / RATE / take.frame_time, (last + after) / RATE / take.frame_time
    return Segment(
        take, max(0, round(float(start))), min(take.n_frames, round(float(end)) + 1), match.mirrored
    )
