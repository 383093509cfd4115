"""Putting corresponding frames on each other, and the group of them where the motion has led to.

Ground vectors are pairs (x, z); a yaw θ turns (x, z) into (x cos θ + z sin θ, z cos θ − x sin θ). A transform
is (yaw, x, z): turn, then shift.
"""

from __future__ import annotations

import numpy as np

from motionloom.kernels.compiling import Floats, kernel

STRAIGHT = 1e-9
"""Turn per cycle, in radians, below which a travel is a plain shift."""


@kernel
def align(points: Floats, reference: int, travels: Floats, position: float, out: Floats) -> None:
    """Transforms ``out`` (K, 3) that put the clips at one position of the curve into one group.

    ``points`` (D, K, 3) are control points of yaw and centre, D − 2 pieces; ``travels`` (K, 3) is where one
    cycle of each clip leads, zero for clips with two ends. The group does not travel: of cyclic clips, the
    share of the travel that has passed is taken out.
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
        back_yaw, back_x, back_z = _travelled(travels[k], -position / n_pieces)
        x, z = _turned(yaw, back_x - x, back_z - z)
        out[k, 0], out[k, 1], out[k, 2] = yaw + back_yaw, goal_x + x, goal_z + z


@kernel
def vote(
    before: Floats,
    after: Floats,
    travels: Floats,
    wraps: int,
    roots: Floats,
    weights: Floats,
    placement: Floats,
    out: Floats,
) -> None:
    """The placement ``out`` (3,) of a group from that of the group one frame earlier.

    ``before`` and ``after`` (K, 3) align the clips at the two frames, ``wraps`` cycles apart. Each clip votes
    for the placement that leaves its own path unbroken. Turns are averaged, and the votes are averaged at the
    group's own point, where the blended root is: ``roots`` (K, 3), within the group. A mean at any other
    point bends the path, the more the further the group has gone from the world's origin.
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
        # From the group to the clip's own ground by the new alignment, a travel on where a cycle has passed,
        # and into the world as the old alignment and placement had it: turns in the plane add up.
        turn = placement[0] + before[k, 0] - after[k, 0]
        x, z = 0.0, 0.0
        if wraps != 0:
            way_yaw, way_x, way_z = _travelled(travels[k], float(wraps))
            turn += way_yaw
            x, z = _turned(placement[0] + before[k, 0], way_x, way_z)
        vote_x, vote_z = _turned(turn, group_x - after[k, 1], group_z - after[k, 2])
        vote_x += x + before[k, 1] * cosine + before[k, 2] * sine
        vote_z += z + before[k, 2] * cosine - before[k, 1] * sine
        yaw += weights[k] * turn
        mean_x += weights[k] * (vote_x + placement[1])
        mean_z += weights[k] * (vote_z + placement[2])
    shift_x, shift_z = _turned(yaw, group_x, group_z)
    out[0], out[1], out[2] = yaw, mean_x - shift_x, mean_z - shift_z


@kernel
def place_all(
    points: Floats,
    reference: int,
    travels: Floats,
    positions: Floats,
    cycles: Floats,
    roots: Floats,
    weights: Floats,
    out_aligned: Floats,
    out_placements: Floats,
) -> None:
    """Align and place all frames of a blend in order; row 0 of ``out_placements`` (T, 3) is given.

    ``positions`` (T,) lie within one cycle, ``cycles`` (T,) counts those before it. ``roots`` (T, K, 3), the
    clips' own root positions, become those within the group.
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
def to_group(aligned: Floats, roots: Floats) -> None:
    """Move the clips' root positions (K, 3) into the group, in place."""
    for k in range(roots.shape[0]):
        x, z = _turned(aligned[k, 0], roots[k, 0], roots[k, 2])
        roots[k, 0], roots[k, 2] = x + aligned[k, 1], z + aligned[k, 2]


@kernel
def _turned(yaw: float, x: float, z: float) -> tuple[float, float]:
    c, s = np.cos(yaw), np.sin(yaw)
    return x * c + z * s, z * c - x * s


@kernel
def _travelled(travel: Floats, cycles: float) -> tuple[float, float, float]:
    """The transform of a number of cycles, fractions included: an arc, or a straight way."""
    yaw, x, z = travel[0], travel[1], travel[2]
    if cycles == 0.0 or (yaw == 0.0 and x == 0.0 and z == 0.0):
        return 0.0, 0.0, 0.0
    if abs(yaw) < STRAIGHT:
        return cycles * yaw, cycles * x, cycles * z
    # The shift of an arc is (e^(−i s θ) − 1) / (e^(−i θ) − 1) times the shift of the whole turn.
    angle, half = cycles * yaw / 2, yaw / 2
    size, turn = np.sin(angle) / np.sin(half), angle - half
    x, z = _turned(turn, size * x, size * z)
    return cycles * yaw, x, z
