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
from motionloom.workflows.retarget import RecastReport, map_skeleton

__all__ = [
    "Cut",
    "MixReport",
    "RecastReport",
    "UnfitError",
    "check_fit",
    "common_floor",
    "held",
    "map_skeleton",
    "mix",
    "planted",
    "prepared",
    "registered",
    "with_plants",
]
