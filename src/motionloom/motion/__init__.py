"""Skeletons, clips and what clips carry: the data every stage works on."""

from motionloom.motion.clip import Clip
from motionloom.motion.constraint import Constraint
from motionloom.motion.event import Event
from motionloom.motion.motion import Motion
from motionloom.motion.point_clip import PointClip
from motionloom.motion.pose import Pose
from motionloom.motion.provenance import Provenance
from motionloom.motion.skeleton import Skeleton, Tip
from motionloom.motion.source import Source

__all__ = [
    "Clip",
    "Constraint",
    "Event",
    "Motion",
    "PointClip",
    "Pose",
    "Provenance",
    "Skeleton",
    "Source",
    "Tip",
]
