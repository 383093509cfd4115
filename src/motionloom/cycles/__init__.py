"""Cycles: clips cut to whole strides, and closed loops."""

from motionloom.cycles.cyclify import cyclify
from motionloom.cycles.stride_matching import StrideCut, match_strides

__all__ = ["StrideCut", "cyclify", "match_strides"]
