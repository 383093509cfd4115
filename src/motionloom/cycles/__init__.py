"""Cycles: clips cut to whole strides, and clips closed to loops."""

from motionloom.cycles.cycle_report import CycleReport
from motionloom.cycles.cyclify import cyclify
from motionloom.cycles.match_strides import StrideCut, match_strides
from motionloom.motion.unroll import extend_cycle, travel, unroll

__all__ = ["CycleReport", "StrideCut", "cyclify", "extend_cycle", "match_strides", "travel", "unroll"]
