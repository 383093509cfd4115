"""Motionloom makes new motion from captured motion.

>>> import motionloom as ml
>>> clip = ml.load("walk.bvh")                  # doctest: +SKIP
>>> ml.save(clip.mirrored(), "mirrored.bvh")    # doctest: +SKIP
"""

from motionloom.errors import MotionloomError
from motionloom.files import load, save
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, Constraint, Event, PointClip, Pose, Skeleton, Source, Tip

__version__ = "0.1.0"

__all__ = [
    "Clip",
    "Constraint",
    "Event",
    "GroundTransform",
    "MotionloomError",
    "PointClip",
    "Pose",
    "Skeleton",
    "Source",
    "Tip",
    "load",
    "save",
]
