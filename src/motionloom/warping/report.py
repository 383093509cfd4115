"""What a warp has to say: which keys hold, how time runs, and what keeping plants moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.enforcement import EnforcementReport
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.warping.cubics import poses_at
from motionloom.warping.curves import joint_of
from motionloom.warping.keys import Key
from motionloom.warping.times import TimeKeys, TimeMap
from motionloom.warping.warps import Warp

REACHED = 0.001
"""Metres within which a joint is where its key wants it."""


@dataclass(frozen=True)
class KeyOutcome:
    """How well a key that names a place or a rotation is met in the result.

    Attributes
    ----------
    key
        As it was given.
    time
        When it happens in the result, seconds.
    distance
        Metres between where the joint is and where the key wants it; 0 for keys that name no place.
    angle
        Radians between the joint's rotation and the one the key names; 0 for keys that name none.
    """

    key: Key
    time: float
    distance: float
    angle: float

    @property
    def is_reached(self) -> bool:
        """Whether the joint is within 1 mm of its place."""
        return self.distance <= REACHED

    def __str__(self) -> str:
        off = [] if self.key.reach is None else [f"{self.distance * 1000:.2f} mm"]
        off += [] if self.key.orient is None else [f"{np.degrees(self.angle):.3f}°"]
        state = "" if self.is_reached else ": out of reach"
        return f"{self.key}, at {self.time:.3f} s of the result: {' and '.join(off)} off{state}"


@dataclass(frozen=True)
class WarpReport:
    """The report of :func:`motionloom.warp`.

    Attributes
    ----------
    warp
        The warp that was applied, with reaches and orientations solved into offsets: it can be scaled,
        undone and saved.
    n_keys, n_moments
        How many keys were given, and at how many moments.
    outcomes
        One entry for every key that names a place or a rotation.
    duration
        Seconds that the result lasts.
    slowest, fastest
        Smallest and largest source seconds per second of the result.
    plants
        What keeping the feet in place did, or None where that was not asked for.
    notes
        Sentences about what was decided or left out.
    """

    warp: Warp
    n_keys: int
    n_moments: int
    outcomes: tuple[KeyOutcome, ...]
    duration: float
    slowest: float = 1.0
    fastest: float = 1.0
    plants: EnforcementReport | None = None
    notes: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        """The number of keys and of their moments, in words."""
        keys = f"{self.n_keys} key{'' if self.n_keys == 1 else 's'}"
        return f"{keys} at {self.n_moments} moment{'' if self.n_moments == 1 else 's'}"

    @property
    def unreached(self) -> tuple[KeyOutcome, ...]:
        """The keys whose joints do not come to their places."""
        return tuple(outcome for outcome in self.outcomes if not outcome.is_reached)

    def __str__(self) -> str:
        lines = [f"{self.counted}; {self.duration:.2f} s long"]
        if (self.slowest, self.fastest) != (1.0, 1.0):
            lines.append(f"time runs {self.slowest:.2f} to {self.fastest:.2f} times as fast as the source's")
        lines += map(str, self.outcomes)
        if self.plants is not None:
            lines += str(self.plants).splitlines()
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def outcomes_of(
    result: Clip, keys: Sequence[Key], times: Sequence[TimeKeys], duration: float
) -> tuple[KeyOutcome, ...]:
    """Measure on the result how well keys with places and rotations are met; ``duration`` is the source's."""
    wishes = [key for key in keys if key.reach is not None or key.orient is not None]
    if not wishes:
        return ()
    moments = [_moment(key, times, duration) for key in wishes]
    frames = np.clip(np.array(moments) / result.frame_time, 0.0, result.n_frames - 1.0)
    poses = poses_at(result, frames)
    places, worlds = poses.world_positions(), poses.world_rotations()
    found = []
    for n, key in enumerate(wishes):
        joint = joint_of(key, result.skeleton)
        distance = angle = 0.0
        if key.reach is not None:
            point = rot.rotate(worlds[n, joint], np.zeros(3) if key.point is None else np.asarray(key.point))
            distance = float(np.linalg.norm(places[n, joint] + point - key.vector))
        if key.orient is not None:
            here = worlds[n, joint] if key.reach is not None else poses.rotations[n, joint]
            off = rot.to_rotation_vector(rot.multiply(rot.inverse(here), np.asarray(key.orient)))
            angle = float(np.linalg.norm(off))
        found.append(KeyOutcome(key, float(moments[n]), distance, angle))
    return tuple(found)


def rates_of(times: Sequence[TimeKeys], duration: float) -> tuple[float, float]:
    """The smallest and the largest rate of the whole body's time."""
    whole = next((keys for keys in times if not keys.joint), None)
    if whole is None:
        return 1.0, 1.0
    mapped = TimeMap(whole, duration)
    rates = mapped.rate(np.linspace(0.0, mapped.duration, 1000))
    return float(rates.min()), float(rates.max())


def _moment(key: Key, times: Sequence[TimeKeys], duration: float) -> float:
    whole = next((keys for keys in times if not keys.joint), None)
    return key.time if whole is None else float(TimeMap(whole, duration).new(key.time))
