"""Quality: measurements that say how good a motion is, with units."""

from motionloom.annotation.ground import GroundLike
from motionloom.motion.anatomy import centre_of_mass
from motionloom.quality.changes import Changes, measure_changes
from motionloom.quality.compare import Comparison, compare
from motionloom.quality.feet import (
    Feet,
    PlantMeasures,
    find_feet,
    plant_measures,
    skate_ratio,
    skate_speeds,
)
from motionloom.quality.joint_speeds import angular_speeds, bone_stretches, joint_speeds
from motionloom.quality.measure import MeasurePlugin, measure
from motionloom.quality.paths import PathMeasures, PathSeams, path_measures, path_seams
from motionloom.quality.posture import PostureMeasures, compare_posture
from motionloom.quality.reference_error import angle_error, copy_error, joint_error, l2p, l2q, npss
from motionloom.quality.results import Measurement, MeasurementGroup, Measures, UnmeasuredGroup
from motionloom.quality.seams import SeamPeaks, SeamSmoothness, seam_smoothness
from motionloom.quality.sources import nearest_pose_distances, speed_ratios
from motionloom.quality.stances import Dart, StanceMeasures, compare_stances

__all__ = [
    "Changes",
    "Comparison",
    "Dart",
    "Feet",
    "GroundLike",
    "MeasurePlugin",
    "Measurement",
    "MeasurementGroup",
    "Measures",
    "PathMeasures",
    "PathSeams",
    "PlantMeasures",
    "PostureMeasures",
    "SeamPeaks",
    "SeamSmoothness",
    "StanceMeasures",
    "UnmeasuredGroup",
    "angle_error",
    "angular_speeds",
    "bone_stretches",
    "centre_of_mass",
    "compare",
    "compare_posture",
    "compare_stances",
    "copy_error",
    "find_feet",
    "joint_error",
    "joint_speeds",
    "l2p",
    "l2q",
    "measure",
    "measure_changes",
    "nearest_pose_distances",
    "npss",
    "path_measures",
    "path_seams",
    "plant_measures",
    "seam_smoothness",
    "skate_ratio",
    "skate_speeds",
    "speed_ratios",
]
