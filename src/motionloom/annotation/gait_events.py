"""Contacts of whole feet, and the events of a gait: strike, lift and mid swing."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from motionloom.annotation import signals
from motionloom.annotation.labels import LIFT, MID_SWING, PLANT_KINDS, STRIKE
from motionloom.annotation.plants import Interval
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Event
from motionloom.motion.anatomy import Leg, find_anatomy

SHORTEST_SWING = 0.1
"""A foot whose heel and toe are both free for less than this, seconds, has not left the floor."""

CUT_OFF = 0.05
"""A contact that begins this soon after the first frame, or ends this shortly before the last, seconds, is
taken for one that the clip cuts off: velocities are not sure there."""

LEAST_STEP = 0.1
"""A swing shorter than this, metres, is a step on the spot: its middle is where the foot is highest."""


def foot_contacts(clip: Clip, leg: Leg) -> list[Interval]:
    """The intervals (fractional frames) in which heel or toe of a leg are planted.

    >>> from motionloom.motion import Constraint
    >>> from motionloom.synthesis import biped, stand
    >>> heel, toe = Constraint("LeftFoot", "heel", 0, 20), Constraint("LeftToeBase", "toe", 8, 31)
    >>> from dataclasses import replace
    >>> clip = replace(stand(duration=1.0).clip, constraints=(heel, toe))
    >>> foot_contacts(clip, find_anatomy(biped()).legs[0])
    [(0.0, 31.0)]
    """
    names = {clip.skeleton.names[joint] for joint in leg.joints}
    plants = [(c.start, c.end) for c in clip.constraints if c.kind in PLANT_KINDS and c.joint in names]
    return signals.joined(plants, SHORTEST_SWING / clip.frame_time)


def gait_events(clip: Clip) -> list[Event]:
    """Strikes, lifts and mid swings of every foot of a clip that carries foot plants.

    >>> from motionloom.synthesis import walk
    >>> from dataclasses import replace
    >>> motion = walk(duration=1.0)
    >>> events = gait_events(replace(motion.clip, constraints=motion.plants))
    >>> sorted({event.label for event in events})
    ['lift', 'mid swing', 'strike']
    """
    legs = find_anatomy(clip.skeleton).legs
    contacts = [foot_contacts(clip, leg) for leg in legs]
    margin, last = CUT_OFF / clip.frame_time, clip.n_frames - 1
    found = []
    for n, leg in enumerate(legs):
        name = clip.skeleton.names[leg.ankle]
        found += [Event(start, STRIKE, name) for start, _ in contacts[n] if start > margin]
        found += [Event(end, LIFT, name) for _, end in contacts[n] if end < last - margin]
        other = legs[1 - n] if len(legs) == 2 else None
        swings = pairwise(contacts[n])
        found += [
            Event(_mid_swing(clip, leg, other, before[1], after[0]), MID_SWING, name)
            for before, after in swings
        ]
    return found


def _mid_swing(clip: Clip, leg: Leg, other: Leg | None, lift: float, strike: float) -> float:
    """The frame at which a foot that swings from ``lift`` to ``strike`` passes the other one."""
    places = clip.world_positions()
    first, last = int(np.floor(lift)), int(np.ceil(strike))
    ankle = places[first : last + 1, leg.ankle]
    way = (ankle[-1] - ankle[0]) * [1.0, 0.0, 1.0]
    if other is not None and np.linalg.norm(way) >= LEAST_STEP:
        ahead = (ankle - places[first : last + 1, other.ankle]) @ way
        passing = _first_rise_through_zero(ahead)
        if passing is not None:
            return float(np.clip(first + passing, lift, strike))
    return float(np.clip(first + int(np.argmax(ankle[:, 1])), lift, strike))


def _first_rise_through_zero(values: FloatArray) -> float | None:
    """The fractional index at which values (N,) first rise through zero, or None."""
    rises = np.flatnonzero((values[:-1] < 0.0) & (values[1:] >= 0.0))
    if not len(rises):
        return None
    before = int(rises[0])
    return before + signals.crossing(values[before], values[before + 1], 0.0)
