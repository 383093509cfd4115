"""`repair`: mend faults of capture from the frames around them, and leave everything else alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.motion import Clip
from motionloom.motion.deferred import find_once
from motionloom.motion.provenance import derive
from motionloom.motion.result import ClipLike, Result, check_clip
from motionloom.repair.bridge import fill_gap
from motionloom.repair.fault import GLITCHES, MENDED_KINDS, Channel, Fault, FaultKind, summarize_faults
from motionloom.repair.find_faults import check_kinds, find_faults
from motionloom.repair.find_swaps import swap_steps
from motionloom.repair.find_twists import untwist
from motionloom.repair.smooth import smooth as smooth_clip
from motionloom.validation import check_count

MotionT = TypeVar("MotionT")

MAX_DURATION = 0.1
"""Longest fault that is mended by default, seconds; a bridge over more invents motion."""

MIN_MAX_FRAMES = 3
"""Frames that are mended at any frame rate."""

LASTING: tuple[FaultKind, ...] = ("swapped", "twisted")
"""Kinds that are undone and not bridged, however long they last."""

KEPT_FRAMES = 3
"""Frames around a frame that is to be kept in which nothing is mended."""

N_PASSES = 3
"""A fault may hide another beside it, so the mended clip is searched again, at most so many times in all."""


@dataclass(frozen=True)
class RepairReport:
    """What :func:`repair` did.

    Attributes
    ----------
    mended
        The faults that were mended, in the order of their frames.
    left
        Faults that were found and left: jumps, and what lasts longer than ``max_frames``.
    n_frames
        Number of frames of the clip in which something was mended.
    max_frames
        Longest fault that was to be mended, frames.
    cutoff
        Hz at which the clip was smoothed, or None.

    >>> print(RepairReport((), (), 0, 12))
    nothing to mend
    """

    mended: tuple[Fault, ...]
    left: tuple[Fault, ...]
    n_frames: int
    max_frames: int
    cutoff: float | None = None

    def __str__(self) -> str:
        frames = "1 frame" if self.n_frames == 1 else f"{self.n_frames} frames"
        parts = [f"{len(self.mended)} mended in {frames}: {summarize_faults(self.mended)}"]
        if not self.mended:
            parts = ["nothing to mend"]
        if self.left:
            parts.append(f"{len(self.left)} left: {summarize_faults(self.left)}")
        if self.cutoff is not None:
            parts.append(f"smoothed at {self.cutoff:g} Hz")
        return "\n".join(parts)


def repair(
    clip: ClipLike,
    *,
    kinds: Iterable[FaultKind] = MENDED_KINDS,
    max_frames: int | None = None,
    smooth: float | None = None,
) -> Result[RepairReport]:
    """Mend the faults of capture of a clip.

    Wrong frames of a joint get the cubic curve between the frames before and after them, swapped joints are
    swapped back. All other frames and joints stay as they are, bit for bit, and so do annotations. To see
    what would be mended, call :func:`motionloom.find_faults`, or look at the report and keep the clip.

    Parameters
    ----------
    clip
        Captured motion.
    kinds
        What to mend: "spike", "flip", "swapped", "twisted", "frozen". A "jump" is reported and never
        mended: nobody knows which side of it is right.
    max_frames
        Longest fault to mend, frames; by default 0.1 s, and no fewer than three frames. Swapped joints are
        swapped back, and twists are undone, whatever their length.
    smooth
        Smooth the whole clip as well, at this cut-off in Hz (:func:`motionloom.smooth`).

    Returns
    -------
    Result
        The clip without these faults, and a :class:`RepairReport`: what was mended, and what was left.

    Raises
    ------
    ParameterError
        There is no such kind of fault, or a number makes no sense.

    >>> from dataclasses import replace
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> root = clip.root_positions.copy()
    >>> root[30] += [0.0, 0.1, 0.0]
    >>> mended = repair(replace(clip, root_positions=root))
    >>> print(mended.report)
    1 mended in 1 frame: Hips spikes by 10 cm in frame 30
    >>> bool(abs(mended.clip.root_positions[30] - clip.root_positions[30]).max() < 0.001)
    True
    """
    clip = check_clip("repair", clip)
    wanted = check_kinds(kinds)
    max_length = _default_max_frames(clip) if max_frames is None else check_count("max_frames", max_frames)
    result, mended = clip, list[Fault]()
    left: tuple[Fault, ...] = ()
    for _ in range(N_PASSES):
        found = find_faults(result)
        chosen = [f for f in found if f.kind in wanted and f.kind != "jump" and _is_short(f, max_length)]
        left = tuple(fault for fault in found if fault not in chosen)
        # What is still found where it was mended cannot be mended from the frames around it.
        fresh = [fault for fault in chosen if not any(_touches(fault, other) for other in mended)]
        if not fresh:
            left += tuple(fault for fault in chosen if fault not in fresh)
            break
        result = _mend(result, fresh)
        mended += fresh
    report = RepairReport(
        tuple(sorted(mended, key=lambda fault: fault.first)),
        tuple(sorted(left, key=lambda fault: fault.first)),
        len({frame for fault in mended for frame in range(fault.first, fault.last + 1)}),
        max_length,
        smooth,
    )
    if mended:
        result = replace(result, provenance=derive(clip, "repaired"))
    if smooth is not None:
        result = smooth_clip(result, cutoff=smooth).clip
    return Result(result, report)


def mend_glitches(motion: MotionT, *, keep: Sequence[float] = ()) -> MotionT:
    """Return a motion to measure and to compare by: without spikes, flips and twists, else as it is.

    Clips without any, and clips of points, come back themselves.

    Parameters
    ----------
    motion
        The motion.
    keep
        Frames, such as seams, at which nothing is mended: a pop there is what is to be measured.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> mend_glitches(clip) is clip
    True
    """
    if not isinstance(motion, Clip):
        return motion
    max_frames = _default_max_frames(motion)
    glitches = [
        fault
        for fault in find_once(motion, _find_glitches)
        if _is_short(fault, max_frames)
        and not any(fault.first - KEPT_FRAMES <= frame <= fault.last + KEPT_FRAMES for frame in keep)
    ]
    return cast(MotionT, _mend(motion, glitches)) if glitches else motion


def _find_glitches(clip: Clip) -> tuple[Fault, ...]:
    return find_faults(clip, kinds=GLITCHES)


def _default_max_frames(clip: Clip) -> int:
    return max(MIN_MAX_FRAMES, round(MAX_DURATION * clip.fps))


def _is_short(fault: Fault, max_frames: int) -> bool:
    return fault.kind in LASTING or fault.n_frames <= max_frames


def _touches(fault: Fault, other: Fault) -> bool:
    same = fault.joint == other.joint and fault.channel == other.channel
    return same and fault.first <= other.last and other.first <= fault.last


def _mend(clip: Clip, faults: list[Fault]) -> Clip:
    """Return the clip with faults mended."""
    clip = untwist(clip, [fault for fault in faults if fault.kind == "twisted"])
    rotations, roots = np.array(clip.rotations), np.array(clip.root_positions)
    translations = None if clip.translations is None else np.array(clip.translations)
    for fault in faults:
        if fault.kind == "swapped":
            _swap_back(clip, fault, rotations)
    for joint, channel, first, last in _gaps(clip, faults):
        part = slice(first, last + 1)
        if channel == "rotation":
            rotations[part, joint] = fill_gap(rotations[:, joint], first, last, rotations=True)
        elif joint == 0:
            roots[part] = fill_gap(roots, first, last)
        else:
            assert translations is not None
            translations[part, joint] = fill_gap(translations[:, joint], first, last)
    return replace(
        clip,
        rotations=freeze(rotations),
        root_positions=freeze(roots),
        translations=None if translations is None else freeze(translations),
    )


def _gaps(clip: Clip, faults: list[Fault]) -> list[tuple[int, Channel, int, int]]:
    """Return joint, channel and frames of what to bridge; gaps of a joint that touch or nearly do are one."""
    series: dict[tuple[int, Channel], list[tuple[int, int]]] = {}
    for fault in sorted(faults, key=lambda fault: fault.first):
        if fault.kind in LASTING:
            continue
        runs = series.setdefault((clip.skeleton.index(fault.joint), fault.channel), [])
        # One frame between two gaps is too little to tell where the motion goes.
        if runs and fault.first <= runs[-1][1] + 1:
            runs[-1] = runs[-1][0], max(runs[-1][1], fault.last)
        else:
            runs.append((fault.first, fault.last))
    return [(joint, channel, *run) for (joint, channel), runs in series.items() for run in runs]


def _swap_back(clip: Clip, fault: Fault, rotations: FloatArray) -> None:
    """Exchange the rotations of a pair, as they are or mirrored, whichever leads on from the frame before."""
    left, right = clip.skeleton.index(fault.joint), clip.skeleton.index(fault.partner)
    part = slice(fault.first, fault.last + 1)
    mirrored = clip.mirrored().rotations
    first = np.array([fault.first])
    plain_step = swap_steps(clip.rotations, clip.rotations, left, right, first)[1]
    mirrored_step = swap_steps(clip.rotations, mirrored, left, right, first)[1]
    if plain_step[0] <= mirrored_step[0]:
        rotations[part, [left, right]] = clip.rotations[part, [right, left]]
    else:
        rotations[part, [left, right]] = mirrored[part, [left, right]]
