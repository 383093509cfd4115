"""Intervals of n clips that belong together: the core of constraint matching, on plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import floor, isfinite

import numpy as np
import numpy.typing as npt

from motionloom.arrays import BoolArray, FloatArray, IntArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.registration.constraint_match.circle import at_home, match_on_circle
from motionloom.registration.constraint_match.line import PieceMatch, match_on_line
from motionloom.registration.constraint_match.pieces import Piece

SEAM_TOLERANCE = 1e-9
"""Share of the period by which intervals of a circle may overlap: rounding, where a plant fills the cycle."""

FURTHEST_TURN = 1e6
"""How many periods from zero an interval may lie: beyond it, rounding of u comes near the seam tolerance."""


@dataclass(frozen=True)
class IntervalMatches:
    """Matches of the intervals of ``K`` clips, in order.

    Attributes
    ----------
    spans
        (M, K, 2) start and end in u of every clip's interval in every match, after splitting.
    sources
        (M, K) index of that interval in the clip's list.
    split
        (M, K) whether the span is only a part of that interval.
    gaps
        ``(clip, index, start, end)`` of every gap that splits an interval, in u.
    unmatched
        ``(clip, index)`` of every interval in no match.
    """

    spans: FloatArray
    sources: IntArray
    split: BoolArray
    gaps: tuple[tuple[int, int, float, float], ...]
    unmatched: tuple[tuple[int, int], ...]


def match_intervals(intervals: Sequence[npt.ArrayLike], period: float | None = None) -> IntervalMatches:
    """Find the sets of intervals, one per clip, that belong together.

    A set is connected: the union of its intervals is one interval. Intervals that belong to no set are left
    out; one that stands against two of another clip is split in two. The order of the clips and of the
    intervals in a clip changes nothing. The method is that of section 5.2.3 of Kovar's thesis.

    Parameters
    ----------
    intervals
        For each of the K clips the (start, end) pairs of its intervals in the common parameter u; they may
        touch but not overlap.
    period
        Length of one cycle in u when the clips are cyclic: intervals are then matched on a circle, may run
        across its seam (``end`` beyond the cycle), and every match starts in [0, period). None: a line.

    >>> stand, turn = [(0.0, 10.0)], [(1.0, 4.0), (6.0, 9.0)]
    >>> match_intervals([stand, turn]).spans.tolist()
    [[[0.0, 3.75], [1.0, 4.0]], [[6.25, 10.0], [6.0, 9.0]]]
    """
    clips = [_pieces(clip, values) for clip, values in enumerate(intervals)]
    if period is None:
        for clip, pieces in enumerate(clips):
            _refuse_overlap(clip, pieces)
        matches, left_out = match_on_line(clips)
        gaps = _gaps(matches)
    else:
        _check_period(period)
        clips = [_on_circle(clip, pieces, period) for clip, pieces in enumerate(clips)]
        matches, left_out = match_on_circle(clips, period)
        gaps = [_gap_at_home(gap, period) for gap in _gaps(matches)]
        matches = sorted((at_home(match, period) for match in matches), key=_earliest_start)
    return _as_arrays(matches, len(clips), gaps, [(clip, piece.source) for clip, piece in left_out])


def _pieces(clip: int, values: npt.ArrayLike) -> list[Piece]:
    array = np.asarray(values, dtype=np.float64)
    ends = check_array(f"intervals of clip {clip}", array if array.size else array.reshape(0, 2), ("N", 2))
    pieces = [Piece(float(start), float(end), n) for n, (start, end) in enumerate(ends)]
    for piece in pieces:
        if not piece.start < piece.end:
            raise ParameterError(
                f"interval {piece.source} of clip {clip} runs from {piece.start:g} to {piece.end:g}: "
                "its start must come before its end"
            )
    return sorted(pieces, key=lambda piece: (piece.start, piece.end))


def _refuse_overlap(clip: int, pieces: Sequence[Piece]) -> None:
    for piece, following in pairwise(pieces):
        if piece.end > following.start:
            raise ParameterError(
                f"intervals {piece.source} and {following.source} of clip {clip} overlap: "
                f"{piece.start:g} to {piece.end:g} and {following.start:g} to {following.end:g}; "
                "join them or cut them apart first"
            )


def _check_period(period: float) -> None:
    if not (isfinite(period) and period > 0.0):
        raise ParameterError(f"period must be a finite length above zero, not {period}")


def _on_circle(clip: int, pieces: Sequence[Piece], period: float) -> list[Piece]:
    """The pieces by where they start in [0, period), free of overlap on the circle."""
    for piece in pieces:
        if abs(piece.start) > FURTHEST_TURN * period:
            raise ParameterError(
                f"interval {piece.source} of clip {clip} starts at {piece.start:g}, more than "
                f"{FURTHEST_TURN:g} periods of {period:g} from zero: give it in or near the first period"
            )
    home = (piece.shifted(-floor(piece.start / period) * period) for piece in pieces)
    ordered = sorted(home, key=lambda piece: (piece.start, piece.end))
    following = [*ordered[1:], *(piece.shifted(period) for piece in ordered[:1])]
    slack = SEAM_TOLERANCE * period
    trimmed = [
        replace(piece, end=after.start) if after.start < piece.end <= after.start + slack else piece
        for piece, after in zip(ordered, following, strict=True)
    ]
    _refuse_overlap(clip, [*trimmed, *following[-1:]])
    return trimmed


def _gaps(matches: Sequence[PieceMatch]) -> list[tuple[int, int, float, float]]:
    """The gaps put into intervals: the parts of one interval are in matches that follow each other."""
    return [
        (clip, part.source, part.end, rest.start)
        for match, following in pairwise(matches)
        for clip, (part, rest) in enumerate(zip(match, following, strict=True))
        if part.cut_after
    ]


def _gap_at_home(gap: tuple[int, int, float, float], period: float) -> tuple[int, int, float, float]:
    clip, source, start, end = gap
    shift = floor(start / period) * period
    return clip, source, start - shift, end - shift


def _earliest_start(match: PieceMatch) -> float:
    return min(piece.start for piece in match)


def _as_arrays(
    matches: Sequence[PieceMatch],
    n_clips: int,
    gaps: Sequence[tuple[int, int, float, float]],
    unmatched: Sequence[tuple[int, int]],
) -> IntervalMatches:
    shape = (len(matches), n_clips)
    spans = np.array([[(piece.start, piece.end) for piece in match] for match in matches], dtype=np.float64)
    sources = np.array([[piece.source for piece in match] for match in matches], dtype=np.int64)
    split = np.array([[piece.is_part for piece in match] for match in matches], dtype=np.bool_)
    return IntervalMatches(
        spans=freeze(spans.reshape(*shape, 2)),
        sources=freeze(sources.reshape(shape)),
        split=freeze(split.reshape(shape)),
        gaps=tuple(sorted(gaps)),
        unmatched=tuple(sorted(unmatched)),
    )
