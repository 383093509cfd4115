"""From raw clips to a finished blend in one call."""

from motionloom.mixing.pipeline import MixReport, UnfitError, check_fit, mix, planted, prepared

__all__ = ["MixReport", "UnfitError", "check_fit", "mix", "planted", "prepared"]
