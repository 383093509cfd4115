"""Faults of capture: find them, mend what is broken and nothing else, and smooth with a stated cut-off.

:func:`find_faults` lists joints that spike, flip, jump, freeze or are swapped; :func:`repair` mends them from
the frames around; :func:`smooth` removes what is faster than a cut-off.
"""

from motionloom.repair.fault import KINDS, MENDED_KINDS, Fault, FaultKind, summarize_faults
from motionloom.repair.find_faults import find_faults
from motionloom.repair.repair import RepairReport, repair
from motionloom.repair.smooth import smooth

__all__ = [
    "KINDS",
    "MENDED_KINDS",
    "Fault",
    "FaultKind",
    "RepairReport",
    "find_faults",
    "repair",
    "smooth",
    "summarize_faults",
]
