"""Fingers without motion: data that never changes or that flips drives no fingers of another skeleton.

Many captures have joints for fingers that were never recorded; they stand still in some pose that means
nothing on another hand. Others were solved from too few markers and flip from frame to frame.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.retargeting.body_parts import find_body_parts
from motionloom.retargeting.joint_mapping import JointMapping
from motionloom.retargeting.rig_dialects import FINGERS

MAX_STILL = 1e-3
"""Radians by which a rotation may differ from the last and still never changes."""

START_FRACTION = 0.05
"""Fraction of a clip at its start in which fingers may change and still never move: captures often begin in
another pose, without passing from it to theirs."""

MAX_SPEED = np.radians(2500.0)
"""Radians a second that a finger turns at most: captured ones that do not flip reach 1,800°."""

MAX_STEP = np.radians(90.0)
"""Radians that a finger turns from one frame to the next at most, at frame rates however low."""

_FINGER = re.compile(rf"(left|right) ({'|'.join(FINGERS)}) \d+")


def ignore_fingers(clip: Clip, mapping: JointMapping) -> tuple[JointMapping, list[str]]:
    """Return a mapping without the fingers whose data says nothing, and notes on them.

    A finger is ignored where none of its joints ever changes, or one of them turns faster than fingers do.
    Pairs that somebody gave are kept, and so are the fingers of a single pose.

    >>> from motionloom.retargeting.joint_mapping import joint_mapping
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=0.5).clip
    >>> ignore_fingers(clip, joint_mapping(clip.skeleton, clip.skeleton))[1]
    []
    """
    if clip.n_frames < 2:
        return mapping, []
    fingers: dict[str, list[str]] = {}
    parts = find_body_parts(clip.skeleton).names
    for pair in mapping.pairs:
        part = _FINGER.fullmatch(parts.get(clip.skeleton.index(pair.source), ""))
        if part and pair.found_by != "given":
            fingers.setdefault(f"{part[1]} {part[2]}", []).append(pair.source)
    max_step, start = min(MAX_STEP, MAX_SPEED * clip.frame_time), int(START_FRACTION * clip.n_frames)
    still, flipping = [], []
    for finger, names in fingers.items():
        rotations = clip.rotations[:, [clip.skeleton.index(name) for name in names]]
        if _max_angle(rotations[-1:], rotations[start:]) <= MAX_STILL:
            still.append(finger)
        elif _max_angle(rotations[:-1], rotations[1:]) > max_step:
            flipping.append(finger)
    dropped = {name for finger in (*still, *flipping) for name in fingers[finger]}
    notes = [
        f"{_list_fingers(found)} {what} in the motion: the target's stay at rest, unless you map their joints"
        for found, what in ((still, "never move"), (flipping, "flip from frame to frame"))
        if found
    ]
    return replace(mapping, pairs=tuple(p for p in mapping.pairs if p.source not in dropped)), notes


def _max_angle(a: FloatArray, b: FloatArray) -> float:
    """Return the largest angle between rotations (T, J, 4), radians."""
    cosine = np.abs(np.einsum("...i,...i->...", a, b))
    return float(2.0 * np.arccos(np.clip(cosine.min(initial=1.0), 0.0, 1.0)))


def _list_fingers(fingers: list[str]) -> str:
    """Return the names of fingers, those of one hand together.

    >>> _list_fingers(["left thumb", "left index", "right index"])
    'fingers (left thumb and index, right index)'
    """
    hands: dict[str, list[str]] = {}
    for finger in fingers:
        side, name = finger.split()
        hands.setdefault(side, []).append(name)
    listed = [
        f"{side} {', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else f"{side} {names[0]}"
        for side, names in hands.items()
    ]
    return f"fingers ({', '.join(listed)})"
