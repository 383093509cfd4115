"""Annotation: plants of heels, toes, hands, knees, elbows and seat, and the events of gaits and actions.

>>> from motionloom.synthesis import walk
>>> walked = annotate(walk(duration=2.0).clip)
>>> is_locomotion(walked), len(strides(walked))
(True, 1)
"""

from motionloom.annotation import labels
from motionloom.annotation.annotate import (
    AnnotationReport,
    AnnotationSettings,
    PlantReport,
    annotate,
    annotate_and_report,
)
from motionloom.annotation.annotate_points import annotate_points_and_report
from motionloom.annotation.flights import Flight, find_flights
from motionloom.annotation.floor import Floor
from motionloom.annotation.resting_parts import Part, RestReport
from motionloom.annotation.sidecar import annotations_from_dict, annotations_to_dict
from motionloom.annotation.strides import (
    Stride,
    Strike,
    gait_fault,
    gait_phase,
    is_locomotion,
    strides,
    strikes,
)
from motionloom.annotation.weight_bearing import WeightContact, WeightReport

__all__ = [
    "AnnotationReport",
    "AnnotationSettings",
    "Flight",
    "Floor",
    "Part",
    "PlantReport",
    "RestReport",
    "Stride",
    "Strike",
    "WeightContact",
    "WeightReport",
    "annotate",
    "annotate_and_report",
    "annotate_points_and_report",
    "annotations_from_dict",
    "annotations_to_dict",
    "find_flights",
    "gait_fault",
    "gait_phase",
    "is_locomotion",
    "labels",
    "strides",
    "strikes",
]
