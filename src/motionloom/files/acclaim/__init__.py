"""Acclaim's pair of files: an ASF holds the skeleton, an AMC the motion of its joints."""

from motionloom.files.acclaim.read import read_acclaim
from motionloom.files.acclaim.read_skeleton import read_asf
from motionloom.files.acclaim.skeleton import AcclaimSkeleton, Bone
from motionloom.files.acclaim.write import write_acclaim

__all__ = ["AcclaimSkeleton", "Bone", "read_acclaim", "read_asf", "write_acclaim"]
