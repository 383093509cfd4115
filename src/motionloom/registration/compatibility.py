"""Bringing clips to one rate and checking that they show one body."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.errors import ParameterError
from motionloom.motion import Clip, PointClip
from motionloom.motion.sampling import SAME_RATE


def comparable(clips: Sequence[Clip]) -> tuple[tuple[Clip, ...], tuple[str, ...]]:
    """The clips at one rate, and notes on what was changed; an error where they cannot be compared."""
    if len(clips) < 2:
        raise ParameterError(f"registering takes two clips or more, not {len(clips)}")
    for n, clip in enumerate(clips):
        if clip.n_frames < 2:
            raise ParameterError(
                f"clip {n} has {clip.n_frames} frame{'s' if clip.n_frames != 1 else ''}: "
                "no strictly increasing curve leads through it; it takes two or more"
            )
    _check_one_body(clips)
    slowest = max(clip.frame_time for clip in clips)
    rate = next(clip.fps for clip in clips if clip.frame_time == slowest)
    notes = tuple(
        f"clip {n} was resampled from {clip.fps:.6g} to {rate:.6g} frames per second"
        for n, clip in enumerate(clips)
        if abs(slowest / clip.frame_time - 1.0) > SAME_RATE
    )
    return tuple(clip.resampled(rate) for clip in clips), notes


def _check_one_body(clips: Sequence[Clip]) -> None:
    first = _names(clips[0])
    for n, clip in enumerate(clips[1:], start=1):
        names = _names(clip)
        if names != first:
            missing = [*set(first).symmetric_difference(names)]
            what = (
                f"{missing[0]!r} is in one of them only"
                if missing
                else "they list their joints in another order"
            )
            raise ParameterError(
                f"clips 0 and {n} have different skeletons: {what}; bring them to one skeleton first"
            )


def _names(clip: Clip | PointClip) -> tuple[str, ...]:
    return clip.skeleton.names if isinstance(clip, Clip) else clip.names
