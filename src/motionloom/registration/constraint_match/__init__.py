"""Constraint matches: constraints of several clips that mean the same."""

from motionloom.registration.constraint_match.intervals import match_intervals
from motionloom.registration.constraint_match.matches import (
    ConstraintMatch,
    ConstraintMatches,
    SplitConstraint,
    UnmatchedConstraint,
    UnmatchedReason,
    match_constraints,
)

__all__ = [
    "ConstraintMatch",
    "ConstraintMatches",
    "SplitConstraint",
    "UnmatchedConstraint",
    "UnmatchedReason",
    "match_constraints",
    "match_intervals",
]
