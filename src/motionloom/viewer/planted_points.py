"""The points of a clip that are ever planted, and where they go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.enforcement.release import measure_slide
from motionloom.motion import Clip, Constraint
from motionloom.motion.kinematics import world_points
from motionloom.viewer.page_data import PlantSpan

SAME_POINT = 1e-3
"""Points of one joint that lie closer together than this share a column, metres: nobody sees a millimetre,
and a long take has thousands of plants but only a handful of such points."""

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class PlantedPoints:
    """The distinct points that a clip's constraints hold: P joints (indices) and points (P, 3) in them."""

    joints: list[int]
    points: FloatArray
    columns: tuple[int, ...]

    def track(self, clip: Clip) -> FloatArray:
        """Return where the points are in every frame (T, P, 3)."""
        return world_points(clip.world_positions(), clip.world_rotations(), self.joints, self.points)


def find_planted_points(clip: Clip) -> PlantedPoints:
    """Find the distinct points that constraints hold, and which of them each constraint holds.

    >>> from motionloom.workflows import ensure_annotated
    >>> from motionloom.synthesis import walk
    >>> clip = ensure_annotated(walk(duration=3.0, fps=30).clip)
    >>> len(find_planted_points(clip).joints) < len(clip.constraints)
    True
    """
    found: dict[tuple[int, tuple[int, ...]], int] = {}
    joints: list[int] = []
    points: list[FloatArray] = []
    columns = []
    for constraint in clip.constraints:
        joint = clip.skeleton.index(constraint.joint)
        name = (joint, tuple(np.rint(constraint.point / SAME_POINT).astype(int).tolist()))
        if name not in found:
            found[name] = len(joints)
            joints.append(joint)
            points.append(constraint.point)
        columns.append(found[name])
    return PlantedPoints(joints, np.array(points).reshape(-1, 3), tuple(columns))


def plant_spans(clip: Clip, held: PlantedPoints, moving: Clip) -> tuple[PlantSpan, ...]:
    """Describe the constraints of a clip; they slide as they do in ``moving``, the clip with its travel."""
    return tuple(
        _plant(constraint, column, measure_slide(moving, constraint))
        for constraint, column in zip(clip.constraints, held.columns, strict=True)
    )


def _plant(constraint: Constraint, column: int, slide: float) -> PlantSpan:
    return PlantSpan(
        joint=constraint.joint,
        kind=constraint.kind,
        start=constraint.start,
        end=constraint.end,
        point=_vector(constraint.point),
        target=None if constraint.target is None else _vector(constraint.target),
        slide=slide,
        column=column,
    )


def _vector(values: FloatArray) -> Vector:
    x, y, z = values.tolist()
    return x, y, z
