"""`unify_clips`: clips at one frame rate, on the first one's bones, and on one floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike

import numpy as np

from motionloom.annotation.ground import find_floor
from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.messages import Message, Operation
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.motion import name_clips
from motionloom.motion.skeleton_union import move_to_union, skeleton_union
from motionloom.registration.compatibility import make_comparable
from motionloom.retargeting import joint_mapping, transfer_motion

SAME_LENGTH = 0.01
"""Relative difference of bone lengths below which two bodies count as one: smaller ones cannot be seen."""

SHORT_BONE = 0.03
"""Bones shorter than this, in metres, say nothing about the size of a body."""

MAX_FLOOR_DIFFERENCE = 0.02
"""Metres between the floors of two clips that are left: floors are found to about this much."""


def unify_clips(clips: Sequence[Clip]) -> tuple[tuple[Clip, ...], tuple[str, ...]]:
    """Return the clips at one frame rate, with the joints and bones of one body, on one floor.

    The bones and the floor are those of the first clip: otherwise the body would grow or shrink within a
    transition, and climb from one floor to the other through the air. Notes tell what was changed.
    """
    for n, clip in enumerate(clips):
        if isinstance(clip, str | PathLike):
            raise ParameterError(
                f"clip {n} is a path, {str(clip)!r}",
                remedy=("load it first with ", Operation("motionloom.load")),
            )
        if not isinstance(clip, Clip):
            raise ParameterError(
                f"clip {n} is a {type(clip).__name__}, but transitions need clips that all have a skeleton"
            )
    unified, notes = make_comparable(clips)
    if not all(clip.skeleton == unified[0].skeleton for clip in unified):
        union = skeleton_union([clip.skeleton for clip in unified])
        unified = tuple(move_to_union(clip, union, k) for k, clip in enumerate(unified))
        unified, resized = _give_one_size(unified)
        notes = (*notes, *resized)
    unified, levelled = _level_floors(unified)
    return unified, (*notes, *levelled)


def _give_one_size(clips: Sequence[Clip]) -> tuple[tuple[Clip, ...], list[str]]:
    """Retarget clips of a body with other proportions to the bones of the first clip."""
    first = clips[0]
    if len(find_anatomy(first.skeleton).legs) != 2:
        return tuple(clips), []
    names = name_clips(clips)
    unified, notes = [first], list[str]()
    for n, clip in enumerate(clips[1:], start=1):
        sizes = compare_bones(first.skeleton, clip.skeleton)
        if clip.translations is not None or np.abs(sizes - 1.0).max(initial=0.0) <= SAME_LENGTH:
            unified.append(clip)
            continue
        moved = transfer_motion(clip, first, joint_mapping(clip.skeleton, first.skeleton))
        unified.append(moved.clip)
        other = (names[n], " has other proportions than ", names[0], " and was retargeted to it")
        notes.append(Message(("the body of ", *other)))
    return tuple(unified), notes


def compare_bones(a: Skeleton, b: Skeleton) -> FloatArray:
    """Return the length of each bone of the second skeleton over that in the first; same joints.

    >>> from motionloom.synthesis.biped import biped
    >>> body = biped()
    >>> taller = replace(body, offsets=1.1 * body.offsets)
    >>> compare_bones(body, taller).round(3).max()
    np.float64(1.1)
    """
    lengths = [np.linalg.norm(skeleton.offsets[1:], axis=1) for skeleton in (a, b)]
    long = np.minimum(*lengths) > SHORT_BONE
    return np.asarray(lengths[1][long] / lengths[0][long])


def _level_floors(clips: Sequence[Clip]) -> tuple[tuple[Clip, ...], list[str]]:
    """Raise or lower clips so that they stand on the floor of the first one."""
    if len(find_anatomy(clips[0].skeleton).legs) != 2:
        return tuple(clips), []
    floors = [find_floor(clip) for clip in clips]
    levelled, notes, names = [clips[0]], list[str](), name_clips(clips)
    for n, (clip, floor) in enumerate(zip(clips[1:], floors[1:], strict=True), start=1):
        higher = floor.height - floors[0].height
        if abs(higher) <= MAX_FLOOR_DIFFERENCE:
            levelled.append(clip)
            continue
        levelled.append(_raise(clip, -higher))
        where = "higher" if higher > 0.0 else "lower"
        notes.append(
            Message(
                (
                    *("the floor of ", names[n]),
                    f" was {100.0 * abs(higher):.0f} cm {where}: brought to that of ",
                    names[0],
                )
            )
        )
    return tuple(levelled), notes


def _raise(clip: Clip, height: float) -> Clip:
    shift = np.array([0.0, height, 0.0])
    constraints = tuple(
        c if c.target is None else replace(c, target=np.asarray(c.target) + shift) for c in clip.constraints
    )
    return replace(clip, root_positions=freeze(clip.root_positions + shift), constraints=constraints)
