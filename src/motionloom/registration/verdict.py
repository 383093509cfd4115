"""How good a registration is: what is measured, what "doubtful match" and "no match" mean, and the report.

The rule rests on one comparison. *Relative distance* is the mean squared distance of corresponding moments,
over that of two moments of one clip, of the clip that varies less. Clips of one action lie far below 1; where
it exceeds 1, corresponding moments are no more alike than any two moments of a clip, and the clips do not fit
unless their moments follow each other in the same order or the parts of their bodies move at the same times.
The bounds were found on two thirds of the takes of a library. The benchmark ``takes.calibration`` prints
false accepts and refusals, with intervals, on these and on the third that was kept aside; a run is in
docs/research/takes.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from motionloom.messages import Argument, Message, Parts
from motionloom.registration.constraint_match import SplitConstraint, UnmatchedConstraint
from motionloom.registration.time_alignment import DISTORTED_RATE
from motionloom.registration.timewarp import FitReport

MAX_RELATIVE_DISTANCE = 1.0
"""Relative distance beyond which corresponding moments are no more alike than two moments of one clip."""

GOOD_RELATIVE_DISTANCE = 0.6
"""Relative distance up to which clips go well together."""

MAX_SIMILAR_DISTANCE = 0.08
"""Metres. Bodies that lie closer blend whatever they do: one that stands still has no motion of its own that
distances could be compared with."""

CLEAR_RIVALS, GOOD_RIVALS = 0.24, 0.28
"""Fractions of moments that are a closer match than the corresponding one: up to the first it is clear which
moments correspond, whatever the posture and size of the bodies; up to the second clips go well together.
Captured pairs of one action lie between 0.04 and 0.25, and chance gives one half."""

MAX_SEQUENCE_DISTANCE = 4.0
"""Relative distance up to which few rivals alone make clips fit: the moments follow each other in the same
order, in another posture. A built-in jog and sneak have 2.8."""

MIN_SPEED_SIMILARITY = 0.35
"""Correlation of the points' speeds along the curve from which parts of the body move at the same moments.
Actions whose extremes differ, such as reaches to a high and a low shelf, have 0.38 and more."""

MAX_SATURATION = 0.6
"""Fraction of a time alignment at the slope limit beyond which the clips' timing hardly corresponds."""

SOME_DISTORTION, MAX_DISTORTION = 0.2, 0.3
"""Fractions of the curve that run far off the clips' overall rates: one that counts against clips that look
unlike already, and one that is doubtful by itself, as of walks that start on different feet."""

UNFIT_DISTORTION = 0.5
"""Fraction of the curve beyond which most of it is stretched out of shape: one clip does something that the
other does not, such as sitting down twice."""

MAX_OPPOSITE = 0.5
"""Fraction of corresponding moments at which bodies face opposite directions, beyond which one of them goes
backward: a run and the same run in reverse look alike from a distance, rotated by half a turn."""

MAX_FAR_APART = 0.05
"""Fraction of a curve on which a joint of trunk or limbs is too far apart to average, beyond which a blend is
worth a look: the joint follows one clip there."""

MAX_HELD_SPREAD, MAX_HELD_DISTANCE = 0.05, 0.25
"""Metres: moments of a clip that holds a posture differ by less than the first. Held postures have no order
of moments to compare; up to the second apart, their mean is a posture of the same kind. Riding postures of
different people lie 0.13 to 0.24 apart."""

NO_PLANTS = "no clip has foot plants, so nothing keeps feet from sliding"
"""What a report notes where a blend will have no plants to enforce."""


@dataclass(frozen=True)
class MirrorMatch:
    """How much clips correspond to their mirror images.

    ``suspect`` tells whether clips lead with opposite sides at times, ``even`` whether the mirror image of
    one is as good a match.
    """

    suspect: bool = False
    even: bool = False


NO_MIRROR_MATCH = MirrorMatch()


class Verdict(Enum):
    """Whether to blend the registered clips: the level of a verdict, in words."""

    GOOD = "good match"
    DOUBTFUL = "doubtful match"
    UNFIT = "no match"


class Cause(Enum):
    """What a verdict rests on, in the words of somebody who makes a first blend."""

    ALIKE = "the clips do the same at corresponding moments"
    AMBIGUOUS = "it is not clear which moments of the clips belong together"
    UNLIKE = "the clips look quite unlike at corresponding moments"
    DIFFERENT = "the clips show different motions"
    OPPOSITE = "the clips face opposite ways: one of them may run backward"
    HELD = "the clips hold similar postures and hardly move"
    UNEVEN = "one clip is much slower or faster in places than the other"
    EXTRA = "one clip does something in between that the other does not"
    STRAINED = "the timing of the clips hardly corresponds"
    MIRRORED = "one clip may lead with the left and one with the right, or they show different motions"
    SIDES = "the clips may lead with opposite sides"
    PLANTS = "most foot plants of one clip have none in the other to go with"
    TURNED = "a joint turns around in one clip and not in the other"


LOOK = "look at the blend before you use it"
"""What to do where a blend may be good all the same."""

SAME_ACTION = "choose clips that show the same action, or cut them to the part that does"
"""What to do where no blend can be good."""

REMEDIES: dict[Cause, Parts] = {
    Cause.AMBIGUOUS: (
        "look at the blend, and where it mixes up moments, state some that belong together with ",
        Argument("pins"),
    ),
    Cause.UNLIKE: LOOK,
    Cause.DIFFERENT: SAME_ACTION,
    Cause.OPPOSITE: "reverse one of them",
    Cause.HELD: LOOK,
    Cause.UNEVEN: "cut gaits to the same strides or to loops, and actions to the same part",
    Cause.EXTRA: SAME_ACTION,
    Cause.STRAINED: ("cut the clips to the same part, or allow more with a larger ", Argument("slope_limit")),
    Cause.MIRRORED: "try one of them mirrored, or choose clips that show the same action",
    Cause.SIDES: "look at the blend; mirror one of the clips if feet or hands go wrong",
    Cause.PLANTS: "look at the feet in the blend; correct the foot plants of the clips where they are wrong",
    Cause.TURNED: "look at that joint in the blend",
}
"""What to do about each cause; clips that go well together need nothing."""


@dataclass(frozen=True)
class Judgement:
    """A verdict: its level, what it rests on, and the figure behind that."""

    verdict: Verdict
    cause: Cause
    figure: str


@dataclass(frozen=True, kw_only=True, repr=False)
class RegistrationReport:
    """How well registered clips correspond.

    Attributes
    ----------
    mean_distance, max_distance
        Mean and largest distance between corresponding frames of a clip and the reference, metres.
    rivals
        Fraction of the moments of a clip that look more like a moment of another clip than the corresponding
        one does, for the worst pair with the reference: 0 for equal clips, one half where nothing
        corresponds.
    relative_distance
        Mean squared distance of corresponding moments, over that of two moments of one clip, for the worst
        pair with the reference: 0 for equal clips, 1 where corresponding moments are no more alike than any
        two.
    distortion
        Largest fraction of the curve on which a clip runs more than 2.5 times faster or slower, relative to
        the reference, than overall.
    saturation
        Largest fraction of a pair's time alignment that runs at the slope limit.
    unmatched, splits
        Constraints that are in no match, and constraints that were split.
    n_matches
        Number of constraint matches.
    cycle_error
        For three clips and more, how far pairwise correspondences disagree on average, in frames; else None.
    fit
        How well the timewarp curve fits.
    verdict
        Whether to blend the whole clips.
    cause
        Why; None where a file of 0.1 tells it by the figure alone.
    figure
        What was measured that says so.
    notes
        What was converted, resampled or done differently from what was asked for.
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
    figure: str
    cause: Cause | None = None
    notes: tuple[str, ...] = ()
    relative_distance: float = 0.0

    @property
    def reason(self) -> str:
        """Why, in words; the figure behind it is in ``figure``."""
        return self.figure if self.cause is None else self.cause.value

    @property
    def remedy(self) -> Message:
        """What to do about it; empty where the clips go well together."""
        known = None if self.cause is None else REMEDIES.get(self.cause)
        return Message(known or ("" if self.verdict is Verdict.GOOD else LOOK))

    @property
    def sentence(self) -> Message:
        """The verdict, the reason, and what to do about it."""
        return Message(f"{self.verdict.value}: {self.reason}", remedy=self.remedy)

    def __repr__(self) -> str:
        return (
            f"RegistrationReport({self.verdict.name.lower()}, mean distance {self.mean_distance:.3g} m, "
            f"{self.n_matches} matches, {len(self.unmatched)} constraints unmatched)"
        )

    def __str__(self) -> str:
        return str(self.sentence)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What a verdict rests on, as in the report; ``n_odd`` constraints are unmatched or split.

    ``speed_similarity`` is the correlation of the points' speeds along the curve, ``opposite`` the fraction
    of moments at which bodies face opposite directions, each of the worst pair with the reference;
    ``far_apart`` the fraction of the curve on which the rotations of ``far_joint`` cannot be averaged;
    ``loops`` tells whether all clips are cyclic, ``held`` whether all hold similar postures,
    ``mirror`` whether clips lead with opposite sides.
    """

    rivals: float
    distortion: float
    saturation: float
    n_matches: int
    n_odd: int
    relative_distance: float = 0.0
    speed_similarity: float = 0.0
    opposite: float = 0.0
    far_apart: float = 0.0
    far_joint: str = ""
    loops: bool = False
    held: bool = False
    mirror: MirrorMatch = NO_MIRROR_MATCH


def judge(evidence: Evidence) -> Judgement:
    """Return the verdict on a registration, what it rests on, and the figure behind that.

    >>> found = judge(Evidence(rivals=0.1, distortion=0.0, saturation=0.1, n_matches=4, n_odd=0))
    >>> found.verdict.name, found.cause.name, found.figure
    ('GOOD', 'ALIKE', '10 % of other moments are a closer match than the corresponding ones')
    """
    e = evidence
    apart = (
        f"corresponding moments differ {e.relative_distance:.2g} times as much as two moments of one clip do"
    )
    rivals = f"{100 * e.rivals:.0f} % of other moments are a closer match than the corresponding ones"
    saturated = f"{100 * e.saturation:.0f} % of the time alignment runs at the slope limit"
    distorted = (
        f"on {100 * e.distortion:.0f} % of the curve a clip runs more than {DISTORTED_RATE:g} times faster "
        "or slower than overall"
    )
    if e.opposite > MAX_OPPOSITE:
        facing = f"bodies face opposite directions at {100 * e.opposite:.0f} % of corresponding moments"
        return Judgement(Verdict.UNFIT, Cause.OPPOSITE, facing)
    if e.held and e.relative_distance > MAX_RELATIVE_DISTANCE:
        return Judgement(Verdict.DOUBTFUL, Cause.HELD, apart)
    if e.distortion > UNFIT_DISTORTION and not e.loops:
        return Judgement(Verdict.UNFIT, Cause.EXTRA, distorted)
    if e.mirror.even:
        return Judgement(Verdict.UNFIT, Cause.MIRRORED, "the mirror image of a clip corresponds as well")
    if e.relative_distance > MAX_RELATIVE_DISTANCE and not _follow_one_order(e, CLEAR_RIVALS):
        # Loops have one order by themselves: drawn gaits of unlike posture still blend.
        in_order = _follow_one_order(e, GOOD_RIVALS) or (e.loops and e.rivals <= GOOD_RIVALS)
        if in_order or _move_together(e):
            return Judgement(Verdict.DOUBTFUL, Cause.UNLIKE, apart)
        return Judgement(Verdict.UNFIT, Cause.DIFFERENT, apart)
    if e.distortion > MAX_DISTORTION:
        return Judgement(Verdict.DOUBTFUL, Cause.UNEVEN, distorted)
    if e.saturation > MAX_SATURATION:
        return Judgement(Verdict.DOUBTFUL, Cause.STRAINED, saturated)
    if e.rivals > GOOD_RIVALS:
        return Judgement(Verdict.DOUBTFUL, Cause.AMBIGUOUS, rivals)
    if e.relative_distance > GOOD_RELATIVE_DISTANCE and e.rivals > CLEAR_RIVALS:
        return Judgement(Verdict.DOUBTFUL, Cause.UNLIKE, apart)
    if e.n_odd > e.n_matches:
        odd = f"{e.n_odd} constraints are unmatched or split against {e.n_matches} matches"
        return Judgement(Verdict.DOUBTFUL, Cause.PLANTS, odd)
    if e.mirror.suspect:
        mirrored = "at many moments the mirror image of a clip is a closer match"
        return Judgement(Verdict.DOUBTFUL, Cause.SIDES, mirrored)
    if e.far_apart > MAX_FAR_APART:
        turned = f"{e.far_joint} turns around in one clip and not in another, so it follows one of them on"
        return Judgement(Verdict.DOUBTFUL, Cause.TURNED, f"{turned} {100 * e.far_apart:.0f} % of the curve")
    return Judgement(Verdict.GOOD, Cause.ALIKE, rivals)


def _follow_one_order(e: Evidence, max_rivals: float) -> bool:
    """Whether moments follow each other in the same order, if in another posture."""
    return e.rivals <= max_rivals and e.relative_distance <= MAX_SEQUENCE_DISTANCE


def _move_together(e: Evidence) -> bool:
    """Whether the parts of the bodies move at the same times, without strain and on the same plants."""
    strained = e.saturation > MAX_SATURATION or e.distortion > SOME_DISTORTION
    return e.speed_similarity >= MIN_SPEED_SIMILARITY and not strained and e.n_odd <= e.n_matches / 4
