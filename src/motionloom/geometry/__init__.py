"""Rotations, placements on the ground and curves: geometry that knows nothing of skeletons."""

from motionloom.geometry.ground_transform import GroundTransform
from motionloom.geometry.splines import AbstractCurve

__all__ = ["AbstractCurve", "GroundTransform"]
