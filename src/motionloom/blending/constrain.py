"""When the constraints and events of a blend begin and end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.constraint import crop_constraints
from motionloom.registration import ConstraintMatch, RegistrationCurve

SHORTEST = 1e-3
"""Frames below which an interval is rounding, not a constraint."""


@dataclass(frozen=True)
class BlendedAnnotations:
    """Constraints and events of a blend, and what could not be kept as it was."""

    constraints: tuple[Constraint, ...] = ()
    events: tuple[Event, ...] = ()
    notes: tuple[str, ...] = ()


def blended_annotations(
    curve: RegistrationCurve, u: FloatArray, weights: FloatArray, last: float
) -> BlendedAnnotations:
    """Constraints and events of the output frames 0 to ``last``.

    ``u`` (N,) increases and ``weights`` (N, K) have sum 1, one row per output frame; rows may go on beyond
    ``last``. Each match gives at most one interval: from the first moment at which ``u`` reaches the weighted
    start to the next at which it reaches the weighted end. Moments lie between frames where they fall there.
    """
    notes: list[str] = []
    found: dict[tuple[str, str], list[Constraint]] = {}
    for match, shift in _repeated(curve, u):
        made = _constraint(curve, match, shift, u, weights, notes)
        if made is not None:
            found.setdefault((made.joint, made.kind), []).append(made)
    lanes = [_apart(lane, notes) for lane in found.values()]
    constraints = crop_constraints((constraint for lane in lanes for constraint in lane), 0.0, last)
    return BlendedAnnotations(
        tuple(c for c in constraints if c.end - c.start >= SHORTEST),
        tuple(_events(curve, u, weights, last)),
        tuple(dict.fromkeys(notes)),
    )


def _repeated(curve: RegistrationCurve, u: FloatArray) -> Iterable[tuple[ConstraintMatch, float]]:
    """Every match with the shift in u of its spans: once, or once per cycle that the blend passes."""
    first, end = curve.domain
    if curve.timewarp.periods is None:
        return [(match, 0.0) for match in curve.matches]
    shifts = [first + n * (end - first) for n in _cycles(curve, u)]
    return [(match, shift) for shift in shifts for match in curve.matches]


def _cycles(curve: RegistrationCurve, u: FloatArray) -> range:
    """Numbers of the cycles whose constraints may be active: one before the first passed to one after."""
    first, end = curve.domain
    low, high = np.floor((u[[0, -1]] - first) / (end - first)).astype(int).tolist()
    return range(low - 1, high + 2)


def _constraint(
    curve: RegistrationCurve,
    match: ConstraintMatch,
    shift: float,
    u: FloatArray,
    weights: FloatArray,
    notes: list[str],
) -> Constraint | None:
    starts, ends = (weights @ match.spans).T + shift
    begin = crossing(u - starts)
    if begin is None:
        return None
    finish = crossing(u - ends, after=begin)
    end = float(len(u) - 1) if finish is None else finish
    if end - begin < SHORTEST:
        if begin > 0.0 and (starts >= ends).any():
            notes.append(
                f"a {match.kind} constraint of {match.joint} has no length under these weights: left out"
            )
        return None
    sources = [clip.constraints[n] for clip, n in zip(curve.clips, match.sources, strict=True)]
    row = weights[min(round(begin), len(weights) - 1)]
    point = row @ np.array([source.point for source in sources])
    return Constraint(match.joint, match.kind, begin, end, point=point)


def crossing(heights: FloatArray, after: float = 0.0) -> float | None:
    """The first moment, in frames and not before ``after``, at which values (N,) are zero or more.

    None when they never are. Values are linear between frames.

    >>> crossing(np.array([-1.0, -0.5, 0.5])), crossing(np.array([-1.0, -0.5]))
    (1.5, None)
    """
    first = int(np.floor(after))
    at_start = heights[first] if first == after else np.interp(after, np.arange(len(heights)), heights)
    if at_start >= 0.0:
        return after
    above = np.flatnonzero(heights[first + 1 :] >= 0.0)
    if not above.size:
        return None
    i = first + int(above[0])
    # Between ``after`` and the next frame the line may have begun below zero only just now.
    low, high = heights[i], heights[i + 1]
    return max(float(i + low / (low - high)) if low < 0.0 else float(i), after)


def _apart(lane: Sequence[Constraint], notes: list[str]) -> list[Constraint]:
    """Constraints of one joint and kind, each cut where the next one begins."""
    ordered = sorted(lane, key=lambda c: (c.start, c.end))
    kept = list(ordered[-1:])
    for constraint, following in reversed(list(pairwise(ordered))):
        end = min(constraint.end, following.start)
        if end < constraint.end:
            notes.append(
                f"{constraint.kind} constraints of {constraint.joint} overlap under these weights: trimmed"
            )
        if end - constraint.start >= SHORTEST:
            kept.append(replace(constraint, end=end))
    return kept[::-1]


def _events(curve: RegistrationCurve, u: FloatArray, weights: FloatArray, last: float) -> Iterable[Event]:
    """Events that all clips have in the same number, at the weighted mean of their moments."""
    for (label, joint), moments in shared_moments(curve).items():
        for row in moments:
            for shift in _event_shifts(curve, u):
                heights = u - weights @ row - shift
                frame = crossing(heights)
                if frame is not None and frame <= last and not (frame == 0.0 and heights[0] > 0.0):
                    yield Event(frame, label, joint)


def _event_shifts(curve: RegistrationCurve, u: FloatArray) -> list[float]:
    if curve.timewarp.periods is None:
        return [0.0]
    first, end = curve.domain
    return [n * (end - first) for n in _cycles(curve, u)]


def shared_moments(curve: RegistrationCurve) -> dict[tuple[str, str], FloatArray]:
    """Moments (N, K) in u of the N events of one label and joint, where all clips have equally many."""
    per_clip = [_moments(curve, k, clip) for k, clip in enumerate(curve.clips)]
    roles = sorted(set.intersection(*(set(own) for own in per_clip)))
    counts = {role: {len(own[role]) for own in per_clip} for role in roles}
    return {
        role: _matched(curve, np.array([own[role] for own in per_clip]).T)
        for role in roles
        if len(counts[role]) == 1
    }


def _moments(curve: RegistrationCurve, k: int, clip: Clip) -> dict[tuple[str, str], list[float]]:
    """Moments in u of the events of one clip that the curve covers, in order."""
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
    found: dict[tuple[str, str], list[float]] = {}
    # All at once: clips have hundreds of events, and blends are made again for every change of a weight.
    for role, u in zip(roles, curve.timewarp.inverse(k, np.array(frames)).tolist(), strict=True):
        found.setdefault(role, []).append(u)
    return {role: sorted(moments) for role, moments in found.items()}


def _matched(curve: RegistrationCurve, moments: FloatArray) -> FloatArray:
    """Rows (N, K) of corresponding moments; round a cycle, the order that brings them nearest together."""
    if curve.timewarp.periods is None:
        return moments
    first, end = curve.domain
    period = end - first
    goal = moments[:, curve.reference]
    columns = []
    for column in moments.T:
        turned = [np.roll(column, n) for n in range(len(column))]
        near = [row - period * np.rint((row - goal) / period) for row in turned]
        columns.append(min(near, key=lambda row: float(np.abs(row - goal).sum())))
    return np.stack(columns, axis=-1)
