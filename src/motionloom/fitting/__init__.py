"""A skeleton with rotations from positions of joints: of estimators, of datasets, or of your own."""

from motionloom.fitting.fit_skeleton import FitReport, fit_skeleton
from motionloom.fitting.layouts import LAYOUTS, PointLayout

__all__ = ["LAYOUTS", "FitReport", "PointLayout", "fit_skeleton"]
