"""Where one clip has one constraint and another has two, the one is split: which ones, and where.

Section 5.2.3 of Kovar's thesis, with its printing errors put right: the gap comes from an affine map of a
pair of constraints onto the one to be split, and only partitions that split something compete (if "split
nothing" competes, it always wins or ties, because it scores with the longest intervals).

One thing the thesis leaves open is a gap that tears a pair apart: a long stand against two short plants at
its beginning gets its gap in the middle, where the second plant is long over. A split is there to give two
matches, so both must be connected; where the mean of the mapped gaps fails that, the gap that the pairs share
where they lie in u is taken, and where that fails too the partition does not compete.
"""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.registration.constraint_match.pieces import Piece, connected

Queue = Sequence[Piece]
"""What one clip still has to match, in order; the first is the candidate for the next match."""

Gap = tuple[float, float]


def subsumes(longer: Queue, shorter: Queue) -> bool:
    """Whether the first piece of one clip stands against the first two of another.

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
    """The sets of clips to split, smallest first: each of the set subsumes each clip outside it.

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


def mapped_gap(longer: Queue, shorter: Queue) -> Gap:
    """One clip's vote for the gap: its own gap, mapped affinely with its pair onto the piece to be split.

    The pair covers the whole piece, or only up to the end of the pair when a third one follows on the piece.

    >>> mapped_gap([Piece(0, 10, 0)], [Piece(1, 4, 0), Piece(6, 9, 1)])
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
    """What the gaps between the first two pieces of some clips have in common, or an instant if nothing.

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
    """For every clip whose first piece is to be split, its two parts; empty when nothing is to be split.

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
    """The parts of every clip in the set, or none where no gap leaves two connected matches."""
    voters = [queue for j, queue in enumerate(queues) if j not in split]
    mapped_gaps = {i: _mean([mapped_gap(queues[i], voter) for voter in voters]) for i in split}
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
    return all(connected(pieces) for pieces in zip(*pairs, strict=True))


def _mean(gaps: Sequence[Gap]) -> Gap:
    # Sorted, so that rounding does not depend on the order of the clips.
    starts, ends = zip(*gaps, strict=True)
    return sum(sorted(starts)) / len(gaps), sum(sorted(ends)) / len(gaps)
