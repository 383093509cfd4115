"""From raw clips to a finished blend in one call."""

from motionloom.workflows.mix import (
    MixReport,
    UnfitError,
    check_fit,
    common_floor,
    held,
    mix,
    planted,
)
from motionloom.workflows.prepare import Cut, prepared, registered, with_plants
from motionloom.workflows.retarget import RetargetReport, retarget

__all__ = [
    "Cut",
    "MixReport",
    "RetargetReport",
    "UnfitError",
    "check_fit",
    "common_floor",
    "held",
    "mix",
    "planted",
    "prepared",
    "registered",
    "retarget",
    "with_plants",
]
