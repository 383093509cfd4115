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
"""The same share from which the correspondence looks no better than chance, which gives one half. Actions
whose extremes differ, such as reaches to a high and a low shelf, get there too: it takes a second witness."""

MUCH_SATURATION = 0.6
"""Share of a time alignment at the slope limit from which the clips' timing hardly corresponds."""

SOME_DISTORTION, MUCH_DISTORTION = 0.2, 0.3
"""Shares of the curve that run far off the clips' overall rates: one that speaks against clips which look
unlike already, and one that is doubtful by itself, as of walks that start on different feet."""


UNLIKE_SPEEDS = 0.2
"""Correlation of the points' speeds along the curve below which parts of the body do not move at the same
moments. Pairs of one action, captured or built in, have 0.26 and more; a walk with a cartwheel has 0.13."""


MOSTLY_OPPOSITE = 0.5
"""Share of corresponding moments at which bodies face opposite ways, from which one of them goes backward: a
run and the same run in reverse look alike from afar, turned by half a turn."""


class Verdict(Enum):
    """Whether to blend the registered clips; the value is a sentence for the user."""

    GOOD = "good: corresponding frames look alike"
    DOUBTFUL = "doubtful: look at the blend before using it"
    UNFIT = "do not blend: the clips hardly correspond"


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
    distortion
        Largest share of the curve on which a clip runs more than 2.5 times faster or slower, against the
        reference, than overall.
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
    distortion: float
    saturation: float
    unmatched: tuple[UnmatchedConstraint, ...]
    splits: tuple[SplitConstraint, ...]
    n_matches: int
    cycle_error: float | None
    fit: FitReport | None
    verdict: Verdict
    reason: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What a verdict rests on, as in the report; ``n_odd`` constraints are unmatched or split.

    ``speed_likeness`` is the correlation of the points' speeds along the curve, ``opposite`` the share of
    moments at which bodies face opposite ways, each of the worst pair with the reference.
    """

    rivals: float
    distortion: float
    saturation: float
    n_matches: int
    n_odd: int
    speed_likeness: float = 1.0
    opposite: float = 0.0


def judged(evidence: Evidence) -> tuple[Verdict, str]:
    """The verdict on a registration and the reason for it.

    >>> judged(Evidence(rivals=0.1, distortion=0.0, saturation=0.1, n_matches=4, n_odd=0))[0]
    <Verdict.GOOD: 'good: corresponding frames look alike'>
    """
    e = evidence
    alike = f"{100 * e.rivals:.0f} % of other moments look more alike than those that correspond"
    bent = f"on {100 * e.distortion:.0f} % of the curve time runs far off the clips' overall rates"
    odd = f"{e.n_odd} constraints are unmatched or split against {e.n_matches} matches"
    witnesses = (
        e.saturation > MUCH_SATURATION,
        e.distortion > SOME_DISTORTION,
        e.n_odd > e.n_matches / 2,
        e.speed_likeness < UNLIKE_SPEEDS,
    )
    if e.rivals > MANY_RIVALS and any(witnesses):
        return Verdict.UNFIT, alike
    if e.opposite > MOSTLY_OPPOSITE:
        facing = f"bodies face opposite ways at {100 * e.opposite:.0f} % of corresponding moments"
        return Verdict.UNFIT, f"{facing}: one of the clips may run backward"
    if e.distortion > MUCH_DISTORTION:
        return Verdict.DOUBTFUL, f"{bent}; locomotion wants match_strides or cyclify first"
    if e.saturation > MUCH_SATURATION:
        return Verdict.DOUBTFUL, f"{100 * e.saturation:.0f} % of the time alignment runs at the slope limit"
    if e.rivals > FEW_RIVALS:
        return Verdict.DOUBTFUL, alike
    if e.n_odd > e.n_matches:
        return Verdict.DOUBTFUL, odd
    return Verdict.GOOD, alike
