"""From raw clips to a finished blend in one call."""

from motionloom.mixing.pipeline import (
    MixReport,
    UnfitError,
    check_fit,
    common_floor,
    mix,
    planted,
    prepared,
    with_plants,
)

__all__ = [
    "MixReport",
    "UnfitError",
    "check_fit",
    "common_floor",
    "mix",
    "planted",
    "prepared",
    "with_plants",
]
