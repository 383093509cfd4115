"""Enforcement: planted feet stay in place, and the rest of the body follows.

>>> from motionloom.annotation import annotate
>>> from motionloom.synthesis import walk
>>> planted = enforce(annotate(walk(duration=2.0).clip))
>>> bool(planted.report.root_shift < 0.001)
True
"""

from motionloom.enforcement.enforce import enforce
from motionloom.enforcement.release import ReleasedPlant
from motionloom.enforcement.report import (
    EnforcementReport,
    LimbReport,
    PointEnforcementReport,
    UnreachedPlant,
)

__all__ = [
    "EnforcementReport",
    "LimbReport",
    "PointEnforcementReport",
    "ReleasedPlant",
    "UnreachedPlant",
    "enforce",
]
