"""Constraint matches: constraints of n clips that belong together because they hold at the same common time.

Each joint and kind is matched by itself, as in section 5.2.3 of Kovar's thesis. Where the thesis leaves a
choice, it is made as follows. Constraints overlap when they share more than an instant. Constraints that are
not connected are discarded before the first gap in their union, unless one of these clips has a later
constraint that reaches across it: with three clips or more, the constraint that starts first may well belong
to a match. A split always gives two connected matches. Cyclic clips are matched on a circle. The matching
itself, on plain intervals, is in :mod:`.interval_match`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from math import floor, isfinite

import numpy as np
import numpy.typing as npt

from motionloom.arrays import BoolArray, FloatArray, IntArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.motion.annotations import Constraint, check_constraints
from motionloom.registration.interval_match import (
    Piece,
    PieceMatch,
    into_first_period,
    match_on_circle,
    match_on_line,
)

ToParameter = Callable[[int, FloatArray], npt.ArrayLike]
"""Maps a clip index and frames (N,) of that clip to u (N,); never decreasing."""

Role = tuple[str, str]
"""Joint and kind of a constraint."""


class UnmatchedReason(Enum):
    """Why a constraint is in no match, as a sentence for the report."""

    ABSENT = "another clip has no constraint of this joint and kind in its registered part"
    OUTSIDE = "it lies outside the registered part of the clip"
    UNCONNECTED = "it cannot be grouped with one constraint of every other clip"


@dataclass(frozen=True)
class UnmatchedConstraint:
    """A constraint in no match: its clip, its index there, its joint and kind, and the reason."""

    clip: int
    constraint: int
    joint: str
    kind: str
    reason: UnmatchedReason


@dataclass(frozen=True)
class SplitConstraint:
    """A constraint that was split because another clip has several in its place; ``gap`` is its gap in u.

    A constraint split more than once is listed once for each gap.
    """

    clip: int
    constraint: int
    joint: str
    kind: str
    gap: tuple[float, float]


@dataclass(frozen=True, eq=False, repr=False)
class ConstraintMatch:
    """Constraints that correspond: one of each of ``K`` clips.

    Attributes
    ----------
    joint, kind
        What is constrained.
    spans
        (K, 2) start and end in u for every clip, after splitting.
    sources
        Index of the constraint in every clip's list, where its point and target are found.
    split
        For every clip, whether the span is only a part of that constraint.
    """

    joint: str
    kind: str
    spans: FloatArray
    sources: tuple[int, ...]
    split: tuple[bool, ...]

    def __post_init__(self) -> None:
        what = f"match of {self.kind!r} constraints of joint {self.joint!r}"
        n_clips = len(self.sources)
        spans = check_array(f"spans of the {what}", self.spans, (n_clips, 2))
        if len(self.split) != n_clips:
            raise ParameterError(f"the {what} has {n_clips} sources but {len(self.split)} split flags")
        if not (spans[:, 0] < spans[:, 1]).all():
            clip = int(np.argmin(spans[:, 0] < spans[:, 1]))
            raise ParameterError(
                f"the {what} runs from {spans[clip, 0]:g} to {spans[clip, 1]:g} in clip {clip}: "
                "its start must come before its end"
            )
        object.__setattr__(self, "spans", spans)

    def __repr__(self) -> str:
        spans = ", ".join(f"{start:g} to {end:g}" for start, end in self.spans)
        return f"ConstraintMatch({self.joint!r}, {self.kind!r}, u: {spans})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConstraintMatch):
            return NotImplemented
        return self._key == other._key and np.array_equal(self.spans, other.spans)

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, str, tuple[int, ...], tuple[bool, ...]]:
        return self.joint, self.kind, self.sources, self.split


@dataclass(frozen=True)
class ConstraintMatches:
    """The matches by joint, kind and time, and the constraints that were left unmatched or split."""

    matches: tuple[ConstraintMatch, ...] = ()
    unmatched: tuple[UnmatchedConstraint, ...] = ()
    splits: tuple[SplitConstraint, ...] = ()


def match_constraints(
    constraints_per_clip: Sequence[Sequence[Constraint]],
    to_u: ToParameter,
    period: float | None = None,
) -> ConstraintMatches:
    """Find the constraints of the clips that belong together.

    Parameters
    ----------
    constraints_per_clip
        The constraints of each of the K clips; joints are told apart by name.
    to_u
        Clip index and frames -> u: the inverse of the timewarp. For frames outside its domain it may hold u
        at the end of the domain. For cyclic clips it goes on: frames one cycle later are one period later.
    period
        Length of one cycle in u when the clips are cyclic, else None. A constraint across the seam is one
        constraint that ends beyond the last frame, and matches start in [0, period).

    >>> walk = [Constraint("LeftFoot", "heel", 0, 20), Constraint("LeftFoot", "heel", 40, 60)]
    >>> run = [Constraint("LeftFoot", "heel", 0, 8), Constraint("RightFoot", "heel", 12, 20)]
    >>> found = match_constraints([walk, run], lambda clip, frames: frames / (20.0, 10.0)[clip])
    >>> [match.spans.tolist() for match in found.matches]
    [[[0.0, 1.0], [0.0, 0.8]]]
    >>> [(lost.clip, lost.constraint, lost.reason.name) for lost in found.unmatched]
    [(0, 1, 'UNCONNECTED'), (1, 1, 'ABSENT')]
    """
    for constraints in constraints_per_clip:
        check_constraints(constraints)
    spans = [_in_parameter(k, constraints, to_u) for k, constraints in enumerate(constraints_per_clip)]
    roles = sorted({(c.joint, c.kind) for constraints in constraints_per_clip for c in constraints})
    groups = [_match_role(role, constraints_per_clip, spans, period) for role in roles]
    return ConstraintMatches(
        matches=tuple(match for group in groups for match in group.matches),
        unmatched=tuple(lost for group in groups for lost in group.unmatched),
        splits=tuple(split for group in groups for split in group.splits),
    )


def _in_parameter(clip: int, constraints: Sequence[Constraint], to_u: ToParameter) -> FloatArray:
    """Return the start and end (N, 2) of every constraint of one clip in u."""
    frames = np.array([(c.start, c.end) for c in constraints], dtype=np.float64).ravel()
    u = check_array(f"to_u of the frames of clip {clip}", to_u(clip, frames), (len(frames),)).reshape(-1, 2)
    falling = np.flatnonzero(u[:, 0] > u[:, 1])
    if falling.size:
        c = constraints[falling[0]]
        raise ParameterError(f"to_u of clip {clip} decreases between frames {c.start:g} and {c.end:g}")
    return u


def _match_role(
    role: Role,
    constraints_per_clip: Sequence[Sequence[Constraint]],
    spans: Sequence[FloatArray],
    period: float | None,
) -> ConstraintMatches:
    """Match the constraints of one joint and kind."""
    members = [
        [n for n, c in enumerate(constraints) if (c.joint, c.kind) == role]
        for constraints in constraints_per_clip
    ]
    # A constraint outside the domain has no length in u, because to_u holds it at the end of the domain.
    inside = [[n for n in own if u[n, 0] < u[n, 1]] for own, u in zip(members, spans, strict=True)]
    joint, kind = role
    try:
        found = match_intervals([u[own] for own, u in zip(inside, spans, strict=True)], period)
    except ParameterError as error:
        raise ParameterError(f"{kind!r} constraints of joint {joint!r}, in u: {error}") from None
    matches = tuple(
        ConstraintMatch(joint, kind, span, _members_at(sources, inside), tuple(map(bool, split)))
        for span, sources, split in zip(found.spans, found.sources, found.split, strict=True)
    )
    splits = tuple(SplitConstraint(k, inside[k][i], joint, kind, (a, b)) for k, i, a, b in found.gaps)
    reasons = _reasons(members, inside, found.unmatched)
    unmatched = tuple(UnmatchedConstraint(k, n, joint, kind, reasons[k, n]) for k, n in sorted(reasons))
    return ConstraintMatches(matches, unmatched, splits)


def _members_at(sources: IntArray, inside: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple(own[i] for own, i in zip(inside, sources, strict=True))


def _reasons(
    members: Sequence[Sequence[int]],
    inside: Sequence[Sequence[int]],
    unmatched: Sequence[tuple[int, int]],
) -> dict[tuple[int, int], UnmatchedReason]:
    """Return why each unmatched constraint is so, by clip and index."""
    lost = UnmatchedReason.UNCONNECTED if all(inside) else UnmatchedReason.ABSENT
    reasons = {(k, inside[k][i]): lost for k, i in unmatched}
    for k, (own, kept) in enumerate(zip(members, inside, strict=True)):
        reasons |= {(k, n): UnmatchedReason.OUTSIDE for n in own if n not in kept}
    return reasons


Gap = tuple[int, int, float, float]
"""Clip, index of the interval, and start and end in u of a gap that splits it."""

SEAM_TOLERANCE = 1e-9
"""Fraction of the period by which intervals on a circle may overlap: rounding, where a plant fills it."""

MAX_PERIODS = 1e6
"""How many periods from zero an interval may lie: beyond, rounding of u comes near the seam tolerance."""


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

    A set is connected: the union of its intervals is one interval. Intervals that belong to no set are
    unmatched; one that stands against two of another clip is split in two. The order of the clips and of the
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
            _check_no_overlap(clip, pieces)
        matches, discarded = match_on_line(clips)
        gaps = _gaps(matches)
    else:
        _check_period(period)
        clips = [_on_circle(clip, pieces, period) for clip, pieces in enumerate(clips)]
        matches, discarded = match_on_circle(clips, period)
        gaps = [_gap_into_first_period(gap, period) for gap in _gaps(matches)]
        matches = sorted((into_first_period(match, period) for match in matches), key=_earliest_start)
    return _as_arrays(matches, len(clips), gaps, [(clip, piece.source) for clip, piece in discarded])


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


def _check_no_overlap(clip: int, pieces: Sequence[Piece]) -> None:
    for piece, following in pairwise(pieces):
        if piece.end > following.start:
            raise ParameterError(
                f"intervals {piece.source} and {following.source} of clip {clip} overlap: "
                f"{piece.start:g} to {piece.end:g} and {following.start:g} to {following.end:g}; "
                "join them or cut them apart first"
            )


def _check_period(period: float) -> None:
    if not (isfinite(period) and period > 0.0):
        raise ParameterError(
            f"must be a finite length above zero, not {period}", parameter="period", value=period
        )


def _on_circle(clip: int, pieces: Sequence[Piece], period: float) -> list[Piece]:
    """Return the pieces by where they start in [0, period); refuse overlaps on the circle."""
    for piece in pieces:
        if abs(piece.start) > MAX_PERIODS * period:
            raise ParameterError(
                f"interval {piece.source} of clip {clip} starts at {piece.start:g}, more than "
                f"{MAX_PERIODS:g} periods of {period:g} from zero",
                remedy="give it in or near the first period",
            )
    in_period = (piece.moved(-floor(piece.start / period) * period) for piece in pieces)
    ordered = sorted(in_period, key=lambda piece: (piece.start, piece.end))
    following = [*ordered[1:], *(piece.moved(period) for piece in ordered[:1])]
    slack = SEAM_TOLERANCE * period
    trimmed = [
        replace(piece, end=after.start) if after.start < piece.end <= after.start + slack else piece
        for piece, after in zip(ordered, following, strict=True)
    ]
    _check_no_overlap(clip, [*trimmed, *following[-1:]])
    return trimmed


def _gaps(matches: Sequence[PieceMatch]) -> list[Gap]:
    """Return the gaps that split intervals: the parts of one interval are in consecutive matches."""
    return [
        (clip, part.source, part.end, rest.start)
        for match, following in pairwise(matches)
        for clip, (part, rest) in enumerate(zip(match, following, strict=True))
        if part.cut_after
    ]


def _gap_into_first_period(gap: Gap, period: float) -> Gap:
    clip, source, start, end = gap
    shift = floor(start / period) * period
    return clip, source, start - shift, end - shift


def _earliest_start(match: PieceMatch) -> float:
    return min(piece.start for piece in match)


def _as_arrays(
    matches: Sequence[PieceMatch],
    n_clips: int,
    gaps: Sequence[Gap],
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
