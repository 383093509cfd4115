"""Skeletons, clips and what clips carry: the data every stage works on."""

from motionloom.motion.annotations import Constraint, Event
from motionloom.motion.clip import Clip
from motionloom.motion.measurements import Analog, ForcePlate
from motionloom.motion.motion import Motion
from motionloom.motion.point_clip import PointClip
from motionloom.motion.pose import Pose
from motionloom.motion.provenance import Character, Provenance, Source
from motionloom.motion.result import Result
from motionloom.motion.skeleton import Skeleton, Tip

__all__ = [
    "Analog",
    "Character",
    "Clip",
    "Constraint",
    "Event",
    "ForcePlate",
    "Motion",
    "PointClip",
    "Pose",
    "Provenance",
    "Result",
    "Skeleton",
    "Source",
    "Tip",
]
