"""The join of Witkin & Popović: the end of one clip over the start of the next, warped together in time.

Intervals of unequal length are stretched to their mean; moments that correspond are brought together. Time
runs unchanged where each clip goes over into untouched motion. Clip b is moved so that both lie best on each
other amid the overlap, and weights go slowly in and slowly out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending.result import BlendResult
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import STEEPEST, HermiteCurve, monotone_slopes, smoothstep
from motionloom.motion import Clip, Constraint, Event
from motionloom.registration.distance import distance
from motionloom.transitions.linear import faded
from motionloom.transitions.middle import Middle, bones_differ, placement_rows, turned_over
from motionloom.transitions.seams import Annotations, part_of, put_together
from motionloom.transitions.splice import joined, sampled
from motionloom.validation import check_number, check_positive

LEAST_FRAMES = 2
"""Steps that an overlap needs, so that there is something between its ends."""

Pair = tuple[float, float]


def overlapped(
    a: Clip,
    b: Clip,
    overlap: Pair,
    correspondences: Sequence[Pair] = (),
    notes: tuple[str, ...] = (),
) -> BlendResult:
    """Join two clips of one skeleton and frame rate: the end of the one over the start of the other.

    Parameters
    ----------
    a, b
        The clips.
    overlap
        Seconds of the end of ``a`` and of the start of ``b`` that lie over each other; they may differ.
    correspondences
        Pairs of seconds, of ``a`` and of ``b``, that happen at the same time: foot strikes, for instance.
    notes
        What is already worth saying.

    >>> from motionloom.synthesis import jog, walk
    >>> clips = [make(duration=3.0, fps=30).clip for make in (walk, jog)]
    >>> made = overlapped(*clips, (1.0, 0.6))
    >>> first, last = map(int, made.report.seams)
    >>> last - first, made.weights[[first, last]].tolist()
    (24, [[1.0, 0.0], [0.0, 1.0]])
    """
    return joined(a, b, overlap_middle(a, b, overlap, correspondences), "overlap", notes)


def overlap_middle(a: Clip, b: Clip, overlap: Pair, correspondences: Sequence[Pair] = ()) -> Middle:
    """The frames of the overlap, from the last of clip a's own to the first of clip b's own."""
    spans = _spans(a, b, overlap)
    count = max(round((spans[0][1] - spans[0][0] + spans[1][1]) / 2.0), LEAST_FRAMES) + 1
    frames = _warped_frames(spans, count, _checked_pairs(correspondences, spans, a.frame_time))
    ours, theirs = (_sampled(clip, frames[:, k]) for k, clip in enumerate((a, b)))
    way = distance(ours, theirs, placements=True).placement(count // 2, count // 2)
    theirs = theirs.placed(way)
    share = smoothstep(np.linspace(0.0, 1.0, count))
    bones = ours.local_positions(), theirs.local_positions()
    return Middle(
        root_positions=faded(ours.root_positions, theirs.root_positions, share),
        rotations=turned_over(ours.rotations, theirs.rotations, share),
        translations=faded(*bones, share) if bones_differ(a, b) else None,
        u=np.arange(float(count)),
        weights=np.stack([1.0 - share, share], axis=-1),
        frames=frames,
        placements=np.stack([np.zeros((count, 3)), placement_rows(way, count)], axis=1),
        annotations=put_together(
            [
                part_of(*_mapped(a, frames[:, 0]), first=0.0, last=count // 2),
                part_of(*_mapped(b, frames[:, 1]), first=count // 2, last=count - 1.0, way=way),
            ]
        ),
    )


def _spans(a: Clip, b: Clip, overlap: Pair) -> tuple[tuple[int, int], tuple[int, int]]:
    """First and last frame of the overlap in both clips."""
    try:
        seconds = [check_positive("overlap, in seconds of each clip,", part) for part in overlap]
        of_a, of_b = (round(part / a.frame_time) for part in seconds)
    except (TypeError, ValueError) as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(
            f"overlap must be seconds of the first and the second clip, not {overlap!r}"
        ) from None
    for frames, clip, which in ((of_a, a, "first"), (of_b, b, "second")):
        if not LEAST_FRAMES <= frames < clip.n_frames:
            raise ParameterError(
                f"an overlap of {frames * clip.frame_time:.3g} s does not fit the {which} clip, which lasts "
                f"{clip.duration:.3g} s: it takes {LEAST_FRAMES} frames at least, and not the whole clip"
            )
    return (a.n_frames - 1 - of_a, a.n_frames - 1), (0, of_b)


def _checked_pairs(
    pairs: Sequence[Pair], spans: tuple[tuple[int, int], tuple[int, int]], frame_time: float
) -> FloatArray:
    """Corresponding frames (N, 2) in order, strictly within the overlap."""
    rows = [[moment / frame_time for moment in _checked_pair(pair)] for pair in pairs]
    inner = np.array(sorted(rows), dtype=np.float64).reshape(len(rows), 2)
    bounded = np.concatenate([[[span[0] for span in spans]], inner, [[span[1] for span in spans]]])
    if (np.diff(bounded, axis=0) <= 0.0).any():
        raise ParameterError(
            "correspondences must lie within the overlaps of both clips and come in the same order in both"
        )
    return inner


def _checked_pair(pair: Pair) -> Pair:
    try:
        one, other = pair
    except (TypeError, ValueError):
        raise ParameterError(
            f"correspondences must be pairs of seconds, of the first and the second clip, not {pair!r}"
        ) from None
    return check_number("a corresponding time", one), check_number("a corresponding time", other)


def _warped_frames(
    spans: tuple[tuple[int, int], tuple[int, int]], count: int, pairs: FloatArray
) -> FloatArray:
    """Source frames (count, 2): evenly stretched, but for correspondences, and unstretched at both seams."""
    ends = np.array(spans, dtype=np.float64)
    shares = ((pairs - ends[:, 0]) / (ends[:, 1] - ends[:, 0])).mean(axis=1)
    knots = np.concatenate([[0.0], shares * (count - 1), [count - 1.0]])
    values = np.concatenate([ends[None, :, 0], pairs, ends[None, :, 1]])
    slopes = monotone_slopes(knots, values)
    # The clip that plays before the overlap, and the one that plays after it, pass their seams at full speed.
    slopes[0, 0] = min(1.0, STEEPEST * slopes[0, 0])
    slopes[-1, 1] = min(1.0, STEEPEST * slopes[-1, 1])
    frames = HermiteCurve(knots, values, slopes)(np.arange(float(count)))
    frames[0], frames[-1] = ends[:, 0], ends[:, 1]
    return np.asarray(np.clip(frames, ends[:, 0], ends[:, 1]))


def _sampled(clip: Clip, frames: FloatArray) -> Clip:
    """A clip at fractional frames (M,), without annotations."""
    turns = rot.normalize(sampled(rot.unroll(clip.rotations), frames))
    moved = clip.translations
    return replace(
        clip,
        root_positions=freeze(sampled(clip.root_positions, frames)),
        rotations=freeze(turns),
        translations=None if moved is None else freeze(sampled(moved, frames)),
        constraints=(),
        events=(),
        cyclic=False,
        report=None,
    )


def _mapped(clip: Clip, frames: FloatArray) -> Annotations:
    """Annotations of a clip that reach into its increasing frames (M,), in frames of the overlap."""
    places = np.arange(float(len(frames)))

    def place(frame: float) -> float:
        beyond = min(frame - float(frames[0]), 0.0) + max(frame - float(frames[-1]), 0.0)
        return float(np.interp(frame, frames, places)) + beyond

    def held(constraint: Constraint) -> Constraint:
        return replace(constraint, start=place(constraint.start), end=place(constraint.end))

    inside = [c for c in clip.constraints if c.end > frames[0] and c.start < frames[-1]]
    events = [
        Event(place(e.frame), e.label, e.joint) for e in clip.events if frames[0] <= e.frame <= frames[-1]
    ]
    return tuple(held(constraint) for constraint in inside), tuple(events)
