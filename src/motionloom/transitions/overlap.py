"""The segment by overlap (Witkin & Popović): the end of one clip over the start of the next.

Parts of unequal length are warped to their mean length, and corresponding times are brought together. At the
seams, the clip that plays alone keeps its own rate. Clip b is placed so that both clips best match halfway
through the overlap, and weights ease in and out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry.splines import MAX_SLOPE_RATIO, HermiteCurve, monotone_slopes, smoothstep
from motionloom.motion import Clip, Constraint, Event
from motionloom.registration.distance import distance
from motionloom.transitions.segment import (
    Annotations,
    TransitionSegment,
    bones_differ,
    crop_annotations,
    interpolate_rotations,
    interpolate_vectors,
    merge_annotations,
    sample_clip,
)
from motionloom.validation import check_number, check_positive

MIN_OVERLAP_FRAMES = 2
"""Steps that an overlap needs, so that there is something between its ends."""

SecondsPair = tuple[float, float]
Span = tuple[int, int]


def make_overlap_segment(
    a: Clip, b: Clip, overlap: SecondsPair, correspondences: Sequence[SecondsPair] = ()
) -> TransitionSegment:
    """Return the frames of the overlap of two clips of one skeleton and frame rate.

    Parameters
    ----------
    a, b
        The clips.
    overlap
        Seconds of the end of ``a`` and of the start of ``b`` that overlap; they may differ.
    correspondences
        Pairs of seconds, of ``a`` and of ``b``, that happen at the same time, such as foot strikes.

    >>> from motionloom.synthesis import jog, walk
    >>> clips = [make(duration=3.0, fps=30).clip for make in (walk, jog)]
    >>> segment = make_overlap_segment(*clips, (1.0, 0.6))
    >>> len(segment.u), segment.weights[[0, -1]].tolist()
    (25, [[1.0, 0.0], [0.0, 1.0]])
    """
    spans = _overlap_spans(a, b, overlap)
    count = max(round((spans[0][1] - spans[0][0] + spans[1][1]) / 2.0), MIN_OVERLAP_FRAMES) + 1
    frames = _warp_frames(spans, count, _check_correspondences(correspondences, spans, a.frame_time))
    of_a, of_b = (sample_clip(clip, frames[:, k]) for k, clip in enumerate((a, b)))
    transform = distance(of_a, of_b, placements=True).placement(count // 2, count // 2)
    of_b = of_b.placed(transform)
    fraction = smoothstep(np.linspace(0.0, 1.0, count))
    bones = of_a.local_positions(), of_b.local_positions()
    placements = np.zeros((count, 2, 3))
    placements[:, 1] = transform.row()
    return TransitionSegment(
        root_positions=interpolate_vectors(of_a.root_positions, of_b.root_positions, fraction),
        rotations=interpolate_rotations(of_a.rotations, of_b.rotations, fraction),
        translations=interpolate_vectors(*bones, fraction) if bones_differ(a, b) else None,
        u=np.arange(float(count)),
        weights=np.stack([1.0 - fraction, fraction], axis=-1),
        frames=frames,
        placements=placements,
        annotations=merge_annotations(
            [
                crop_annotations(_retime_annotations(a, frames[:, 0]), 0.0, count // 2),
                crop_annotations(
                    _retime_annotations(b, frames[:, 1]), count // 2, count - 1.0, transform=transform
                ),
            ]
        ),
    )


def _overlap_spans(a: Clip, b: Clip, overlap: SecondsPair) -> tuple[Span, Span]:
    """Return the first and last frame of the overlap in both clips."""
    try:
        seconds = [check_positive("overlap, in seconds of each clip,", part) for part in overlap]
        n_a, n_b = (round(part / a.frame_time) for part in seconds)
    except (TypeError, ValueError) as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(
            f"must be seconds of the first and the second clip, not {overlap!r}",
            parameter="overlap",
            value=overlap,
        ) from None
    for frames, clip, which in ((n_a, a, "first"), (n_b, b, "second")):
        if not MIN_OVERLAP_FRAMES <= frames < clip.n_frames:
            raise ParameterError(
                f"an overlap of {frames * clip.frame_time:.3g} s does not fit the {which} clip, which lasts "
                f"{clip.duration:.3g} s: it takes at least {MIN_OVERLAP_FRAMES} frames and less than the clip"
            )
    return (a.n_frames - 1 - n_a, a.n_frames - 1), (0, n_b)


def _check_correspondences(
    pairs: Sequence[SecondsPair], spans: tuple[Span, Span], frame_time: float
) -> FloatArray:
    """Return corresponding frames (N, 2) in order, which must lie strictly within the overlap."""
    rows = []
    for pair in pairs:
        try:
            one, other = pair
        except (TypeError, ValueError):
            raise ParameterError(
                f"must be pairs of seconds, of the first and the second clip, not {pair!r}",
                parameter="correspondences",
                value=pair,
            ) from None
        rows.append([check_number("a corresponding time", time) / frame_time for time in (one, other)])
    inner = np.array(sorted(rows), dtype=np.float64).reshape(len(rows), 2)
    bounded = np.concatenate([[[span[0] for span in spans]], inner, [[span[1] for span in spans]]])
    if (np.diff(bounded, axis=0) <= 0.0).any():
        raise ParameterError(
            "must lie within the overlaps of both clips and come in the same order in both",
            parameter="correspondences",
        )
    return inner


def _warp_frames(spans: tuple[Span, Span], count: int, pairs: FloatArray) -> FloatArray:
    """Return source frames (count, 2) through the correspondences, at rate 1 at both seams."""
    ends = np.array(spans, dtype=np.float64)
    fractions = ((pairs - ends[:, 0]) / (ends[:, 1] - ends[:, 0])).mean(axis=1)
    knots = np.concatenate([[0.0], fractions * (count - 1), [count - 1.0]])
    values = np.concatenate([ends[None, :, 0], pairs, ends[None, :, 1]])
    slopes = monotone_slopes(knots, values)
    # The clip that plays before the overlap, and the one that plays after it, pass their seams at full speed.
    slopes[0, 0] = min(1.0, MAX_SLOPE_RATIO * slopes[0, 0])
    slopes[-1, 1] = min(1.0, MAX_SLOPE_RATIO * slopes[-1, 1])
    frames = HermiteCurve(knots, values, slopes)(np.arange(float(count)))
    frames[0], frames[-1] = ends[:, 0], ends[:, 1]
    return np.asarray(np.clip(frames, ends[:, 0], ends[:, 1]))


def _retime_annotations(clip: Clip, frames: FloatArray) -> Annotations:
    """Return the annotations of a clip that reach into increasing frames (M,), in frames of the overlap."""
    positions = np.arange(float(len(frames)))

    def retime(frame: float) -> float:
        beyond = min(frame - float(frames[0]), 0.0) + max(frame - float(frames[-1]), 0.0)
        return float(np.interp(frame, frames, positions)) + beyond

    constraints: list[Constraint] = [
        replace(c, start=retime(c.start), end=retime(c.end))
        for c in clip.constraints
        if c.end > frames[0] and c.start < frames[-1]
    ]
    events = [
        Event(retime(e.frame), e.label, e.joint) for e in clip.events if frames[0] <= e.frame <= frames[-1]
    ]
    return tuple(constraints), tuple(events)
