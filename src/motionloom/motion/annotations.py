"""What clips are annotated with: constraints, intervals in which a point stays in place, and events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError, UnknownJointError
from motionloom.motion.sampling import WHOLE_FRAME
from motionloom.validation import check_number, check_string


@dataclass(frozen=True, eq=False)
class Constraint:
    """An interval in which a point of a joint stays where it is.

    Attributes
    ----------
    joint
        Name of the joint.
    kind
        What it is ("heel", "toe", …).
    start, end
        First and last frame of the interval; floats, ``start < end``.
    point
        (3,) the point in the joint's own frame, in metres; zero for the joint itself.
    target
        (3,) world position where the point stays, or None: enforcement decides.

    >>> Constraint("LeftFoot", "heel", 3, 17).end
    17.0
    """

    joint: str
    kind: str
    start: float
    end: float
    point: FloatArray = field(default_factory=lambda: np.zeros(3))
    target: FloatArray | None = None

    def __post_init__(self) -> None:
        check_string("the joint of a constraint", self.joint)
        check_string(f"the kind of a constraint of joint {self.joint!r}", self.kind)
        what = f"constraint {self.kind!r} of joint {self.joint!r}"
        start = check_number(f"the start of {what}", self.start)
        end = check_number(f"the end of {what}", self.end)
        if start >= end:
            raise ParameterError(
                f"{what} runs from frame {start:g} to {end:g}: its start must come before its end"
            )
        put = object.__setattr__
        put(self, "start", start)
        put(self, "end", end)
        put(self, "point", check_array(f"point of {what}", self.point, (3,)))
        if self.target is not None:
            put(self, "target", check_array(f"target of {what}", self.target, (3,)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constraint):
            return NotImplemented
        same_target = (
            self.target is other.target
            if self.target is None or other.target is None
            else np.array_equal(self.target, other.target)
        )
        return self._key == other._key and np.array_equal(self.point, other.point) and same_target

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, str, float, float]:
        return self.joint, self.kind, self.start, self.end

    def retimed(self, scale: float, shift: float) -> Constraint:
        """Return it with its ends at ``scale * frame + shift``; a negative scale reverses time."""
        ends = sorted((scale * self.start + shift, scale * self.end + shift))
        return replace(self, start=ends[0], end=ends[1])

    def whole_frames(self, n_frames: int) -> range:
        """Return the whole frames of a clip of ``n_frames`` that the interval covers.

        >>> Constraint("LeftFoot", "heel", 2.5, 5.9999999).whole_frames(10)
        range(3, 7)
        """
        first, last = int(np.ceil(self.start - WHOLE_FRAME)), int(np.floor(self.end + WHOLE_FRAME))
        return range(max(first, 0), min(last, n_frames - 1) + 1)


@dataclass(frozen=True)
class Event:
    """A labelled instant; several may share one.

    Attributes
    ----------
    frame
        When, as a frame index; fractions are allowed.
    label
        What happens ("strike", "lift", …).
    joint
        The joint it happens to, or "" for the whole body.

    >>> Event(12.5, "strike", "LeftFoot").label
    'strike'
    """

    frame: float
    label: str
    joint: str = ""

    def __post_init__(self) -> None:
        check_string("the label of an event", self.label)
        check_string(f"the joint of event {self.label!r}", self.joint)
        if not self.label:
            raise ParameterError(f"the event at frame {self.frame} has no label")
        object.__setattr__(self, "frame", check_number(f"the frame of event {self.label!r}", self.frame))

    def retimed(self, scale: float, shift: float) -> Event:
        """Return the event at frame ``scale * frame + shift``."""
        return replace(self, frame=scale * self.frame + shift)


def crop_constraints(
    constraints: Iterable[Constraint], first: float, last: float, *, scale: float = 1.0, shift: float = 0.0
) -> tuple[Constraint, ...]:
    """Return the constraints at ``scale * frame + shift``, cropped to the frames ``first`` to ``last``.

    >>> [(c.start, c.end) for c in crop_constraints([Constraint("toe", "toe", 3, 9)], 0.0, 5.0, shift=-1.0)]
    [(2.0, 5.0)]
    """
    cropped = []
    for constraint in constraints:
        ends = scale * constraint.start + shift, scale * constraint.end + shift
        start, end = max(min(ends), first), min(max(ends), last)
        if start < end:
            same = (start, end) == (constraint.start, constraint.end)
            cropped.append(constraint if same else replace(constraint, start=start, end=end))
    return tuple(cropped)


def crop_events(
    events: Iterable[Event], first: float, last: float, *, scale: float = 1.0, shift: float = 0.0
) -> tuple[Event, ...]:
    """Return the events that lie within the frames ``first`` to ``last`` at ``scale * frame + shift``.

    >>> [event.frame for event in crop_events([Event(3, "a"), Event(9, "b")], 0.0, 5.0, shift=-1.0)]
    [2.0]
    """
    return tuple(
        event.retimed(scale, shift) for event in events if first <= scale * event.frame + shift <= last
    )


def check_constraints(
    constraints: Iterable[Constraint], joints: Sequence[str] | None = None
) -> tuple[Constraint, ...]:
    """Return the constraints sorted by start; those of one joint and kind must not overlap.

    Where the names of the ``joints`` are given, constraints of other joints are refused.
    """
    known = None if joints is None else set(joints)
    ordered = tuple(sorted(constraints, key=lambda c: (c.start, c.end, c.joint, c.kind)))
    last: dict[tuple[str, str], Constraint] = {}
    for constraint in ordered:
        if joints is not None and known is not None and constraint.joint not in known:
            raise UnknownJointError(constraint.joint, joints)
        before = last.get((constraint.joint, constraint.kind))
        if before is not None and constraint.start < before.end:
            raise ParameterError(
                f"two {constraint.kind!r} constraints of joint {constraint.joint!r} overlap: "
                f"frames {before.start:g} to {before.end:g} and {constraint.start:g} to {constraint.end:g}"
            )
        last[constraint.joint, constraint.kind] = constraint
    return ordered


def retime_annotations(
    constraints: Iterable[Constraint], events: Iterable[Event], scale: float, shift: float, last: float
) -> tuple[tuple[Constraint, ...], tuple[Event, ...]]:
    """Return the annotations at ``scale * frame + shift``, cropped to the frames 0 to ``last``."""
    return (
        crop_constraints(constraints, 0.0, last, scale=scale, shift=shift),
        crop_events(events, 0.0, last, scale=scale, shift=shift),
    )


def reverse_cycle_annotations(
    constraints: Iterable[Constraint], events: Iterable[Event], n_frames: int
) -> tuple[tuple[Constraint, ...], tuple[Event, ...]]:
    """Return the annotations of a cycle of ``n_frames`` played backwards.

    Frame ``f`` becomes ``n_frames - 1 - f``. What then lies before frame 0 belongs to the end of the cycle; a
    constraint across the seam is split in two.

    >>> held = Constraint("toe", "toe", 8.5, 9.5)
    >>> [(c.start, c.end) for c in reverse_cycle_annotations([held], [], 10)[0]]
    [(9.5, 10.0), (0.0, 0.5)]
    """
    last = float(n_frames - 1)
    kept: list[Constraint] = []
    for constraint in constraints:
        moved = constraint.retimed(-1.0, last)
        if moved.start < 0.0:
            kept.append(replace(moved, start=moved.start + n_frames, end=min(moved.end, 0.0) + n_frames))
        if moved.end > 0.0:
            kept.append(replace(moved, start=max(moved.start, 0.0)))
    turned = (event.retimed(-1.0, last) for event in events)
    return tuple(kept), tuple(e if e.frame >= 0.0 else e.retimed(1.0, n_frames) for e in turned)
