"""What takes several rooms: preparing clips, mixing them in one call, retargeting with planted feet."""

from motionloom.options.registration import Cut
from motionloom.transitions.plant import plant_transition
from motionloom.workflows.mix import (
    MixReport,
    UnfitError,
    check_fit,
    find_common_floor,
    mix,
    plant_blend,
)
from motionloom.workflows.prepare import Boundary, PartCut, Prepared, ensure_annotated, prepare
from motionloom.workflows.prepare_and_register import prepare_and_register
from motionloom.workflows.retarget import RetargetReport, retarget

__all__ = [
    "Boundary",
    "Cut",
    "MixReport",
    "PartCut",
    "Prepared",
    "RetargetReport",
    "UnfitError",
    "check_fit",
    "ensure_annotated",
    "find_common_floor",
    "mix",
    "plant_blend",
    "plant_transition",
    "prepare",
    "prepare_and_register",
    "retarget",
]
