"""Files whose vertical axis is not Y: exact changes of axes by permuting coordinates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.motion import Clip, Tip
from motionloom.motion.source import UpAxis

# Rows say which file coordinate, with which sign, becomes x, y and z; all three keep right-handedness.
TO_Y_UP: dict[UpAxis, FloatArray] = {
    "x": np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    "y": np.eye(3),
    "z": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
}


def to_y_up(clip: Clip, up: UpAxis) -> Clip:
    """A clip whose vertical axis is ``up``, in coordinates whose vertical axis is Y.

    The rest pose turns with the world, so joints' own axes change names too.
    """
    return clip if up == "y" else _permuted(clip, TO_Y_UP[up])


def from_y_up(clip: Clip, up: UpAxis) -> Clip:
    """The inverse of :func:`to_y_up`."""
    return clip if up == "y" else _permuted(clip, TO_Y_UP[up].T)


def _permuted(clip: Clip, matrix: FloatArray) -> Clip:
    """Apply a rotation that only exchanges axes to everything in a clip, without rounding."""
    source, sign = np.abs(matrix).argmax(axis=1), matrix.sum(axis=1)

    def vectors(values: FloatArray) -> FloatArray:
        return freeze(values[..., source] * sign)

    def turns(values: FloatArray) -> FloatArray:
        return freeze(np.concatenate([values[..., :1], vectors(values[..., 1:])], axis=-1))

    skeleton = replace(
        clip.skeleton,
        offsets=vectors(clip.skeleton.offsets),
        rest_rotations=turns(clip.skeleton.rest_rotations),
        tips=tuple(Tip(tip.joint, vectors(tip.offset)) for tip in clip.skeleton.tips),
    )
    return replace(
        clip,
        skeleton=skeleton,
        root_positions=vectors(clip.root_positions),
        rotations=turns(clip.rotations),
        translations=None if clip.translations is None else vectors(clip.translations),
        constraints=tuple(
            replace(c, point=vectors(c.point), target=None if c.target is None else vectors(c.target))
            for c in clip.constraints
        ),
    )
