"""The points by which a library compares bodies: the same on every rig, in the size of one body.

Seventeen anatomical points are taken at 30 Hz, whatever the take's own rate and however many joints its rig
has, and scaled so that the legs of everybody are equally long. So a query from one rig finds takes on others,
and a take is indexed without looking at any other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import Anatomy, Leg, find_anatomy
from motionloom.motion.anatomy.tree import length_between
from motionloom.motion.kinematics import world_points
from motionloom.motion.sampling import sample_vectors

VERSION = 1
"""Version of points, weights, scale and window; libraries of another version are indexed anew."""

RATE = 30
"""Samples per second."""

STANDARD_LEG = 0.85
"""Metres from hip to ankle to which all bodies are scaled: distances are those of an adult."""

LEG_POINTS, ARM_POINTS, TRUNK_POINTS = ("hip", "knee", "ankle", "toe"), ("shoulder", "elbow", "wrist"), 3
_LEG_WEIGHTS, _ARM_WEIGHTS = (0.055, 0.085, 0.06, 0.02), (0.05, 0.055, 0.03)
_TRUNK_WEIGHTS = (0.08, 0.13, 0.08)  # pelvis, chest, head

WEIGHTS: FloatArray = freeze(
    np.array([*_LEG_WEIGHTS, *_LEG_WEIGHTS, *_ARM_WEIGHTS, *_ARM_WEIGHTS, *_TRUNK_WEIGHTS])
)
"""(17,) What each point counts, with sum 1: about half the length of the bones that meet there."""

N_POINTS = len(WEIGHTS)

PELVIS = N_POINTS - TRUNK_POINTS
"""The middle of the pelvis, first of the trunk's points."""

_N_LEG, _N_ARM = len(LEG_POINTS), len(ARM_POINTS)
PARTNERS: IntArray = freeze(
    np.array(
        [
            *range(_N_LEG, 2 * _N_LEG),
            *range(_N_LEG),
            *range(2 * _N_LEG + _N_ARM, 2 * (_N_LEG + _N_ARM)),
            *range(2 * _N_LEG, 2 * _N_LEG + _N_ARM),
            *range(2 * (_N_LEG + _N_ARM), N_POINTS),
        ]
    )
)
"""(17,) The point on the other side of the body; points in the middle are their own."""


@dataclass(frozen=True, eq=False)
class PointMap:
    """Which points of a skeleton stand for the body.

    Attributes
    ----------
    joints, offsets
        (14,) joints of legs and arms and (14, 3) points in their frames, metres: a toe may be the tip of a
        foot.
    head
        The head joint.
    scale
        Factor from the skeleton's size to that of the standard body.
    """

    joints: IntArray
    offsets: FloatArray
    head: int
    scale: float


def map_points(skeleton: Skeleton) -> PointMap:
    """Return the points of a skeleton, or fail with the parts of the body that it lacks.

    >>> from motionloom.synthesis import biped
    >>> round(map_points(biped()).scale, 2)
    0.99
    """
    anatomy = find_anatomy(skeleton)
    lacks = _missing_parts(anatomy)
    if lacks:
        raise ParameterError(f"the skeleton has no {' and no '.join(lacks)}, by which bodies are compared")
    joints, offsets = list[int](), list[FloatArray]()
    for leg in anatomy.legs:
        toe, offset = _toe(leg)
        joints += [*leg.chain, toe]
        offsets += [*np.zeros((3, 3)), offset]
    for arm in anatomy.arms:
        joints += arm.chain
        offsets += [*np.zeros((3, 3))]
    length = float(np.mean([length_between(skeleton, leg.hip, leg.ankle) for leg in anatomy.legs]))
    if length < 1e-3:
        raise ParameterError("the skeleton's legs have no length, by which bodies are scaled")
    assert anatomy.head is not None
    scale = STANDARD_LEG / length
    return PointMap(freeze(np.array(joints)), freeze(np.array(offsets)), anatomy.head, scale)


def sample_points(clip: Clip) -> FloatArray:
    """Return the points (N, 17, 3) of a clip at 30 Hz, metres of the standard body.

    They are where the body is: heights are above the world's ground, and nothing is rotated. Left leg, right
    leg, left arm, right arm (:data:`LEG_POINTS`, :data:`ARM_POINTS`), then pelvis, chest and head.

    >>> from motionloom.synthesis import walk
    >>> sample_points(walk(duration=2.0, fps=60).clip).shape
    (61, 17, 3)
    """
    body = clip.body
    points = map_points(body.skeleton)
    positions = body.world_positions()
    limbs = world_points(positions, body.world_rotations(), points.joints, points.offsets)
    hips, shoulders = limbs[:, [0, _N_LEG]], limbs[:, [2 * _N_LEG, 2 * _N_LEG + _N_ARM]]
    trunk = [hips.mean(axis=1), shoulders.mean(axis=1), positions[:, points.head]]
    every = np.concatenate([limbs, np.stack(trunk, axis=1)], axis=1) * points.scale
    # A last sample that lies beyond the last frame by rounding alone still counts.
    n_samples = int((clip.n_frames - 1) * clip.frame_time * RATE + 1e-6) + 1
    frames = np.minimum(np.arange(n_samples) / (RATE * clip.frame_time), clip.n_frames - 1.0)
    return freeze(sample_vectors(every, frames))


def mirror_points(points: FloatArray) -> FloatArray:
    """Return the points (N, 17, 3) of the mirrored motion, as those of ``clip.mirrored()``.

    >>> points = np.arange(51.0).reshape(1, 17, 3)
    >>> np.array_equal(mirror_points(mirror_points(points)), points)
    True
    """
    return freeze(points[:, PARTNERS] * np.array([-1.0, 1.0, 1.0]))


def _missing_parts(anatomy: Anatomy) -> list[str]:
    lacks = []
    if len(anatomy.legs) < 2:
        lacks.append("pair of legs")
    elif any(leg.toe is None and leg.tip is None for leg in anatomy.legs):
        lacks.append("toes")
    if len(anatomy.arms) < 2:
        lacks.append("pair of arms")
    if anatomy.head is None:
        lacks.append("head")
    return lacks


def _toe(leg: Leg) -> tuple[int, FloatArray]:
    """Return the ball of the foot: its joint, or the tip of a foot without one."""
    if leg.toe is not None:
        return leg.toe, np.zeros(3)
    assert leg.tip is not None
    return leg.tip.joint, leg.tip.offset
