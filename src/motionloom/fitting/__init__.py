"""A skeleton with rotations from positions of joints: of estimators, of datasets, or of your own."""

from motionloom.fitting.fit_skeleton import SkeletonFitReport, fit_skeleton
from motionloom.fitting.layouts import LAYOUTS, PointLayout

__all__ = ["LAYOUTS", "PointLayout", "SkeletonFitReport", "fit_skeleton"]
