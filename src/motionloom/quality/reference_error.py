"""Errors of a clip against the motion that it should reproduce: positions, rotations, spectra, copies."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, sampling
from motionloom.motion.anatomy import body_positions


def l2p(clip: Clip, reference: Clip, deviations: FloatArray | None = None) -> float:
    """Return L2P: the mean over frames of the norm of all differences of world positions together, metres.

    ``deviations`` (J, 3) divides each coordinate by its standard deviation in some data set, as published
    tables do; the result has no unit then.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> l2p(clip, clip)
    0.0
    """
    _check(clip, reference)
    difference = clip.world_positions() - reference.world_positions()
    return _mean_norm(difference if deviations is None else difference / deviations)


def l2q(clip: Clip, reference: Clip) -> float:
    """Return L2Q: the mean over frames of the norm of all differences of world quaternions together.

    Each pair of quaternions is taken with the signs that agree.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> l2q(clip, clip)
    0.0
    """
    _check(clip, reference)
    wanted = reference.world_rotations()
    return _mean_norm(rot.nearer(clip.world_rotations(), wanted) - wanted)


def joint_error(clip: Clip, reference: Clip) -> float:
    """Return the mean distance over frames and joints of positions relative to the body (MPJPE), metres.

    Position and heading of the bodies do not count.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> joint_error(clip, clip)
    0.0
    """
    _check(clip, reference)
    return float(np.linalg.norm(body_positions(clip) - body_positions(reference), axis=-1).mean())


def angle_error(clip: Clip, reference: Clip) -> float:
    """Return the mean angle over frames and joints between local rotations, radians, without the root's.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> angle_error(clip, clip) < 1e-12
    True
    """
    _check(clip, reference)
    between = rot.multiply(rot.inverse(reference.rotations[:, 1:]), clip.rotations[:, 1:])
    angles = np.linalg.norm(rot.to_rotation_vector(between), axis=-1)
    return float(angles.mean()) if angles.size else 0.0


def npss(clip: Clip, reference: Clip) -> float:
    """Return the normalised power spectrum similarity of world quaternions; 0 for equal motions, lower is
    better.

    Per coordinate, it is the earth mover's distance between the normalised power spectra over time, weighted
    by the power of the reference motion (Gopalakrishnan and others 2019).

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> npss(clip, clip)
    0.0
    """
    _check(clip, reference)
    wanted = rot.unroll(reference.world_rotations())
    own = rot.unroll(clip.world_rotations())
    # Both series start in the same hemisphere of quaternions.
    own = own * rot.nearer_signs(own[0], wanted[0])
    powers = [np.abs(np.fft.fft(series.reshape(len(series), -1), axis=0)) ** 2 for series in (own, wanted)]
    totals = [power.sum(axis=0) for power in powers]
    cumulative = [
        np.cumsum(power / np.where(total > 0.0, total, 1.0), axis=0)
        for power, total in zip(powers, totals, strict=True)
    ]
    moved = np.abs(cumulative[0] - cumulative[1]).sum(axis=0)
    return float(np.average(moved, weights=totals[1]))


def copy_error(result: Clip, source: Clip, frames: npt.ArrayLike, start: int = 0) -> float:
    """Return the largest distance of a joint from its position in the source, after the best placement,
    metres.

    One placement on the ground serves the whole span, so drift over the span counts.

    Parameters
    ----------
    result
        The clip that should contain a copy.
    source
        The clip that was copied, with the same joints.
    frames
        (N,) fractional frames of the source that the N frames of the result from ``start`` on should show.
    start
        First frame of the copy in the result.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> copy_error(clip[10:].placed(GroundTransform(1.0, 2.0, 3.0)), clip, range(10, clip.n_frames)) < 1e-9
    True
    """
    wanted = np.atleast_1d(sampling.check_frames(frames, source.n_frames))
    if result.skeleton.names != source.skeleton.names:
        raise ParameterError("result and source have different joints: a copy has the same skeleton")
    if start < 0 or start + len(wanted) > result.n_frames:
        raise ParameterError(
            f"{len(wanted)} frames from frame {start} on do not fit into a clip of {result.n_frames} frames"
        )
    copied = result.world_positions()[start : start + len(wanted)]
    original = source.at(wanted).world_positions()
    placement = fit_ground_transform(original, copied)
    return float(np.linalg.norm(placement.apply(original) - copied, axis=-1).max(initial=0.0))


def fit_ground_transform(points: FloatArray, targets: FloatArray) -> GroundTransform:
    """Fit the ground transform that brings points (..., 3) nearest to their targets (..., 3), by least
    squares.

    >>> moved = GroundTransform(0.5, 1.0, -2.0)
    >>> cloud = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 2]])
    >>> round(fit_ground_transform(cloud, moved.apply(cloud)).yaw, 9)
    0.5
    """
    given, wanted = points.reshape(-1, 3), targets.reshape(-1, 3)
    centre, goal = given.mean(axis=0), wanted.mean(axis=0)
    x, z = (given - centre)[:, [0, 2]].T
    u, v = (wanted - goal)[:, [0, 2]].T
    yaw = float(np.arctan2(z @ u - x @ v, x @ u + z @ v))
    rotated = GroundTransform(yaw).apply(centre)
    return GroundTransform(yaw, float(goal[0] - rotated[0]), float(goal[2] - rotated[2]))


def _check(clip: Clip, reference: Clip) -> None:
    if clip.skeleton.names != reference.skeleton.names:
        raise ParameterError("clip and reference have different joints: both need the same skeleton")
    if clip.n_frames != reference.n_frames or not clip.n_frames:
        raise ParameterError(
            f"clip and reference are compared frame by frame: they have {clip.n_frames} "
            f"and {reference.n_frames} frames"
        )


def _mean_norm(differences: FloatArray) -> float:
    return float(np.linalg.norm(differences.reshape(len(differences), -1), axis=1).mean())
