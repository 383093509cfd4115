"""How good a registration is, in figures and in one word."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from motionloom.registration.constraint_match import SplitConstraint, UnmatchedConstraint
from motionloom.registration.timewarp import FitReport

FEW_RIVALS = 0.28
"""Share of moments of a clip that look more like a moment of another clip than its counterpart does, up to
which the clips go well together; captured pairs of one action lie between 0.04 and 0.25."""

MANY_RIVALS = 0.42
"""The same share from which the correspondence is hardly better than chance, which gives one half."""

MUCH_SATURATION = 0.6
"""Share of a time alignment at the slope limit from which the clips' timing hardly corresponds."""


class Verdict(Enum):
    """Whether to blend the registered clips; the value is a sentence for the user."""

    GOOD = "good: corresponding frames look alike"
    DOUBTFUL = "doubtful: look at the blend before using it"
    UNFIT = "do not blend: these clips do not show the same action"


@dataclass(frozen=True, kw_only=True)
class RegistrationReport:
    """What the registration of clips found.

    Attributes
    ----------
    mean_distance, max_distance
        Mean and largest distance between corresponding frames of a clip and the reference, metres.
    rivals
        Share of the moments of a clip that look more like a moment of another clip than its counterpart does,
        for the worst pair with the reference: 0 for equal clips, one half where nothing corresponds.
    saturation
        Largest share of a pair's time alignment that runs at the slope limit.
    unmatched, splits
        Constraints that are in no match, and constraints that were split.
    n_matches
        How many constraint matches were found.
    cycle_error
        For three clips and more, how far pairwise correspondences disagree on average, in frames; else None.
    fit
        What the fit of the timewarp curve has to say.
    verdict, reason
        Whether to blend the clips whole, and why.
    notes
        What was converted, resampled or done another way than asked for.
    """

    mean_distance: float
    max_distance: float
    rivals: float
    saturation: float
    unmatched: tuple[UnmatchedConstraint, ...]
    splits: tuple[SplitConstraint, ...]
    n_matches: int
    cycle_error: float | None
    fit: FitReport | None
    verdict: Verdict
    reason: str
    notes: tuple[str, ...] = ()


def judged(rivals: float, saturation: float, n_matches: int, n_constraints: int) -> tuple[Verdict, str]:
    """The verdict on a registration and the reason for it.

    ``n_constraints`` is the smallest number of constraints that one of the clips has.

    >>> judged(0.1, 0.1, 4, 4)[0]
    <Verdict.GOOD: 'good: corresponding frames look alike'>
    """
    alike = f"{100 * rivals:.0f} % of other moments look more alike than those that correspond"
    if rivals > MANY_RIVALS:
        return Verdict.UNFIT, alike
    if saturation > MUCH_SATURATION:
        return Verdict.DOUBTFUL, f"{100 * saturation:.0f} % of the time alignment runs at the slope limit"
    if rivals > FEW_RIVALS:
        return Verdict.DOUBTFUL, alike
    if n_constraints and n_matches < n_constraints / 2:
        return Verdict.DOUBTFUL, f"only {n_matches} of {n_constraints} constraints have partners in all clips"
    return Verdict.GOOD, alike
