"""Quality: figures that say how good a motion is, with units."""

from motionloom.quality.comparison import Comparison
from motionloom.quality.continuation import angle_error, joint_error, l2p, l2q, npss
from motionloom.quality.copies import copy_error
from motionloom.quality.feet import Feet, GroundLike, feet_of, skate_ratio, skate_speeds
from motionloom.quality.mass import centre_of_mass
from motionloom.quality.measure import measure
from motionloom.quality.nearness import nearest_source_distances
from motionloom.quality.paths import PathMeasures, PathSeams, path_measures, path_seams
from motionloom.quality.plants import PlantMeasures, plant_measures
from motionloom.quality.results import Absent, Figure, Group, Measures
from motionloom.quality.seams import SeamPeaks, SeamSmoothness, seam_smoothness
from motionloom.quality.speeds import joint_speeds, speed_ratios, stretches, turning_speeds

__all__ = [
    "Absent",
    "Comparison",
    "Feet",
    "Figure",
    "GroundLike",
    "Group",
    "Measures",
    "PathMeasures",
    "PathSeams",
    "PlantMeasures",
    "SeamPeaks",
    "SeamSmoothness",
    "angle_error",
    "centre_of_mass",
    "copy_error",
    "feet_of",
    "joint_error",
    "joint_speeds",
    "l2p",
    "l2q",
    "measure",
    "nearest_source_distances",
    "npss",
    "path_measures",
    "path_seams",
    "plant_measures",
    "seam_smoothness",
    "skate_ratio",
    "skate_speeds",
    "speed_ratios",
    "stretches",
    "turning_speeds",
]
