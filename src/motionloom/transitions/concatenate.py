"""`concatenate`: clips in a row, with a transition from each to the next."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.blending.result import BlendResult
from motionloom.errors import ParameterError
from motionloom.motion.result import ClipLike
from motionloom.options.registration import Alignment
from motionloom.options.transitions import JoinMethod, Keep
from motionloom.transitions.transition import JoinOptions, chain_clips, check_list


def concatenate(
    clips: Sequence[ClipLike],
    *,
    at: Sequence[Sequence[float] | None] | None = None,
    keep: Keep | None = None,
    half_width: float | None = None,
    method: JoinMethod = "registration",
    alignment: Alignment = "auto",
    loop: bool = False,
    plant: bool = False,
    overlap: tuple[float, float] | None = None,
) -> BlendResult:
    """Play clips in a row, with a transition from each to the next.

    Parameters
    ----------
    clips
        Two or more clips, as for :func:`transition`.
    at
        For each transition, the frames of both clips that meet, or None to choose them automatically. A clip
        is left later than it is entered, with enough motion in between.
    keep, half_width, method, alignment, loop, plant
        As for :func:`transition`. A default width takes at most a quarter of a clip at either end.
    overlap
        For method "overlap": seconds of the end of each clip and of the start of the next that overlap.

    Returns
    -------
    BlendResult
        All clips in a row, with a report on all transitions, as of :func:`transition`.

    Raises
    ------
    ParameterError
        A clip is too short for its transitions, or options contradict each other.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import jog, walk
    >>> slow, fast = (annotate(make(duration=5.0, fps=30).clip) for make in (walk, jog))
    >>> result = concatenate([slow, fast, slow], half_width=0.4)
    >>> len(result.report.seams), result.weights.shape[1]
    (4, 3)
    """
    clips = check_list("clips", clips, "clips")
    if len(clips) < 2:
        raise ParameterError(f"concatenate takes two or more clips, not {len(clips)}")
    ats = [None] * (len(clips) - 1) if at is None else check_list("at", at, "pairs of frames")
    if len(ats) != len(clips) - 1:
        raise ParameterError(
            f"must have one pair of frames for each transition: {len(clips) - 1}, not {len(ats)}",
            parameter="at",
        )
    options = JoinOptions(
        half_width=half_width,
        method=method,
        keep=keep,
        alignment=alignment,
        loop=loop,
        plant=plant,
        overlap=overlap,
    )
    return chain_clips(clips, ats, options)
