"""Recasting: the motion of one skeleton on another, with its feet on the floor.

>>> from motionloom.synthesis import walk
>>> clip = walk(duration=0.5, fps=30).clip
>>> map_skeleton(clip, clip) is clip
True
"""

from motionloom.recasting.pipeline import map_skeleton
from motionloom.recasting.report import RecastReport

__all__ = ["RecastReport", "map_skeleton"]
