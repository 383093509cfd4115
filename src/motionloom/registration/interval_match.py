"""Matching intervals of n clips that hold at the same time, on a line or on a circle.

The method is that of section 5.2.3 of Kovar's thesis. Going from left to right, the first interval of every
clip is looked at: connected ones form a match, others are discarded. Where one clip has one interval and
another has two, the one is split. The thesis has printing errors here, which are corrected: the gap comes
from an affine map of a pair of intervals onto the one to be split, and only partitions that split something
compete (if "split nothing" competes, it always wins or ties, because it scores with the longest intervals).

The thesis leaves open a gap that tears a pair apart: a long stand against two short plants at its beginning
gets its gap in the middle, where the second plant is long over. A split must give two matches, so both must
be connected; where the mean of the mapped gaps fails that, the gap that the pairs share where they lie in u
is taken, and where that fails too the partition does not compete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import floor


@dataclass(frozen=True, slots=True)
class Piece:
    """An interval of one clip, or a part of it where matching has split it.

    Attributes
    ----------
    start, end
        Where it lies in u; ``start < end``.
    source
        Index of the interval in the caller's list.
    cut_before, cut_after
        Whether a split, not an end of the source, lies there.

    >>> Piece(0.0, 10.0, source=2).split_at(4.0, 6.0)[1].start
    6.0
    """

    start: float
    end: float
    source: int
    cut_before: bool = False
    cut_after: bool = False

    @property
    def is_part(self) -> bool:
        """Whether the piece is only a part of its source."""
        return self.cut_before or self.cut_after

    def overlaps(self, other: Piece) -> bool:
        """Whether the two share more than an instant."""
        return self.start < other.end and other.start < self.end

    def split_at(self, gap_start: float, gap_end: float) -> tuple[Piece, Piece]:
        """Return the parts before and after a gap inside the piece."""
        return (
            replace(self, end=gap_start, cut_after=True),
            replace(self, start=gap_end, cut_before=True),
        )

    def moved(self, by: float) -> Piece:
        """Return the piece moved along u."""
        return replace(self, start=self.start + by, end=self.end + by)


def leading_group(pieces: Sequence[Piece]) -> list[int]:
    """Return the indices of the pieces before the first gap in the union of all, in ascending order.

    Pieces that only touch have a gap between them: a plant that ends as another begins is a different plant.

    >>> leading_group([Piece(0, 2, 0), Piece(5, 6, 0), Piece(1, 3, 0)])
    [0, 2]
    """
    order = sorted(range(len(pieces)), key=lambda k: (pieces[k].start, pieces[k].end))
    group = order[:1]
    end = pieces[order[0]].end
    for k in order[1:]:
        if pieces[k].start >= end:
            break
        group.append(k)
        end = max(end, pieces[k].end)
    return sorted(group)


def are_connected(pieces: Sequence[Piece]) -> bool:
    """Tell whether the union of the pieces is one interval (thesis figure 5.10).

    >>> apart = [Piece(0, 4, 0), Piece(5, 9, 0)]
    >>> are_connected(apart), are_connected([*apart, Piece(3, 6, 0)])
    (False, True)
    """
    return len(leading_group(pieces)) == len(pieces)


Queue = Sequence[Piece]
"""The pieces of one clip still to be matched, in order; the first is the candidate for the next match."""

Gap = tuple[float, float]


def subsumes(longer: Queue, shorter: Queue) -> bool:
    """Tell whether the first piece of one clip stands against the first two of another.

    It overlaps both, and the piece after it does not overlap the second of the two (thesis figure 5.12).

    >>> pair = [Piece(1, 4, 0), Piece(6, 9, 1)]
    >>> subsumes([Piece(0, 10, 0)], pair), subsumes([Piece(0, 7, 0), Piece(8, 9, 1)], pair)
    (True, False)
    """
    if len(shorter) < 2:
        return False
    first, second = shorter[:2]
    spans_both = longer[0].overlaps(first) and longer[0].overlaps(second)
    return spans_both and not (len(longer) > 1 and longer[1].overlaps(second))


def partitions(queues: Sequence[Queue]) -> list[frozenset[int]]:
    """Return the sets of clips to split, smallest first: each clip of a set subsumes each clip outside it.

    A set grows from one clip by every clip that some member does not subsume. Of two clips at most one
    subsumes the other, so the sets are nested and no two have the same size.

    >>> partitions([[Piece(0, 10, 0)], [Piece(1, 4, 0), Piece(6, 9, 1)]])
    [frozenset({0})]
    """
    clips = range(len(queues))
    below = [{j for j in clips if j != i and subsumes(queues[i], queues[j])} for i in clips]
    grown = {_grow(seed, below) for seed in clips}
    return sorted((split for split in grown if len(split) < len(queues)), key=len)


def _grow(seed: int, below: Sequence[set[int]]) -> frozenset[int]:
    split = {seed}
    fresh = [seed]
    while fresh:
        member = fresh.pop()
        joining = set(range(len(below))) - split - below[member]
        split |= joining
        fresh += joining
    return frozenset(split)


def map_gap(longer: Queue, shorter: Queue) -> Gap:
    """Return one clip's vote for the gap: its own gap, mapped affinely with its pair onto the piece to split.

    The pair covers the whole piece, or only up to the end of the pair when a third one follows on the piece.

    >>> map_gap([Piece(0, 10, 0)], [Piece(1, 4, 0), Piece(6, 9, 1)])
    (3.75, 6.25)
    """
    piece, (first, second) = longer[0], shorter[:2]
    third_follows = len(shorter) > 2 and shorter[2].start < piece.end
    end = second.end if third_follows else piece.end
    scale = (end - piece.start) / (second.end - first.start)
    return (
        piece.start + scale * (first.end - first.start),
        piece.start + scale * (second.start - first.start),
    )


def shared_gap(pairs: Sequence[Queue]) -> Gap:
    """Return the overlap of the gaps between the first two pieces of some clips, or an instant if none.

    Before it each first piece has begun, and after it no second piece is over, if there is such a time.

    >>> shared_gap([[Piece(0, 4, 0), Piece(6, 9, 1)], [Piece(1, 5, 0), Piece(8, 9, 1)]])
    (5, 6)
    >>> shared_gap([[Piece(0, 3, 0), Piece(4, 9, 1)], [Piece(1, 6, 0), Piece(7, 9, 1)]])
    (5.0, 5.0)
    """
    start, end = max(pair[0].end for pair in pairs), min(pair[1].start for pair in pairs)
    if start > end:
        earliest = max(end, *(pair[0].start for pair in pairs))
        latest = min(start, *(pair[1].end for pair in pairs))
        start = end = (earliest + latest) / 2
    return start, end


def find_splits(queues: Sequence[Queue]) -> dict[int, tuple[Piece, Piece]]:
    """Return the two parts of the first piece of every clip to split; empty when nothing is to be split.

    The partition that splits least is taken. It has the largest total overlap (equation 5.5): there, a clip
    that is not split counts up to the end of its second piece, which all the split ones overlap.

    >>> parts = find_splits([[Piece(0, 10, 0)], [Piece(1, 4, 0), Piece(6, 9, 1)]])
    >>> [(part.start, part.end) for part in parts[0]]
    [(0, 3.75), (6.25, 10)]
    """
    for split in partitions(queues):
        if parts := _parts(queues, split):
            return parts
    return {}


def _parts(queues: Sequence[Queue], split: frozenset[int]) -> dict[int, tuple[Piece, Piece]]:
    """Return the parts of every clip in the set, or none where no gap leaves two connected matches."""
    voters = [queue for j, queue in enumerate(queues) if j not in split]
    mapped_gaps = {i: _mean([map_gap(queues[i], voter) for voter in voters]) for i in split}
    for gaps in (mapped_gaps, dict.fromkeys(split, shared_gap(voters))):
        parts = {i: queues[i][0].split_at(*gaps[i]) for i in split}
        if _gives_two_matches(queues, parts):
            return parts
    return {}


def _gives_two_matches(queues: Sequence[Queue], parts: dict[int, tuple[Piece, Piece]]) -> bool:
    pairs = [parts[i] if i in parts else (queue[0], queue[1]) for i, queue in enumerate(queues)]
    # Rounding can close a part, or overflow, where lengths differ by the whole range of floats.
    if not all(part.start < part.end for pair in parts.values() for part in pair):
        return False
    return all(are_connected(pieces) for pieces in zip(*pairs, strict=True))


def _mean(gaps: Sequence[Gap]) -> Gap:
    # Sorted, so that rounding does not depend on the order of the clips.
    starts, ends = zip(*gaps, strict=True)
    return sum(sorted(starts)) / len(gaps), sum(sorted(ends)) / len(gaps)


PieceMatch = tuple[Piece, ...]
"""One piece per clip that belong together."""


@dataclass
class Queues:
    """The pieces that each clip still has to match, and those that could not be matched."""

    left: list[list[Piece]]
    discarded: list[tuple[int, Piece]]

    @property
    def firsts(self) -> list[Piece]:
        """The first piece of every clip: the candidates for the next match."""
        return [queue[0] for queue in self.left]

    def discard(self, clip: int, n_pieces: int) -> None:
        """Drop pieces from the front of a clip's queue and remember them."""
        self.discarded += [(clip, piece) for piece in self.left[clip][:n_pieces]]
        del self.left[clip][:n_pieces]


def match_on_line(pieces: Sequence[Sequence[Piece]]) -> tuple[list[PieceMatch], list[tuple[int, Piece]]]:
    """Match pieces that lie in order along u; return the matches and the discarded pieces of each clip.

    Every round looks at the first piece of every clip. If they are connected they form a match, the ones that
    stand against two of another clip by their first part; if not, some of them are discarded.

    >>> matches, discarded = match_on_line([[Piece(0, 3, 0)], [Piece(1, 2, 0), Piece(5, 6, 1)]])
    >>> len(matches), [(clip, piece.source) for clip, piece in discarded]
    (1, [(1, 1)])
    """
    queues = Queues([list(queue) for queue in pieces], [])
    matches: list[PieceMatch] = []
    while queues.left and all(queues.left):
        if are_connected(queues.firsts):
            matches.append(_take_match(queues))
        else:
            _discard_unmatchable(queues)
    for clip, queue in enumerate(queues.left):
        queues.discard(clip, len(queue))
    return matches, queues.discarded


def _take_match(queues: Queues) -> PieceMatch:
    parts = find_splits(queues.left)
    match: list[Piece] = []
    for clip, queue in enumerate(queues.left):
        piece = queue.pop(0)
        if clip in parts:
            piece, rest = parts[clip]
            queue.insert(0, rest)
        match.append(piece)
    return tuple(match)


def _discard_unmatchable(queues: Queues) -> None:
    """Discard by the gap rule: the clips before the first gap need a piece that reaches across it.

    A piece that bridges is a later one of a clip before the gap, still overlaps another clip's first piece
    there, and ends after all of them. The one that reaches furthest becomes first in its clip; clips whose
    bridges tie move together, so that the order of clips does not matter. Without a bridge, every first piece
    before the gap is discarded.
    """
    firsts = queues.firsts
    group = leading_group(firsts)
    bridges = {k: bridge for k in group if (bridge := _bridge(queues.left[k], k, group, firsts))}
    if not bridges:
        for clip in group:
            queues.discard(clip, 1)
        return
    reach = {k: (queues.left[k][n].end, -queues.left[k][n].start) for k, n in bridges.items()}
    furthest = max(reach.values())
    for clip, n_pieces in bridges.items():
        if reach[clip] == furthest:
            queues.discard(clip, n_pieces)


def _bridge(queue: Sequence[Piece], clip: int, group: Sequence[int], firsts: Sequence[Piece]) -> int | None:
    """Return the index in the clip's queue of its furthest piece that bridges the gap, or None."""
    others = [firsts[k] for k in group if k != clip]
    group_end = max(firsts[k].end for k in group)
    for n in range(len(queue) - 1, 0, -1):
        if queue[n].end > group_end and any(queue[n].overlaps(other) for other in others):
            return n
    return None


Outcome = tuple[list[PieceMatch], list[tuple[int, Piece]]]


def match_on_circle(pieces: Sequence[Sequence[Piece]], period: float) -> Outcome:
    """Match pieces on a circle; like :func:`match_on_line`, with u counted modulo ``period``.

    The circle is cut where no piece lies, and the line that results is matched. If there is no such place,
    every start and end of a piece is tried, and the cut is taken that discards the fewest pieces, then the
    one with the largest overlap, then the one with the earliest first match. Matches may lie whole periods
    away from the first; :func:`into_first_period` brings them back.

    >>> matches, _ = match_on_circle([[Piece(9.0, 11.0, 0)], [Piece(0.5, 2.0, 0)]], period=10.0)
    >>> [(piece.start, piece.end) for piece in into_first_period(matches[0], 10.0)]
    [(9.0, 11.0), (10.5, 12.0)]
    """
    free = _free_cuts(pieces, period)
    if free:
        return match_on_line(_line_from(free[0], _start, pieces, period))
    outcomes = [match_on_line(line) for line in _lines(pieces, period)]
    return min(outcomes, key=lambda outcome: _rank(outcome, period), default=([], []))


def into_first_period(match: PieceMatch, period: float) -> PieceMatch:
    """Return the match moved by whole periods so that its earliest piece starts in [0, period)."""
    count = floor(min(piece.start for piece in match) / period)
    return tuple(piece.moved(-count * period) for piece in match) if count else match


def _free_cuts(pieces: Sequence[Sequence[Piece]], period: float) -> list[float]:
    """Return the starts of pieces that no other piece lies across, in order."""
    everything = [piece for queue in pieces for piece in queue]
    return [
        cut
        for cut in sorted({piece.start for piece in everything})
        if not any(p.start < cut < p.end or p.start < cut + period < p.end for p in everything)
    ]


def _lines(pieces: Sequence[Sequence[Piece]], period: float) -> Iterator[list[list[Piece]]]:
    """Yield the circle unrolled from every start and from every end of a piece.

    They differ for pieces that lie across the cut: from a start these come last, from an end they come first.
    """
    ending_in_period = [
        sorted((piece.moved(-floor(piece.end / period) * period) for piece in queue), key=_end)
        for queue in pieces
    ]
    for key, queues in ((_start, pieces), (_end, ending_in_period)):
        for cut in sorted({key(piece) for queue in queues for piece in queue}):
            yield _line_from(cut, key, queues, period)


def _line_from(
    cut: float, key: Callable[[Piece], float], pieces: Sequence[Sequence[Piece]], period: float
) -> list[list[Piece]]:
    """Return every piece once: those at the cut or after it, then the others a period later."""
    return [
        [piece for piece in queue if key(piece) >= cut]
        + [piece.moved(period) for piece in queue if key(piece) < cut]
        for queue in pieces
    ]


def _start(piece: Piece) -> float:
    return piece.start


def _end(piece: Piece) -> float:
    return piece.end


def _rank(outcome: Outcome, period: float) -> tuple[int, float, float]:
    matches, discarded = outcome
    shared = [
        max(0.0, min(a.end, b.end) - max(a.start, b.start))
        for match in matches
        for a, b in combinations(match, 2)
    ]
    first = into_first_period(matches[0], period) if matches else ()
    start = min((piece.start for piece in first), default=0.0)
    return len(discarded), -sum(sorted(shared)), start
