"""Constraints and events of a blend: those of the clips, taken through the same warp as the poses."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.constrain import MIN_INTERVAL, BlendedAnnotations
from motionloom.framespace.warp import StateWarp
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.unroll import unroll
from motionloom.registration import ConstraintMatch
from motionloom.registration.constraint_match import match_constraints


@dataclass(frozen=True, eq=False)
class MatchedAnnotations:
    """What K cyclic clips have in common, in their cycle times: phases since the first matched state.

    Attributes
    ----------
    constraints
        The constraints of each clip that begin within its cycle, whole.
    matches
        Which of them correspond, with spans (K, 2) in cycle time.
    events
        Label and joint -> cycle times (N, K) of the N events that all clips have.
    notes
        Which constraints have no counterpart, in sentences.
    """

    constraints: tuple[tuple[Constraint, ...], ...]
    matches: tuple[ConstraintMatch, ...]
    events: dict[tuple[str, str], FloatArray]
    notes: tuple[str, ...]


def match_annotations(
    clips: Sequence[Clip], warp: StateWarp, joints: Collection[str] | None = None
) -> MatchedAnnotations:
    """Match the constraints and events of cyclic clips round the cycle: all, or those of some joints."""
    if joints is not None:
        clips = [_keep_joints(clip, joints) for clip in clips]
    whole = tuple(_join_at_seam(clip) for clip in clips)
    found = match_constraints(
        [list(own) for own in whole],
        lambda k, frames: warp.parameters(k, np.asarray(frames) / clips[k].n_frames),
        period=1.0,
    )
    matches = tuple(replace(match, spans=_to_cycle_times(match.spans, warp)) for match in found.matches)
    notes = dict.fromkeys(
        f"a {lost.kind} constraint of {lost.joint} in clip {lost.clip} is left out: {lost.reason.value}"
        for lost in found.unmatched
    )
    return MatchedAnnotations(whole, matches, _find_shared_events(clips, warp), tuple(notes))


def blend_annotations(
    found: MatchedAnnotations, times: FloatArray, weights: FloatArray
) -> BlendedAnnotations:
    """Blend constraints and events for cycle times (T,) and weights (T, K) of output frames 0 to T - 1.

    They happen as states do: when the cycle time passes the weighted mean of theirs in the clips.
    """
    notes = list(found.notes)
    lanes: dict[tuple[str, str], list[Constraint]] = {}
    for match in found.matches:
        blended = _blend_constraint(found, match, times, weights)
        lanes.setdefault((match.joint, match.kind), []).extend(blended)
    return BlendedAnnotations(
        tuple(constraint for lane in lanes.values() for constraint in _separate(lane, notes)),
        tuple(_blend_events(found, times, weights)),
        tuple(dict.fromkeys(notes)),
    )


def _to_cycle_times(spans: FloatArray, warp: StateWarp) -> FloatArray:
    """Convert spans (K, 2) in u to cycle times of each clip."""
    phases = warp.phases_at(spans.ravel()) - warp.origins
    return np.stack([phases[2 * k : 2 * k + 2, k] for k in range(len(spans))])


def _keep_joints(clip: Clip, joints: Collection[str]) -> Clip:
    """Return the clip with the constraints and events of some joints."""
    return replace(
        clip,
        constraints=tuple(constraint for constraint in clip.constraints if constraint.joint in joints),
        events=tuple(event for event in clip.events if event.joint in joints),
    )


def _join_at_seam(clip: Clip) -> tuple[Constraint, ...]:
    """Return constraints that begin within the cycle, joined across the seam, or that hold all through."""
    n_frames = clip.n_frames
    found = []
    for constraint in unroll(clip, 3).constraints:
        if constraint.end - constraint.start >= 2 * n_frames:
            found.append(replace(constraint, start=0.0, end=n_frames))
        elif n_frames <= constraint.start < 2 * n_frames:
            found.append(constraint.retimed(1.0, -n_frames))
    return tuple(found)


def _find_shared_events(clips: Sequence[Clip], warp: StateWarp) -> dict[tuple[str, str], FloatArray]:
    """Return cycle times of the events of one label and joint, where all clips have equally many."""
    per_clip: list[dict[tuple[str, str], list[float]]] = []
    for k, clip in enumerate(clips):
        own: dict[tuple[str, str], list[float]] = {}
        for event in clip.events:
            time = (event.frame / clip.n_frames - float(warp.origins[k])) % 1.0
            own.setdefault((event.label, event.joint), []).append(time)
        per_clip.append({role: sorted(times) for role, times in own.items()})
    roles = sorted(set.intersection(*(set(own) for own in per_clip)))
    return {
        role: _align_rows(np.array([own[role] for own in per_clip]).T)
        for role in roles
        if len({len(own[role]) for own in per_clip}) == 1
    }


def _align_rows(times: FloatArray) -> FloatArray:
    """Shift the times (N, K) of each clip round the cycle so that they lie closest to the first clip's."""
    reference, columns = times[:, 0], []
    for column in times.T:
        shifted = [np.roll(column, n) for n in range(len(column))]
        near = [row - np.rint(row - reference) for row in shifted]
        columns.append(min(near, key=lambda row: float(np.abs(row - reference).sum())))
    return np.stack(columns, axis=-1)


def _cycles_since(times: FloatArray, weights: FloatArray, moments: FloatArray) -> FloatArray:
    """Return cycles (T,) since the weighted mean of moments (K,), never falling; whole whenever it is passed.

    The mean moves with the weights, so where they change fast, it may be passed more than once.
    """
    return np.asarray(np.maximum.accumulate(times - weights @ moments))


def _blend_constraint(
    found: MatchedAnnotations, match: ConstraintMatch, times: FloatArray, weights: FloatArray
) -> list[Constraint]:
    """Return the constraints that a match gives, one for every cycle that has it."""
    sources = [own[n] for own, n in zip(found.constraints, match.sources, strict=True)]
    points = np.array([source.point for source in sources])
    since_start, since_end = (_cycles_since(times, weights, moments) for moments in match.spans.T)
    cycles = np.arange(np.floor(since_end[0]) + 1.0, np.floor(since_start[-1]) + 1.0)
    frames = np.arange(len(times))
    begins, ends = np.interp(cycles, since_start, frames), np.interp(cycles, since_end, frames)
    return [
        Constraint(match.joint, match.kind, begin, end, point=weights[round(begin)] @ points)
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
        if end - begin >= MIN_INTERVAL
    ]


def _blend_events(found: MatchedAnnotations, times: FloatArray, weights: FloatArray) -> Iterator[Event]:
    frames = np.arange(len(times))
    for (label, joint), rows in found.events.items():
        for row in rows:
            since = _cycles_since(times, weights, row)
            cycles = np.arange(np.ceil(since[0]), np.floor(since[-1]) + 1.0)
            for frame in np.interp(cycles, since, frames).tolist():
                yield Event(frame, label, joint)


def _separate(lane: Sequence[Constraint], notes: list[str]) -> list[Constraint]:
    """Join touching constraints of one joint and kind, and trim overlapping ones."""
    kept: list[Constraint] = []
    for constraint in sorted(lane, key=lambda one: (one.start, one.end)):
        if kept and abs(constraint.start - kept[-1].end) < MIN_INTERVAL:
            kept[-1] = replace(kept[-1], end=constraint.end)
            continue
        if kept and constraint.start < kept[-1].end:
            notes.append(
                f"{constraint.kind} constraints of {constraint.joint} overlap under these weights: trimmed"
            )
            before = kept.pop()
            if constraint.start - before.start >= MIN_INTERVAL:
                kept.append(replace(before, end=constraint.start))
        kept.append(constraint)
    return kept
