"""What every way of getting from one clip to another makes: the frames between head and tail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.weights import TransitionWeights
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.transitions.seams import Annotations, part_of, put_together


@dataclass(frozen=True, eq=False, kw_only=True)
class Middle:
    """The M frames of a transition, of which the first is a frame of clip a and the last one of clip b.

    Attributes
    ----------
    root_positions, rotations, translations
        (M, 3), (M, J, 4) and, where bones move or differ, (M, J, 3).
    u
        (M,) parameter of the registration curve; frames from the centre where there is none.
    weights, frames, placements
        (M, 2), (M, 2) and (M, 2, 3), as in a :class:`~motionloom.blending.result.BlendResult`.
    annotations
        Constraints and events, in frames counted from the first.
    notes
        What is worth saying.
    misfit
        Mean distance in metres of frames that are blended though they hardly correspond; else zero.
    """

    root_positions: FloatArray
    rotations: FloatArray
    translations: FloatArray | None
    u: FloatArray
    weights: FloatArray
    frames: FloatArray
    placements: FloatArray
    annotations: Annotations
    notes: tuple[str, ...] = ()
    misfit: float = 0.0


def eased_weights(half: int) -> FloatArray:
    """Weights (2 half + 1, 2) from exactly (1, 0) to exactly (0, 1), equal in the middle.

    >>> eased_weights(1).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """
    return TransitionWeights(0.0, 1.0)(np.arange(-half, half + 1) / half)


def bones_differ(a: Clip, b: Clip) -> bool:
    """Whether one set of bones cannot serve all frames of both clips."""
    moving = a.translations is not None or b.translations is not None
    return moving or not np.array_equal(a.skeleton.offsets[1:], b.skeleton.offsets[1:])


def turned_over(ours: FloatArray, theirs: FloatArray, share: FloatArray) -> FloatArray:
    """Rotations (M, J, 4), a share (M,) of the way from the first to the second.

    Each joint goes the same way round in all frames, that which is shorter while both count: the other way
    becoming shorter in the course of it is no reason to jump.

    >>> still, turning = np.tile(rot.IDENTITY, (5, 1, 1)), rot.from_yaw(np.linspace(2.0, 4.0, 5))[:, None]
    >>> halves = turned_over(still, turning, np.full(5, 0.5))
    >>> rot.yaw_of(halves[:, 0]).round(3).tolist()
    [1.0, 1.25, 1.5, 1.75, 2.0]
    """
    gaps = rot.unroll(rot.multiply(theirs, rot.inverse(ours)))
    counts = share * (1.0 - share)
    gaps = gaps * np.where(np.einsum("m,mj->j", counts, gaps[..., 0]) < 0.0, -1.0, 1.0)[:, None]
    sines = np.linalg.norm(gaps[..., 1:], axis=-1)
    angles = 2.0 * np.arctan2(sines, gaps[..., 0])
    axes = gaps[..., 1:] / np.where(sines > 0.0, sines, 1.0)[..., None]
    return rot.multiply(rot.from_axis_angle(axes, share[:, None] * angles), ours)


def placement_rows(way: GroundTransform, count: int) -> FloatArray:
    """One transform as yaw, x, z, repeated (count, 3)."""
    return np.tile(way.row(), (count, 1))


def over_ground(
    start: FloatArray, steps: FloatArray, heights: FloatArray, way: GroundTransform, roots: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Root positions (M, 3) from ``start`` on by ``steps`` (M, 3), of which the first is not used.

    Also the placements (M, 3) that put a clip there whose roots, placed by ``way``, are ``roots`` (M, 3).
    """
    made = start + np.concatenate([np.zeros((1, 3)), np.cumsum(steps[1:], axis=0)])
    made[:, 1] = heights
    placements = placement_rows(way, len(made))
    placements[:, 1:] += (made - roots)[:, [0, 2]]
    return made, placements


def from_either(a: Clip, b: Clip, frames: FloatArray, way: GroundTransform, switch: float) -> Annotations:
    """Annotations of clip a up to middle frame ``switch`` and of clip b, placed by ``way``, from there on.

    ``frames`` (M, 2) are the source frames of the middle, one step apart where they are asked.
    """
    last = len(frames) - 1.0
    return put_together(
        [
            part_of(a.constraints, a.events, first=0.0, last=switch, shift=-float(frames[0, 0])),
            part_of(
                b.constraints, b.events, first=switch, last=last, shift=last - float(frames[-1, 1]), way=way
            ),
        ]
    )
