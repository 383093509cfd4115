"""Splice clips: the head of one, the segment of a transition, and the tail of the next as one clip.

Some of the motion around a segment is spliced to it to judge it, and to let feet step in it. Reports say how
much of each clip plays in a chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending.constrain import MIN_INTERVAL
from motionloom.blending.result import BlendReport, BlendResult, file_conventions
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.messages import ClipName, Message, Part
from motionloom.motion import Clip
from motionloom.motion.motion import name_clips
from motionloom.motion.provenance import OWN_SOURCE
from motionloom.motion.sampling import WHOLE_FRAME, sample_rotations, sample_vectors
from motionloom.transitions.feet_on_ground import FootSources, find_foot_sources
from motionloom.transitions.plan import Plan, UnrolledClip
from motionloom.transitions.segment import (
    Annotations,
    TransitionSegment,
    bones_differ,
    crop_annotations,
    merge_annotations,
)

SURROUNDING = 0.4
"""Seconds before and after a segment that are looked at."""

MAX_SEEN_RATE = 2.0
"""How fast a clip may pass, in frames per frame, for what happens in it to be seen."""

SAME_RATE = 1e-6
"""Frames per frame by which rounding may change a rate."""

SOLE_WEIGHT = 1e-9
"""Weight of other clips below which a clip plays alone."""


def splice(
    result: BlendResult | None,
    a: UnrolledClip,
    b: UnrolledClip,
    segment: TransitionSegment,
    method: str,
    notes: tuple[str, ...] = (),
) -> BlendResult:
    """Append a segment and the tail of clip b to the result so far, which ends with clip a.

    Without a result so far, it begins with the head of clip a. Clip b is placed where the segment leads.
    Source frames and placements are those of the clips that were given, before they were unrolled.
    """
    joined = _join(_Parts(a.clip, b.clip, segment), method, notes)
    columns = [clip.to_source(joined.frames[:, k], joined.placements[:, k]) for k, clip in enumerate((a, b))]
    link = replace(
        joined,
        frames=freeze(np.stack([frames for frames, _ in columns], axis=1)),
        placements=freeze(np.stack([rows for _, rows in columns], axis=1)),
    )
    return link if result is None else _append(result, link)


@dataclass(frozen=True, eq=False, repr=False)
class _Parts:
    """What a transition is joined from."""

    a: Clip
    b: Clip
    segment: TransitionSegment

    @property
    def head(self) -> FloatArray:
        """Frames of clip a before the segment, whole steps before the frame the segment begins with."""
        leave = float(self.segment.frames[0, 0])
        # Rounding must not lose the first frame.
        return np.asarray(leave - np.arange(int(np.floor(leave + MIN_INTERVAL)), 0.0, -1.0))

    @property
    def tail(self) -> FloatArray:
        """Frames of clip b after the segment, whole steps after the frame the segment ends with."""
        enter = float(self.segment.frames[-1, 1])
        after = int(np.floor(self.b.n_frames - 1 - enter + MIN_INTERVAL))
        return np.asarray(enter + np.arange(1.0, after + 1.0))

    @property
    def transform(self) -> GroundTransform:
        """Where clip b is placed."""
        return GroundTransform(*self.segment.placements[-1, 1].tolist())

    @property
    def seams(self) -> tuple[int, int]:
        """The first and the last frame of the segment, in the result."""
        n_head = len(self.head)
        return n_head, n_head + len(self.segment.u) - 1


def join_parts(a: Clip, b: Clip, segment: TransitionSegment) -> BlendResult:
    """Join clip a up to a segment, the segment, and clip b after it; source frames are those of a and b."""
    return _join(_Parts(a, b, segment), "", ())


def _join(parts: _Parts, method: str, notes: tuple[str, ...]) -> BlendResult:
    """Join clip a up to the segment, the segment, and clip b from there on, placed where it leads."""
    a, b, segment = parts.a, parts.b, parts.segment
    first, last = parts.seams
    constraints, events = _join_annotations(parts)
    tail_roots = parts.transform.apply(sample_values(b.root_positions, parts.tail))
    clip = replace(
        a,
        root_positions=freeze(
            np.concatenate([sample_values(a.root_positions, parts.head), segment.root_positions, tail_roots])
        ),
        rotations=freeze(_join_rotations(parts)),
        translations=freeze(_join_bones(parts)) if bones_differ(a, b) else None,
        constraints=constraints,
        events=events,
        cyclic=False,
        source=file_conventions(a),
        provenance=OWN_SOURCE,
    )
    report = BlendReport(
        method=method,
        notes=notes,
        seams=(float(first), float(last)),
        centres=() if segment.centre is None else (segment.centre,),
        doubts=(segment.doubt,),
        fallbacks=() if segment.registered else (0,),
    )
    frames = _hold_ends(segment.frames, parts)
    frames[:first, 0], frames[last + 1 :, 1] = parts.head, parts.tail
    return BlendResult(
        clip=clip,
        report=report,
        u=_extend_parameters(parts),
        weights=_hold_ends(segment.weights, parts),
        frames=frames,
        placements=_hold_ends(segment.placements, parts),
    )


def _join_rotations(parts: _Parts) -> FloatArray:
    """Return rotations (T, J, 4) with continuous signs across the seams; those of the head do not change."""
    head, tail = _sample_rotations(parts.a, parts.head), _sample_rotations(parts.b, parts.tail)
    tail[:, 0] = parts.transform.apply_to_rotations(tail[:, 0])
    between = rot.unroll(parts.segment.rotations)
    between *= continue_signs(head[-1:], between[:1])
    tail *= continue_signs(between[-1:], tail[:1])
    return np.concatenate([head, between, tail])


def _sample_rotations(clip: Clip, frames: FloatArray) -> FloatArray:
    if _are_whole(frames):
        return sample_values(clip.rotations, frames)
    return sample_rotations(clip.rotations, _clip_frames(frames, clip.n_frames), "catmull_rom")


def continue_signs(before: FloatArray, after: FloatArray) -> FloatArray:
    """Return the signs (J, 1) that bring rotations (0 or 1, J, 4) into the hemispheres of those before."""
    return rot.nearer_signs(after[0], before[0]) if len(before) == len(after) == 1 else np.ones((1, 1))


def _join_bones(parts: _Parts) -> FloatArray:
    between = parts.segment.translations
    assert between is not None
    head = sample_values(parts.a.local_positions(), parts.head)
    return np.concatenate([head, between, sample_values(parts.b.local_positions(), parts.tail)])


def sample_values(values: FloatArray, frames: FloatArray) -> FloatArray:
    """Sample values (T, ...) at fractional frames (N,) by Catmull-Rom cubics; copy them if all are whole.

    >>> sample_values(np.array([0.0, 1.0, 4.0, 9.0]), np.array([1.0, 1.5])).tolist()
    [1.0, 2.25]
    """
    if _are_whole(frames):
        return np.array(values[np.rint(frames).astype(np.int64)])
    return sample_vectors(values, _clip_frames(frames, len(values)), "catmull_rom")


def _are_whole(frames: FloatArray) -> bool:
    return bool(np.abs(frames - np.rint(frames)).max(initial=0.0) < WHOLE_FRAME)


def _clip_frames(frames: FloatArray, n_frames: int) -> FloatArray:
    """Remove rounding errors beyond the first and the last frame."""
    return np.clip(frames, 0.0, n_frames - 1.0)


def _join_annotations(parts: _Parts) -> Annotations:
    """Return the annotations of head, segment and tail; a plant that crosses a seam is one constraint."""
    a, b, segment = parts.a, parts.b, parts.segment
    first, last = parts.seams
    leave, enter = float(segment.frames[0, 0]), float(segment.frames[-1, 1])
    end = last + len(parts.tail)
    return merge_annotations(
        [
            crop_annotations((a.constraints, a.events), 0.0, first, shift=first - leave),
            crop_annotations(segment.annotations, first, last, shift=first),
            crop_annotations(
                (b.constraints, b.events), last, end, shift=last - enter, transform=parts.transform
            ),
        ]
    )


def _extend_parameters(parts: _Parts) -> FloatArray:
    """Return the parameter u (T,) of all frames, extrapolated before and after the segment."""
    u = parts.segment.u
    before = u[0] - (u[1] - u[0]) * np.arange(len(parts.head), 0, -1)
    after = u[-1] + (u[-1] - u[-2]) * np.arange(1, len(parts.tail) + 1)
    return np.concatenate([before, u, after])


def _hold_ends(rows: FloatArray, parts: _Parts) -> FloatArray:
    """Return rows (M, ...) of the segment for all T frames, held before and after it."""
    before = np.repeat(rows[:1], len(parts.head), axis=0)
    return np.concatenate([before, rows, np.repeat(rows[-1:], len(parts.tail), axis=0)])


def _append(result: BlendResult, link: BlendResult) -> BlendResult:
    """Append a transition to the result so far, from the frame at which its last transition ends.

    That frame is the first of the link. Clips 0 to n of the result and n, n + 1 of the link become 0 to n +
    1.
    """
    stop = int(result.report.seams[-1])
    before, after = result.clip, link.clip
    constraints, events = merge_annotations(
        [
            crop_annotations((before.constraints, before.events), 0, stop),
            crop_annotations((after.constraints, after.events), stop, stop + after.n_frames, shift=stop),
        ]
    )
    rotations = after.rotations * continue_signs(before.rotations[stop : stop + 1], after.rotations[:1])
    moving = before.translations is not None or after.translations is not None
    bones = moving or before.skeleton != after.skeleton
    report = BlendReport(
        method=result.report.method,
        notes=(*result.report.notes, *link.report.notes),
        seams=(*result.report.seams, *(stop + seam for seam in link.report.seams)),
        centres=(*result.report.centres, *link.report.centres),
        doubts=(*result.report.doubts, *link.report.doubts),
        fallbacks=(
            *result.report.fallbacks,
            *(len(result.report.doubts) + n for n in link.report.fallbacks),
        ),
    )
    clip = replace(
        before,
        root_positions=_concatenate(before.root_positions[:stop], after.root_positions),
        rotations=_concatenate(before.rotations[:stop], rotations),
        translations=_concatenate(before.local_positions()[:stop], after.local_positions())
        if bones
        else None,
        constraints=constraints,
        events=events,
    )
    return BlendResult(
        clip=clip,
        report=report,
        u=_concatenate(result.u[:stop], link.u - link.u[0] + result.u[stop]),
        weights=_append_columns(result.weights, link.weights, stop, hold=False),
        frames=_append_columns(result.frames, link.frames, stop),
        placements=_append_columns(result.placements, link.placements, stop),
    )


def _concatenate(before: FloatArray, after: FloatArray) -> FloatArray:
    return np.asarray(freeze(np.concatenate([before, after])))


def _append_columns(before: FloatArray, after: FloatArray, stop: int, hold: bool = True) -> FloatArray:
    """Append columns (N, 2, ...) of the last two clips to the first ``stop`` of (M, K, ...).

    Returns (stop + N, K + 1, ...). A clip that is not part of a transition holds its first or last value; or
    zero, unless ``hold``.
    """
    n_clips = before.shape[1]
    table = np.zeros((stop + len(after), n_clips + 1, *before.shape[2:]))
    table[:stop, :n_clips] = before[:stop]
    table[stop:, n_clips - 1 :] = after
    if hold:
        table[:stop, n_clips] = after[0, 1]
        table[stop:, : n_clips - 1] = before[stop, :-1]
    return np.asarray(freeze(table))


@dataclass(frozen=True, eq=False, repr=False)
class Surroundings:
    """A segment between the end of the first clip's head and the start of the second clip's tail.

    Attributes
    ----------
    clip
        The motion, about 0.4 s longer than the segment on either side.
    first, last
        The frames at which the segment begins and ends in it.
    sources
        What the feet do in the clips meanwhile; None for bodies without two legs.
    """

    clip: Clip
    first: int
    last: int
    sources: FootSources | None


def surround_segment(plan: Plan, segment: TransitionSegment) -> Surroundings:
    """Return a segment with some of the motion before and after it."""
    reach = round(SURROUNDING / plan.a.clip.frame_time)
    start = max(0, int(segment.frames[0, 0]) - reach)
    stop = int(np.ceil(segment.frames[-1, 1])) + reach + 1
    near = replace(segment, frames=segment.frames - [float(start), 0.0])
    joined = join_parts(plan.a.clip[start:], plan.b.clip[:stop], near)
    first, last = (int(seam) for seam in joined.report.seams)
    sources = find_foot_sources((plan.a.clip, plan.b.clip), segment.frames, segment.weights)
    return Surroundings(joined.clip, first, last, sources)


def take_segment(surroundings: Surroundings, segment: TransitionSegment) -> TransitionSegment:
    """Return a segment with the poses and annotations that it was given in its surroundings."""
    clip, first, last = surroundings.clip, surroundings.first, surroundings.last
    span = slice(first, last + 1)
    return replace(
        segment,
        root_positions=clip.root_positions[span],
        rotations=clip.rotations[span],
        annotations=crop_annotations(
            (clip.constraints, clip.events), 0.0, float(last - first), shift=-float(first)
        ),
    )


def find_seen_steps(steps: FloatArray) -> FloatArray:
    """Return how many frames (N,) of a clip are seen in steps (N,) from frame to frame of the result.

    >>> find_seen_steps(np.array([1.0, 2.0, 7.0])).tolist()
    [1.0, 2.0, 0.0]
    """
    return np.where(steps <= MAX_SEEN_RATE + SAME_RATE, steps, 0.0)


def add_kept_fractions(result: BlendResult, clips: Sequence[Clip]) -> BlendResult:
    """Add how much of each clip plays to the report: the fraction of its frames, all and alone.

    Frames that pass at more than twice their speed do not count: nobody sees what happens in them.
    """
    kept, alone = [], []
    for k, clip in enumerate(clips):
        weights, frames = result.weights[:, k], result.frames[:, k]
        steps = np.diff(frames)
        # A frame that follows the last of a cycle is the first of the next.
        steps = np.where(steps < -0.5 * clip.n_frames, steps + clip.n_frames, steps)
        steps = find_seen_steps(steps)
        total = clip.n_frames - 1
        plays = np.maximum(weights[:-1], weights[1:]) > 0.0
        plays_alone = np.minimum(weights[:-1], weights[1:]) > 1.0 - SOLE_WEIGHT
        kept.append(min(1.0, float(steps[plays].sum()) / total))
        alone.append(min(1.0, float(steps[plays_alone].sum()) / total))
    report = replace(result.report, kept=tuple(kept), alone=tuple(alone))
    report = replace(report, notes=(*report.notes, describe_kept(report, name_clips(clips))))
    return replace(result, report=report)


def describe_kept(report: BlendReport, names: Sequence[ClipName]) -> Message:
    """Describe how much of each clip plays.

    >>> names = ClipName(0, "walk"), ClipName(1, "kick")
    >>> str(describe_kept(BlendReport(method="linear", kept=(0.9, 1.0), alone=(0.75, 0.8)), names))
    'of walk, 90 % play and 75 % alone; of kick, 100 % and 80 %'
    """
    parts: list[Part] = []
    for name, kept, alone in zip(names, report.kept, report.alone, strict=True):
        words = (" play", " alone") if not parts else ("", "")
        played = f", {100 * kept:.0f} %{words[0]} and {100 * alone:.0f} %{words[1]}"
        parts += [*(["; "] if parts else []), "of ", name, played]
    return Message(parts)
