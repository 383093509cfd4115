"""From raw clips to a finished blend in one call."""

from motionloom.mixing.pipeline import MixReport, UnfitError, mix, prepared

__all__ = ["MixReport", "UnfitError", "mix", "prepared"]
