"""A plain reading of BVH files, written from the format's description and independent of the package.

It takes one root, words separated by blanks, and rows as stated; world positions come from 3×3 matrices.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass
class SlowJoint:
    name: str
    parent: int
    offset: Array
    channels: list[str] = field(default_factory=list)


def read_slowly(path: Path) -> tuple[list[SlowJoint], Array, float]:
    """Joints, rows (T, C) and frame time of a well-formed file."""
    header, _, motion = path.read_text(encoding="utf-8-sig", errors="replace").partition("MOTION")
    joints: list[SlowJoint] = []
    stack: list[int] = []
    current = -1
    in_tip = False
    for line in header.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] in ("ROOT", "JOINT"):
            joints.append(SlowJoint(" ".join(words[1:]), stack[-1] if stack else -1, np.zeros(3)))
            current = len(joints) - 1
        elif words[0] == "End":
            in_tip = True
        elif words[0] == "{" and not in_tip:
            stack.append(current)
        elif words[0] == "}":
            if in_tip:
                in_tip = False
            else:
                stack.pop()
        elif words[0] == "OFFSET" and not in_tip:
            joints[current].offset = np.array([float(w) for w in words[1:4]])
        elif words[0] == "CHANNELS":
            joints[current].channels = words[2:]
    words = motion.replace("Frame Time:", " ").replace("Frames:", " ").split()
    n_channels = sum(len(joint.channels) for joint in joints)
    values = np.array([float(word) for word in words[2:]])
    return joints, values.reshape(int(words[0]), n_channels), float(words[1])


def world_slowly(joints: list[SlowJoint], rows: Array, add_root_offset: bool = False) -> Array:
    """World positions (T, J, 3) in the file's unit."""
    n_frames, column = len(rows), 0
    positions = np.zeros((n_frames, len(joints), 3))
    turns = np.zeros((n_frames, len(joints), 3, 3))
    for index, joint in enumerate(joints):
        local = np.tile(np.eye(3), (n_frames, 1, 1))
        place = np.tile(joint.offset, (n_frames, 1))
        for name in joint.channels:
            values = rows[:, column]
            column += 1
            axis = "XYZ".index(name[0].upper())
            if name[1:] == "position":
                place[:, axis] = values + (joint.offset[axis] if add_root_offset and index == 0 else 0.0)
            else:
                local = local @ axis_matrix(axis, np.radians(values))
        if joint.parent < 0:
            positions[:, index], turns[:, index] = place, local
        else:
            parent = turns[:, joint.parent]
            positions[:, index] = positions[:, joint.parent] + np.einsum("tij,tj->ti", parent, place)
            turns[:, index] = parent @ local
    return positions


def axis_matrix(axis: int, angles: Array) -> Array:
    """Rotation matrices (T, 3, 3) about one axis."""
    c, s = np.cos(angles), np.sin(angles)
    one, zero = np.ones_like(c), np.zeros_like(c)
    rows = {
        0: [[one, zero, zero], [zero, c, -s], [zero, s, c]],
        1: [[c, zero, s], [zero, one, zero], [-s, zero, c]],
        2: [[c, -s, zero], [s, c, zero], [zero, zero, one]],
    }[axis]
    return np.moveaxis(np.array(rows), -1, 0)
