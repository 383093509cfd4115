"""`make_segment`: the segment of a transition by the plan that works best.

Only a finished segment tells how much motion it takes, whether the clips correspond and what is wrong with
it. If the caller decides about the centre or the width, the first plan that works is taken. Otherwise several
are made and measured: other frames, wider transitions that leave more time to change speed or to step, and
fades instead of registrations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from motionloom.transitions.by_registration import make_faded_segment, make_registered_segment
from motionloom.transitions.dead_blend import make_dead_blend_segment
from motionloom.transitions.flaws import GOOD_ENOUGH, UsualMotion, find_flaws, measure_usual_motion
from motionloom.transitions.inertialize import make_inertialized_segment
from motionloom.transitions.linear import make_linear_segment
from motionloom.transitions.plan import (
    Plan,
    TooShortError,
    UnrolledClip,
    is_narrowest,
    narrow_half,
    plan_transition,
)
from motionloom.transitions.request import DEFAULT_HALF_WIDTH, TransitionRequest
from motionloom.transitions.segment import TransitionSegment
from motionloom.transitions.splice import find_seen_steps, surround_segment, take_segment
from motionloom.transitions.steps import step_over

UNLIKE_NARROWING = 0.7
"""Factor by which a default width is narrowed at a time if the clips hardly correspond over it."""

KEEP_TOLERANCE = 0.01
"""Fraction of a clip by which less of it may play than was asked for."""

KEEPS_LESS = "less of a clip plays than was asked for"
"""What the report says where no transition keeps enough of the clips."""

WIDENINGS = (1.0, 1.3, 1.7, 2.5)
"""Factors on a default width that are tried."""

PLANS_PER_WIDTH = 2
"""Plans of each width that are made and measured by registration, and as fades."""

MIN_ALONE = 0.1
"""Fraction of each clip that should play without the other."""

LOSS_COST, MISFIT_COST = 1.0, 0.2
"""Metres of sliding that count as much as a clip of which less plays than should, and as a metre between
frames that do not correspond."""


def make_segment(
    a: UnrolledClip, b: UnrolledClip, request: TransitionRequest, snap: bool
) -> TransitionSegment:
    """Make the segment of a transition by the best plan that works, with notes on what was chosen."""
    automatic = request.at is None and not request.fixed and request.keep != 1.0
    if automatic and request.method == "registration":
        return _choose_segment(a, b, request, snap)
    plan, segment, unlike = _make_first(a, b, request, snap)
    if request.method == "registration":
        usual = measure_usual_motion([a.clip, b.clip])
        segment = _finish(plan, segment, usual).segment
    return _add_notes(segment, request, plan, unlike)


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A finished segment, its plan, its cost in metres of sliding, and whether it keeps what the caller asks.

    Without a request to keep some fraction of the clips, every segment does.
    """

    plan: Plan
    segment: TransitionSegment
    cost: float
    keeps: bool


def _choose_segment(
    a: UnrolledClip, b: UnrolledClip, request: TransitionRequest, snap: bool
) -> TransitionSegment:
    """Make and measure segments of several plans; return the first that is good enough, or the best."""
    candidates: list[_Candidate] = []
    errors: list[TooShortError] = []
    usual = measure_usual_motion([a.clip, b.clip])
    for half in _widths_to_try(request, a.clip.frame_time):
        if any(candidate.keeps for candidate in candidates) and half < request.half:
            break
        wanted = replace(request, half=half)
        for plan, segment in _make_alternatives(a, b, wanted, snap, errors):
            candidates.append(_finish(plan, segment, usual))
            if candidates[-1].keeps and candidates[-1].cost < GOOD_ENOUGH:
                return _describe(candidates[-1], request)
    if not candidates:
        raise min(errors, key=lambda error: error.missing)
    return _describe(min(candidates, key=lambda candidate: (not candidate.keeps, candidate.cost)), request)


def _widths_to_try(request: TransitionRequest, frame_time: float) -> Iterator[float]:
    """Yield half-widths: the default, wider ones as far as the clips allow, then narrower ones."""
    widths = sorted({round(min(by * request.half, max(request.half, request.widest)), 6) for by in WIDENINGS})
    yield from widths
    half = request.half
    while not is_narrowest(half, frame_time):
        half = narrow_half(round(half))
        yield half


def _make_alternatives(
    a: UnrolledClip,
    b: UnrolledClip,
    request: TransitionRequest,
    snap: bool,
    errors: list[TooShortError],
) -> Iterator[tuple[Plan, TransitionSegment]]:
    """Yield segments by registration and, if those are doubtful or cannot be had, fades; with their plans."""
    doubtful = False
    try:
        for plan in islice(plan_transition(a, b, request), PLANS_PER_WIDTH):
            try:
                segment = make_registered_segment(plan, snap)
            except TooShortError as error:
                errors.append(error)
                doubtful = True
                continue
            yield plan, segment
            doubtful |= bool(segment.doubt)
    except TooShortError as error:
        errors.append(error)
        doubtful = True
    if not doubtful:
        return
    try:
        for plan in islice(plan_transition(a, b, replace(request, method="linear")), PLANS_PER_WIDTH):
            yield plan, make_faded_segment(plan, snap)
    except TooShortError as error:
        errors.append(error)


def _finish(plan: Plan, segment: TransitionSegment, usual: UsualMotion) -> _Candidate:
    """Let feet step in a segment, measure it, and add what is doubtful."""
    around = surround_segment(plan, segment)
    clip, notes = step_over(around.clip, around.first, around.last, around.sources)
    around = replace(around, clip=clip)
    flaws = find_flaws(segment, around, usual)
    keeps = plan.request.keep is None or _keeps_enough(segment, plan)
    doubts = [segment.doubt, *flaws.describe(), "" if keeps else KEEPS_LESS]
    finished = replace(
        take_segment(around, segment), notes=(*segment.notes, *notes), doubt="; ".join(filter(None, doubts))
    )
    lost = _measure_loss(segment, plan) + 2.0 * _measure_shortage(segment, plan)
    cost = flaws.cost + LOSS_COST * lost + MISFIT_COST * segment.misfit
    return _Candidate(plan, finished, cost, keeps)


def _describe(candidate: _Candidate, request: TransitionRequest) -> TransitionSegment:
    return _add_notes(candidate.segment, request, candidate.plan, unlike=False)


def _make_first(
    a: UnrolledClip, b: UnrolledClip, request: TransitionRequest, snap: bool
) -> tuple[Plan, TransitionSegment, bool]:
    """Return the first plan that works, its segment, and whether the clips hardly correspond over more.

    A default width is narrowed if the clips do not allow for it.
    """
    make = MAKERS.get(request.method, make_registered_segment)
    doubtful: list[tuple[Plan, TransitionSegment]] = []
    wasteful: list[tuple[Plan, TransitionSegment]]
    while True:
        errors, unlike = [], doubtful
        doubtful, wasteful = [], []
        for plan in plan_transition(a, b, request):
            try:
                segment = make(plan, snap)
            except TooShortError as error:
                errors.append(error)
                continue
            if not segment.misfit and _keeps_enough(segment, plan):
                return plan, segment, bool(unlike or doubtful)
            (doubtful if segment.misfit else wasteful).append((plan, segment))
        narrowest = request.fixed or is_narrowest(plan.half, a.clip.frame_time)
        if wasteful and (request.keep is None or narrowest):
            return *wasteful[0], bool(unlike or doubtful)
        narrower = max(UNLIKE_NARROWING * plan.half, DEFAULT_HALF_WIDTH / a.clip.frame_time)
        if doubtful:
            if request.fixed or round(narrower) >= plan.half:
                # The frames that are most alike do least harm.
                return *doubtful[0], True
        elif narrowest:
            raise min(errors, key=lambda error: error.missing)
        else:
            narrower = narrow_half(plan.half)
        request = replace(request, half=narrower)


def _keeps_enough(segment: TransitionSegment, plan: Plan) -> bool:
    """Return whether a segment plays as much of both clips as it should; only then is it known exactly."""
    return plan.request.at is not None or _measure_loss(segment, plan) <= KEEP_TOLERANCE


def _measure_loss(segment: TransitionSegment, plan: Plan) -> float:
    """Return the fraction of a clip by which less of it plays than should."""
    steps = np.diff(segment.frames, axis=0)
    # What is fast-forwarded is lost, too.
    passed = (steps - find_seen_steps(steps)).sum(axis=0).tolist()
    lost = (
        (plan.a.clip.n_frames - 1.0 - float(segment.frames[-1, 0]) + passed[0]) / plan.a.source_length,
        (float(segment.frames[0, 1]) + passed[1]) / plan.b.source_length,
    )
    beyond = (own - allowed for own, allowed in zip(lost, plan.request.max_losses, strict=True))
    return float(max(0.0, *beyond))


def _measure_shortage(segment: TransitionSegment, plan: Plan) -> float:
    """Return the fraction of a clip by which less of it plays alone than should."""
    alone = (
        float(segment.frames[0, 0]) / (plan.a.clip.n_frames - 1.0),
        1.0 - float(segment.frames[-1, 1]) / (plan.b.clip.n_frames - 1.0),
    )
    return max(0.0, MIN_ALONE - min(alone))


MAKERS: dict[str, Callable[[Plan, bool], TransitionSegment]] = {
    "linear": make_linear_segment,
    "inertialize": lambda plan, _: make_inertialized_segment(plan),
    "dead": lambda plan, _: make_dead_blend_segment(plan),
}
"""How segments are made without a registration, given whether they must begin and end with whole frames."""


def _add_notes(
    segment: TransitionSegment, request: TransitionRequest, plan: Plan, unlike: bool
) -> TransitionSegment:
    """Add notes on the chosen centre and width to those of a segment."""
    met = plan.centre
    if request.method in ("registration", "linear") and request.at is None:
        met = tuple(segment.frames[len(segment.frames) // 2].tolist())
    centre = _plain(plan.a.source_frame(met[0])), _plain(plan.b.source_frame(met[1]))
    notes = [] if request.at is not None else [describe_centre(centre)]
    if plan.half < round(request.wanted):
        wanted, actual = (2.0 * half * plan.a.clip.frame_time for half in (request.wanted, plan.half))
        why = "hardly correspond over" if unlike else "are too short for"
        notes.append(f"the clips {why} a transition of {wanted:.2f} s: it takes {actual:.2f} s")
    return replace(segment, centre=centre, notes=(*notes, *segment.notes))


def _plain(frame: float) -> float:
    """Return a frame without rounding errors; a whole one as an integer."""
    rounded = round(frame, 6)
    return int(rounded) if rounded == int(rounded) else frame


def describe_centre(centre: tuple[float, float]) -> str:
    """Describe which frames of two clips meet in a transition.

    >>> describe_centre((40, 30.25))
    'frame 40 of the first clip meets frame 30.2 of the second'
    """
    first, second = (f"{frame:.1f}".removesuffix(".0") for frame in centre)
    return f"frame {first} of the first clip meets frame {second} of the second"
