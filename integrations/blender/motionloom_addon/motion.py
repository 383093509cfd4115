"""Motion on its way between Blender and Motionloom: plain arrays, in memory and in a file.

Only NumPy is needed, so that both sides can read and write it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

HEADER = "header"
"""The array that holds all that is no array, as JSON in bytes."""


@dataclass(frozen=True)
class Motion:
    """J bones over T frames in the world, metres and Y up, parents before children.

    Attributes
    ----------
    name
        What the motion is called.
    names, parents
        J names, and the index of each bone's parent or −1; there may be several roots.
    frame_time
        Seconds from one frame to the next.
    rest
        (J, 3) positions in the rest pose.
    positions
        (T, J, 3) positions; NaN where a marker was not seen.
    turns
        (T, J, 3, 3) rotations in the world that lead from the rest pose to the pose.
    tips
        Free ends of chains: the index of a bone, and where its end is in the rest pose.
    cyclic
        Whether the last frame is the first of the next cycle.
    constraints, events
        Plants and labelled instants, as objects for JSON; points of plants are in axes that are the world's
        in the rest pose.
    """

    name: str
    names: list[str]
    parents: list[int]
    frame_time: float
    rest: Array
    positions: Array
    turns: Array
    tips: list[tuple[int, list[float]]] = field(default_factory=list)
    cyclic: bool = False
    constraints: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)


REQUEST, ANSWER = "request.json", "answer.json"
"""What is asked for and what came of it, beside the motions of a job."""

SAME_BONES = 1e-3
"""Metres that bones of the same skeleton may differ by."""

_ARRAYS = ("rest", "positions", "turns")


def write_motion(motion: Motion, path: Path) -> None:
    """Write a motion into a NumPy archive."""
    header = {key: value for key, value in vars(motion).items() if key not in _ARRAYS}
    arrays: dict[str, Any] = {name: getattr(motion, name) for name in _ARRAYS}
    arrays[HEADER] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(path, **arrays)


def read_motion(path: Path) -> Motion:
    """Read what :func:`write_motion` wrote."""
    with np.load(path, allow_pickle=False) as stored:
        header = json.loads(stored[HEADER].tobytes())
        arrays: dict[str, Any] = {name: np.asarray(stored[name], dtype=np.float64) for name in _ARRAYS}
    header["tips"] = [(joint, place) for joint, place in header["tips"]]
    return Motion(**header, **arrays)


def same_bones(one: Motion, other: Motion) -> bool:
    """Whether two motions have the same bones, of the same length and direction at rest."""
    if sorted(one.names) != sorted(other.names):
        return False
    order = [one.names.index(name) for name in other.names]
    apart = one.rest[order] - other.rest
    return bool(np.abs(apart - apart[0]).max() < SAME_BONES)
