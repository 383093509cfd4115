"""Clips with planted glitches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip


def flip(
    clip: Clip, joint: str, first: int, last: int, degrees: float, axis: npt.ArrayLike = (1, 0, 0)
) -> Clip:
    """The clip with a joint rotated away in some frames."""
    rotations, index = np.array(clip.rotations), clip.skeleton.index(joint)
    part = slice(first, last + 1)
    rotations[part, index] = rot.multiply(
        rotations[part, index], rot.from_axis_angle(axis, np.radians(degrees))
    )
    return replace(clip, rotations=rotations)


def spike(clip: Clip, first: int, last: int, offset: npt.ArrayLike) -> Clip:
    """The clip with its root moved away in some frames."""
    roots = np.array(clip.root_positions)
    roots[first : last + 1] += np.asarray(offset)
    return replace(clip, root_positions=roots)


def angles_between(a: Clip, b: Clip) -> FloatArray:
    """Angles (T, J) between the rotations of two clips, degrees."""
    cosines = np.abs(np.einsum("tji,tji->tj", a.rotations, b.rotations))
    return np.asarray(np.degrees(2.0 * np.arccos(np.minimum(cosines, 1.0))))
