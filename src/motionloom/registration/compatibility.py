"""Bringing clips to one rate, checking that they show one body, and what of it all of them have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from motionloom.errors import ParameterError
from motionloom.motion import Clip, PointClip, Skeleton
from motionloom.motion.point_clip import fill_gaps, max_gap_lengths
from motionloom.motion.sampling import SAME_RATE
from motionloom.motion.skeleton_union import keep_common_joints, skeleton_union
from motionloom.retargeting.unify_skeletons import MAX_SIZE_RATIO, SAME_REST_COSINE, unify_skeletons

SAME_SIZE = 0.05
"""Difference of two bodies' bone lengths that is worth a note."""

LONGEST_GAP = 0.25
"""Seconds that a point may be out of sight and still be compared, on a straight line over the gap."""

MOST_NAMED = 6
"""Joints or points that a note names; further ones are counted."""


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
    clips, mapped = _unify_skeletons(clips)
    sizes = _check_one_body(clips)
    slowest = max(clip.frame_time for clip in clips)
    rate = next(clip.fps for clip in clips if clip.frame_time == slowest)
    notes = tuple(
        f"clip {n} was resampled from {clip.fps:.6g} to {rate:.6g} frames per second"
        for n, clip in enumerate(clips)
        if abs(slowest / clip.frame_time - 1.0) > SAME_RATE
    )
    made = tuple(clip.resampled(rate) for clip in clips)
    return made, (*mapped, *notes, *sizes)


def _unify_skeletons(clips: Sequence[Clip]) -> tuple[Sequence[Clip], list[str]]:
    """The clips on the skeleton of the first one, and notes on those that had another; points stay."""
    if any(isinstance(clip, PointClip) for clip in clips):
        return clips, []
    return unify_skeletons(clips)


def alike(clips: Sequence[Clip]) -> list[Clip]:
    """The clips as they are compared: with the joints that all have, or the points that all see.

    Short gaps of points are bridged straight; a point that a clip does not see for longer is left out.
    """
    if not isinstance(clips[0], PointClip):
        return keep_common_joints(clips)
    markers = cast(Sequence[PointClip], clips)
    lost = _lost_points(markers)
    if len(lost) == len(markers[0].names):
        raise ParameterError(
            f"every point has a gap of more than {LONGEST_GAP:g} s in one of the clips: "
            "nothing is left to compare; fill gaps first"
        )
    kept = [n for n, name in enumerate(markers[0].names) if name not in lost]
    if not any(np.isnan(clip.positions).any() for clip in markers):
        return list(clips)
    names = tuple(markers[0].names[n] for n in kept)
    made = [replace(clip, names=names, positions=fill_gaps(clip.positions[:, kept])) for clip in markers]
    return cast(list[Clip], made)


def _lost_points(clips: Sequence[PointClip]) -> list[str]:
    """Names of the points that some clip does not see for long."""
    longest = np.max([max_gap_lengths(clip) * clip.frame_time for clip in clips], axis=0)
    return [name for name, gap in zip(clips[0].names, longest, strict=True) if gap > LONGEST_GAP]


def _check_one_body(clips: Sequence[Clip]) -> list[str]:
    """Notes on clips whose bodies differ in size, joints or gaps; an error where they are not one body."""
    if len({type(clip) for clip in clips}) > 1:
        raise ParameterError("clips with a skeleton and clips of points cannot be registered with each other")
    if any(_names(clip) != _names(clips[0]) for clip in clips):
        _check_shared(clips)
    if isinstance(clips[0], PointClip):
        lost = _lost_points(cast(Sequence[PointClip], clips))
        return (
            [f"points with gaps of more than {LONGEST_GAP:g} s were not compared: {_few(lost)}"]
            if lost
            else []
        )
    bodies = [clip.skeleton for clip in keep_common_joints(clips)]
    notes = [note for n, other in enumerate(bodies) if n for note in _size_notes(bodies[0], other, n)]
    for n, clip in enumerate(clips):
        extra = [name for name in clip.skeleton.names if name not in bodies[0].names]
        if extra:
            notes.append(f"joints of clip {n} that not all clips have were not compared: {_few(extra)}")
    return notes


def _check_shared(clips: Sequence[Clip]) -> None:
    """An error unless all clips show one body that has more joints in some of them."""
    names = [_names(clip) for clip in clips]
    other = next(n for n, own in enumerate(names) if own != names[0])
    missing = sorted(set(names[0]).symmetric_difference(names[other]))
    what = f"{missing[0]!r} is in one of them only" if missing else "their joints come in another order"
    try:
        if isinstance(clips[0], PointClip):
            raise ParameterError("points must be the same")
        skeleton_union([clip.skeleton for clip in clips])
    except ParameterError:
        raise ParameterError(
            f"clips 0 and {other} have different skeletons: {what}; bring them to one skeleton first"
        ) from None


def _few(names: Sequence[str]) -> str:
    """The names, or the first few of many."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _size_notes(one: Skeleton, other: Skeleton, number: int) -> list[str]:
    if not np.array_equal(one.parents, other.parents):
        raise ParameterError(
            f"clips 0 and {number} have different skeletons: joints of one name hang elsewhere"
        )
    if (
        np.abs(np.einsum("ji,ji->j", one.rest_rotations, other.rest_rotations)).min(initial=1.0)
        < SAME_REST_COSINE
    ):
        raise ParameterError(
            f"clips 0 and {number} have different skeletons: their rest poses turn joints differently"
        )
    sizes = [float(np.linalg.norm(skeleton.offsets[1:], axis=1).sum()) for skeleton in (one, other)]
    ratio = sizes[1] / sizes[0] if min(sizes) > 0.0 else 1.0
    if not 1.0 / MAX_SIZE_RATIO < ratio < MAX_SIZE_RATIO:
        raise ParameterError(
            f"the body of clip {number} is {ratio:.3g} times as large as that of clip 0: "
            "load them in their true units (unit=)"
        )
    if abs(ratio - 1.0) > SAME_SIZE:
        return [f"the body of clip {number} is {ratio:.2f} times as large as that of clip 0"]
    return []


def _names(clip: Clip | PointClip) -> tuple[str, ...]:
    return clip.skeleton.names if isinstance(clip, Clip) else clip.names
