"""Rotations, placements on the ground and curves: geometry that knows nothing of skeletons."""

from motionloom.geometry.curves import AbstractCurve
from motionloom.geometry.ground_transform import GroundTransform

__all__ = ["AbstractCurve", "GroundTransform"]
