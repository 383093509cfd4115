"""Constrain: when the constraints and events of a blend begin and end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.annotations import crop_constraints
from motionloom.registration import ConstraintMatch, RegistrationCurve

MIN_INTERVAL = 1e-3
"""Frames below which an interval is a rounding error, not a constraint."""


@dataclass(frozen=True)
class BlendedAnnotations:
    """Constraints and events of a blend, and notes on those that were trimmed or dropped."""

    constraints: tuple[Constraint, ...] = ()
    events: tuple[Event, ...] = ()
    notes: tuple[str, ...] = ()


def blend_annotations(
    curve: RegistrationCurve, u: FloatArray, weights: FloatArray, last: float
) -> BlendedAnnotations:
    """Blend the constraints and events of the clips for output frames 0 to ``last``.

    ``u`` (N,) increases and ``weights`` (N, K) have sum 1, one row per output frame; rows may extend beyond
    ``last``. Each match gives at most one interval: from the first time ``u`` reaches the weighted start to
    the next time it reaches the weighted end. Times may fall between frames.
    """
    notes: list[str] = []
    by_role: dict[tuple[str, str], list[Constraint]] = {}
    for match, shift in _repeat_matches(curve, u):
        constraint = _blend_constraint(curve, match, shift, u, weights, notes)
        if constraint is not None:
            by_role.setdefault((constraint.joint, constraint.kind), []).append(constraint)
    trimmed = [_trim_overlaps(constraints, notes) for constraints in by_role.values()]
    inside = crop_constraints(
        (constraint for constraints in trimmed for constraint in constraints), 0.0, last
    )
    return BlendedAnnotations(
        tuple(c for c in inside if c.end - c.start >= MIN_INTERVAL),
        tuple(_blend_events(curve, u, weights, last)),
        tuple(dict.fromkeys(notes)),
    )


def _repeat_matches(curve: RegistrationCurve, u: FloatArray) -> Iterable[tuple[ConstraintMatch, float]]:
    """Return every match with the shift in u of its spans: once, or once per cycle of the blend."""
    first, end = curve.domain
    if curve.timewarp.periods is None:
        return [(match, 0.0) for match in curve.matches]
    shifts = [first + n * (end - first) for n in _cycles(curve, u)]
    return [(match, shift) for shift in shifts for match in curve.matches]


def _cycles(curve: RegistrationCurve, u: FloatArray) -> range:
    """Return the cycles whose constraints may be active: from one before the blend to one after."""
    first, end = curve.domain
    low, high = np.floor((u[[0, -1]] - first) / (end - first)).astype(int).tolist()
    return range(low - 1, high + 2)


def _blend_constraint(
    curve: RegistrationCurve,
    match: ConstraintMatch,
    shift: float,
    u: FloatArray,
    weights: FloatArray,
    notes: list[str],
) -> Constraint | None:
    starts, ends = (weights @ match.spans).T + shift
    begin = find_crossing(u - starts)
    if begin is None:
        return None
    finish = find_crossing(u - ends, after=begin)
    end = float(len(u) - 1) if finish is None else finish
    if end - begin < MIN_INTERVAL:
        if begin > 0.0 and (starts >= ends).any():
            notes.append(
                f"a {match.kind} constraint of {match.joint} has no length under these weights: dropped"
            )
        return None
    sources = [clip.constraints[n] for clip, n in zip(curve.clips, match.sources, strict=True)]
    row = weights[min(round(begin), len(weights) - 1)]
    point = row @ np.array([source.point for source in sources])
    return Constraint(match.joint, match.kind, begin, end, point=point)


def find_crossing(values: FloatArray, after: float = 0.0) -> float | None:
    """Return the first time, in frames and from ``after`` on, at which values (N,) are zero or more.

    None if they never are. Values are linear between frames.

    >>> find_crossing(np.array([-1.0, -0.5, 0.5])), find_crossing(np.array([-1.0, -0.5]))
    (1.5, None)
    """
    first = int(np.floor(after))
    at_start = values[first] if first == after else np.interp(after, np.arange(len(values)), values)
    if at_start >= 0.0:
        return after
    above = np.flatnonzero(values[first + 1 :] >= 0.0)
    if not above.size:
        return None
    i = first + int(above[0])
    # Between ``after`` and the next frame, the line may cross zero before ``after``.
    low, high = values[i], values[i + 1]
    return max(float(i + low / (low - high)) if low < 0.0 else float(i), after)


def _trim_overlaps(constraints: Sequence[Constraint], notes: list[str]) -> list[Constraint]:
    """Cut each constraint of one joint and kind where the next one begins."""
    ordered = sorted(constraints, key=lambda c: (c.start, c.end))
    kept = list(ordered[-1:])
    for constraint, following in reversed(list(pairwise(ordered))):
        end = min(constraint.end, following.start)
        if end < constraint.end:
            notes.append(
                f"{constraint.kind} constraints of {constraint.joint} overlap under these weights: trimmed"
            )
        if end - constraint.start >= MIN_INTERVAL:
            kept.append(replace(constraint, end=end))
    return kept[::-1]


def _blend_events(
    curve: RegistrationCurve, u: FloatArray, weights: FloatArray, last: float
) -> Iterable[Event]:
    """Yield the events that all clips have in the same number, at the weighted mean of their times."""
    shifts = [0.0]
    if curve.timewarp.periods is not None:
        first, end = curve.domain
        shifts = [n * (end - first) for n in _cycles(curve, u)]
    for (label, joint), times in find_shared_events(curve).items():
        for row in times:
            for shift in shifts:
                passed = u - weights @ row - shift
                frame = find_crossing(passed)
                if frame is not None and frame <= last and not (frame == 0.0 and passed[0] > 0.0):
                    yield Event(frame, label, joint)


def find_shared_events(curve: RegistrationCurve) -> dict[tuple[str, str], FloatArray]:
    """Find the times (N, K) in u of events, by label and joint, that all clips have in the same number."""
    per_clip = [_event_times(curve, k, clip) for k, clip in enumerate(curve.clips)]
    roles = sorted(set.intersection(*(set(own) for own in per_clip)))
    counts = {role: {len(own[role]) for own in per_clip} for role in roles}
    return {
        role: _match_cyclic_order(curve, np.array([own[role] for own in per_clip]).T)
        for role in roles
        if len(counts[role]) == 1
    }


def _event_times(curve: RegistrationCurve, k: int, clip: Clip) -> dict[tuple[str, str], list[float]]:
    """Return the times in u of the events of clip k that the curve covers, in order, by label and joint."""
    first, last = curve.spans[:, k]
    roles, frames = [], []
    for event in clip.events:
        frame = event.frame
        if curve.timewarp.periods is not None:
            period = float(curve.timewarp.periods[k])
            frame = first + (frame - first) % period
        if first <= frame <= last:
            roles.append((event.label, event.joint))
            frames.append(frame)
    by_role: dict[tuple[str, str], list[float]] = {}
    # All at once: clips have hundreds of events, and a blend is made again for every change of a weight.
    for role, u in zip(roles, curve.timewarp.inverse(k, np.array(frames)).tolist(), strict=True):
        by_role.setdefault(role, []).append(u)
    return {role: sorted(times) for role, times in by_role.items()}


def _match_cyclic_order(curve: RegistrationCurve, times: FloatArray) -> FloatArray:
    """Return rows (N, K) of corresponding times; for cyclic clips, in the cyclic order that is closest."""
    if curve.timewarp.periods is None:
        return times
    first, end = curve.domain
    period = end - first
    goal = times[:, curve.reference]
    columns = []
    for column in times.T:
        rolled = [np.roll(column, n) for n in range(len(column))]
        near = [row - period * np.rint((row - goal) / period) for row in rolled]
        columns.append(min(near, key=lambda row: float(np.abs(row - goal).sum())))
    return np.stack(columns, axis=-1)
