"""Matching the intervals of cyclic clips: u runs round a circle, and plants may lie across its seam."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import floor

from motionloom.registration.constraint_match.line import PieceMatch, match_on_line
from motionloom.registration.constraint_match.pieces import Piece

Outcome = tuple[list[PieceMatch], list[tuple[int, Piece]]]


def match_on_circle(pieces: Sequence[Sequence[Piece]], period: float) -> Outcome:
    """Match pieces on a circle; like :func:`match_on_line`, with u counted modulo ``period``.

    The circle is cut, each piece of every clip is laid out once from there, and the line that results is
    matched. The cut is made where no piece lies. If there is no such place, every start and end of a piece is
    tried, and the cut taken that leaves out fewest pieces, then the one with the largest overlap, then the
    one with the earliest first match. Matches may lie a turn away from where they are wanted;
    :func:`at_home` brings them back.

    >>> matches, _ = match_on_circle([[Piece(9.0, 11.0, 0)], [Piece(0.5, 2.0, 0)]], period=10.0)
    >>> [(piece.start, piece.end) for piece in at_home(matches[0], 10.0)]
    [(9.0, 11.0), (10.5, 12.0)]
    """
    free = _free_cuts(pieces, period)
    if free:
        return match_on_line(_line_from(free[0], _start, pieces, period))
    outcomes = [match_on_line(line) for line in _lines(pieces, period)]
    return min(outcomes, key=lambda outcome: _rank(outcome, period), default=([], []))


def at_home(match: PieceMatch, period: float) -> PieceMatch:
    """The match moved by whole turns so that its earliest piece starts in [0, period)."""
    turns = floor(min(piece.start for piece in match) / period)
    return tuple(piece.shifted(-turns * period) for piece in match) if turns else match


def _free_cuts(pieces: Sequence[Sequence[Piece]], period: float) -> list[float]:
    """Where on the circle a piece starts and no other lies across, in order."""
    everything = [piece for queue in pieces for piece in queue]
    return [
        cut
        for cut in sorted({piece.start for piece in everything})
        if not any(p.start < cut < p.end or p.start < cut + period < p.end for p in everything)
    ]


def _lines(pieces: Sequence[Sequence[Piece]], period: float) -> Iterator[list[list[Piece]]]:
    """The circle laid out from every start and from every end of a piece.

    They differ for pieces that lie across the cut: from a start these come last, from an end they come first.
    """
    ending_at_home = [
        sorted((piece.shifted(-floor(piece.end / period) * period) for piece in queue), key=_end)
        for queue in pieces
    ]
    for place, queues in ((_start, pieces), (_end, ending_at_home)):
        for cut in sorted({place(piece) for queue in queues for piece in queue}):
            yield _line_from(cut, place, queues, period)


def _line_from(
    cut: float, place: Callable[[Piece], float], pieces: Sequence[Sequence[Piece]], period: float
) -> list[list[Piece]]:
    """Every piece once: the ones placed at the cut or after it, then the others a turn later."""
    return [
        [piece for piece in queue if place(piece) >= cut]
        + [piece.shifted(period) for piece in queue if place(piece) < cut]
        for queue in pieces
    ]


def _start(piece: Piece) -> float:
    return piece.start


def _end(piece: Piece) -> float:
    return piece.end


def _rank(outcome: Outcome, period: float) -> tuple[int, float, float]:
    matches, left_out = outcome
    shared = [
        max(0.0, min(a.end, b.end) - max(a.start, b.start))
        for match in matches
        for a, b in combinations(match, 2)
    ]
    start = min((piece.start for match in matches[:1] for piece in at_home(match, period)), default=0.0)
    return len(left_out), -sum(sorted(shared)), start
