"""Retargeting: the motion of one skeleton on another, and root motion taken out of a clip and put back.

>>> from motionloom.synthesis import walk
>>> clip = walk(duration=0.5, fps=30).clip
>>> transfer_motion(clip, clip.skeleton).report.scale
1.0
"""

from motionloom.motion.ground_path import GroundPath
from motionloom.retargeting.joint_map_file import load_joint_map, save_joint_map
from motionloom.retargeting.joint_mapping import JointMapping, JointPair, joint_mapping
from motionloom.retargeting.rig_dialects import RigDialect, rig_dialects
from motionloom.retargeting.root_motion import join_root, move_root_motion, split_root
from motionloom.retargeting.transfer_motion import TransferReport, transfer_motion
from motionloom.retargeting.unify_skeletons import unify_skeletons

__all__ = [
    "GroundPath",
    "JointMapping",
    "JointPair",
    "RigDialect",
    "TransferReport",
    "join_root",
    "joint_mapping",
    "load_joint_map",
    "move_root_motion",
    "rig_dialects",
    "save_joint_map",
    "split_root",
    "transfer_motion",
    "unify_skeletons",
]
