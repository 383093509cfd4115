"""Make one frame of a live blend: advance, place and average in one kernel call."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.kernels.advance import advance, flight_fraction, spline_value
from motionloom.kernels.array_types import (
    Floats,
    Floats1,
    Floats2,
    Floats3,
    Ints,
    Ints1,
    OutFloats1,
    OutFloats2,
    OutFloats3,
    Signs,
    Signs3,
)
from motionloom.kernels.average import average_rotations, sample
from motionloom.kernels.compiling import kernel
from motionloom.kernels.hand_over import CHANGED, hand_over, sample_joint
from motionloom.kernels.kinematics import world_transforms
from motionloom.kernels.place import align, to_group, vote

ADVANCED, AT_END, ZERO_SUM, NOT_FINITE = 0, 1, 2, 3
"""Results of a step. Weights with a zero sum, or that are not finite, change nothing."""

MIN_WEIGHT_SUM = 1e-6
"""Absolute sum of weights below which they cannot be normalized; the same as in blending/weights.py."""

SUBSTEP_SLACK = 1e-9
"""Fraction of a frame by which rounding may make a step longer than whole frames without another substep."""


class Scratch(NamedTuple):
    """Arrays that are the kernel's own, for K clips and J joints.

    Attributes
    ----------
    rows
        (5, K) the weights that are headed for, those before and after a substep, weights of a joint, frames.
    vectors
        (3, K, 4) samples of a joint, and roots and transforms of the clips.
    few
        (5, 4)
    bones
        (K, 3 J) samples of the bones.
    joints
        (5 J,) lengths of mean quaternions, and the quaternions.
    positions, rotations
        (1, J, 3) and (1, J, 4) of the joints in the world.
    """

    rows: Floats
    vectors: Floats
    few: Floats
    bones: Floats
    joints: Floats
    positions: Floats
    rotations: Floats


def make_scratch(n_clips: int, n_joints: int) -> Scratch:
    """Return the scratch memory of :func:`step`."""
    return Scratch(
        np.empty((5, n_clips)),
        np.empty((3, n_clips, 4)),
        np.empty((5, 4)),
        np.empty((n_clips, 3 * n_joints)),
        np.empty(5 * n_joints),
        np.empty((1, n_joints, 3)),
        np.empty((1, n_joints, 4)),
    )


@kernel
def step(
    warp_points: Floats2,
    align_points: Floats3,
    travels: Floats2,
    root_rows: Floats2,
    rotation_rows: Floats2,
    bone_rows: Floats2,
    firsts: Ints1,
    signs: Signs3,
    flights: Floats2,
    centre_rows: Floats2,
    parents: Ints1,
    offsets: Floats3,
    masses: Floats1,
    moments: Floats2,
    layered: Ints1,
    presence: Floats2,
    watched: Ints1,
    request: Floats1,
    periodic: bool,
    reference: int,
    law: int,
    ramp: float,
    min_length: float,
    edge_length: float,
    forward: Floats1,
    state: OutFloats1,
    weights: OutFloats1,
    clips: OutFloats2,
    joint_weights: OutFloats2,
    hands: OutFloats2,
    hand_signs: OutFloats2,
    hand_weights: OutFloats2,
    pose: OutFloats2,
    bones: OutFloats2,
    scratch_rows: OutFloats2,
    scratch_vectors: OutFloats3,
    scratch_few: OutFloats2,
    scratch_bones: OutFloats2,
    scratch_joints: OutFloats1,
    scratch_positions: OutFloats3,
    scratch_rotations: OutFloats3,
) -> int:
    """Move on, change to the requested weights, and write the pose there.

    ``forward`` (2,) is the number of source frames to move on by, and how much a weight may change.

    The arrays up to ``centre_rows`` are those of ``BlendSources``; ``bone_rows`` (R, 3 J) has no rows if
    ``bones`` (J, 3) has none. ``parents`` (J,) and ``offsets`` (1, J, 3) are the skeleton's; ``masses`` (J,)
    and ``moments`` (J, 3) those of ``BodyMasses``. ``layered`` (J,) is 1 for joints with weights of their own
    in ``joint_weights`` (J or 0, K), and ``presence`` (J, K) is 1 where a clip has a joint. The requested
    weights (K,) need not have sum 1. The weights of ``watched`` (J,) joints are handed to one clip over
    ``ramp`` frames where their mean gets shorter than ``edge_length`` (kernels/hand_over.py).

    Updated in place: ``state`` (5,) position, cycles and placement (yaw, x, z); ``weights`` (K,);
    ``clips`` (K, 7) alignment (yaw, x, z), root within the group (x, y, z) and frame of each; ``hands``
    (J, 4), ``hand_signs`` and ``hand_weights`` (J, K) states, signs and signed weights of the watched joints;
    ``pose`` (J + 1, 4), rotations after the root's position. :func:`make_scratch` returns the last arrays.
    """
    scratch = Scratch(
        scratch_rows,
        scratch_vectors,
        scratch_few,
        scratch_bones,
        scratch_joints,
        scratch_positions,
        scratch_rotations,
    )
    frames_forward, max_change, target = forward[0], forward[1], scratch_rows[0]
    status = _limit_change(request, weights, max_change, target)
    if status != ADVANCED:
        return status
    # Weights, time and placement change together, by at most one source frame per substep.
    outcome, n_substeps = ADVANCED, _n_substeps(frames_forward)
    pair = scratch_rows[1:3]
    for substep in range(n_substeps):
        for k in range(weights.shape[0]):
            pair[0, k] = weights[k]
            weights[k] += (target[k] - weights[k]) / (n_substeps - substep)
            pair[1, k] = weights[k]
        outcome = _move(
            warp_points, align_points, travels, root_rows, firsts, flights, periodic, reference, law,
            frames_forward / n_substeps, pair, state, clips, scratch,
        )  # fmt: skip
        if substep < n_substeps - 1:
            _watch(
                rotation_rows, firsts, signs, layered, presence, watched,
                abs(frames_forward) / n_substeps / ramp, min_length, edge_length, state, weights, clips,
                joint_weights, hands, hand_signs, hand_weights, scratch,
            )  # fmt: skip
    for k in range(weights.shape[0]):
        weights[k] = target[k]
    for j in range(joint_weights.shape[0]):
        if layered[j] == 0:
            _normalize_present(weights, presence[j], joint_weights[j])
    _watch(
        rotation_rows, firsts, signs, layered, presence, watched,
        abs(frames_forward) / max(n_substeps, 1) / ramp, min_length, edge_length, state, weights, clips,
        joint_weights, hands, hand_signs, hand_weights, scratch,
    )  # fmt: skip
    own_signs = signs[int(state[1]) % signs.shape[0]]
    _write_pose(
        rotation_rows, bone_rows, firsts, own_signs, presence, watched, state, weights, clips, joint_weights,
        hands, hand_weights, pose, bones, scratch,
    )  # fmt: skip
    fraction = flight_fraction(flights, warp_points.shape[0] - 2, state[0])
    if fraction > 0.0:
        _let_fall(
            centre_rows, firsts, parents, offsets, masses, moments, fraction, state, weights, clips, pose,
            bones, scratch,
        )  # fmt: skip
    return outcome


@kernel
def _watch(
    rotation_rows: Floats,
    firsts: Ints,
    signs: Signs,
    layered: Ints,
    presence: Floats,
    watched: Ints,
    progress: float,
    min_length: float,
    edge_length: float,
    state: Floats,
    weights: Floats,
    clips: Floats,
    joint_weights: Floats,
    hands: Floats,
    hand_signs: Floats,
    hand_weights: Floats,
    scratch: Scratch,
) -> None:
    """Hand over the weights of joints whose rotations are far apart at the present frames."""
    n_clips = weights.shape[0]
    own, samples, few = scratch.rows[3], scratch.vectors[0], scratch.few[:3]
    own_signs = signs[int(state[1]) % signs.shape[0]]
    # Weights below zero can make any mean short.
    everywhere = False
    for k in range(n_clips):
        everywhere = everywhere or weights[k] < 0.0
    for j in range(watched.shape[0]):
        if watched[j] == 0 and not everywhere and hands[j, CHANGED] == 0.0:
            continue
        sample_joint(rotation_rows, firsts, clips[:, 6], clips[:, 0], own_signs, j, samples)
        if joint_weights.shape[0] > 0 and layered[j] == 1:
            for k in range(n_clips):
                own[k] = joint_weights[j, k]
        else:
            _normalize_present(weights, presence[j], own)
        hand_over(
            samples, own, progress, min_length, edge_length, hands[j], hand_signs[j], few, hand_weights[j]
        )


@kernel
def _n_substeps(frames_forward: float) -> int:
    """Return the number of substeps; zero only if no time passes."""
    if frames_forward == 0.0:
        return 0
    return max(int(np.ceil(abs(frames_forward) - SUBSTEP_SLACK)), 1)


@kernel
def _limit_change(request: Floats, weights: Floats, max_change: float, out: Floats) -> int:
    """Normalize the requested weights and limit how far they move from the present ones."""
    total = 0.0
    for k in range(request.shape[0]):
        total += request[k]
    if not np.isfinite(total):
        return NOT_FINITE
    if abs(total) < MIN_WEIGHT_SUM:
        return ZERO_SUM
    max_difference = 0.0
    for k in range(request.shape[0]):
        out[k] = request[k] / total
        max_difference = max(max_difference, abs(out[k] - weights[k]))
    if max_difference > max_change:
        for k in range(request.shape[0]):
            out[k] = weights[k] + max_change / max_difference * (out[k] - weights[k])
    return ADVANCED


@kernel
def _move(
    warp_points: Floats,
    align_points: Floats,
    travels: Floats,
    root_rows: Floats,
    firsts: Ints,
    flights: Floats,
    periodic: bool,
    reference: int,
    law: int,
    frames_forward: float,
    weights: Floats,
    state: Floats,
    clips: Floats,
    scratch: Scratch,
) -> int:
    """Advance and place while the weights (2, K) change from the first row to the second."""
    n_pieces, n_clips = warp_points.shape[0] - 2, warp_points.shape[1]
    outcome, wraps = ADVANCED, 0
    positions = scratch.few[3, :2]
    if advance(warp_points, periodic, flights, weights, state[0], frames_forward, law, False, positions) < 2:
        outcome = AT_END
        positions[1] = n_pieces if frames_forward > 0.0 else 0.0
    position = positions[1]
    if periodic:
        wraps = int(np.floor(position / n_pieces))
        position -= wraps * n_pieces

    frames, roots, now = scratch.rows[4], scratch.vectors[1], scratch.vectors[2]
    for k in range(n_clips):
        frames[k] = spline_value(warp_points, k, position)
    sample(root_rows, firsts, frames, roots)
    align(align_points, reference, travels, position * ((align_points.shape[0] - 2) / n_pieces), now)
    to_group(now, roots)
    placement = scratch.few[4]
    vote(clips[:, :3], now, travels, wraps, roots, weights[1], state[2:], placement)

    state[0], state[1] = position, state[1] + wraps
    # Written out: assigning slices takes numba seconds to compile.
    for n in range(3):
        state[2 + n] = placement[n]
        for k in range(n_clips):
            clips[k, n], clips[k, 3 + n] = now[k, n], roots[k, n]
    for k in range(n_clips):
        clips[k, 6] = frames[k]
    return outcome


@kernel
def _normalize_present(weights: Floats, present: Floats, out: Floats) -> None:
    """Write the weights (K,) of a joint: those of the clips that have it, divided by their sum."""
    total, n_present, n_clips = 0.0, 0.0, weights.shape[0]
    for k in range(n_clips):
        total += weights[k] * present[k]
        n_present += present[k]
    for k in range(n_clips):
        if n_present == n_clips:
            out[k] = weights[k]
        elif abs(total) < MIN_WEIGHT_SUM:
            out[k] = present[k] / n_present
        else:
            out[k] = weights[k] * present[k] / total


@kernel
def _write_pose(
    rotation_rows: Floats,
    bone_rows: Floats,
    firsts: Ints,
    signs: Signs,
    presence: Floats,
    watched: Ints,
    state: Floats,
    weights: Floats,
    clips: Floats,
    joint_weights: Floats,
    hands: Floats,
    hand_weights: Floats,
    pose: Floats,
    bones: Floats,
    scratch: Scratch,
) -> None:
    """Write the blended pose of the present state."""
    n_clips, n_joints = weights.shape[0], pose.shape[0] - 1
    x, y, z = 0.0, 0.0, 0.0
    frames, own, samples = scratch.rows[4], scratch.rows[3], scratch.bones
    for k in range(n_clips):
        frames[k] = clips[k, 6]
        x += weights[k] * clips[k, 3]
        y += weights[k] * clips[k, 4]
        z += weights[k] * clips[k, 5]
    c, s = np.cos(state[2]), np.sin(state[2])
    pose[0, 0], pose[0, 1], pose[0, 2] = x * c + z * s + state[3], y, z * c - x * s + state[4]
    lengths, flat = scratch.joints[:n_joints], scratch.joints[n_joints:]
    average_rotations(
        rotation_rows,
        firsts,
        signs,
        frames,
        weights,
        joint_weights,
        clips[:, 0],
        state[2],
        flat,
        lengths,
    )
    for j in range(n_joints):
        for n in range(4):
            pose[1 + j, n] = flat[4 * j + n]
    for j in range(watched.shape[0]):
        if hands[j, CHANGED] != 0.0:
            _write_handed_over(
                rotation_rows, firsts, signs, frames, clips, j, hand_weights[j], state[2], pose, scratch
            )
    if bones.shape[0] > 0:
        sample(bone_rows, firsts, frames, samples)
        for j in range(bones.shape[0]):
            # Bone lengths follow the clips' weights, not those of layers; clips without the joint do not
            # count.
            _normalize_present(weights, presence[j], own)
            for n in range(3):
                mean = 0.0
                for k in range(n_clips):
                    mean += own[k] * samples[k, 3 * j + n]
                bones[j, n] = mean


@kernel
def _write_handed_over(
    rotation_rows: Floats,
    firsts: Ints,
    signs: Signs,
    frames: Floats,
    clips: Floats,
    joint: int,
    weights: Floats,
    yaw: float,
    pose: Floats,
    scratch: Scratch,
) -> None:
    """Write the rotation of a joint whose signed weights (K,) are its own."""
    samples, mean = scratch.vectors[0], scratch.few[0]
    mean[0], mean[1], mean[2], mean[3] = 0.0, 0.0, 0.0, 0.0
    sample_joint(rotation_rows, firsts, frames, clips[:, 0], signs, joint, samples)
    for k in range(weights.shape[0]):
        for n in range(4):
            mean[n] += weights[k] * samples[k, n]
    scale = 1.0 / np.sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2] + mean[3] * mean[3])
    w, x, y, z = scale * mean[0], scale * mean[1], scale * mean[2], scale * mean[3]
    if joint == 0:
        c, s = np.cos(yaw / 2), np.sin(yaw / 2)
        w, x, y, z = c * w - s * y, c * x + s * z, c * y + s * w, c * z - s * x
    pose[1 + joint, 0], pose[1 + joint, 1], pose[1 + joint, 2], pose[1 + joint, 3] = w, x, y, z


@kernel
def _let_fall(
    centre_rows: Floats,
    firsts: Ints,
    parents: Ints,
    offsets: Floats,
    masses: Floats,
    moments: Floats,
    fraction: float,
    state: Floats,
    weights: Floats,
    clips: Floats,
    pose: Floats,
    bones: Floats,
    scratch: Scratch,
) -> None:
    """Move a fraction of the way to where the centre of mass is the mean of the clips' centres.

    The pose of one clip alone stays as it is.
    """
    n_clips, n_joints = weights.shape[0], parents.shape[0]
    frames, centres = scratch.rows[4], scratch.vectors[1]
    for k in range(n_clips):
        if weights[k] == 1.0:
            return
        frames[k] = clips[k, 6]
    sample(centre_rows, firsts, frames, centres)
    to_group(clips[:, :3], centres)
    x, y, z = 0.0, 0.0, 0.0
    for k in range(n_clips):
        x += weights[k] * centres[k, 0]
        y += weights[k] * centres[k, 1]
        z += weights[k] * centres[k, 2]
    c, s = np.cos(state[2]), np.sin(state[2])
    goal_x, goal_z = x * c + z * s + state[3], z * c - x * s + state[4]

    lengths = bones[np.newaxis] if bones.shape[0] > 0 else offsets
    positions, world = scratch.positions, scratch.rotations
    world_transforms(parents, lengths, pose[:1], pose[np.newaxis, 1:], positions, world, 0, 1)
    dx, dy, dz = goal_x, y, goal_z
    for j in range(n_joints):
        dx -= masses[j] * positions[0, j, 0]
        dy -= masses[j] * positions[0, j, 1]
        dz -= masses[j] * positions[0, j, 2]
        vx, vy, vz = moments[j, 0], moments[j, 1], moments[j, 2]
        if vx != 0.0 or vy != 0.0 or vz != 0.0:
            qw, qx, qy, qz = world[0, j, 0], world[0, j, 1], world[0, j, 2], world[0, j, 3]
            cx, cy, cz = 2.0 * (qy * vz - qz * vy), 2.0 * (qz * vx - qx * vz), 2.0 * (qx * vy - qy * vx)
            dx -= vx + qw * cx + qy * cz - qz * cy
            dy -= vy + qw * cy + qz * cx - qx * cz
            dz -= vz + qw * cz + qx * cy - qy * cx
    pose[0, 0] += fraction * dx
    pose[0, 1] += fraction * dy
    pose[0, 2] += fraction * dz
