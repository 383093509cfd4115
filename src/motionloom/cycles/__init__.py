"""Cycles: clips cut to whole strides, and clips closed to loops."""

from motionloom.cycles.loop_report import CycleReport
from motionloom.cycles.looping import cyclify
from motionloom.cycles.stride_matching import StrideCut, match_strides
from motionloom.motion.unrolling import extended, travel, unrolled

__all__ = ["CycleReport", "StrideCut", "cyclify", "extended", "match_strides", "travel", "unrolled"]
