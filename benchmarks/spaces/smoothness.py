"""Smoothness: requests along a line between the two clips that differ most, and whether anything jumps.

Weights that are interpolated cannot change faster than in the steepest simplex. Whether a step of corrected
weights, or of joints, is a jump shows when it is divided: a tenth of the step is left of something
continuous, all of it of a jump.
"""

from __future__ import annotations

import numpy as np

from benchmarks.spaces.rivals import normalize
from benchmarks.spaces.sets import ClipSet
from motionloom.arrays import FloatArray
from motionloom.spaces.space import MotionSpace

PARTS = 10
"""Parts into which the largest step is divided."""


def measure_smoothness(chosen: ClipSet, n_requests: int) -> None:
    """Print the largest steps of weights and joints, over their median and over their bound."""
    space = MotionSpace(chosen.clips(), chosen.parameters)
    mesh = space.sampled.mesh
    points = normalize(space, space.examples)
    apart = np.linalg.norm(points[:, None] - points[None], axis=-1)
    first, last = np.unravel_index(int(apart.argmax()), apart.shape)
    line = np.linspace(space.examples[first], space.examples[last], n_requests)
    step = float(apart.max()) / (n_requests - 1)
    interpolated = np.array([space.weights(request, correct=False) for request in line])
    corrected = np.array([space.weights(request) for request in line])
    inside = np.array([mesh.find_nearest(point).distance == 0.0 for point in normalize(space, line)])
    simplices = [tuple(mesh.find_nearest(point).vertices.tolist()) for point in normalize(space, line)]
    borders = sum(one != other for one, other in zip(simplices[1:], simplices[:-1], strict=True))
    raw, own = (np.abs(np.diff(rows, axis=0)).max(axis=1) for rows in (interpolated, corrected))
    joints = _joint_steps(space, corrected)
    bound = mesh.max_slope * step
    print(
        f"{chosen.name}: {n_requests} requests, {np.mean(inside):.0%} inside, {borders} borders of simplices "
        f"crossed; interpolated weights: largest step {raw.max() / bound:.2f} of its bound; corrected: "
        f"{own.max() / bound:.2f} of it, {own.max() / np.median(own):.1f} x the median, of which a tenth of "
        f"the request leaves {_divide(space, line, own, False):.2f}; joints: largest step "
        f"{1000.0 * joints.max():.2f} mm, {joints.max() / np.median(joints):.1f} x the median, left "
        f"{_divide(space, line, joints, True):.2f}",
        flush=True,
    )


def _divide(space: MotionSpace, line: FloatArray, steps: FloatArray, of_joints: bool) -> float:
    """Return the largest of the parts into which the largest step is divided, as a fraction of it."""
    worst = int(steps.argmax())
    weights = np.array([space.weights(each) for each in np.linspace(line[worst], line[worst + 1], PARTS + 1)])
    parts = _joint_steps(space, weights) if of_joints else np.abs(np.diff(weights, axis=0)).max(axis=1)
    return float(parts.max() / steps.max())


def _joint_steps(space: MotionSpace, weights: FloatArray) -> FloatArray:
    """Return how far (N - 1,) the joint that moves farthest moves from blend to blend, metres."""
    poses = np.array([_middle_pose(space, row) for row in weights])
    return np.asarray(np.linalg.norm(np.diff(poses, axis=0), axis=-1).max(axis=1))


def _middle_pose(space: MotionSpace, weights: FloatArray) -> FloatArray:
    """Return the joints (J, 3) half-way through a blend."""
    result = space.blends.make(weights)
    u = sum(space.curve.domain) / 2.0
    return result.clip.at(np.interp(u, result.u, np.arange(len(result.u)))).world_positions()
