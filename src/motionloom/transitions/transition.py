"""`transition`: from one clip to another, and the chain of transitions that clips in a row need.

For each pair of clips: plan where and how wide the transition is, make its segment, splice it in.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar, cast, get_args, overload

import numpy as np

from motionloom.blending.result import BlendReport, BlendResult
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.geometry import GroundTransform
from motionloom.messages import Argument, ClipName, Message
from motionloom.motion import Clip, PointClip, Result
from motionloom.motion.motion import name_clips
from motionloom.motion.result import ClipLike, PointClipLike, refuse_for_points
from motionloom.options.registration import Alignment
from motionloom.options.transitions import JoinMethod, Keep, TransitionMethod
from motionloom.transitions.make_segment import make_segment
from motionloom.transitions.overlap import make_overlap_segment
from motionloom.transitions.plan import (
    SPARE_ROOM,
    TooShortError,
    UnrolledClip,
    unroll_clip,
)
from motionloom.transitions.plant import plant_transition
from motionloom.transitions.request import (
    MAX_FRACTION,
    MAX_PASS_THROUGH,
    FramePair,
    TransitionRequest,
    check_centre,
    check_keep,
    make_request,
)
from motionloom.transitions.splice import add_kept_fractions, splice
from motionloom.transitions.unify_clips import unify_clips
from motionloom.validation import check_choice

UNROLL_FACTOR = 1.4
"""How much more of a cyclic clip is unrolled than its transitions should take: it costs nothing."""

Value = TypeVar("Value")


@overload
def transition(
    a: ClipLike,
    b: ClipLike,
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
) -> BlendResult: ...
@overload
def transition(
    a: PointClipLike,
    b: PointClipLike,
    *,
    at: Sequence[float] | None = None,
    half_width: float | None = None,
    method: TransitionMethod = "registration",
) -> Result[BlendReport, PointClip]: ...
def transition(
    a: ClipLike | PointClipLike,
    b: ClipLike | PointClipLike,
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
) -> BlendResult | Result[BlendReport, PointClip]:
    """Transition from one clip to another: the head of ``a``, a segment, and the tail of ``b`` placed to fit.

    Parameters
    ----------
    a, b
        Clips of one kind of body; the result has the bones and the floor of ``a``. Annotated ones
        (:func:`motionloom.annotate`) keep their constraints and events, and their gait helps to align them.
        If frame rates differ, the lower one is used for both. Or two clips of the same points without a
        skeleton, which take ``at``, ``half_width`` and ``method`` only; they are aligned point by point.
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
        two gaits; it is narrowed where the clips are too short, and widened, up to 1 s, where the transition
        would be too abrupt.
    method
        "registration" aligns the clips in time and place about the centre and blends them. Clips that do not
        correspond are cross-faded instead, if they are far apart with a
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

    Raises
    ------
    ParameterError
        The clips are too short, show other bodies, or options contradict each other.

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
    first, second = (each.clip if isinstance(each, Result) else each for each in (a, b))
    if isinstance(first, PointClip) and isinstance(second, PointClip):
        from motionloom.transitions.transition_points import transition_points

        refuse_for_points(
            "transition",
            keep=keep is not None,
            alignment=alignment != "auto",
            snap=not snap,
            loop=loop,
            plant=plant,
            overlap=overlap is not None or method == "overlap",
            correspondences=bool(pairs),
        )
        return transition_points(
            first, second, at=at, half_width=half_width, method=cast(TransitionMethod, method)
        )
    options = JoinOptions(half_width, method, keep, alignment, snap, loop, plant, overlap, tuple(pairs))
    return chain_clips([first, second], [at], options)


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
    given: Sequence[object], ats: Sequence[Sequence[float] | None], options: JoinOptions
) -> BlendResult:
    """Chain clips with a transition from each to the next."""
    clips = cast(Sequence[Clip], [clip.clip if isinstance(clip, Result) else clip for clip in given])
    unified, notes = unify_clips(clips)
    requests = [] if options.method == "overlap" else _make_requests(clips, unified, ats, options)
    parts = _unroll_clips(unified, requests, options.loop)
    names, joins = name_clips(unified), _name_joins(unified)
    result, current = None, parts[0]
    for n, following in enumerate(parts[1:]):
        with _name_join(joins[n]):
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
            warnings.warn(
                _describe_misfit(names[n : n + 2], segment.misfit), RegistrationWarning, stacklevel=3
            )
        notes = (*notes, *(Message((joins[n], note)) for note in segment.notes))
        result = splice(result, current, following, segment, options.method, notes)
        transform = GroundTransform(*segment.placements[-1, 1].tolist())
        current, notes = following.continue_from(round(segment.frames[-1, 1]), transform), ()
    assert result is not None
    result = add_kept_fractions(replace(result, clip=result.clip.arranged()), unified)
    return plant_transition(result) if options.plant else result


def _name_joins(clips: Sequence[Clip]) -> list[str]:
    """Return what messages about each transition begin with, where there are several."""
    names = name_clips(clips)
    return [f"from {one} to {other}: " if len(clips) > 2 else "" for one, other in pairwise(names)]


@contextmanager
def _name_join(join: str) -> Iterator[None]:
    """Make an error of a transition begin with which one it is, where there are several."""
    try:
        yield
    except ParameterError as error:
        if not join:
            raise
        if isinstance(error, TooShortError):
            raise TooShortError(error.seconds, error.missing, error.keep, join=join) from None
        raise ParameterError(error.message.about(join.removesuffix(": "))) from None


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
    for n, (join, at) in enumerate(zip(_name_joins(unified), ats, strict=True)):
        with _name_join(join):
            if at is not None and keep is not None and not any(own is None for own in ats):
                raise ParameterError(
                    "is for frames that are chosen automatically",
                    parameter="keep",
                    remedy="leave out keep or at",
                )
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


def _describe_misfit(names: Sequence[ClipName], misfit: float) -> Message:
    first, second = names
    at, width = Argument("at"), Argument("half_width")
    return Message(
        f"from {first} to {second} frames are blended that hardly correspond, {100.0 * misfit:.0f} cm apart "
        "on average",
        remedy=("check the result, choose other frames with ", at, ", or use another ", width),
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
    if isinstance(values, Clip | Result | str) or not isinstance(values, Iterable):
        raise ParameterError(f"must be a list of {what}, not {values!r}", parameter=name, value=values)
    return list(values)
