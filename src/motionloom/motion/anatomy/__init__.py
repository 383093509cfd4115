"""The body parts of any skeleton: legs, arms, spine, left/right pairs, and which way the body faces."""

from motionloom.motion.anatomy.centre_of_mass import BodyMasses, centre_of_mass, find_body_masses
from motionloom.motion.anatomy.find_anatomy import Anatomy, Arm, Leg, find_anatomy
from motionloom.motion.anatomy.joint_names import Side
from motionloom.motion.anatomy.measures import body_height, body_positions, facing

__all__ = [
    "Anatomy",
    "Arm",
    "BodyMasses",
    "Leg",
    "Side",
    "body_height",
    "body_positions",
    "centre_of_mass",
    "facing",
    "find_anatomy",
    "find_body_masses",
]
