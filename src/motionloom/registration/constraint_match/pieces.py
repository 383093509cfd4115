"""Intervals of the common parameter u, cut or whole, and what it means that they overlap or are connected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Piece:
    """An interval of one clip, or a part of it where matching has put a gap into it.

    Attributes
    ----------
    start, end
        Where it lies in u; ``start < end``.
    source
        Index of the interval in the caller's list.
    cut_before, cut_after
        Whether a gap put in by matching, not an end of the source, lies there.

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
        """The parts before and after a gap inside the piece."""
        return (
            replace(self, end=gap_start, cut_after=True),
            replace(self, start=gap_end, cut_before=True),
        )

    def shifted(self, by: float) -> Piece:
        """The piece moved along u."""
        return replace(self, start=self.start + by, end=self.end + by)


def leading_group(pieces: Sequence[Piece]) -> list[int]:
    """Indices of the pieces before the first gap in the union of all, in ascending order.

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


def connected(pieces: Sequence[Piece]) -> bool:
    """Whether the union of the pieces is one interval (thesis figure 5.10).

    >>> apart = [Piece(0, 4, 0), Piece(5, 9, 0)]
    >>> connected(apart), connected([*apart, Piece(3, 6, 0)])
    (False, True)
    """
    return len(leading_group(pieces)) == len(pieces)
