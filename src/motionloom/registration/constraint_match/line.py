"""Matching the intervals of n clips along a line: form, split, discard, from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motionloom.registration.constraint_match import splits
from motionloom.registration.constraint_match.pieces import Piece, connected, leading_group

PieceMatch = tuple[Piece, ...]
"""One piece per clip that belong together."""


@dataclass
class Queues:
    """What each of the clips still has to match, and the pieces that could not be."""

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
    """Match pieces that lie in order along u; return the matches and the pieces of each clip left out.

    Every round looks at the first piece of every clip. If they are connected they form a match, the ones that
    stand against two of another clip by their first part; if not, some of them are discarded.

    >>> matches, left_out = match_on_line([[Piece(0, 3, 0)], [Piece(1, 2, 0), Piece(5, 6, 1)]])
    >>> len(matches), [(clip, piece.source) for clip, piece in left_out]
    (1, [(1, 1)])
    """
    queues = Queues([list(queue) for queue in pieces], [])
    matches: list[PieceMatch] = []
    while queues.left and all(queues.left):
        if connected(queues.firsts):
            matches.append(_take_match(queues))
        else:
            _discard_unmatchable(queues)
    for clip, queue in enumerate(queues.left):
        queues.discard(clip, len(queue))
    return matches, queues.discarded


def _take_match(queues: Queues) -> PieceMatch:
    parts = splits.find_splits(queues.left)
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
    before the gap goes.
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
    """Index in the clip's queue of its furthest piece that bridges, or None."""
    others = [firsts[k] for k in group if k != clip]
    group_end = max(firsts[k].end for k in group)
    for n in range(len(queue) - 1, 0, -1):
        if queue[n].end > group_end and any(queue[n].overlaps(other) for other in others):
            return n
    return None
