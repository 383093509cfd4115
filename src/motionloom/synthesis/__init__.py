"""Built-in motions: a biped that walks, jogs, sneaks, turns, jumps, kicks, punches, reaches and stands.

Every function makes a clip from parameters and returns it without annotations, together with the ground
truth: when and where heels and toes are planted, the phase of the gait and the path over the ground
(:class:`SyntheticMotion`). The same call gives the same numbers on every run.

Each motion is a closed-form function of time, sampled at the requested frame rate. Footprints come first: a
foot strikes, rolls and leaves about points that do not move (``footsteps``). The trunk travels over them
along a ground path (``locomotion``, ``gait_cycle``) or leans and shifts by keys (``stand``). It sinks
smoothly where a leg would be too short, and the legs then reach their feet exactly (``limbs``,
``body_pose``).

:func:`make_character` fits some of them to a skinned character with other feet and proportions.

>>> motion = walk(speed=1.3, curvature=0.2, duration=2.0, fps=30)
>>> motion.clip
Clip(61 frames at 30 fps, 22 joints, 0 constraints, 0 events)
>>> sorted({plant.kind for plant in motion.plants})
['heel', 'toe']
"""

from motionloom.synthesis.biped import biped
from motionloom.synthesis.character_skeleton import BodyProportions
from motionloom.synthesis.gait import GaitStyle
from motionloom.synthesis.jump import jump
from motionloom.synthesis.kick import kick
from motionloom.synthesis.locomotion import jog, sneak, turn_walk, walk
from motionloom.synthesis.make_character import SyntheticCharacter, SyntheticSole, make_character
from motionloom.synthesis.mannequin import make_mannequin
from motionloom.synthesis.motions import MOTIONS, locomotion_set
from motionloom.synthesis.punch import punch
from motionloom.synthesis.reach_out import reach_out
from motionloom.synthesis.stand import idle, stand
from motionloom.synthesis.synthetic_motion import SyntheticMotion
from motionloom.synthesis.turn_in_place import turn_in_place

__all__ = [
    "MOTIONS",
    "BodyProportions",
    "GaitStyle",
    "SyntheticCharacter",
    "SyntheticMotion",
    "SyntheticSole",
    "biped",
    "idle",
    "jog",
    "jump",
    "kick",
    "locomotion_set",
    "make_character",
    "make_mannequin",
    "punch",
    "reach_out",
    "sneak",
    "stand",
    "turn_in_place",
    "turn_walk",
    "walk",
]
