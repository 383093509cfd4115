"""`transition`: from one clip to another, and the chain of transitions that clips in a row need.

For each pair of clips: plan where and how wide the transition is, make its segment, splice it in.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from os import PathLike
from typing import TypeVar, get_args

from motionloom.blending.result import BlendResult
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.motion.skeleton_union import move_to_union, skeleton_union
from motionloom.registration.compatibility import make_comparable
from motionloom.registration.dtw import Cell
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
from motionloom.transitions.request import JoinMethod, TransitionRequest, check_centre, make_request
from motionloom.transitions.segment import Segment
from motionloom.transitions.splice import splice
from motionloom.validation import check_choice

UNROLL_FACTOR = 1.4
"""How much more of a cyclic clip is unrolled than its transitions should take: it costs nothing."""

Value = TypeVar("Value")


def transition(
    a: Clip,
    b: Clip,
    *,
    at: Sequence[int] | None = None,
    half_width: float | None = None,
    method: JoinMethod = "registration",
    snap: bool = True,
    loop: bool = False,
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
        A frame of each clip, as given, that meet at the centre of the transition. By default the most similar
        frames are chosen, of those with enough motion around them and where the clips correspond.
    half_width
        Seconds to either side of the centre. The default is a mean stride of both clips, or 0.25 s without a
        gait; it is narrowed where the clips are too short or correspond for less.
    method
        "registration" aligns the clips in time and place about the centre and blends them. Clips that are far
        apart and hardly correspond are cross-faded instead, with a
        :class:`~motionloom.errors.RegistrationWarning`. "linear" always cross-fades; "inertialize" switches
        at the centre and lets the difference decay; "dead" extrapolates the first clip while it fades into
        the second; "overlap" plays the end of the first over the start of the second, warped to one length.
    snap
        Whether head and tail are unchanged frames of the clips; "registration" shifts the transition slightly
        for that. Without it they are sampled between frames. The other methods always keep whole frames.
    loop
        Whether cyclic clips may repeat where they are too short.
    overlap, correspondences
        For "overlap" only: seconds of the end of ``a`` and of the start of ``b`` that overlap, and pairs of
        seconds, of ``a`` and of ``b``, that should happen at the same time.

    Returns
    -------
    BlendResult
        ``report.seams`` are the frames at which the transition begins and ends. Before and after it, the
        frame of the clip that does not play holds.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import jog, walk
    >>> clips = [annotate(make(duration=4.0, fps=30).clip) for make in (walk, jog)]
    >>> result = transition(*clips, half_width=0.5)
    >>> first, last = map(int, result.report.seams)
    >>> last - first, result.weights[[first, last]].tolist()
    (30, [[1.0, 0.0], [0.0, 1.0]])
    """
    pairs = check_list("correspondences", correspondences, "pairs of seconds")
    return chain_clips(
        [a, b],
        [at],
        half_width,
        method,
        snap=snap,
        loop=loop,
        overlap=overlap,
        correspondences=pairs,
    )


def chain_clips(
    clips: Sequence[Clip],
    ats: Sequence[Sequence[int] | None],
    half_width: float | None,
    method: JoinMethod,
    *,
    snap: bool = True,
    loop: bool = False,
    overlap: tuple[float, float] | None = None,
    correspondences: Sequence[tuple[float, float]] = (),
) -> BlendResult:
    """Chain clips with a transition from each to the next; :func:`transition` documents the parameters."""
    _check_method(method, overlap, correspondences)
    unified, notes = _unify_clips(clips)
    requests: list[TransitionRequest] = []
    if method != "overlap":
        requests = [
            make_request(a, b, _convert_centre(at, given, (a, b)), half_width, method)
            for (a, b), given, at in zip(pairwise(unified), pairwise(clips), ats, strict=True)
        ]
    parts = _unroll_clips(unified, requests, loop)
    result, current = None, parts[0]
    for n, following in enumerate(parts[1:]):
        if overlap is not None:
            segment = make_overlap_segment(current.clip, following.clip, overlap, correspondences)
        else:
            keep = sum(_count_frames(requests[n + 1], 0)) if n + 1 < len(requests) else 0.0
            segment = make_segment(current, following, replace(requests[n], keep=keep), snap)
        if segment.misfit:
            warnings.warn(_describe_misfit(n, segment.misfit), RegistrationWarning, stacklevel=3)
        prefix = f"from clip {n} to {n + 1}: " if len(parts) > 2 else ""
        notes = (*notes, *(prefix + note for note in segment.notes))
        result = splice(result, current, following, segment, method, notes)
        transform = GroundTransform(*segment.placements[-1, 1].tolist())
        current, notes = following.continue_from(round(segment.frames[-1, 1]), transform), ()
    assert result is not None
    return replace(result, clip=result.clip.arranged())


def make_segment(a: UnrolledClip, b: UnrolledClip, request: TransitionRequest, snap: bool) -> Segment:
    """Make the segment of a transition by the best plan that works, with notes on what was chosen.

    A default width is narrowed if the clips do not allow for it. Only a finished segment tells how much
    motion it takes and whether the clips correspond: if the best plan does not work, others may.
    """
    make = MAKERS.get(request.method, partial(make_registered_segment, snap=snap))
    original = request
    doubtful: list[tuple[Plan, Segment]] = []
    while True:
        errors = []
        for plan in plan_transition(a, b, request):
            try:
                segment = make(plan)
            except TooShortError as error:
                errors.append(error)
                continue
            if not segment.misfit:
                return _add_notes(segment, original, plan, unlike=bool(doubtful))
            doubtful.append((plan, segment))
        if request.fixed or is_narrowest(plan.half, a.clip.frame_time):
            break
        request = replace(request, half=narrow_half(plan.half))
    if doubtful:
        # The frames that are most alike, and the narrowest width, do least harm.
        plan, segment = doubtful[0 if request.fixed else -1]
        return _add_notes(segment, original, plan, unlike=True)
    raise min(errors, key=lambda error: error.missing)


MAKERS: dict[str, Callable[[Plan], Segment]] = {
    "linear": make_linear_segment,
    "inertialize": make_inertialized_segment,
    "dead": make_dead_blend_segment,
}
"""Methods whose segments always begin and end with whole frames."""


def _add_notes(segment: Segment, request: TransitionRequest, plan: Plan, unlike: bool) -> Segment:
    """Add notes on the chosen centre and width to those of a segment."""
    centre = plan.a.source_frame(plan.centre[0]), plan.b.source_frame(plan.centre[1])
    notes = [] if request.at is not None else [describe_centre(centre)]
    if plan.half < round(request.half):
        wanted, actual = (2.0 * half * plan.a.clip.frame_time for half in (request.half, plan.half))
        why = "hardly correspond over" if unlike else "are too short for"
        notes.append(f"the clips {why} a transition of {wanted:.2f} s: it takes {actual:.2f} s")
    return replace(segment, centre=centre, notes=(*notes, *segment.notes))


def describe_centre(centre: tuple[int, int]) -> str:
    """Describe which frames of two clips meet in a transition.

    >>> describe_centre((40, 30))
    'frame 40 of the first clip meets frame 30 of the second'
    """
    return f"frame {centre[0]} of the first clip meets frame {centre[1]} of the second"


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
    at: Sequence[int] | None, given: tuple[Clip, Clip], unified: tuple[Clip, Clip]
) -> Cell | None:
    """Convert frames of the given clips to frames of the same clips at one frame rate."""
    if at is None:
        return None
    centre = check_centre(at, *given)
    first, second = (
        min(round(frame * old.frame_time / new.frame_time), new.n_frames - 1)
        for frame, old, new in zip(centre, given, unified, strict=True)
    )
    return first, second


def _check_method(
    method: JoinMethod,
    overlap: tuple[float, float] | None,
    correspondences: Sequence[tuple[float, float]],
) -> None:
    check_choice("method", method, get_args(JoinMethod))
    if method == "overlap" and overlap is None:
        raise ParameterError('method "overlap" needs overlap=(seconds of a, seconds of b)')
    if method != "overlap" and (overlap is not None or correspondences):
        raise ParameterError(f'overlap and correspondences belong to method "overlap", not {method!r}')


def check_list(name: str, values: Sequence[Value], what: str) -> list[Value]:
    """Return the values as a list, which they must be."""
    if isinstance(values, Clip | str) or not isinstance(values, Iterable):
        raise ParameterError(f"{name} must be a list of {what}, not {values!r}")
    return list(values)
