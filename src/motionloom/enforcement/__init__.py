"""Enforcement: what is planted stays put, and the rest of the body follows.

>>> from motionloom.annotation import annotate
>>> from motionloom.synthesis import walk
>>> held = enforce(annotate(walk(duration=2.0).clip))
>>> bool(held.report.root_shift < 0.001)
True
"""

from motionloom.enforcement.enforce import enforce
from motionloom.enforcement.report import EnforcementReport, LimbReport, Unreached

__all__ = ["EnforcementReport", "LimbReport", "Unreached", "enforce"]
