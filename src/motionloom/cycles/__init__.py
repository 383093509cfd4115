"""Cycles: clips cut to whole strides, and clips closed to loops."""

from motionloom.cycles.loop_report import CycleReport
from motionloom.cycles.looping import cyclify
from motionloom.cycles.stride_matching import StrideCut, match_strides
from motionloom.motion.unroll import extend_cycle, travel, unroll

__all__ = ["CycleReport", "StrideCut", "cyclify", "extend_cycle", "match_strides", "travel", "unroll"]
