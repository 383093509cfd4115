"""Comparing found plants with the truth, and counting steps without the detector."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.annotation import strikes
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import Side, facing, find_anatomy
from motionloom.motion.filters import average_window
from motionloom.motion.kinematics import world_points
from motionloom.synthesis import SyntheticMotion

AT_TARGET = 1e-9
"""A true plant is where its point lies at its target within this, metres."""

CLEARLY_AHEAD = 0.05
"""A foot leads once it is this far ahead of the other one, metres."""


@dataclass(frozen=True)
class Score:
    """How many plants are true, found, and both."""

    n_true: int
    n_found: int
    n_matched: int


def still_interval(clip: Clip, plant: Constraint) -> tuple[float, float]:
    """A true plant, with the frames before and after it in which its point is at its target already or still.

    A foot that lands flat rests on its toe from the strike on; the truth names the end of the landing.
    """
    joint = clip.skeleton.index(plant.joint)
    places = world_points(clip.world_positions(), clip.world_rotations(), [joint], [plant.point])[:, 0]
    assert plant.target is not None
    rests = np.linalg.norm(places - plant.target, axis=-1) < AT_TARGET
    first, last = int(np.ceil(plant.start)), int(np.floor(plant.end))
    while first > 0 and rests[first - 1]:
        first -= 1
    while last < len(rests) - 1 and rests[last + 1]:
        last += 1
    return min(plant.start, first), max(plant.end, last)


def score(motion: SyntheticMotion, annotated: Clip, tolerance: float) -> Score:
    """Plants of the same joint and kind match when both their ends agree within ``tolerance`` frames."""
    matched = 0
    for true in motion.plants:
        start, end = still_interval(motion.clip, true)
        matched += any(
            (found.joint, found.kind) == (true.joint, true.kind)
            and abs(found.start - start) <= tolerance
            and abs(found.end - end) <= tolerance
            for found in annotated.constraints
        )
    return Score(len(motion.plants), len(annotated.constraints), matched)


def leads(clip: Clip) -> list[tuple[Side, int, int]]:
    """Which foot is ahead along the body's heading, from which frame to which; nothing of the detector."""
    left, right = (clip.world_positions()[:, leg.ankle] for leg in find_anatomy(clip.skeleton).legs)
    yaw = facing(clip)
    ahead = (left - right)[:, 0] * np.sin(yaw) + (left - right)[:, 2] * np.cos(yaw)
    ahead = average_window(ahead, clip.frame_time, 0.05)
    found: list[tuple[Side, int]] = []
    for frame, way in enumerate(ahead.tolist()):
        side: Side = "left" if way > 0.0 else "right"
        if abs(way) > CLEARLY_AHEAD and (not found or found[-1][0] != side):
            same_sign = (ahead[: frame + 1] > 0.0) == (way > 0.0)
            found.append((side, int(np.flatnonzero(~same_sign)[-1]) + 1 if not same_sign.all() else 0))
    ends = [begin for _, begin in found[1:]] + [clip.n_frames]
    return [(side, begin, end) for (side, begin), end in zip(found, ends, strict=True)]


def wrong_leads(clip: Clip) -> list[str]:
    """What is wrong with the strikes of a clip: each foot must strike once while it leads, and never else.

    In the first and the last lead, which the clip cuts off, the strike may be missing.
    """
    steps = leads(clip)
    wrong = []
    for n, (side, begin, end) in enumerate(steps):
        within = [hit.side for hit in strikes(clip) if begin <= hit.frame < end]
        whole = 0 < n < len(steps) - 1
        if within != [side] and (whole or within):
            wrong.append(f"{side} leads in frames {begin} to {end}, strikes are {within}")
    return wrong
