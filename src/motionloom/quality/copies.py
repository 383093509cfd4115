"""Whether frames of a clip are copies of frames of another one, wherever they were put on the ground."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, sampling


def copy_error(result: Clip, source: Clip, frames: npt.ArrayLike, start: int = 0) -> float:
    """Largest distance of a joint from where the source has it, after the best ground placement, metres.

    One placement serves the whole span, so drift over the span counts.

    Parameters
    ----------
    result
        The clip that should hold a copy.
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
        raise ParameterError("result and source have other joints: a copy has the same skeleton")
    if start < 0 or start + len(wanted) > result.n_frames:
        raise ParameterError(
            f"{len(wanted)} frames from frame {start} on do not fit into a clip of {result.n_frames} frames"
        )
    copied = result.world_positions()[start : start + len(wanted)]
    original = source.at(wanted).world_positions()
    placement = ground_fit(original, copied)
    return float(np.linalg.norm(placement.apply(original) - copied, axis=-1).max(initial=0.0))


def ground_fit(points: FloatArray, targets: FloatArray) -> GroundTransform:
    """The ground transform that brings points (..., 3) nearest to their targets (..., 3), by least squares.

    >>> moved = GroundTransform(0.5, 1.0, -2.0)
    >>> cloud = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 2]])
    >>> round(ground_fit(cloud, moved.apply(cloud)).yaw, 9)
    0.5
    """
    given, wanted = points.reshape(-1, 3), targets.reshape(-1, 3)
    middle, goal = given.mean(axis=0), wanted.mean(axis=0)
    x, z = (given - middle)[:, [0, 2]].T
    u, v = (wanted - goal)[:, [0, 2]].T
    yaw = float(np.arctan2(z @ u - x @ v, x @ u + z @ v))
    turned = GroundTransform(yaw).apply(middle)
    return GroundTransform(yaw, float(goal[0] - turned[0]), float(goal[2] - turned[2]))
