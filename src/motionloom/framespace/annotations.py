"""Constraints and events of a blend: those of the clips, brought through the same warp as the poses."""

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
        Which of them belong together, with spans (K, 2) in cycle time.
    events
        Label and joint -> cycle times (N, K) of the N events that all clips have.
    notes
        Which constraints have no counterpart, in sentences.
    """

    constraints: tuple[tuple[Constraint, ...], ...]
    matches: tuple[ConstraintMatch, ...]
    events: dict[tuple[str, str], FloatArray]
    notes: tuple[str, ...]


def matched_annotations(
    clips: Sequence[Clip], warp: StateWarp, joints: Collection[str] | None = None
) -> MatchedAnnotations:
    """Match the constraints and events of cyclic clips round the cycle: all, or those of some joints."""
    if joints is not None:
        clips = [_of_joints(clip, joints) for clip in clips]
    whole = tuple(_whole_constraints(clip) for clip in clips)
    found = match_constraints(
        [list(own) for own in whole],
        lambda k, frames: warp.parameters(k, np.asarray(frames) / clips[k].n_frames),
        period=1.0,
    )
    matches = tuple(replace(match, spans=_in_cycle_time(match.spans, warp)) for match in found.matches)
    notes = dict.fromkeys(
        f"a {lost.kind} constraint of {lost.joint} in clip {lost.clip} is left out: {lost.reason.value}"
        for lost in found.unmatched
    )
    return MatchedAnnotations(whole, matches, _shared_events(clips, warp), tuple(notes))


def blended_annotations(
    found: MatchedAnnotations, times: FloatArray, weights: FloatArray
) -> BlendedAnnotations:
    """Constraints and events for cycle times (T,) and weights (T, K) of output frames 0 to T - 1.

    They happen as states do: when the cycle time passes the weighted mean of theirs in the clips.
    """
    notes = list(found.notes)
    lanes: dict[tuple[str, str], list[Constraint]] = {}
    for match in found.matches:
        made = _constraints(found, match, times, weights)
        lanes.setdefault((match.joint, match.kind), []).extend(made)
    return BlendedAnnotations(
        tuple(held for lane in lanes.values() for held in _apart(lane, notes)),
        tuple(_events(found, times, weights)),
        tuple(dict.fromkeys(notes)),
    )


def _in_cycle_time(spans: FloatArray, warp: StateWarp) -> FloatArray:
    """Spans (K, 2) in cycle times of each clip, from spans in u."""
    phases = warp.phases_at(spans.ravel()) - warp.origins
    return np.stack([phases[2 * k : 2 * k + 2, k] for k in range(len(spans))])


def _of_joints(clip: Clip, joints: Collection[str]) -> Clip:
    return replace(
        clip,
        constraints=tuple(held for held in clip.constraints if held.joint in joints),
        events=tuple(event for event in clip.events if event.joint in joints),
    )


def _whole_constraints(clip: Clip) -> tuple[Constraint, ...]:
    """Constraints that begin within the cycle, joined where the seam cuts them, or that hold all through."""
    n_frames = clip.n_frames
    found = []
    for held in unroll(clip, 3).constraints:
        if held.end - held.start >= 2 * n_frames:
            found.append(replace(held, start=0.0, end=n_frames))
        elif n_frames <= held.start < 2 * n_frames:
            found.append(held.retimed(1.0, -n_frames))
    return tuple(found)


def _shared_events(clips: Sequence[Clip], warp: StateWarp) -> dict[tuple[str, str], FloatArray]:
    """Cycle times of the events of one label and joint, where all clips have equally many."""
    per_clip: list[dict[tuple[str, str], list[float]]] = []
    for k, clip in enumerate(clips):
        own: dict[tuple[str, str], list[float]] = {}
        for event in clip.events:
            time = (event.frame / clip.n_frames - float(warp.origins[k])) % 1.0
            own.setdefault((event.label, event.joint), []).append(time)
        per_clip.append({role: sorted(times) for role, times in own.items()})
    roles = sorted(set.intersection(*(set(own) for own in per_clip)))
    return {
        role: _nearest(np.array([own[role] for own in per_clip]).T)
        for role in roles
        if len({len(own[role]) for own in per_clip}) == 1
    }


def _nearest(times: FloatArray) -> FloatArray:
    """Times (N, K) round the cycle, each clip's in the order that brings them nearest to the first's."""
    goal, columns = times[:, 0], []
    for column in times.T:
        turned = [np.roll(column, n) for n in range(len(column))]
        near = [row - np.rint(row - goal) for row in turned]
        columns.append(min(near, key=lambda row: float(np.abs(row - goal).sum())))
    return np.stack(columns, axis=-1)


def _since(times: FloatArray, weights: FloatArray, moments: FloatArray) -> FloatArray:
    """Cycles (T,) since the weighted mean of moments (K,), never falling; whole whenever it is passed.

    The mean moves with the weights, so where they change fast, it may be passed more than once.
    """
    return np.asarray(np.maximum.accumulate(times - weights @ moments))


def _constraints(
    found: MatchedAnnotations, match: ConstraintMatch, times: FloatArray, weights: FloatArray
) -> list[Constraint]:
    """The constraints that a match gives, one for every cycle that has it."""
    sources = [own[n] for own, n in zip(found.constraints, match.sources, strict=True)]
    points = np.array([source.point for source in sources])
    since_start, since_end = (_since(times, weights, moments) for moments in match.spans.T)
    cycles = np.arange(np.floor(since_end[0]) + 1.0, np.floor(since_start[-1]) + 1.0)
    frames = np.arange(len(times))
    begins, ends = np.interp(cycles, since_start, frames), np.interp(cycles, since_end, frames)
    return [
        Constraint(match.joint, match.kind, begin, end, point=weights[round(begin)] @ points)
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
        if end - begin >= MIN_INTERVAL
    ]


def _events(found: MatchedAnnotations, times: FloatArray, weights: FloatArray) -> Iterator[Event]:
    frames = np.arange(len(times))
    for (label, joint), rows in found.events.items():
        for row in rows:
            since = _since(times, weights, row)
            cycles = np.arange(np.ceil(since[0]), np.floor(since[-1]) + 1.0)
            for frame in np.interp(cycles, since, frames).tolist():
                yield Event(frame, label, joint)


def _apart(lane: Sequence[Constraint], notes: list[str]) -> list[Constraint]:
    """Constraints of one joint and kind; what touches becomes one, what overlaps is cut."""
    kept: list[Constraint] = []
    for held in sorted(lane, key=lambda held: (held.start, held.end)):
        if kept and abs(held.start - kept[-1].end) < MIN_INTERVAL:
            kept[-1] = replace(kept[-1], end=held.end)
            continue
        if kept and held.start < kept[-1].end:
            notes.append(f"{held.kind} constraints of {held.joint} overlap under these weights: trimmed")
            before = kept.pop()
            kept += [replace(before, end=held.start)] if held.start - before.start >= MIN_INTERVAL else []
        kept.append(held)
    return kept
