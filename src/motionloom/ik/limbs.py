"""A limb reaches for places in the world: positions in, local rotations out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.ik import hinges, two_bone, vectors

Chain = tuple[int, int, int]

_NOWHERE = 1e-9
"""A goal this near to the limb's upper joint, metres, has no direction."""


@dataclass(frozen=True, eq=False)
class Reach:
    """What a limb does to reach its goals.

    Attributes
    ----------
    rotations
        (T, 3, 4) local rotations of the three joints of the chain.
    scales
        (T,) factor on the bones between them.
    ends
        (T, 3) world positions that the end of the chain takes, metres.
    """

    rotations: FloatArray
    scales: FloatArray
    ends: FloatArray


def reach(
    parents: npt.NDArray[np.int64],
    positions: FloatArray,
    world_rotations: FloatArray,
    chain: Chain,
    goals: FloatArray,
    *,
    hinge: FloatArray,
    end_rotations: FloatArray | None = None,
    bending: FloatArray | None = None,
    stretch: float = 0.0,
) -> Reach:
    """Turn and stretch a limb of two bones so that its end comes to its goals, or as near as it gets.

    The middle joint bends about the axis it already bends about; the upper joint makes the smallest turn that
    points the limb at its goal; the end keeps its orientation in the world, or takes the given one. Joints in
    between that belong to neither keep their local rotations.

    Parameters
    ----------
    parents
        (J,) the skeleton's parents.
    positions, world_rotations
        (T, J, 3) and (T, J, 4), the joints of the whole body in the world.
    chain
        Upper, middle and end joint: hip, knee, ankle, or shoulder, elbow, wrist.
    goals
        (T, 3) where the end shall be, metres.
    hinge
        (3,) usual axis of the middle joint in the frame of the upper one; turning about it straightens.
    end_rotations
        (T, 4) world rotations that the end shall have; None for those it has.
    bending
        (T,) distances from the upper joint to the end that the middle joint goes for, where stretching does
        the rest; None for the distances of the goals.
    stretch
        Largest share by which the bones grow or shrink.

    >>> parents, down = np.array([-1, 0, 1]), np.array([[0, 1.0, 0], [0, 0.6, 0.1], [0, 0.2, 0]])
    >>> still = np.tile(rot.IDENTITY, (1, 3, 1))
    >>> lifted = reach(
    ...     parents, down[None], still, (0, 1, 2), np.array([[0.1, 0.3, 0]]), hinge=np.array([-1.0, 0, 0])
    ... )
    >>> np.allclose(lifted.ends, [[0.1, 0.3, 0.0]])
    True
    """
    start, middle, end = (positions[:, joint] for joint in chain)
    if goals.shape != start.shape:
        raise ParameterError(f"goals must have shape {start.shape}, one place per frame, not {goals.shape}")
    upper, lower, way = middle - start, end - middle, goals - start
    axes = hinges.steady(upper, lower, rot.rotate(world_rotations[:, chain[0]], hinge))
    lengths = vectors.lengths(way)
    bent = two_bone.bend(upper, lower, axes, lengths, bending=bending, stretch=stretch, damped=True)
    fold = rot.from_axis_angle(axes, bent.turns)
    limb = (upper + rot.rotate(fold, lower)) * bent.scales[:, None]
    nowhere = (lengths < _NOWHERE) | (bent.lengths < _NOWHERE)
    aim = rot.between(_or_down(limb, nowhere), _or_down(way, nowhere))
    last = world_rotations[:, chain[2]] if end_rotations is None else end_rotations
    rotations = _local_rotations(parents, world_rotations, chain, aim, fold, last)
    return Reach(rotations, bent.scales, start + rot.rotate(aim, limb))


def usual_hinge(
    positions: FloatArray, world_rotations: FloatArray, chain: Chain, fallback: FloatArray
) -> FloatArray:
    """The axis (3,) about which a limb usually bends, in the frame of its upper joint.

    ``fallback`` (3,) serves limbs that never bend.

    >>> bent = np.array([[[0, 1.0, 0], [0, 0.6, 0.1], [0, 0.2, 0]]])
    >>> usual_hinge(bent, np.tile(rot.IDENTITY, (1, 3, 1)), (0, 1, 2), np.array([0, 0, 1.0])).tolist()
    [-1.0, 0.0, 0.0]
    """
    start, middle, end = (positions[:, joint] for joint in chain)
    axes = hinges.straightening(middle - start, end - middle)
    return hinges.usual(rot.rotate(rot.inverse(world_rotations[:, chain[0]]), axes), fallback)


def _or_down(vectors: FloatArray, nowhere: npt.NDArray[np.bool_]) -> FloatArray:
    """Vectors (T, 3), one and the same where they have no direction."""
    return np.where(nowhere[:, None], [0.0, -1.0, 0.0], vectors)


def _local_rotations(
    parents: npt.NDArray[np.int64],
    world_rotations: FloatArray,
    chain: Chain,
    aim: FloatArray,
    fold: FloatArray,
    last: FloatArray,
) -> FloatArray:
    """Local rotations (T, 3, 4) of a chain that is turned as a whole and folded at its middle joint."""
    worlds = [world_rotations[:, joint] for joint in chain]
    above = [
        np.broadcast_to(rot.IDENTITY, worlds[0].shape) if parents[j] < 0 else world_rotations[:, parents[j]]
        for j in chain
    ]
    turned = (
        rot.multiply(rot.inverse(above[0]), rot.multiply(aim, worlds[0])),
        rot.multiply(rot.inverse(above[1]), rot.multiply(fold, worlds[1])),
        rot.multiply(rot.inverse(rot.multiply(rot.multiply(aim, fold), above[2])), last),
    )
    return np.stack(turned, axis=1)
