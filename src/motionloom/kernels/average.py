"""Sample clips between their frames and average the samples."""

from __future__ import annotations

import numpy as np

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
    Signs2,
    Signs3,
)
from motionloom.kernels.compiling import kernel

MIN_LENGTH = 1e-9
"""Length of a mean quaternion below which its inputs cancel and it has no direction."""


@kernel
def taps(frame: float) -> tuple[int, tuple[float, float, float, float]]:
    """Return the index of the second of the four samples around a frame, and the weights of the cubic.

    Linear interpolation would have a corner at every sample: at a varying rate, the blend would jitter at the
    frame rate. At whole frames the weights are 0, 1, 0, 0, so copies are exact.
    """
    whole = int(np.floor(frame))
    t = frame - whole
    return whole, (
        t * (-0.5 + t * (1.0 - 0.5 * t)),
        1.0 + t * t * (-2.5 + 1.5 * t),
        t * (0.5 + t * (2.0 - 1.5 * t)),
        t * t * (-0.5 + 0.5 * t),
    )


@kernel
def sample(rows: Floats, firsts: Ints, frames: Floats, out: Floats) -> None:
    """Sample K clips at fractional frames (K,) into ``out`` (K, N).

    ``rows`` (R, N) holds the clips one after the other: frame 0 of clip k is row ``firsts[k]``, with one
    row of padding before it and two after its last frame.
    """
    for k in range(frames.shape[0]):
        whole, four = taps(frames[k])
        row = firsts[k] + whole
        for n in range(rows.shape[1]):
            out[k, n] = (
                four[0] * rows[row - 1, n]
                + four[1] * rows[row, n]
                + four[2] * rows[row + 1, n]
                + four[3] * rows[row + 2, n]
            )


@kernel
def sample_all(rows: Floats2, firsts: Ints1, frames: Floats2, out: OutFloats3, start: int, stop: int) -> None:
    """Sample K clips at fractional frames (T, K) into ``out`` (T, K, N)."""
    for t in range(start, stop):
        sample(rows, firsts, frames[t], out[t])


@kernel
def average_rotations(
    rows: Floats2,
    firsts: Ints1,
    signs: Signs2,
    frames: Floats1,
    weights: Floats1,
    joint_weights: Floats2,
    yaws: Floats1,
    yaw: float,
    out: OutFloats1,
    lengths: OutFloats1,
) -> None:
    """Blend the rotations of K clips at frames (K,) into ``out`` (4 J,).

    ``rows`` (R, 4 J) are quaternions, to be multiplied by ``signs`` (K, J) unless it has no rows. ``weights``
    (K,) sum to one; ``joint_weights`` (J, K) stand in for them unless it has no rows. Root rotations are
    rotated by ``yaws`` (K,) before they are averaged, and by ``yaw`` after. ``lengths`` (J,) are those of the
    mean quaternions before they are normalized: near 1 where clips agree, near 0 where they cancel.
    """
    layered, signed = joint_weights.shape[0] > 0, signs.shape[0] > 0
    out[:] = 0.0
    for k in range(frames.shape[0]):
        if weights[k] == 0.0 and not layered:
            continue
        whole, four = taps(frames[k])
        row = firsts[k] + whole
        a, b, c, d = rows[row - 1], rows[row], rows[row + 1], rows[row + 2]
        own = joint_weights[0, k] if layered else weights[k]
        _add_rotated_root(a, b, c, d, four, own * signs[k, 0] if signed else own, yaws[k], out)
        if layered or signed:
            for j in range(1, lengths.shape[0]):
                weight = joint_weights[j, k] if layered else weights[k]
                if signed:
                    weight *= signs[k, j]
                for n in range(4 * j, 4 * j + 4):
                    out[n] += weight * (four[0] * a[n] + four[1] * b[n] + four[2] * c[n] + four[3] * d[n])
        else:
            _add(a, b, c, d, own * four[0], own * four[1], own * four[2], own * four[3], out)
    _normalize(out, lengths)
    cosine, sine = np.cos(yaw / 2), np.sin(yaw / 2)
    w, x, y, z = out[0], out[1], out[2], out[3]
    out[0], out[1] = cosine * w - sine * y, cosine * x + sine * z
    out[2], out[3] = cosine * y + sine * w, cosine * z - sine * x


@kernel
def _add(
    a: Floats,
    b: Floats,
    c: Floats,
    d: Floats,
    first: float,
    second: float,
    third: float,
    fourth: float,
    flat: Floats,
) -> None:
    """Add a weighted sum of four rows to all joints but the root. This loop takes most of the time."""
    for n in range(4, flat.shape[0]):
        flat[n] += first * a[n] + second * b[n] + third * c[n] + fourth * d[n]


@kernel
def _add_rotated_root(
    a: Floats,
    b: Floats,
    c: Floats,
    d: Floats,
    four: tuple[float, float, float, float],
    weight: float,
    yaw: float,
    flat: Floats,
) -> None:
    """Add the root's rotation, rotated about the vertical."""
    cosine, sine = weight * np.cos(yaw / 2), weight * np.sin(yaw / 2)
    qw = four[0] * a[0] + four[1] * b[0] + four[2] * c[0] + four[3] * d[0]
    qx = four[0] * a[1] + four[1] * b[1] + four[2] * c[1] + four[3] * d[1]
    qy = four[0] * a[2] + four[1] * b[2] + four[2] * c[2] + four[3] * d[2]
    qz = four[0] * a[3] + four[1] * b[3] + four[2] * c[3] + four[3] * d[3]
    flat[0] += cosine * qw - sine * qy
    flat[1] += cosine * qx + sine * qz
    flat[2] += cosine * qy + sine * qw
    flat[3] += cosine * qz - sine * qx


@kernel
def _normalize(out: Floats, lengths: Floats) -> None:
    """Scale quaternions (4 J,) to unit length; inputs that cancel each other become the identity."""
    for j in range(lengths.shape[0]):
        q = out[4 * j : 4 * j + 4]
        length = np.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2)
        lengths[j] = length
        if length < MIN_LENGTH:
            q[0], q[1], q[2], q[3] = 1.0, 0.0, 0.0, 0.0
            continue
        for n in range(4):
            q[n] /= length


@kernel
def average_all(
    rows: Floats2,
    firsts: Ints1,
    signs: Signs3,
    sign_rows: Ints1,
    frames: Floats2,
    weights: Floats2,
    joint_weights: Floats3,
    aligned: Floats3,
    placements: Floats2,
    out: OutFloats2,
    lengths: OutFloats2,
    start: int,
    stop: int,
) -> None:
    """Blend the rotations of all frames ``start <= t < stop`` into ``out`` (T, 4 J), ``lengths`` (T, J).

    Frame t has the signs (K or 0, J) in row ``sign_rows[t]`` of ``signs``. ``joint_weights`` (T or 1, J or 0,
    K); ``aligned`` (T, K, 3) and ``placements`` (T, 3) are transforms.
    """
    for t in range(start, stop):
        own = joint_weights[t] if joint_weights.shape[0] > 1 else joint_weights[0]
        average_rotations(
            rows,
            firsts,
            signs[sign_rows[t]],
            frames[t],
            weights[t],
            own,
            aligned[t, :, 0],
            placements[t, 0],
            out[t],
            lengths[t],
        )
