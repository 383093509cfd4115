"""Constrain: when the constraints and events of a blend begin and end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.annotations import crop_constraints
from motionloom.motion.deferred import find_once
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
    shifts = _shift_cycles(curve, u, curve.domain[0])
    for match in curve.matches:
        blended = _blend_constraint(curve, match, shifts, u, weights, notes)
        by_role.setdefault((match.joint, match.kind), []).extend(blended)
    trimmed = [_trim_overlaps(constraints, notes) for constraints in by_role.values()]
    inside = crop_constraints(
        (constraint for constraints in trimmed for constraint in constraints), 0.0, last
    )
    return BlendedAnnotations(
        tuple(c for c in inside if c.end - c.start >= MIN_INTERVAL),
        tuple(_blend_events(curve, u, weights, last)),
        tuple(dict.fromkeys(notes)),
    )


def _shift_cycles(curve: RegistrationCurve, u: FloatArray, first: float) -> list[float]:
    """Return the shifts in u of the annotations of one cycle: none, or from a cycle before to one after.

    ``first`` is the shift of the cycle in which the curve begins.
    """
    if curve.timewarp.periods is None:
        return [0.0]
    start, end = curve.domain
    low, high = np.floor((u[[0, -1]] - start) / (end - start)).astype(int).tolist()
    return [first + n * (end - start) for n in range(low - 1, high + 2)]


def _blend_constraint(
    curve: RegistrationCurve,
    match: ConstraintMatch,
    shifts: Sequence[float],
    u: FloatArray,
    weights: FloatArray,
    notes: list[str],
) -> Iterator[Constraint]:
    """Yield one constraint per shift in u at which the blend reaches the match."""
    starts, ends = (MovingTime.of(times) for times in (weights @ match.spans).T)
    points = np.array([clip.constraints[n].point for clip, n in zip(curve.clips, match.sources, strict=True)])
    for shift in shifts:
        begin = starts.find_crossing(u, shift)
        if begin is None:
            continue
        finish = ends.find_crossing(u, shift, after=begin)
        end = float(len(u) - 1) if finish is None else finish
        if end - begin < MIN_INTERVAL:
            if begin > 0.0 and (starts.values >= ends.values).any():
                notes.append(
                    f"a {match.kind} constraint of {match.joint} has no length under these weights: dropped"
                )
            continue
        row = weights[min(round(begin), len(weights) - 1)]
        yield Constraint(match.joint, match.kind, begin, end, point=row @ points)


@dataclass(frozen=True, eq=False)
class MovingTime:
    """A time in u that changes with the weights: ``values`` (N,) per output frame, and their range."""

    values: FloatArray
    low: float
    high: float

    @classmethod
    def of(cls, values: FloatArray) -> MovingTime:
        """Return the time with these values (N,)."""
        return cls(values, float(values.min()), float(values.max()))

    def find_crossing(self, u: FloatArray, shift: float, after: float = 0.0) -> float | None:
        """Return the frame, from ``after`` on, at which u (N,), which increases, reaches the shifted time.

        Only frames whose u lies in the shifted range are looked at: a blend of thousands of cycles asks once
        per cycle.

        >>> MovingTime.of(np.array([0.5, 0.5, 0.5])).find_crossing(np.array([0.0, 1.0, 2.0]), shift=1.0)
        1.5
        """
        begin = int(np.searchsorted(u, self.low + shift)) - 1
        stop = int(np.searchsorted(u, self.high + shift)) + 2
        # Rounding of the shifted range must not hide the frame next to it.
        first = max(begin - 1, int(after), 0)
        near = slice(first, max(stop, first + 1))
        found = find_crossing(u[near] - (self.values[near] + shift), max(after - first, 0.0))
        return None if found is None else first + found


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
    shifts = _shift_cycles(curve, u, 0.0)
    # A blend is made again for every change of a weight, and the clips stay the same.
    for (label, joint), times in find_once(curve, find_shared_events).items():
        for row in times:
            time = MovingTime.of(weights @ row)
            for shift in shifts:
                frame = time.find_crossing(u, shift)
                is_before = frame == 0.0 and u[0] > time.values[0] + shift
                if frame is not None and frame <= last and not is_before:
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
    # All at once: clips have hundreds of events.
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
