"""`transition`: from one clip to another."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.blending.result import BlendResult
from motionloom.motion import Clip
from motionloom.transitions.concatenate import chain_clips, check_list
from motionloom.transitions.request import JoinMethod


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
