"""A made motion against the real one that it should be, frame by frame: positions, rotations, spectra."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.quality.derivatives import seen_from_body


def l2p(clip: Clip, real: Clip, deviations: FloatArray | None = None) -> float:
    """L2P: mean over frames of the length of all differences of world positions together, metres.

    ``deviations`` (J, 3) divides each coordinate by its standard deviation in some data set, as published
    tables do; the result has no unit then.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> l2p(clip, clip)
    0.0
    """
    _check(clip, real)
    apart = clip.world_positions() - real.world_positions()
    return _mean_length(apart if deviations is None else apart / deviations)


def l2q(clip: Clip, real: Clip) -> float:
    """L2Q: mean over frames of the length of all differences of world quaternions together.

    Each pair of quaternions is taken with the signs that agree.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> l2q(clip, clip)
    0.0
    """
    _check(clip, real)
    return _mean_length(rot.nearer(clip.world_rotations(), real.world_rotations()) - real.world_rotations())


def joint_error(clip: Clip, real: Clip) -> float:
    """Mean distance over frames and joints of positions as seen from the body (MPJPE), metres.

    Where the bodies are and which way they look does not count.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> joint_error(clip, clip)
    0.0
    """
    _check(clip, real)
    return float(np.linalg.norm(seen_from_body(clip) - seen_from_body(real), axis=-1).mean())


def angle_error(clip: Clip, real: Clip) -> float:
    """Mean angle over frames and joints between local rotations, radians; the root's does not count.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> angle_error(clip, clip) < 1e-12
    True
    """
    _check(clip, real)
    between = rot.multiply(rot.inverse(real.rotations[:, 1:]), clip.rotations[:, 1:])
    angles = np.linalg.norm(rot.to_rotation_vector(between), axis=-1)
    return float(angles.mean()) if angles.size else 0.0


def npss(clip: Clip, real: Clip) -> float:
    """Normalised power spectrum similarity of world quaternions; 0 for equal motions, lower is better.

    Per coordinate, the earth mover's distance between the normalised power spectra over time, weighted by
    the power that the real motion has in it (Gopalakrishnan and others 2019).

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> npss(clip, clip)
    0.0
    """
    _check(clip, real)
    wanted = rot.unroll(real.world_rotations())
    made = rot.unroll(clip.world_rotations())
    # Both series start on the same side of the sphere of quaternions.
    made = made * rot.nearer_signs(made[0], wanted[0])
    powers = [np.abs(np.fft.fft(series.reshape(len(series), -1), axis=0)) ** 2 for series in (made, wanted)]
    totals = [power.sum(axis=0) for power in powers]
    shares = [
        np.cumsum(power / np.where(total > 0.0, total, 1.0), axis=0)
        for power, total in zip(powers, totals, strict=True)
    ]
    moved = np.abs(shares[0] - shares[1]).sum(axis=0)
    return float(np.average(moved, weights=totals[1]))


def _check(clip: Clip, real: Clip) -> None:
    if clip.skeleton.names != real.skeleton.names:
        raise ParameterError("clip and real motion have other joints: both need the same skeleton")
    if clip.n_frames != real.n_frames or not clip.n_frames:
        raise ParameterError(
            f"clip and real motion are compared frame by frame: they have {clip.n_frames} "
            f"and {real.n_frames} frames"
        )


def _mean_length(differences: FloatArray) -> float:
    return float(np.linalg.norm(differences.reshape(len(differences), -1), axis=1).mean())
