"""Head, middle and tail as one clip."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending.constrain import MIN_INTERVAL
from motionloom.blending.result import BlendReport, BlendResult, file_conventions
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.sampling import WHOLE_FRAME
from motionloom.transitions.middle import Middle, bones_differ
from motionloom.transitions.seams import Annotations, part_of, put_together

CUBIC = np.array(
    [[0.0, 2.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0], [2.0, -5.0, 4.0, -1.0], [-1.0, 3.0, -3.0, 1.0]]
)
"""Twice the weights of the four samples around a moment, by powers of the share of the way, as in blends."""


@dataclass(frozen=True, eq=False)
class Join:
    """Where the parts of a transition meet.

    Attributes
    ----------
    a, b, middle
        The clips and the frames between them.
    head, tail
        Frames of clip a before the middle and of clip b after it: whole ones, or as far between whole ones as
        those that the middle begins and ends with.
    way
        Where clip b goes.
    """

    a: Clip
    b: Clip
    middle: Middle
    head: FloatArray
    tail: FloatArray
    way: GroundTransform

    @property
    def seams(self) -> tuple[int, int]:
        """The first and the last frame of the middle, in the result."""
        return len(self.head), len(self.head) + len(self.middle.u) - 1


def joined(a: Clip, b: Clip, middle: Middle, method: str, notes: tuple[str, ...]) -> BlendResult:
    """Clip a up to the middle, the middle, and clip b from there on, moved to where the middle leads."""
    join = _join(a, b, middle)
    first, last = join.seams
    constraints, events = _annotations(join)
    clip = replace(
        a,
        root_positions=freeze(_roots(join)),
        rotations=freeze(_rotations(join)),
        translations=freeze(_bones(join)) if bones_differ(a, b) else None,
        constraints=constraints,
        events=events,
        cyclic=False,
        source=file_conventions(a),
        report=BlendReport(method=method, notes=(*notes, *middle.notes), seams=(float(first), float(last))),
    )
    return BlendResult(
        clip=clip,
        u=_running_on(join),
        weights=_held(middle.weights, join),
        frames=_held(middle.frames, join, own=True),
        placements=_held(middle.placements, join),
    )


def _join(a: Clip, b: Clip, middle: Middle) -> Join:
    leave, enter = float(middle.frames[0, 0]), float(middle.frames[-1, 1])
    # A hair of rounding must not lose the first or the last frame.
    before = int(np.floor(leave + MIN_INTERVAL))
    after = int(np.floor(b.n_frames - 1 - enter + MIN_INTERVAL))
    return Join(
        a,
        b,
        middle,
        np.asarray(leave - np.arange(before, 0.0, -1.0), dtype=np.float64),
        np.asarray(enter + np.arange(1.0, after + 1.0), dtype=np.float64),
        GroundTransform(*middle.placements[-1, 1].tolist()),
    )


def _roots(join: Join) -> FloatArray:
    ours = sampled(join.a.root_positions, join.head)
    theirs = join.way.apply(sampled(join.b.root_positions, join.tail))
    return np.concatenate([ours, join.middle.root_positions, theirs])


def _rotations(join: Join) -> FloatArray:
    """Rotations (T, J, 4) whose signs run on over the seams; those of the head stay as they are."""
    ours, theirs = _turns(join.a, join.head), _turns(join.b, join.tail)
    theirs[:, 0] = join.way.apply_to_rotations(theirs[:, 0])
    between = rot.unroll(join.middle.rotations)
    between *= agreeing(ours[-1:], between[:1])
    theirs *= agreeing(between[-1:], theirs[:1])
    return np.concatenate([ours, between, theirs])


def _turns(clip: Clip, frames: FloatArray) -> FloatArray:
    if _are_whole(frames):
        return sampled(clip.rotations, frames)
    return rot.normalize(sampled(rot.unroll(clip.rotations), frames))


def agreeing(before: FloatArray, after: FloatArray) -> FloatArray:
    """Signs (J, 1) that bring rotations (0 or 1, J, 4) into the hemispheres of those before."""
    return rot.nearer_signs(after[0], before[0]) if len(before) == len(after) == 1 else np.ones((1, 1))


def _bones(join: Join) -> FloatArray:
    between = join.middle.translations
    assert between is not None
    ours, theirs = sampled(join.a.local_positions(), join.head), sampled(join.b.local_positions(), join.tail)
    return np.concatenate([ours, between, theirs])


def sampled(values: FloatArray, frames: FloatArray) -> FloatArray:
    """Values (N, ...) of samples (T, ...) at fractional frames (N,); whole frames are copied.

    >>> sampled(np.array([0.0, 1.0, 4.0, 9.0]), np.array([1.0, 1.5])).tolist()
    [1.0, 2.25]
    """
    if _are_whole(frames):
        return np.array(values[np.rint(frames).astype(np.int64)])
    # Values go on straight before the first and after the last.
    padded = np.concatenate([2.0 * values[:1] - values[1:2], values, 2.0 * values[-1:] - values[-2:-1]])
    before = np.clip(np.floor(frames).astype(np.int64), 0, len(values) - 2)
    powers = (frames - before)[:, None] ** np.arange(4)
    near = before[:, None] + np.arange(4)
    return np.asarray(np.einsum("nw,nw...->n...", powers @ CUBIC / 2.0, padded[near]))


def _are_whole(frames: FloatArray) -> bool:
    return bool(np.abs(frames - np.rint(frames)).max(initial=0.0) < WHOLE_FRAME)


def _annotations(join: Join) -> Annotations:
    """Those of the head, of the middle and of the tail, with plants that cross a seam as one."""
    first, last = join.seams
    a, b, middle = join.a, join.b, join.middle
    end = last + len(join.tail)
    leave, enter = float(middle.frames[0, 0]), float(middle.frames[-1, 1])
    return put_together(
        [
            part_of(a.constraints, a.events, first=0.0, last=first, shift=first - leave),
            part_of(*middle.annotations, first=first, last=last, shift=first),
            part_of(b.constraints, b.events, first=last, last=end, shift=last - enter, way=join.way),
        ]
    )


def _running_on(join: Join) -> FloatArray:
    """The parameter u (T,) of all frames: before and after the middle it goes on as at its ends."""
    u = join.middle.u
    before = u[0] - (u[1] - u[0]) * np.arange(len(join.head), 0, -1)
    after = u[-1] + (u[-1] - u[-2]) * np.arange(1, len(join.tail) + 1)
    return np.concatenate([before, u, after])


def _held(rows: FloatArray, join: Join, own: bool = False) -> FloatArray:
    """Rows (M, ...) of the middle for all T frames, held before and after it.

    With ``own`` they are source frames, and the clip that plays goes through its own.
    """
    before = np.repeat(rows[:1], len(join.head), axis=0)
    after = np.repeat(rows[-1:], len(join.tail), axis=0)
    if own:
        before[:, 0], after[:, 1] = join.head, join.tail
    return np.concatenate([before, rows, after])
