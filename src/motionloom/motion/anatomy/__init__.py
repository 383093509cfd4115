"""The body parts of any skeleton: legs, arms, spine, left/right pairs, and which way the body faces."""

from motionloom.motion.anatomy.finding import find_anatomy
from motionloom.motion.anatomy.measures import body_height, facing, standing_direction
from motionloom.motion.anatomy.parts import Anatomy, Arm, Leg, Side

__all__ = ["Anatomy", "Arm", "Leg", "Side", "body_height", "facing", "find_anatomy", "standing_direction"]
