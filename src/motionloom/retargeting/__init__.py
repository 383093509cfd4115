"""Retargeting: the motion of one skeleton on another, and travel taken out of a motion and put back.

>>> from motionloom.synthesis import walk
>>> clip = walk(duration=0.5, fps=30).clip
>>> retarget(clip, clip.skeleton).report.scale
1.0
"""

from motionloom.retargeting.mapping import JointMapping, JointPair, joint_mapping
from motionloom.retargeting.pipeline import retarget
from motionloom.retargeting.report import RetargetReport
from motionloom.retargeting.root_motion import GroundPath, join_root, split_root
from motionloom.retargeting.unifying import on_one_skeleton

__all__ = [
    "GroundPath",
    "JointMapping",
    "JointPair",
    "RetargetReport",
    "join_root",
    "joint_mapping",
    "on_one_skeleton",
    "retarget",
    "split_root",
]
