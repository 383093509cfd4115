"""Detecting the states of a cyclic clip from the events that it carries."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

import numpy as np

from motionloom.annotation import labels, signals
from motionloom.annotation.action_events import swing_angles
from motionloom.annotation.annotate import annotate
from motionloom.arrays import FloatArray
from motionloom.framespace.labels import DEFAULT_LABELS, EVENT_CODES, SIDE_CODES, WHOLE_LEG, half_of
from motionloom.framespace.states import BodyStates, State
from motionloom.motion import Clip
from motionloom.motion.anatomy import Arm, Leg, find_anatomy
from motionloom.motion.unrolling import unrolled


def detect_states(clip: Clip, chosen: Collection[str] = DEFAULT_LABELS) -> BodyStates:
    """The states of a cyclic clip of a biped.

    Strikes, mid transfers, lifts, extremes of flexion and apexes are the clip's events; a clip without events
    is annotated first, so edited events give edited states. Mid swings of the arms lie where a shoulder is
    half way between its extremes.

    Parameters
    ----------
    clip
        A cyclic clip.
    chosen
        The labels wanted, sides named or not.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> states = detect_states(cyclify(walk(duration=4.0).clip, n_cycles=1), ["et", "mt"])
    >>> [state.labels[0] for state in states.lower]
    ['L.mt', 'L.et', 'R.mt', 'R.et']
    """
    known = annotate(clip)
    codes = joint_codes(clip)
    found = [
        State(event.frame / clip.n_frames, (_label(codes[event.joint], event.label),))
        for event in known.events
        if event.joint in codes and event.label in EVENT_CODES
    ]
    found += _mid_swings(known)
    return BodyStates(
        tuple(state for state in found if half_of(state.labels[0]) == "lower"),
        tuple(state for state in found if half_of(state.labels[0]) == "upper"),
    ).only(chosen)


def joint_codes(clip: Clip) -> dict[str, tuple[str, str]]:
    """Side and joint code of the joints that have states, by joint name.

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


def _label(code: tuple[str, str], what: str) -> str:
    side, joint = code
    event = EVENT_CODES[what]
    return f"{side}.{event}" if event in WHOLE_LEG else f"{side}.{joint} {event}"


def _mid_swings(clip: Clip) -> list[State]:
    """Where each shoulder is half way between two extremes of its swing that follow each other."""
    around = unrolled(clip, 3)
    return [
        State(frame % clip.n_frames / clip.n_frames, (f"{SIDE_CODES[arm.side]}.S msw",))
        for arm in find_anatomy(clip.skeleton).arms
        for frame in _half_way(clip, arm, swing_angles(around, *arm.chain[:2]))
    ]


def _half_way(clip: Clip, arm: Arm, angles: FloatArray) -> list[float]:
    """The frames of the middle one of three cycles at which angles (3 T,) are half way between extremes."""
    name, n_frames = clip.skeleton.names[arm.shoulder], clip.n_frames
    turns = sorted(
        event.frame
        for event in clip.events
        if event.joint == name and event.label in (labels.FLEXION, labels.EXTENSION)
    )
    if len(turns) < 2:
        return []
    frames = np.arange(len(angles))
    found = []
    for start, end in pairwise([*turns, turns[0] + n_frames]):
        first, last = np.interp([start + n_frames, end + n_frames], frames, angles)
        inside = frames[int(np.ceil(start)) + n_frames : int(np.floor(end)) + n_frames + 1]
        below = np.sign(last - first) * (angles[inside] - (first + last) / 2.0)
        rises = np.flatnonzero((below[:-1] < 0.0) & (below[1:] >= 0.0))
        if rises.size:
            i = int(rises[0])
            found.append(float(inside[i]) + signals.crossing(below[i], below[i + 1], 0.0))
    return found
