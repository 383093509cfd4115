"""The body parts of any skeleton: legs, arms, spine, left/right pairs, and which way the body faces."""

from motionloom.motion.anatomy.find_anatomy import Anatomy, Arm, Leg, find_anatomy
from motionloom.motion.anatomy.joint_names import Side
from motionloom.motion.anatomy.measures import body_height, facing, standing_direction

__all__ = ["Anatomy", "Arm", "Leg", "Side", "body_height", "facing", "find_anatomy", "standing_direction"]
