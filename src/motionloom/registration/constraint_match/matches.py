"""Constraint matches: the constraints of n clips that mean the same, found by when they hold in common time.

Each joint and kind is matched by itself, as in section 5.2.3 of Kovar's thesis. What the thesis leaves open
is settled as follows. Constraints overlap when they share more than an instant. Constraints that are not
connected are discarded before the first gap in their union, unless one of these clips has a later
constraint that reaches across it (:mod:`.line`): with three clips or more, the constraint that starts first
may well belong to a match. A split always gives two connected matches (:mod:`.splits`). Cyclic clips are
matched on a circle (:mod:`.circle`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, check_array
from motionloom.errors import ParameterError
from motionloom.motion.annotations import Constraint, checked_constraints
from motionloom.registration.constraint_match.intervals import match_intervals

ToParameter = Callable[[int, FloatArray], npt.ArrayLike]
"""Clip index and frames (N,) of that clip -> u (N,); never decreasing."""

Role = tuple[str, str]
"""Joint and kind of a constraint."""


class UnmatchedReason(Enum):
    """Why a constraint is in no match; the value is a sentence for the report."""

    ABSENT = "another clip has no constraint of this joint and kind in the part that is registered"
    OUTSIDE = "it lies outside the part of the clip that is registered"
    UNCONNECTED = "it cannot be grouped with one constraint of every other clip"


@dataclass(frozen=True)
class UnmatchedConstraint:
    """A constraint in no match: constraint ``constraint`` of clip ``clip``, its role, and why."""

    clip: int
    constraint: int
    joint: str
    kind: str
    reason: UnmatchedReason


@dataclass(frozen=True)
class SplitConstraint:
    """A constraint that stands against several of another clip, with the gap (start, end) in u put into it.

    A constraint split more than once is listed once for each gap.
    """

    clip: int
    constraint: int
    joint: str
    kind: str
    gap: tuple[float, float]


@dataclass(frozen=True, eq=False)
class ConstraintMatch:
    """One constraint of each of ``K`` clips that belong together.

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
    """What matching found: the matches by joint, kind and time, and what it could not keep as it was."""

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
        checked_constraints(constraints)
    spans = [_in_parameter(k, constraints, to_u) for k, constraints in enumerate(constraints_per_clip)]
    roles = sorted({(c.joint, c.kind) for constraints in constraints_per_clip for c in constraints})
    groups = [_match_role(role, constraints_per_clip, spans, period) for role in roles]
    return ConstraintMatches(
        matches=tuple(match for group in groups for match in group.matches),
        unmatched=tuple(lost for group in groups for lost in group.unmatched),
        splits=tuple(split for group in groups for split in group.splits),
    )


def _in_parameter(clip: int, constraints: Sequence[Constraint], to_u: ToParameter) -> FloatArray:
    """(N, 2) start and end of every constraint of one clip in u."""
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
    """Clip and constraint index of every one left out -> why."""
    lost = UnmatchedReason.UNCONNECTED if all(inside) else UnmatchedReason.ABSENT
    reasons = {(k, inside[k][i]): lost for k, i in unmatched}
    for k, (own, kept) in enumerate(zip(members, inside, strict=True)):
        reasons |= {(k, n): UnmatchedReason.OUTSIDE for n in own if n not in kept}
    return reasons
