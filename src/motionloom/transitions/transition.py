"""`transition` and `concatenate`: from one clip to another, and on to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal, TypeVar, get_args

from motionloom.blending.result import BlendResult
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.skeleton_union import move_to_union, skeleton_union
from motionloom.registration.compatibility import comparable
from motionloom.transitions.by_registration import registered_middle
from motionloom.transitions.dead_blend import dead_middle
from motionloom.transitions.inertialize import inertialized_middle
from motionloom.transitions.linear import linear_middle
from motionloom.transitions.middle import Middle
from motionloom.transitions.overlap import overlapped
from motionloom.transitions.plan import Plan, Wish, checked_cell
from motionloom.transitions.stringing import strung
from motionloom.transitions.width import (
    TransitionMethod,
    checked_half_width,
    chosen_half_width,
    stride_ratio,
)

MIDDLES: dict[str, Callable[[Plan], Middle]] = {
    "linear": linear_middle,
    "inertialize": inertialized_middle,
    "dead": dead_middle,
}
"""The ways that have whole frames at their ends by themselves."""

Value = TypeVar("Value")


def transition(
    a: Clip,
    b: Clip,
    *,
    at: Sequence[int] | None = None,
    half_width: float | None = None,
    method: TransitionMethod | Literal["overlap"] = "registration",
    snap: bool = True,
    loop: bool = False,
    overlap: tuple[float, float] | None = None,
    correspondences: Sequence[tuple[float, float]] = (),
) -> BlendResult:
    """Go over from one clip to another: the head of ``a``, a transition, the tail of ``b`` moved into place.

    Parameters
    ----------
    a, b
        Clips of one skeleton; annotated ones (:func:`motionloom.annotate`) keep their constraints and events,
        and their gait helps to align them. The slower of two frame rates is used for both.
    at
        A frame of each clip, as it is given, that meet in the middle. Unless stated they are those most
        alike, of those that leave enough motion and about which the clips correspond.
    half_width
        Seconds to either side of the middle. Unless stated it is a mean stride of both clips, or a quarter of
        a second where they show no gait, and less where they are too short or correspond for less.
    method
        "registration" aligns the clips in time and place about the middle and blends them; clips that are far
        apart and hardly correspond fade over in plain time, with a
        :class:`~motionloom.errors.RegistrationWarning`. "linear" does that always; "inertialize" switches in
        the middle and lets the difference fade out after it; "dead" lets the first clip go on by itself while
        it fades into the second; "overlap" lays the end of the first over the start of the second, warped to
        one length.
    snap
        Whether head and tail are the clips' own frames, which "registration" moves the middle a little for;
        otherwise they are sampled between frames. The other methods always keep whole frames.
    loop
        Whether cyclic clips may repeat where they are too short.
    overlap, correspondences
        For "overlap" alone: seconds of the end of ``a`` and of the start of ``b`` that lie over each other,
        and pairs of seconds, of ``a`` and of ``b``, that are to happen at the same time.

    Returns
    -------
    BlendResult
        ``report.seams`` are the frames at which the transition begins and ends. Before and after it the clip
        that does not play is held where it begins or ends to count.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import jog, walk
    >>> clips = [annotate(make(duration=4.0, fps=30).clip) for make in (walk, jog)]
    >>> made = transition(*clips, half_width=0.5)
    >>> first, last = map(int, made.report.seams)
    >>> last - first, made.weights[[first, last]].tolist()
    (30, [[1.0, 0.0], [0.0, 1.0]])
    """
    pairs = _listed("correspondences", correspondences, "pairs of seconds")
    if method == "overlap":
        if overlap is None:
            raise ParameterError('method "overlap" needs overlap=(seconds of a, seconds of b)')
        (one, other), notes = _on_one_body([a, b])
        return overlapped(one, other, overlap, pairs, notes)
    if overlap is not None or pairs:
        raise ParameterError(f'overlap and correspondences belong to method "overlap", not {method!r}')
    return _made([a, b], [at], half_width, method, snap=snap, loop=loop)


def concatenate(
    clips: Sequence[Clip],
    *,
    at: Sequence[Sequence[int] | None] | None = None,
    half_width: float | None = None,
    method: TransitionMethod = "registration",
    loop: bool = False,
) -> BlendResult:
    """Play clips in a row, with a transition from each to the next.

    Parameters
    ----------
    clips
        Two clips or more, as for :func:`transition`.
    at
        For each transition the frames of both clips that meet, or None to find them. A clip is left later
        than it is entered, with enough motion in between.
    half_width, method, loop
        As for :func:`transition`.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import jog, walk
    >>> slow, fast = (annotate(make(duration=5.0, fps=30).clip) for make in (walk, jog))
    >>> made = concatenate([slow, fast, slow], half_width=0.4)
    >>> len(made.report.seams), made.weights.shape[1]
    (4, 3)
    """
    clips = _listed("clips", clips, "clips")
    if len(clips) < 2:
        raise ParameterError(f"concatenate takes two clips or more, not {len(clips)}")
    ats = [None] * (len(clips) - 1) if at is None else _listed("at", at, "pairs of frames")
    if len(ats) != len(clips) - 1:
        raise ParameterError(
            f"at must have one pair of frames for each of the {len(clips) - 1} transitions, not {len(ats)}"
        )
    return _made(clips, ats, half_width, method, snap=True, loop=loop)


def _listed(name: str, values: Sequence[Value], what: str) -> list[Value]:
    """The values as a list, or an error when they are none."""
    if isinstance(values, Clip | str) or not isinstance(values, Iterable):
        raise ParameterError(f"{name} must be a list of {what}, not {values!r}")
    return list(values)


def _made(
    clips: Sequence[Clip],
    ats: Sequence[Sequence[int] | None],
    half_width: float | None,
    method: TransitionMethod,
    *,
    snap: bool,
    loop: bool,
) -> BlendResult:
    if method not in get_args(TransitionMethod):
        raise ParameterError(f"method must be one of {', '.join(get_args(TransitionMethod))}, not {method!r}")
    made, notes = _on_one_body(clips)
    wishes = [
        _wish(a, b, _cell(at, given, (a, b)), half_width, method)
        for (a, b), given, at in zip(pairwise(made), pairwise(clips), ats, strict=True)
    ]
    make = partial(registered_middle, snap=snap) if method == "registration" else MIDDLES[method]
    return strung(made, wishes, make, loop=loop, notes=notes)


def _on_one_body(clips: Sequence[Clip]) -> tuple[tuple[Clip, ...], tuple[str, ...]]:
    """The clips at one rate and with the joints of all, and notes on what was changed."""
    for n, clip in enumerate(clips):
        if not isinstance(clip, Clip):
            raise ParameterError(f"clip {n} is no clip of a skeleton: transitions take motionloom.Clip")
    made, notes = comparable(clips)
    body = skeleton_union([clip.skeleton for clip in made])
    return tuple(move_to_union(clip, body, k) for k, clip in enumerate(made)), notes


def _cell(
    at: Sequence[int] | None, given: tuple[Clip, Clip], made: tuple[Clip, Clip]
) -> tuple[int, int] | None:
    """Frames of the clips that were given, as frames of the same clips at one rate."""
    if at is None:
        return None
    cell = checked_cell(at, *given)
    first, second = (
        min(round(frame * old.frame_time / new.frame_time), new.n_frames - 1)
        for frame, old, new in zip(cell, given, made, strict=True)
    )
    return first, second


def _wish(
    a: Clip, b: Clip, at: tuple[int, int] | None, half_width: float | None, method: TransitionMethod
) -> Wish:
    if half_width is not None:
        half_width = checked_half_width(half_width, a.frame_time)
    seconds = chosen_half_width(a, b) if half_width is None else half_width
    return Wish(
        method=method,
        half=seconds / a.frame_time,
        fixed=half_width is not None,
        at=at,
        ratio=stride_ratio(a, b),
    )
