"""Body thresholds: proportions of adults, what no person does, and when a foot stands.

Numbers by which more than one room judges a body. What a single step of one room needs is beside that step.
"""

from __future__ import annotations

ADULT_HEIGHT = 1.7
"""Metres; assumed where the skeleton does not show how tall the body is."""

ADULT_ANKLE_HEIGHT = 0.08
"""Height of an adult's ankle above the sole, metres; assumed where no frame shows it."""

# Proportions of an adult standing upright, as fractions of the body height.
ANKLE_HEIGHT = 0.039
KNEE_HEIGHT = 0.285
HIP_HEIGHT = 0.530
HEAD_LENGTH = 0.130
MAX_HEAD = 0.2
"""Anything farther above the head joint than this fraction of the body below it is hair or a hat."""

HEEL_BEHIND_ANKLE = 5.0 / 13.0
"""How far the heel lies behind the ankle, as a fraction of the horizontal distance from the ankle to the ball
of the foot: about 5 cm and 13 cm in an adult."""

ALONG, ACROSS = 0.7, 0.5
"""Cosines: limbs within about 45° of each other are parallel, at more than 60° they are across the trunk.
Bodies whose legs and arms are parallel and across the trunk are four-legged."""

GRAVITY = 9.81
"""What free bodies fall with, m/s²."""

MAX_ROOT_SPEED = 15.0
"""Metres per second that no root of a person reaches."""

MAX_KNEE_SPEED = 7.0
"""Radians per second that knees reach in calm motion; what is faster must be usual in the clips."""

MAX_SLIDE = 0.1
"""Metres that planted feet slide in captures at most, and from which sliding is easily seen."""

NEAR_GROUND = 0.03
"""Metres above its lowest below which a point of the sole is near the ground."""

CREEP_SPEED = 0.1
"""Metres per second at which standing feet in captures creep over the ground at most."""

USUAL_FLOOR = (-0.05, 0.10)
"""Captures put the floor at height zero. That is assumed when the lowest joint of a standing foot comes
within this range of it, metres: markers sit on the foot, and calibration is off by some centimetres."""
