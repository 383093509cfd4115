"""Time alignment: the cheapest slope-limited path through a distance grid, whole or window by window."""

from motionloom.registration.time_alignment.dynamic import AlignmentOutcome, TimeAlignment, align_times
from motionloom.registration.time_alignment.incremental import align_times_incremental

__all__ = ["AlignmentOutcome", "TimeAlignment", "align_times", "align_times_incremental"]
