"""States of a cyclic motion: labelled moments of the lower and the upper body, given or detected."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from motionloom.annotation import labels as events
from motionloom.annotation import signals
from motionloom.annotation.annotate import annotate
from motionloom.annotation.events import swing_angles
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.framespace.labels import (
    DEFAULT_LABELS,
    EVENT_CODES,
    HALVES,
    SIDE_CODES,
    WHOLE_LEG,
    Half,
    clean_label,
    half_of,
    is_among,
)
from motionloom.motion import Clip
from motionloom.motion.anatomy import Arm, Leg, find_anatomy
from motionloom.motion.result import check_clip
from motionloom.motion.unroll import unroll
from motionloom.validation import check_number

SAME_PHASE = 1e-9
"""Cycles by which the phases of two states may differ and still be one: rounding."""

GivenState = tuple[float, str | Sequence[str]]
"""A state as plain data: its phase, and its label or labels."""

GivenStates = Mapping[str, Iterable[GivenState]] | Mapping[Half, Iterable[GivenState]] | Iterable[GivenState]
"""States of one clip as plain data: phases and labels, or these under "lower" and "upper"."""


@dataclass(frozen=True)
class State:
    """A moment of a cycle and the events that happen there.

    Attributes
    ----------
    phase
        Cycles from the clip's first frame, 0 to 1; 1 is 0 again.
    labels
        Labels of the events, see :mod:`motionloom.framespace.labels`.

    >>> State(1.0, ("L. et",))
    State(phase=0.0, labels=('L.et',))
    """

    phase: float
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        given = (self.labels,) if isinstance(self.labels, str) else tuple(self.labels)
        if not given:
            raise ParameterError(f"the state at phase {self.phase} has no label")
        object.__setattr__(self, "labels", tuple(dict.fromkeys(clean_label(label) for label in given)))
        phase = check_number(f"the phase of state {self.labels[0]!r}", self.phase)
        object.__setattr__(self, "phase", phase % 1.0)


@dataclass(frozen=True)
class BodyStates:
    """The states of one clip, in order, for each half of the body.

    >>> states = BodyStates((State(0.5, ("R.et",)), State(0.0, ("L.et",))), (State(0.5, ("L.S ext",)),))
    >>> [state.labels for state in states.whole]
    [('L.et',), ('R.et', 'L.S ext')]
    """

    lower: tuple[State, ...] = ()
    upper: tuple[State, ...] = ()

    def __post_init__(self) -> None:
        for half in HALVES:
            object.__setattr__(self, half, _merge_states(getattr(self, half)))

    @property
    def whole(self) -> tuple[State, ...]:
        """The states of both halves in one order; states of the same moment are one."""
        return _merge_states((*self.lower, *self.upper))

    def of(self, half: Half) -> tuple[State, ...]:
        """Return the states of one half."""
        return self.lower if half == "lower" else self.upper

    def only(self, labels: Collection[str]) -> BodyStates:
        """Return the states with only some of their labels, which may name a side or not."""
        return BodyStates(*(_keep_labels(self.of(half), labels) for half in HALVES))

    def without(self, label: str) -> BodyStates:
        """Return the states without one label."""
        every = {name for half in HALVES for state in self.of(half) for name in state.labels}
        return self.only(every - {clean_label(label)})


def as_body_states(given: BodyStates | GivenStates) -> BodyStates:
    """Convert states given as plain data: pairs of a phase and one label or several.

    Without "lower" and "upper" the joint codes say which half a label belongs to. The state that closes a
    cycle at phase 1 may be given too; it is the one at phase 0.

    >>> as_body_states([(0.0, "L.et"), (0.17, ["L.S msw", "R.S msw"]), (1.0, "L.et")])
    BodyStates(lower=(State(phase=0.0, labels=('L.et',)),), upper=(State(phase=0.17, labels=('L.S msw', \
'R.S msw')),))
    """
    if isinstance(given, BodyStates):
        return given
    if isinstance(given, Mapping):
        unknown = set(given) - set(HALVES)
        if unknown:
            raise ParameterError(f"states are given for 'lower' and 'upper', not for {sorted(unknown)[0]!r}")
        return BodyStates(*(tuple(map(_as_state, given.get(half, ()))) for half in HALVES))
    parts: dict[Half, list[State]] = {"lower": [], "upper": []}
    for entry in given:
        state = _as_state(entry)
        for half in HALVES:
            own = tuple(label for label in state.labels if half_of(label) == half)
            if own:
                parts[half].append(State(state.phase, own))
    return BodyStates(tuple(parts["lower"]), tuple(parts["upper"]))


def detect_states(clip: Clip, labels: Collection[str] = DEFAULT_LABELS) -> BodyStates:
    """Detect the states of a cyclic clip of a biped.

    Strikes, mid transfers, lifts, extremes of flexion and apexes are the clip's events; a clip without events
    is annotated first, so edited events give edited states. Mid swings of the arms lie where a shoulder is
    halfway between its extremes.

    Parameters
    ----------
    clip
        A cyclic clip.
    labels
        The labels to detect, with a side or for both sides.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> states = detect_states(cyclify(walk(duration=4.0).clip, cycles=1).clip, ["et", "mt"])
    >>> [state.labels[0] for state in states.lower]
    ['L.mt', 'L.et', 'R.mt', 'R.et']
    """
    annotated = annotate(check_clip("detect_states", clip))
    codes = joint_codes(clip)
    found = [
        State(event.frame / clip.n_frames, (_event_label(codes[event.joint], event.label),))
        for event in annotated.events
        if event.joint in codes and event.label in EVENT_CODES
    ]
    found += _find_mid_swings(annotated)
    return BodyStates(
        tuple(state for state in found if half_of(state.labels[0]) == "lower"),
        tuple(state for state in found if half_of(state.labels[0]) == "upper"),
    ).only(labels)


def joint_codes(clip: Clip) -> dict[str, tuple[str, str]]:
    """Return side and joint code of the joints that have states, by joint name.

    >>> from motionloom.synthesis import walk
    >>> joint_codes(walk(duration=1.0).clip)["LeftUpLeg"]
    ('L', 'HI')
    """
    anatomy = find_anatomy(clip.skeleton)
    limbs: list[tuple[Leg | Arm, tuple[str, str, str]]] = [(leg, ("HI", "K", "A")) for leg in anatomy.legs]
    limbs += [(arm, ("S", "E", "W")) for arm in anatomy.arms]
    return {
        clip.skeleton.names[joint]: (SIDE_CODES[limb.side], code)
        for limb, codes in limbs
        for joint, code in zip(limb.chain, codes, strict=True)
    }


def _as_state(entry: GivenState | State) -> State:
    if isinstance(entry, State):
        return entry
    try:
        phase, labels = entry
    except (TypeError, ValueError):
        raise ParameterError(f"a state is a phase and its label or labels, not {entry!r}") from None
    return State(phase, (labels,) if isinstance(labels, str) else tuple(labels))


def _merge_states(states: Iterable[State]) -> tuple[State, ...]:
    """Return states by phase; those of one moment become one with all their labels."""
    merged: list[State] = []
    for state in sorted(states, key=lambda state: state.phase):
        if merged and state.phase - merged[-1].phase <= SAME_PHASE:
            merged[-1] = State(merged[-1].phase, (*merged[-1].labels, *state.labels))
        else:
            merged.append(state)
    return tuple(merged)


def _keep_labels(states: Iterable[State], labels: Collection[str]) -> tuple[State, ...]:
    kept = ((state, tuple(label for label in state.labels if is_among(label, labels))) for state in states)
    return tuple(State(state.phase, own) for state, own in kept if own)


def _event_label(code: tuple[str, str], label: str) -> str:
    side, joint = code
    event = EVENT_CODES[label]
    return f"{side}.{event}" if event in WHOLE_LEG else f"{side}.{joint} {event}"


def _find_mid_swings(clip: Clip) -> list[State]:
    """Find where each shoulder is halfway between two successive extremes of its swing."""
    cycles = unroll(clip, 3)
    return [
        State(frame % clip.n_frames / clip.n_frames, (f"{SIDE_CODES[arm.side]}.S msw",))
        for arm in find_anatomy(clip.skeleton).arms
        for frame in _find_midpoints(clip, arm, swing_angles(cycles, *arm.chain[:2]))
    ]


def _find_midpoints(clip: Clip, arm: Arm, angles: FloatArray) -> list[float]:
    """Return the frames of the second of three cycles at which angles (3 T,) are halfway between extremes."""
    name, n_frames = clip.skeleton.names[arm.shoulder], clip.n_frames
    extremes = sorted(
        event.frame
        for event in clip.events
        if event.joint == name and event.label in (events.FLEXION, events.EXTENSION)
    )
    if len(extremes) < 2:
        return []
    frames = np.arange(len(angles))
    found = []
    for start, end in pairwise([*extremes, extremes[0] + n_frames]):
        first, last = np.interp([start + n_frames, end + n_frames], frames, angles)
        inside = frames[int(np.ceil(start)) + n_frames : int(np.floor(end)) + n_frames + 1]
        below = np.sign(last - first) * (angles[inside] - (first + last) / 2.0)
        rises = np.flatnonzero((below[:-1] < 0.0) & (below[1:] >= 0.0))
        if rises.size:
            i = int(rises[0])
            found.append(float(inside[i]) + signals.crossing(below[i], below[i + 1], 0.0))
    return found
