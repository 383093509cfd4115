"""One frame of a blend at a time: the steps of a whole blend in a row, without a word to Python between."""

from __future__ import annotations

import numpy as np

from motionloom.kernels.advance import advance, spline_value
from motionloom.kernels.average import average_rotations, sample
from motionloom.kernels.compiling import Floats, Ints, Signs, kernel
from motionloom.kernels.place import align, to_group, vote

WENT_ON, AT_AN_END, NO_SUM, NOT_FINITE = 0, 1, 2, 3
"""How a step may end; weights that add up to nothing, or are no numbers, change nothing."""

SMALLEST_SUM = 1e-6
"""Sum of weights below which they name no blend."""

PART_SLACK = 1e-9
"""Share of a frame by which a step may exceed whole frames, from rounding, and not be cut once more."""


@kernel
def step(
    warp_points: Floats,
    align_points: Floats,
    travels: Floats,
    root_rows: Floats,
    rotation_rows: Floats,
    bone_rows: Floats,
    firsts: Ints,
    signs: Signs,
    layered: Ints,
    presence: Floats,
    asked: Floats,
    periodic: bool,
    reference: int,
    law: int,
    frames_forward: float,
    most_change: float,
    moment: Floats,
    weights: Floats,
    clips: Floats,
    joint_weights: Floats,
    pose: Floats,
    bones: Floats,
) -> int:
    """Go on by a number of source frames with the weights asked for, and write the pose there.

    The arrays up to ``signs`` are those of the clips; ``bone_rows`` (R, 3 J), or none where ``bones`` (J, 3)
    has no rows. ``layered`` (J,) is 1 for joints with weights of their own in ``joint_weights`` (J or 0, K),
    and ``presence`` (J, K) is 1 where a clip has a joint. ``asked`` (K,) need not have sum 1; no weight
    changes by more than ``most_change``.

    Brought up to date: ``moment`` (5,) position, cycles and placement (yaw, x, z); ``weights`` (K,);
    ``clips`` (K, 7) alignment (yaw, x, z), root within the group (x, y, z) and frame of each; ``pose``
    (J + 1, 4), rotations after the root's position.
    """
    target = np.empty_like(weights)
    fault = _limited(asked, weights, most_change, target)
    if fault != WENT_ON:
        return fault
    # Weights, time and place change together, at most one source frame at a time.
    outcome, n_parts = WENT_ON, _n_parts(frames_forward)
    pair = np.empty((2, weights.shape[0]))
    for part in range(n_parts):
        for k in range(weights.shape[0]):
            pair[0, k] = weights[k]
            weights[k] += (target[k] - weights[k]) / (n_parts - part)
            pair[1, k] = weights[k]
        outcome = _travel(
            warp_points, align_points, travels, root_rows, firsts, periodic, reference, law,
            frames_forward / n_parts, pair, moment, clips,
        )  # fmt: skip
    for k in range(weights.shape[0]):
        weights[k] = target[k]
    for j in range(joint_weights.shape[0]):
        if layered[j] == 0:
            _share(weights, presence[j], joint_weights[j])
    own_signs = signs[int(np.rint(moment[0] / (warp_points.shape[0] - 2) * (signs.shape[0] - 1)))]
    _write(
        rotation_rows, bone_rows, firsts, own_signs, presence, moment, weights, clips, joint_weights, pose,
        bones,
    )  # fmt: skip
    return outcome


@kernel
def _n_parts(frames_forward: float) -> int:
    """In how many parts a step is taken: none only when no time passes."""
    if frames_forward == 0.0:
        return 0
    return max(int(np.ceil(abs(frames_forward) - PART_SLACK)), 1)


@kernel
def _limited(asked: Floats, weights: Floats, most_change: float, out: Floats) -> int:
    """The weights asked for with sum 1, or as far towards them as they may change."""
    total = 0.0
    for k in range(asked.shape[0]):
        total += asked[k]
    if not np.isfinite(total):
        return NOT_FINITE
    if abs(total) < SMALLEST_SUM:
        return NO_SUM
    largest = 0.0
    for k in range(asked.shape[0]):
        out[k] = asked[k] / total
        largest = max(largest, abs(out[k] - weights[k]))
    if largest > most_change:
        for k in range(asked.shape[0]):
            out[k] = weights[k] + most_change / largest * (out[k] - weights[k])
    return WENT_ON


@kernel
def _travel(
    warp_points: Floats,
    align_points: Floats,
    travels: Floats,
    root_rows: Floats,
    firsts: Ints,
    periodic: bool,
    reference: int,
    law: int,
    frames_forward: float,
    weights: Floats,
    moment: Floats,
    clips: Floats,
) -> int:
    """Go on in time and place while the weights (2, K) change from the first row to the second."""
    n_pieces, n_clips = warp_points.shape[0] - 2, warp_points.shape[1]
    outcome, wraps = WENT_ON, 0
    positions = np.empty(2)
    if advance(warp_points, periodic, weights, moment[0], frames_forward, law, False, positions) < 2:
        outcome = AT_AN_END
        positions[1] = n_pieces if frames_forward > 0.0 else 0.0
    position = positions[1]
    if periodic:
        wraps = int(np.floor(position / n_pieces))
        position -= wraps * n_pieces

    frames, roots, now = np.empty(n_clips), np.empty((n_clips, 3)), np.empty((n_clips, 3))
    for k in range(n_clips):
        frames[k] = spline_value(warp_points, k, position)
    sample(root_rows, firsts, frames, roots)
    align(align_points, reference, travels, position * ((align_points.shape[0] - 2) / n_pieces), now)
    to_group(now, roots)
    placement = np.empty(3)
    vote(clips[:, :3], now, travels, wraps, roots, weights[1], moment[2:], placement)

    moment[0], moment[1] = position, moment[1] + wraps
    # Written out, since assigning slices takes numba seconds to compile.
    for n in range(3):
        moment[2 + n] = placement[n]
        for k in range(n_clips):
            clips[k, n], clips[k, 3 + n] = now[k, n], roots[k, n]
    for k in range(n_clips):
        clips[k, 6] = frames[k]
    return outcome


@kernel
def _share(weights: Floats, present: Floats, out: Floats) -> None:
    """The weights (K,) of a joint: those of the clips that have it, divided by their sum."""
    total, n_present, n_clips = 0.0, 0.0, weights.shape[0]
    for k in range(n_clips):
        total += weights[k] * present[k]
        n_present += present[k]
    for k in range(n_clips):
        if n_present == n_clips:
            out[k] = weights[k]
        elif abs(total) < SMALLEST_SUM:
            out[k] = present[k] / n_present
        else:
            out[k] = weights[k] * present[k] / total


@kernel
def _write(
    rotation_rows: Floats,
    bone_rows: Floats,
    firsts: Ints,
    signs: Signs,
    presence: Floats,
    moment: Floats,
    weights: Floats,
    clips: Floats,
    joint_weights: Floats,
    pose: Floats,
    bones: Floats,
) -> None:
    """Blend the pose of a moment."""
    n_clips = weights.shape[0]
    x, y, z = 0.0, 0.0, 0.0
    frames = np.empty(n_clips)
    for k in range(n_clips):
        frames[k] = clips[k, 6]
        x += weights[k] * clips[k, 3]
        y += weights[k] * clips[k, 4]
        z += weights[k] * clips[k, 5]
    c, s = np.cos(moment[2]), np.sin(moment[2])
    pose[0, 0], pose[0, 1], pose[0, 2] = x * c + z * s + moment[3], y, z * c - x * s + moment[4]
    average_rotations(
        rotation_rows, firsts, signs, frames, weights, joint_weights, clips[:, 0], moment[2], pose[1:]
    )
    if bones.shape[0] > 0:
        samples, own = np.empty((n_clips, bone_rows.shape[1])), np.empty(n_clips)
        sample(bone_rows, firsts, frames, samples)
        for j in range(bones.shape[0]):
            # The bone belongs to the body, not to a layer: only the clips that lack it do not count.
            _share(weights, presence[j], own)
            for n in range(3):
                mean = 0.0
                for k in range(n_clips):
                    mean += own[k] * samples[k, 3 * j + n]
                bones[j, n] = mean
