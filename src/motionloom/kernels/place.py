"""Align corresponding frames with each other, and place the aligned group in the world.

Ground vectors are pairs (x, z); a yaw θ rotates (x, z) to (x cos θ + z sin θ, z cos θ − x sin θ). A transform
is (yaw, x, z): rotate, then translate.
"""

from __future__ import annotations

import numpy as np

from motionloom.kernels.array_types import (
    Floats,
    Floats1,
    Floats2,
    Floats3,
    OutFloats1,
    OutFloats2,
    OutFloats3,
)
from motionloom.kernels.compiling import kernel

STRAIGHT_YAW = 1e-9
"""Yaw per cycle, in radians, below which the travel of a cycle is a plain translation."""


@kernel
def align(points: Floats3, reference: int, travels: Floats2, position: float, out: OutFloats2) -> None:
    """Write the transforms ``out`` (K, 3) that align the clips at one position of the curve into one group.

    ``points`` (D, K, 3) are control points of yaw and centre, D − 2 pieces; ``travels`` (K, 3) is the
    transform of one cycle of each clip, zero for clips that are not cyclic. The group does not travel: the
    fraction of the travel up to this position is taken out.
    """
    n_pieces = points.shape[0] - 2
    piece = min(max(int(np.floor(position)), 0), n_pieces - 1)
    t = position - piece
    a, b, c = (1 - t) * (1 - t) / 2, 0.5 + t * (1 - t), t * t / 2
    r = reference
    goal_x = a * points[piece, r, 1] + b * points[piece + 1, r, 1] + c * points[piece + 2, r, 1]
    goal_z = a * points[piece, r, 2] + b * points[piece + 1, r, 2] + c * points[piece + 2, r, 2]
    for k in range(points.shape[1]):
        yaw = a * points[piece, k, 0] + b * points[piece + 1, k, 0] + c * points[piece + 2, k, 0]
        x = a * points[piece, k, 1] + b * points[piece + 1, k, 1] + c * points[piece + 2, k, 1]
        z = a * points[piece, k, 2] + b * points[piece + 1, k, 2] + c * points[piece + 2, k, 2]
        back_yaw, back_x, back_z = _travel(travels[k], -position / n_pieces)
        x, z = _rotate(yaw, back_x - x, back_z - z)
        out[k, 0], out[k, 1], out[k, 2] = yaw + back_yaw, goal_x + x, goal_z + z


@kernel
def vote(
    before: Floats2,
    after: Floats2,
    travels: Floats2,
    wraps: int,
    roots: Floats2,
    weights: Floats1,
    placement: Floats1,
    out: OutFloats1,
) -> None:
    """Write the placement ``out`` (3,) of a group, given that of the group one frame earlier.

    ``before`` and ``after`` (K, 3) align the clips at the two frames, ``wraps`` cycles apart. Each clip votes
    for the placement that continues its own path. Yaws are averaged, and positions are averaged at the
    blended root: ``roots`` (K, 3), within the group. Averaging about any other point would bend the path, the
    more so the farther the group is from the world's origin.
    """
    group_x, group_z = 0.0, 0.0
    for k in range(weights.shape[0]):
        group_x += weights[k] * roots[k, 0]
        group_z += weights[k] * roots[k, 2]
    yaw, mean_x, mean_z = 0.0, 0.0, 0.0
    cosine, sine = np.cos(placement[0]), np.sin(placement[0])
    for k in range(weights.shape[0]):
        if weights[k] == 0.0:
            continue
        # Undo the new alignment, add the travel of completed cycles, apply the old alignment and placement.
        # Yaws add up.
        turn = placement[0] + before[k, 0] - after[k, 0]
        x, z = 0.0, 0.0
        if wraps != 0:
            travel_yaw, travel_x, travel_z = _travel(travels[k], float(wraps))
            turn += travel_yaw
            x, z = _rotate(placement[0] + before[k, 0], travel_x, travel_z)
        vote_x, vote_z = _rotate(turn, group_x - after[k, 1], group_z - after[k, 2])
        vote_x += x + before[k, 1] * cosine + before[k, 2] * sine
        vote_z += z + before[k, 2] * cosine - before[k, 1] * sine
        yaw += weights[k] * turn
        mean_x += weights[k] * (vote_x + placement[1])
        mean_z += weights[k] * (vote_z + placement[2])
    shift_x, shift_z = _rotate(yaw, group_x, group_z)
    out[0], out[1], out[2] = yaw, mean_x - shift_x, mean_z - shift_z


@kernel
def place_all(
    points: Floats3,
    reference: int,
    travels: Floats2,
    positions: Floats1,
    cycles: Floats1,
    roots: OutFloats3,
    weights: Floats2,
    out_aligned: OutFloats3,
    out_placements: OutFloats2,
) -> None:
    """Align and place all frames of a blend in order. Row 0 of ``out_placements`` (T, 3) is given.

    ``positions`` (T,) lie within one cycle, ``cycles`` (T,) counts completed ones. ``roots`` (T, K, 3), the
    clips' own root positions, are overwritten with those within the group.
    """
    for i in range(positions.shape[0]):
        align(points, reference, travels, positions[i], out_aligned[i])
        to_group(out_aligned[i], roots[i])
        if i > 0:
            wraps = int(cycles[i] - cycles[i - 1])
            vote(
                out_aligned[i - 1],
                out_aligned[i],
                travels,
                wraps,
                roots[i],
                weights[i],
                out_placements[i - 1],
                out_placements[i],
            )


@kernel
def to_group(aligned: Floats2, roots: OutFloats2) -> None:
    """Transform the clips' root positions (K, 3) into the group, in place."""
    for k in range(roots.shape[0]):
        x, z = _rotate(aligned[k, 0], roots[k, 0], roots[k, 2])
        roots[k, 0], roots[k, 2] = x + aligned[k, 1], z + aligned[k, 2]


@kernel
def _rotate(yaw: float, x: float, z: float) -> tuple[float, float]:
    """Rotate a ground vector by a yaw."""
    c, s = np.cos(yaw), np.sin(yaw)
    return x * c + z * s, z * c - x * s


@kernel
def _travel(travel: Floats, cycles: float) -> tuple[float, float, float]:
    """Return the transform of a number of cycles, fractions included: an arc or a straight line."""
    yaw, x, z = travel[0], travel[1], travel[2]
    if cycles == 0.0 or (yaw == 0.0 and x == 0.0 and z == 0.0):
        return 0.0, 0.0, 0.0
    if abs(yaw) < STRAIGHT_YAW:
        return cycles * yaw, cycles * x, cycles * z
    # The translation along an arc is (e^(−i s θ) − 1) / (e^(−i θ) − 1) times that of a whole cycle.
    angle, half = cycles * yaw / 2, yaw / 2
    size, turn = np.sin(angle) / np.sin(half), angle - half
    x, z = _rotate(turn, size * x, size * z)
    return cycles * yaw, x, z
