"""`transition`: from one clip to another, and the chain of transitions that clips in a row need.

For each pair of clips: plan where and how wide the transition is, make its segment, splice it in.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from typing import TypeVar, cast, get_args

import numpy as np

from motionloom.blending.result import BlendReport, BlendResult
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.motion.skeleton_union import move_to_union, skeleton_union
from motionloom.registration.compatibility import make_comparable
from motionloom.registration.settings import Alignment
from motionloom.transitions.by_registration import make_registered_segment
from motionloom.transitions.dead_blend import make_dead_blend_segment
from motionloom.transitions.inertialize import make_inertialized_segment
from motionloom.transitions.linear import make_linear_segment
from motionloom.transitions.overlap import make_overlap_segment
from motionloom.transitions.plan import (
    SPARE_ROOM,
    Plan,
    TooShortError,
    UnrolledClip,
    is_narrowest,
    narrow_half,
    plan_transition,
    unroll_clip,
)
from motionloom.transitions.plant import plant_transition
from motionloom.transitions.request import (
    DEFAULT_HALF_WIDTH,
    DEFAULT_KEEP,
    MAX_FRACTION,
    MAX_PASS_THROUGH,
    FramePair,
    JoinMethod,
    Keep,
    TransitionMethod,
    TransitionRequest,
    check_centre,
    check_keep,
    make_request,
)
from motionloom.transitions.segment import TransitionSegment
from motionloom.transitions.splice import splice
from motionloom.transitions.steps import step_over
from motionloom.validation import check_choice

UNLIKE_NARROWING = 0.7
"""Factor by which a default width is narrowed at a time if the clips hardly correspond over it."""

KEEP_TOLERANCE = 0.01
"""Fraction of a clip by which less of it may play than was asked for."""

SOLE_WEIGHT = 1e-9
"""Weight of other clips below which a clip plays alone."""

UNROLL_FACTOR = 1.4
"""How much more of a cyclic clip is unrolled than its transitions should take: it costs nothing."""

Value = TypeVar("Value")


def transition(
    a: Clip,
    b: Clip,
    *,
    at: Sequence[float] | None = None,
    keep: Keep | None = None,
    half_width: float | None = None,
    method: JoinMethod = "registration",
    alignment: Alignment = "auto",
    snap: bool = True,
    loop: bool = False,
    plant: bool = False,
    overlap: tuple[float, float] | None = None,
    correspondences: Sequence[tuple[float, float]] = (),
) -> BlendResult:
    """Transition from one clip to another: the head of ``a``, a segment, and the tail of ``b`` placed to fit.

    Parameters
    ----------
    a, b
        Clips of one skeleton. Annotated ones (:func:`motionloom.annotate`) keep their constraints and events,
        and their gait helps to align them. If frame rates differ, the lower one is used for both.
    at
        A frame of each clip, as given and with fractions, that meet at the centre of the transition: with
        "registration" and "linear", both clips are exactly there at weight 1/2. By default similar frames
        are chosen, late in the first clip and early in the second.
    keep
        How much of each clip must play, as a fraction, if frames are chosen: "all" plays all of ``a`` and
        then all of ``b``, blended where they overlap. The default is three quarters, or less if the clips are
        too short.
    half_width
        Seconds to either side of the centre. The default is a mean stride of both clips, or 0.25 s without
        two gaits; it is narrowed where the clips are too short or correspond for less.
    method
        "registration" aligns the clips in time and place about the centre and blends them. Clips that are far
        apart and hardly correspond are cross-faded instead, with a
        :class:`~motionloom.errors.RegistrationWarning`. "linear" always cross-fades; "inertialize" switches
        at the centre and lets the difference decay; "dead" extrapolates the first clip while it fades into
        the second; "overlap" plays the end of the first over the start of the second, warped to one length.
    alignment
        For "registration": "windowed" grows the time alignment outwards from the centre, window by window,
        instead of optimizing all of it; for clips that are unlike away from the centre.
    snap
        Whether head and tail are unchanged frames of the clips; what that shifts fades to nothing at the
        centre. Without it they are sampled between frames.
    loop
        Whether cyclic clips may repeat where they are too short.
    plant
        Whether planted feet and hands stay put in the result (:func:`motionloom.enforce`).
    overlap, correspondences
        For "overlap" only: seconds of the end of ``a`` and of the start of ``b`` that overlap, and pairs of
        seconds, of ``a`` and of ``b``, that should happen at the same time.

    Returns
    -------
    BlendResult
        ``report.seams`` are the frames at which the transition begins and ends. Before and after it, the
        frame of the clip that does not play holds. ``report.kept`` and ``report.alone`` tell how much of each
        clip plays, and ``report.doubts`` why the transition may not look right.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import jog, walk
    >>> clips = [annotate(make(duration=4.0, fps=30).clip) for make in (walk, jog)]
    >>> result = transition(*clips, half_width=0.5)
    >>> first, last = map(int, result.report.seams)
    >>> last - first, result.weights[[first, last]].tolist()
    (30, [[1.0, 0.0], [0.0, 1.0]])
    >>> min(result.report.kept) >= 0.75
    True
    """
    pairs = check_list("correspondences", correspondences, "pairs of seconds")
    options = JoinOptions(half_width, method, keep, alignment, snap, loop, plant, overlap, tuple(pairs))
    return chain_clips([a, b], [at], options)


@dataclass(frozen=True)
class JoinOptions:
    """What is asked of all transitions of a chain; :func:`transition` documents the options."""

    half_width: float | None = None
    method: JoinMethod = "registration"
    keep: Keep | None = None
    alignment: Alignment = "auto"
    snap: bool = True
    loop: bool = False
    plant: bool = False
    overlap: tuple[float, float] | None = None
    correspondences: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        check_choice("method", self.method, get_args(JoinMethod))
        check_choice("alignment", self.alignment, get_args(Alignment))
        if self.method == "overlap" and self.overlap is None:
            raise ParameterError('method "overlap" needs overlap=(seconds of a, seconds of b)')
        if self.method != "overlap" and (self.overlap is not None or self.correspondences):
            raise ParameterError(
                f'overlap and correspondences belong to method "overlap", not {self.method!r}'
            )
        if self.method == "overlap" and self.keep is not None:
            raise ParameterError('method "overlap" always plays all of the clips: leave out keep')
        if self.method != "registration" and self.alignment != "auto":
            raise ParameterError(f'alignment belongs to method "registration", not {self.method!r}')


def chain_clips(
    clips: Sequence[Clip], ats: Sequence[Sequence[float] | None], options: JoinOptions
) -> BlendResult:
    """Chain clips with a transition from each to the next."""
    unified, notes = _unify_clips(clips)
    requests = [] if options.method == "overlap" else _make_requests(clips, unified, ats, options)
    parts = _unroll_clips(unified, requests, options.loop)
    result, current = None, parts[0]
    for n, following in enumerate(parts[1:]):
        with _name_join(n, len(parts)):
            if options.overlap is not None:
                segment = make_overlap_segment(
                    current.clip, following.clip, options.overlap, options.correspondences
                )
            else:
                reserve = sum(_count_frames(requests[n + 1], 0)) if n + 1 < len(requests) else 0.0
                segment = make_segment(
                    current, following, replace(requests[n], reserve=reserve), options.snap
                )
        if segment.misfit:
            warnings.warn(_describe_misfit(n, segment.misfit), RegistrationWarning, stacklevel=3)
        prefix = f"from clip {n} to {n + 1}: " if len(parts) > 2 else ""
        notes = (*notes, *(prefix + note for note in segment.notes))
        result = splice(result, current, following, segment, options.method, notes)
        if options.method == "registration":
            result = _step_over(result, prefix)
        transform = GroundTransform(*segment.placements[-1, 1].tolist())
        current, notes = following.continue_from(round(segment.frames[-1, 1]), transform), ()
    assert result is not None
    result = add_kept_fractions(replace(result, clip=result.clip.arranged()), unified)
    return plant_transition(result) if options.plant else result


def _step_over(result: BlendResult, prefix: str) -> BlendResult:
    """Let feet step that would slide in the last transition of a result."""
    first, last = (int(seam) for seam in result.report.seams[-2:])
    clip, notes = step_over(result.clip, first, last)
    report = replace(result.report, notes=(*result.report.notes, *(prefix + note for note in notes)))
    return replace(result, clip=replace(clip, report=report))


@contextmanager
def _name_join(n: int, n_clips: int) -> Iterator[None]:
    """Make an error of a transition say which one it is, where there are several."""
    try:
        yield
    except ParameterError as error:
        if n_clips == 2:
            raise
        join = f"from clip {n} to {n + 1}: "
        if isinstance(error, TooShortError):
            raise TooShortError(error.seconds, error.missing, join=join) from None
        raise ParameterError(f"{join}{error}") from None


def _make_requests(
    clips: Sequence[Clip],
    unified: Sequence[Clip],
    ats: Sequence[Sequence[float] | None],
    options: JoinOptions,
) -> list[TransitionRequest]:
    """Return what is asked of each transition, in frames of the unified clips."""
    keep = check_keep(options.keep)
    last = len(clips) - 1
    fractions = [
        np.inf if options.loop and clip.cyclic else (MAX_FRACTION if n in (0, last) else MAX_PASS_THROUGH)
        for n, clip in enumerate(unified)
    ]
    requests = []
    for n, at in enumerate(ats):
        with _name_join(n, len(clips)):
            if at is not None and keep is not None and not any(own is None for own in ats):
                raise ParameterError("keep is for frames that are chosen automatically: leave out keep or at")
            requests.append(
                make_request(
                    unified[n],
                    unified[n + 1],
                    _convert_centre(at, clips[n : n + 2], unified[n : n + 2], options.method),
                    options.half_width,
                    cast(TransitionMethod, options.method),
                    keep=keep,
                    fractions=(fractions[n], fractions[n + 1]),
                    alignment=options.alignment,
                )
            )
    return requests


def make_segment(
    a: UnrolledClip, b: UnrolledClip, request: TransitionRequest, snap: bool
) -> TransitionSegment:
    """Make the segment of a transition by the best plan that works, with notes on what was chosen.

    A default width is narrowed if the clips do not allow for it. Only a finished segment tells how much
    motion it takes and whether the clips correspond: if the best plan does not work, others may.
    """
    make = MAKERS.get(request.method, make_registered_segment)
    original = request
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
                return _add_notes(segment, original, plan, unlike=bool(unlike or doubtful))
            (doubtful if segment.misfit else wasteful).append((plan, segment))
        narrowest = request.fixed or is_narrowest(plan.half, a.clip.frame_time)
        if wasteful and (request.keep is None or narrowest):
            return _add_notes(wasteful[0][1], original, wasteful[0][0], unlike=bool(unlike or doubtful))
        narrower = max(UNLIKE_NARROWING * plan.half, DEFAULT_HALF_WIDTH / a.clip.frame_time)
        if doubtful:
            if request.fixed or round(narrower) >= plan.half:
                # The frames that are most alike do least harm.
                return _add_notes(doubtful[0][1], original, doubtful[0][0], unlike=True)
        elif narrowest:
            raise min(errors, key=lambda error: error.missing)
        else:
            narrower = narrow_half(plan.half)
        request = replace(request, half=narrower)


def _keeps_enough(segment: TransitionSegment, plan: Plan) -> bool:
    """Return whether a segment plays as much of both clips as it should; only then is it known exactly."""
    if plan.request.at is not None:
        return True
    keep = DEFAULT_KEEP if plan.request.keep is None else plan.request.keep
    lost = (
        (plan.a.clip.n_frames - 1.0 - float(segment.frames[-1, 0])) / plan.a.source_length,
        float(segment.frames[0, 1]) / plan.b.source_length,
    )
    return max(lost) <= 1.0 - keep + KEEP_TOLERANCE


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


def add_kept_fractions(result: BlendResult, clips: Sequence[Clip]) -> BlendResult:
    """Add how much of each clip plays to the report: the fraction of its frames, all and alone."""
    kept, alone = [], []
    for k, clip in enumerate(clips):
        weights, frames = result.weights[:, k], result.frames[:, k]
        steps = np.diff(frames)
        # A frame that follows the last of a cycle is the first of the next.
        steps = np.where(steps < -0.5 * clip.n_frames, steps + clip.n_frames, steps)
        total = clip.n_frames - (0 if clip.cyclic else 1)
        plays, only = (np.minimum(weights[:-1], weights[1:]) > floor for floor in (-1.0, 1.0 - SOLE_WEIGHT))
        plays &= np.maximum(weights[:-1], weights[1:]) > 0.0
        kept.append(min(1.0, float(steps[plays].sum()) / total))
        alone.append(min(1.0, float(steps[only].sum()) / total))
    report = replace(result.report, kept=tuple(kept), alone=tuple(alone))
    report = replace(report, notes=(*report.notes, describe_kept(report)))
    return replace(result, clip=replace(result.clip, report=report))


def describe_kept(report: BlendReport) -> str:
    """Describe how much of each clip plays.

    >>> describe_kept(BlendReport(method="linear", kept=(0.9, 1.0), alone=(0.75, 0.8)))
    'of clip 0, 90 % play and 75 % alone; of clip 1, 100 % and 80 %'
    """
    parts = [
        f"of clip {k}, {kept:.0%} and {alone:.0%}".replace("%", " %")
        for k, (kept, alone) in enumerate(zip(report.kept, report.alone, strict=True))
    ]
    return "; ".join([parts[0].replace(" and ", " play and ") + " alone", *parts[1:]])


def _describe_misfit(n: int, misfit: float) -> str:
    return (
        f"from clip {n} to {n + 1} frames are blended that hardly correspond, {100.0 * misfit:.0f} cm apart "
        "on average: check the result, choose other frames (at), or use another half_width"
    )


def _count_frames(request: TransitionRequest, which: int) -> tuple[float, float]:
    """Return the frames that a transition takes of its first (0) or second (1) clip to either side."""
    room = request.room(request.half, SPARE_ROOM)
    return room.before[which], room.after[which]


def _unroll_clips(
    clips: Sequence[Clip], requests: Sequence[TransitionRequest], loop: bool
) -> list[UnrolledClip]:
    """Unroll cyclic clips as far as the transitions at both their ends need; joins by overlap need none."""
    if not requests:
        return [unroll_clip(clip, before=0.0, after=0.0, frame=None, loop=False) for clip in clips]
    parts = []
    for n, clip in enumerate(clips):
        into = _count_frames(requests[n - 1], 1) if n > 0 else None
        out = _count_frames(requests[n], 0) if n < len(requests) else None
        entered = requests[n - 1] if n > 0 else requests[0]
        frame = None if entered.at is None else entered.at[1 if n > 0 else 0]
        before, after = into or out or (0.0, 0.0)
        after += sum(out) if into and out else 0.0
        parts.append(
            unroll_clip(
                clip, before=UNROLL_FACTOR * before, after=UNROLL_FACTOR * after, frame=frame, loop=loop
            )
        )
    return parts


def _unify_clips(clips: Sequence[Clip]) -> tuple[tuple[Clip, ...], tuple[str, ...]]:
    """Return the clips at one frame rate and with the joints of all, and notes on what was changed."""
    for n, clip in enumerate(clips):
        if isinstance(clip, str | PathLike):
            raise ParameterError(f"clip {n} is a path, {str(clip)!r}: load it first (motionloom.load)")
        if not isinstance(clip, Clip):
            raise ParameterError(
                f"clip {n} is a {type(clip).__name__}, but transitions need clips with a skeleton "
                "(motionloom.Clip)"
            )
    unified, notes = make_comparable(clips)
    if all(clip.skeleton == unified[0].skeleton for clip in unified):
        return unified, notes
    union = skeleton_union([clip.skeleton for clip in unified])
    return tuple(move_to_union(clip, union, k) for k, clip in enumerate(unified)), notes


def _convert_centre(
    at: Sequence[float] | None, given: Sequence[Clip], unified: Sequence[Clip], method: JoinMethod
) -> FramePair | None:
    """Convert frames of the given clips to frames of the same clips at one frame rate.

    Methods that switch from one clip to the other do so at whole frames.
    """
    if at is None:
        return None
    centre = check_centre(at, given[0], given[1])
    first, second = (
        min(frame * (old.frame_time / new.frame_time), new.n_frames - (0.0 if new.cyclic else 1.0))
        for frame, old, new in zip(centre, given, unified, strict=True)
    )
    return (round(first), round(second)) if method in ("inertialize", "dead") else (first, second)


def check_list(name: str, values: Sequence[Value], what: str) -> list[Value]:
    """Return the values as a list, which they must be."""
    if isinstance(values, Clip | str) or not isinstance(values, Iterable):
        raise ParameterError(f"{name} must be a list of {what}, not {values!r}")
    return list(values)
