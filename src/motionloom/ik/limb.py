"""`solve_limb`: a limb of two bones reaches for world positions; local rotations come out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray, norm
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import bend_axes, bend_bones, hinge_axes, mean_axis

Chain = tuple[int, int, int]
"""Upper, middle and end joint of a limb: hip, knee, ankle, or shoulder, elbow, wrist."""

MIN_DISTANCE = 1e-9
"""A goal closer than this to the limb's upper joint, metres, has no direction."""


@dataclass(frozen=True, eq=False)
class LimbSolution:
    """The pose of a limb that reaches its goals.

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


def solve_limb(
    parents: IntArray,
    positions: FloatArray,
    world_rotations: FloatArray,
    chain: Chain,
    goals: FloatArray,
    *,
    hinge: FloatArray,
    end_rotations: FloatArray | None = None,
    bending: FloatArray | None = None,
    stretch: float = 0.0,
) -> LimbSolution:
    """Rotate and stretch a limb of two bones so that its end reaches its goals, or comes as close as it can.

    The middle joint bends about the axis it already bends about; the upper joint makes the smallest rotation
    that points the limb at its goal; the end keeps its world orientation, or takes the given one. Other
    joints in between keep their local rotations.

    Parameters
    ----------
    parents
        (J,) the skeleton's parents.
    positions, world_rotations
        (T, J, 3) and (T, J, 4), the joints of the whole body in the world.
    chain
        Upper, middle and end joint: hip, knee, ankle, or shoulder, elbow, wrist.
    goals
        (T, 3) wanted positions of the end, metres.
    hinge
        (3,) hinge axis of the middle joint in the frame of the upper one; rotating about it straightens.
    end_rotations
        (T, 4) wanted world rotations of the end (default: those it has).
    bending
        (T,) distances from the upper joint to the end that the middle joint bends for; stretching does the
        rest (default: the distances of the goals).
    stretch
        Largest fraction by which the bones grow or shrink.

    >>> parents, down = np.array([-1, 0, 1]), np.array([[0, 1.0, 0], [0, 0.6, 0.1], [0, 0.2, 0]])
    >>> still = np.tile(rot.IDENTITY, (1, 3, 1))
    >>> lifted = solve_limb(
    ...     parents, down[None], still, (0, 1, 2), np.array([[0.1, 0.3, 0]]), hinge=np.array([-1.0, 0, 0])
    ... )
    >>> np.allclose(lifted.ends, [[0.1, 0.3, 0.0]])
    True
    """
    start, joint, end = (positions[:, index] for index in chain)
    if goals.shape != start.shape:
        raise ParameterError(f"goals must have shape {start.shape}, one per frame, not {goals.shape}")
    upper, lower, to_goal = joint - start, end - joint, goals - start
    # 1. Bend the middle joint to the distance of the goal.
    axes = hinge_axes(upper, lower, rot.rotate(world_rotations[:, chain[0]], hinge))
    lengths = norm(to_goal)
    bent = bend_bones(upper, lower, axes, lengths, bending=bending, stretch=stretch, damped=True)
    fold = rot.from_axis_angle(axes, bent.angles)
    limb = (upper + rot.rotate(fold, lower)) * bent.scales[:, None]
    # 2. Point the limb at the goal.
    undirected = (lengths < MIN_DISTANCE) | (bent.lengths < MIN_DISTANCE)
    aim = rot.between(_or_down(limb, undirected), _or_down(to_goal, undirected))
    # 3. Express both as local rotations.
    last = world_rotations[:, chain[2]] if end_rotations is None else end_rotations
    rotations = _local_rotations(parents, world_rotations, chain, aim, fold, last)
    return LimbSolution(rotations, bent.scales, start + rot.rotate(aim, limb))


def find_hinge(
    positions: FloatArray, world_rotations: FloatArray, chain: Chain, fallback: FloatArray
) -> FloatArray:
    """Find the mean axis (3,) about which a limb bends, in the frame of its upper joint.

    ``fallback`` (3,) serves limbs that never bend.

    >>> bent = np.array([[[0, 1.0, 0], [0, 0.6, 0.1], [0, 0.2, 0]]])
    >>> find_hinge(bent, np.tile(rot.IDENTITY, (1, 3, 1)), (0, 1, 2), np.array([0, 0, 1.0])).tolist()
    [-1.0, 0.0, 0.0]
    """
    start, joint, end = (positions[:, index] for index in chain)
    axes = bend_axes(joint - start, end - joint)
    return mean_axis(rot.rotate(rot.inverse(world_rotations[:, chain[0]]), axes), fallback)


def _or_down(vectors: FloatArray, undirected: BoolArray) -> FloatArray:
    """Replace vectors (T, 3) without a direction by the same one."""
    return np.where(undirected[:, None], [0.0, -1.0, 0.0], vectors)


def _local_rotations(
    parents: IntArray,
    world_rotations: FloatArray,
    chain: Chain,
    aim: FloatArray,
    fold: FloatArray,
    last: FloatArray,
) -> FloatArray:
    """Return local rotations (T, 3, 4) of a chain that is rotated as a whole and bent at its middle joint."""
    worlds = [world_rotations[:, joint] for joint in chain]
    above = [
        np.broadcast_to(rot.IDENTITY, worlds[0].shape) if parents[j] < 0 else world_rotations[:, parents[j]]
        for j in chain
    ]
    rotated = (
        rot.multiply(rot.inverse(above[0]), rot.multiply(aim, worlds[0])),
        rot.multiply(rot.inverse(above[1]), rot.multiply(fold, worlds[1])),
        rot.multiply(rot.inverse(rot.multiply(rot.multiply(aim, fold), above[2])), last),
    )
    return np.stack(rotated, axis=1)
