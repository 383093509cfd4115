"""From raw clips to a finished blend in one call."""

from motionloom.mixing.pipeline import (
    MixReport,
    UnfitError,
    check_fit,
    common_floor,
    held,
    mix,
    planted,
)
from motionloom.mixing.registering import Cut, prepared, registered, with_plants

__all__ = [
    "Cut",
    "MixReport",
    "UnfitError",
    "check_fit",
    "common_floor",
    "held",
    "mix",
    "planted",
    "prepared",
    "registered",
    "with_plants",
]
