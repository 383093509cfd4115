"""What a search gives: segments of a library with their distance, time alignment and placement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import GroundTransform
from motionloom.library.body_points import RATE, WEIGHTS, mirror_points
from motionloom.library.exact_search import Match
from motionloom.library.signatures import SampleRate, Singles, frame_of_sample
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


def make_hit(
    match: Match,
    take: Take,
    scales: tuple[float, float],
    points: tuple[Singles, Singles],
    query_rate: float,
    rate: SampleRate,
    steps: int = 1,
    limit: float = np.inf,
) -> Hit:
    """Return a match as a hit.

    Parameters
    ----------
    match
        What was found.
    take
        The take that it lies in.
    scales, points
        Of the query and of the take: factors to the standard body, and points (N, 17, 3) at 30 Hz.
    query_rate
        Frames per second of the query.
    rate
        Samples per second of the search.
    steps, limit
        As in :class:`Hit`.
    """
    frames = frame_of_sample(match.path, rate)
    queried = frame_of_sample(np.arange(len(match.path)), rate)
    path = np.stack([queried / RATE * query_rate, frames / RATE / take.frame_time], axis=1)
    own = points[1][frames].astype(np.float64)
    own = (mirror_points(own) if match.mirrored else own) / scales[1]
    placement = _place(own, points[0][queried].astype(np.float64) / scales[0])
    segment = locate_segment(match, take, len(points[0]), rate)
    return Hit(segment, match.distance, freeze(path), placement, steps, limit)


def locate_segment(match: Match, take: Take, n_points: int, rate: SampleRate) -> Segment:
    """Return the segment of a take that a query of so many points at 30 Hz was matched with."""
    first, last = frame_of_sample(match.path[[0, -1]], rate)
    # The query goes on a little before its first sample and after its last.
    before, until = frame_of_sample(np.array([0, len(match.path) - 1]), rate)
    start = (first - before) / RATE / take.frame_time
    end = (last + n_points - 1 - until) / RATE / take.frame_time
    return Segment(
        take, max(0, round(float(start))), min(take.n_frames, round(float(end)) + 1), match.mirrored
    )


def _place(moved: FloatArray, target: FloatArray) -> GroundTransform:
    """Return the transform that puts points (m, P, 3) on others as nearly as possible."""
    weights = np.broadcast_to(WEIGHTS, moved.shape[:2]) / len(moved)
    a, b = moved[..., 2] + 1j * moved[..., 0], target[..., 2] + 1j * target[..., 0]
    a_mean, b_mean = np.sum(weights * a), np.sum(weights * b)
    turn = np.sum(weights * (b - b_mean) * (a - a_mean).conj())
    yaw = float(np.angle(turn))
    shift = b_mean - a_mean * np.exp(1j * yaw)
    return GroundTransform(yaw, float(shift.imag), float(shift.real))
