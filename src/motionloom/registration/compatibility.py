"""Making clips comparable: one frame rate, one skeleton, and the joints or points that all of them have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom.errors import ParameterError
from motionloom.messages import Argument, ClipName, Message, Operation
from motionloom.motion import Clip, Motion, PointClip, Skeleton
from motionloom.motion.body import take_bodies
from motionloom.motion.motion import name_clips
from motionloom.motion.point_clip import fill_gaps, max_gap_lengths
from motionloom.motion.result import ClipLike, Result, unwrap
from motionloom.motion.sampling import SAME_RATE
from motionloom.motion.skeleton_union import keep_common_joints, skeleton_union
from motionloom.retargeting.unify_skeletons import MAX_SIZE_RATIO, SAME_REST_COSINE, unify_skeletons
from motionloom.validation import list_names

SIZE_TOLERANCE = 0.05
"""Relative difference of two bodies' bone lengths beyond which a note says so."""

MAX_GAP = 0.25
"""Seconds that a point may be missing and still be compared, interpolated linearly over the gap."""


def make_comparable(clips: Sequence[Clip]) -> tuple[tuple[Clip, ...], tuple[str, ...]]:
    """Bring clips to one frame rate and one skeleton; return them with notes on what was changed.

    Joints above the one that carries the body do not count. Clips of different rigs are retargeted to the
    first one's skeleton. Clips that cannot be compared are refused.
    """
    clips = take_bodies(check_clips(clips))
    names = name_clips(clips)
    for n, clip in enumerate(clips):
        if clip.n_frames < 2:
            raise ParameterError(
                f"{names[n]} has {clip.n_frames} frame{'s' if clip.n_frames != 1 else ''}: "
                "clips to register need two or more"
            )
    retargeted: list[str] = []
    differences: list[str] = []
    if not _have_one_skeleton(clips):
        if not any(isinstance(clip, PointClip) for clip in clips):
            clips, retargeted = unify_skeletons(clips)
        differences = _check_one_body(clips)
    slow = max(clips, key=lambda clip: clip.frame_time)
    resampled = [
        Message((names[n], f" was resampled from {clip.fps:.6g} to {slow.fps:.6g} frames per second"))
        for n, clip in enumerate(clips)
        if abs(slow.frame_time / clip.frame_time - 1.0) > SAME_RATE
    ]
    clips = tuple(clip.resampled(slow.fps) for clip in clips)
    for n, clip in enumerate(clips):
        if clip.n_frames < 2:
            raise ParameterError(
                f"{names[n]} has 1 frame at the {slow.fps:.6g} frames per second of the slowest clip: "
                "clips to register need two or more"
            )
    return clips, (*retargeted, *resampled, *differences)


def check_clips(clips: Sequence[ClipLike]) -> Sequence[Clip]:
    """Return the clips as a tuple; refuse file names, a single clip and other types in one sentence."""
    if isinstance(clips, str | Path):
        raise ParameterError(
            f"must be a list of loaded clips, not {str(clips)!r}",
            parameter="clips",
            remedy=("use ", Operation("motionloom.load"), " first"),
        )
    if isinstance(clips, Clip | PointClip | Result):
        raise ParameterError("must be a list of two clips or more, not a single clip", parameter="clips")
    try:
        listed = tuple(map(unwrap, clips))
    except TypeError:
        raise ParameterError(
            f"must be a list of clips, not {clips!r}", parameter="clips", value=clips
        ) from None
    for n, clip in enumerate(listed):
        if isinstance(clip, str | Path):
            raise ParameterError(
                f"clip {n} is the file name {str(clip)!r}",
                remedy=("load it first with ", Operation("motionloom.load")),
            )
        if not isinstance(clip, Clip | PointClip):
            raise ParameterError(f"clip {n} must be a Clip or a PointClip, not {type(clip).__name__}")
        if isinstance(clip, PointClip) and clip.cyclic:
            raise ParameterError(
                f"clip {n} is a closed cycle of points",
                remedy=(
                    "register the clips before they are closed, and close what is made of them with ",
                    Operation("motionloom.cyclify"),
                ),
            )
    if len(listed) < 2:
        raise ParameterError(f"registering takes two clips or more, not {len(listed)}")
    return listed


def _have_one_skeleton(clips: Sequence[Motion]) -> bool:
    first = clips[0]
    if not isinstance(first, Clip):
        return False
    return all(isinstance(clip, Clip) and clip.skeleton == first.skeleton for clip in clips)


def reduce_to_common(clips: Sequence[Motion]) -> Sequence[Clip | PointClip]:
    """Return the clips with the joints that all of them have, or the points that all of them see.

    Short gaps of points are interpolated linearly; a point that is missing for longer is dropped.
    """
    bodies = [clip for clip in clips if isinstance(clip, Clip)]
    if bodies:
        return bodies if _have_one_skeleton(clips) else keep_common_joints(bodies)
    markers = [clip for clip in clips if isinstance(clip, PointClip)]
    lost = _lost_points(markers)
    if len(lost) == len(markers[0].names):
        raise ParameterError(
            f"every point has a gap of more than {MAX_GAP:g} s in one of the clips: "
            "nothing is left to compare; fill gaps first"
        )
    kept = [n for n, name in enumerate(markers[0].names) if name not in lost]
    if not any(np.isnan(clip.positions).any() for clip in markers):
        return markers
    names = tuple(markers[0].names[n] for n in kept)
    return [
        replace(
            clip,
            names=names,
            positions=fill_gaps(clip.positions[:, kept]),
            residuals=None if clip.residuals is None else clip.residuals[:, kept],
        )
        for clip in markers
    ]


def _lost_points(clips: Sequence[PointClip]) -> list[str]:
    """Return the names of points that are missing for long in some clip."""
    gaps = np.max([max_gap_lengths(clip) * clip.frame_time for clip in clips], axis=0)
    return [name for name, gap in zip(clips[0].names, gaps, strict=True) if gap > MAX_GAP]


def _check_one_body(clips: Sequence[Clip]) -> list[str]:
    """Refuse clips that do not show one body; return notes on differences in size, joints or gaps."""
    if len({type(clip) for clip in clips}) > 1:
        raise ParameterError("clips with a skeleton and clips of points cannot be registered with each other")
    if any(_names(clip) != _names(clips[0]) for clip in clips):
        _check_shared(clips)
    if isinstance(clips[0], PointClip):
        lost = _lost_points([clip for clip in clips if isinstance(clip, PointClip)])
        return (
            [f"points with gaps of more than {MAX_GAP:g} s were not compared: {list_names(lost)}"]
            if lost
            else []
        )
    bodies, names = [clip.skeleton for clip in keep_common_joints(clips)], name_clips(clips)
    sizes = (_size_notes(bodies[0], other, names[0], names[n]) for n, other in enumerate(bodies) if n)
    notes = [note for own in sizes for note in own]
    for n, clip in enumerate(clips):
        extra = [name for name in clip.skeleton.names if name not in bodies[0].names]
        if extra:
            unshared = f" that not all clips have were not compared: {list_names(extra)}"
            notes.append(Message(("joints of ", names[n], unshared)))
    return notes


def _check_shared(clips: Sequence[Clip]) -> None:
    """Refuse clips unless they all show one body, which may have more joints in some of them."""
    names = [_names(clip) for clip in clips]
    other = next(n for n, own in enumerate(names) if own != names[0])
    missing = sorted(set(names[0]).symmetric_difference(names[other]))
    what = f"{missing[0]!r} is in one of them only" if missing else "their joints come in another order"
    try:
        if isinstance(clips[0], PointClip):
            raise ParameterError("must be the same", parameter="points")
        skeleton_union([clip.skeleton for clip in clips])
    except ParameterError:
        raise ParameterError(
            f"clips 0 and {other} have different skeletons: {what}; bring them to one skeleton first"
        ) from None


def _size_notes(one: Skeleton, other: Skeleton, first: ClipName, name: ClipName) -> list[str]:
    if not np.array_equal(one.parents, other.parents):
        raise ParameterError(
            f"{first} and {name} have different skeletons: joints of one name have different parents"
        )
    rest_cosines = np.abs(np.einsum("ji,ji->j", one.rest_rotations, other.rest_rotations))
    if rest_cosines.min(initial=1.0) < SAME_REST_COSINE:
        raise ParameterError(
            f"{first} and {name} have different skeletons: their rest poses rotate joints differently"
        )
    sizes = [float(np.linalg.norm(skeleton.offsets[1:], axis=1).sum()) for skeleton in (one, other)]
    ratio = sizes[1] / sizes[0] if min(sizes) > 0.0 else 1.0
    if not 1.0 / MAX_SIZE_RATIO < ratio < MAX_SIZE_RATIO:
        raise ParameterError(
            ("the body of ", name, f" is {ratio:.3g} times as large as that of ", first),
            remedy=("load both in their true units with ", Argument("unit")),
        )
    if abs(ratio - 1.0) > SIZE_TOLERANCE:
        return [Message(("the body of ", name, f" is {ratio:.2f} times as large as that of ", first))]
    return []


def _names(clip: Clip | PointClip) -> tuple[str, ...]:
    return clip.skeleton.names if isinstance(clip, Clip) else clip.names
