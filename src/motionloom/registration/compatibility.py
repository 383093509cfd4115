"""Bringing clips to one rate and checking that they show one body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.errors import ParameterError
from motionloom.motion import Clip, PointClip, Skeleton
from motionloom.motion.sampling import SAME_RATE
from motionloom.motion.unrolling import resampled_cycle

SAME_REST = 1.0 - 1e-6
"""Cosine of the half angle by which rest poses may differ and count as one."""

SAME_SIZE, LARGEST_RATIO = 0.05, 3.0
"""Difference of two bodies' bone lengths that is worth a note, and the ratio that no two people have."""


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
    sizes = _check_one_body(clips)
    slowest = max(clip.frame_time for clip in clips)
    rate = next(clip.fps for clip in clips if clip.frame_time == slowest)
    notes = tuple(
        f"clip {n} was resampled from {clip.fps:.6g} to {rate:.6g} frames per second"
        for n, clip in enumerate(clips)
        if abs(slowest / clip.frame_time - 1.0) > SAME_RATE
    )
    made = tuple(resampled_cycle(clip, rate) if clip.cyclic else clip.resampled(rate) for clip in clips)
    mixed = len({clip.cyclic for clip in clips}) > 1
    others = (
        ["some of the clips are cyclic and some are not: all were registered from end to end"]
        if mixed
        else []
    )
    return made, (*notes, *sizes, *others)


def _check_one_body(clips: Sequence[Clip]) -> list[str]:
    """Notes on clips whose bodies differ in size; an error where they are not one body at all."""
    notes: list[str] = []
    if len({type(clip) for clip in clips}) > 1:
        raise ParameterError("clips with a skeleton and clips of points cannot be registered with each other")
    first = _names(clips[0])
    for n, clip in enumerate(clips[1:], start=1):
        names = _names(clip)
        if names != first:
            missing = [*set(first).symmetric_difference(names)]
            what = (
                f"{missing[0]!r} is in one of them only" if missing else "their joints come in another order"
            )
            raise ParameterError(
                f"clips 0 and {n} have different skeletons: {what}; bring them to one skeleton first"
            )
        if isinstance(clip, Clip) and isinstance(clips[0], Clip):
            notes += _size_notes(clips[0].skeleton, clip.skeleton, n)
    return notes


def _size_notes(one: Skeleton, other: Skeleton, number: int) -> list[str]:
    if not np.array_equal(one.parents, other.parents):
        raise ParameterError(
            f"clips 0 and {number} have different skeletons: joints of one name hang elsewhere"
        )
    if np.abs(np.einsum("ji,ji->j", one.rest_rotations, other.rest_rotations)).min(initial=1.0) < SAME_REST:
        raise ParameterError(
            f"clips 0 and {number} have different skeletons: their rest poses turn joints differently"
        )
    sizes = [float(np.linalg.norm(skeleton.offsets[1:], axis=1).sum()) for skeleton in (one, other)]
    ratio = sizes[1] / sizes[0] if min(sizes) > 0.0 else 1.0
    if not 1.0 / LARGEST_RATIO < ratio < LARGEST_RATIO:
        raise ParameterError(
            f"the body of clip {number} is {ratio:.3g} times as large as that of clip 0: "
            "load them in their true units (unit=)"
        )
    if abs(ratio - 1.0) > SAME_SIZE:
        return [f"the body of clip {number} is {ratio:.2f} times as large as that of clip 0"]
    return []


def _names(clip: Clip | PointClip) -> tuple[str, ...]:
    return clip.skeleton.names if isinstance(clip, Clip) else clip.names
