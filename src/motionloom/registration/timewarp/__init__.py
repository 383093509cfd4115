"""Timewarp curves: strictly increasing splines through frames that correspond."""

from motionloom.registration.timewarp.anchors import Anchors
from motionloom.registration.timewarp.monotone_fit import fit_periodic_timewarp, fit_timewarp, min_rate_for
from motionloom.registration.timewarp.warp import FitOutcome, FitReport, TimewarpCurve

__all__ = [
    "Anchors",
    "FitOutcome",
    "FitReport",
    "TimewarpCurve",
    "fit_periodic_timewarp",
    "fit_timewarp",
    "min_rate_for",
]
