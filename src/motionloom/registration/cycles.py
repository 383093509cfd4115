"""Cyclic clips: they correspond round the cycle, with no first and no last frame.

The curves themselves are periodic (:class:`.TimewarpCurve` with ``periods``, :class:`.AlignmentCurve` with
``travels``). What is left to do is to find a common phase to count frames from, and to match constraints that
lie across the seam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Constraint
from motionloom.motion.unroll import extend_cycle, unroll
from motionloom.options.registration import Pin
from motionloom.registration.constraint_match import ConstraintMatches, match_constraints
from motionloom.registration.timewarp import TimewarpCurve

STRIKE = "strike"
"""Label of the events that give cyclic clips a common phase."""

Contacts = dict[str, list[float]]
"""Frames at which contacts begin, by what touches the ground."""


@dataclass(frozen=True, eq=False)
class Cycles:
    """Where the cycles of cyclic clips begin, so that they correspond, and how long they are.

    Attributes
    ----------
    phases
        (K,) fractional frame of each clip at which its cycle begins for the registration.
    periods
        (K,) frames per cycle of each clip.
    """

    phases: FloatArray
    periods: FloatArray

    @classmethod
    def of(cls, clips: Sequence[Clip], pins: Sequence[Pin] = ()) -> Cycles:
        """Find a common phase of cyclic clips.

        The first pin decides. Without pins it is contacts: the first strike of one joint that all clips have,
        or where there are no strikes the first beginning of a constraint of one kind. Clips without contacts
        begin at their first frames.
        """
        periods = np.array([clip.n_frames for clip in clips], dtype=np.float64)
        if pins:
            return cls(np.array(pins[0], dtype=np.float64) % periods, periods)
        for contacts in ([_strikes(clip) for clip in clips], [_plants(clip) for clip in clips]):
            shared = sorted(set.intersection(*(set(own) for own in contacts)))
            if shared:
                return cls(np.array(_first_contacts(shared[0], contacts)), periods)
        return cls(np.zeros(len(clips)), periods)

    def cut(self, clips: Sequence[Clip]) -> list[Clip]:
        """Return one cycle of each clip, with its events, from its phase to the frame that closes it."""
        return [_cut_cycle(clip, float(phase)) for clip, phase in zip(clips, self.phases, strict=True)]

    def shift_pins(self, pins: Sequence[Pin]) -> list[Pin]:
        """Return pins counted from the clips' phases, in order."""
        if not pins:
            return []
        frames = (np.array(pins, dtype=np.float64) - self.phases) % self.periods
        return sorted(tuple(int(frame) for frame in row) for row in np.rint(frames))


def add_start(
    events: Sequence[list[float]], cycles: Sequence[Clip], labels: Sequence[str]
) -> list[list[float]]:
    """Add frame 0 to the frames of shared events, where all cycles begin at an event."""
    starts = [
        {(e.label, e.joint) for e in clip.events if e.label in labels and e.frame == 0.0} for clip in cycles
    ]
    first = [0.0] if set.intersection(*starts) else []
    return [[*first, *own] for own in events]


def match_round_cycle(clips: Sequence[Clip], timewarp: TimewarpCurve) -> ConstraintMatches:
    """Match constraints round the cycle of a periodic curve; sources count the clips' own constraints."""
    whole = [_whole_constraints(clip) for clip in clips]
    first, last = timewarp.domain
    found = match_constraints(
        [[constraint for constraint, _ in entries] for entries in whole],
        lambda k, frames: timewarp.inverse(k, frames) - first,
        period=last - first,
    )
    return replace(
        found,
        matches=tuple(
            replace(match, sources=tuple(whole[k][n][1] for k, n in enumerate(match.sources)))
            for match in found.matches
        ),
        unmatched=tuple(
            replace(one, constraint=whole[one.clip][one.constraint][1]) for one in found.unmatched
        ),
        splits=tuple(replace(one, constraint=whole[one.clip][one.constraint][1]) for one in found.splits),
    )


def _strikes(clip: Clip) -> Contacts:
    found: Contacts = {}
    for event in clip.events:
        if event.label == STRIKE:
            found.setdefault(event.joint, []).append(event.frame)
    return found


def _plants(clip: Clip) -> Contacts:
    found: Contacts = {}
    for constraint, _ in _whole_constraints(clip):
        found.setdefault(f"{constraint.joint} {constraint.kind}", []).append(constraint.start)
    return found


def _first_contacts(which: str, contacts: Sequence[Contacts]) -> list[float]:
    counts = [len(own[which]) for own in contacts]
    if len(set(counts)) > 1:
        shown = ", ".join(map(str, counts))
        raise ParameterError(
            f"the cyclic clips have different numbers of strides ({shown})",
            remedy="give them the same number with cyclify's cycles",
        )
    return [min(own[which]) for own in contacts]


def _cut_cycle(clip: Clip, first: float) -> Clip:
    last = first + clip.n_frames
    long = extend_cycle(clip, int(np.ceil(last)) + 1)
    poses = long.at(np.minimum(first + np.arange(clip.n_frames + 1.0), long.n_frames - 1.0))
    events = tuple(event.retimed(1.0, -first) for event in long.events if first <= event.frame <= last)
    return replace(
        long,
        root_positions=poses.root_positions,
        rotations=poses.rotations,
        translations=poses.translations,
        constraints=(),
        events=events,
    )


def _whole_constraints(clip: Clip) -> list[tuple[Constraint, int]]:
    """Return constraints that begin within the cycle, joined where the seam cuts them, with their indices."""
    numbers = {(c.joint, c.kind, c.start): n for n, c in enumerate(clip.constraints)}
    entries = []
    for constraint in unroll(clip, 2).constraints:
        number = numbers.get((constraint.joint, constraint.kind, constraint.start))
        continued = constraint.start == 0.0 and _ends_at_seam(clip, constraint)
        if number is not None and constraint.start < clip.n_frames and not continued:
            entries.append((constraint, number))
    return entries


def _ends_at_seam(clip: Clip, constraint: Constraint) -> bool:
    """Tell whether a constraint that begins at frame 0 continues one that runs up to the seam."""
    return any(
        other.end == clip.n_frames and (other.joint, other.kind) == (constraint.joint, constraint.kind)
        for other in clip.constraints
    )
