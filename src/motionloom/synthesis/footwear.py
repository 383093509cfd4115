"""What characters stand on: bare feet, shoes, heels, boots and paws, by their dimensions.

All dimensions are those of an adult of 1.75 m, in metres. Inside every shoe is the biped's own bare foot,
tilted about the ball until heel and ball have their heights above the floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.synthesis.biped import HEEL_POINT, TOE_OFFSET, TOE_THICKNESS

FootwearName = Literal["bare", "shoes", "heels", "boots", "paws"]

_PAD_BEHIND = 0.04
"""How far behind the toe joint the pad of a paw reaches, metres."""


@dataclass(frozen=True)
class Footwear:
    """Dimensions of one kind of footwear, metres.

    Attributes
    ----------
    heel_height, thickness
        How high the bare heel and the bare ball are above the floor.
    heel_length
        Length of the part of the sole below the heel that touches the floor; 0 for paws, whose heel is in the
        air.
    waist
        How far the sole between heel and ball is above the line between them.
    toe_length
        From the toe joint to the tip of the sole.
    behind
        How far the sole reaches behind the bare heel.
    heel_width, ball_width, tip_width
        Widths of the sole.
    shaft
        How far a shaft reaches up the shin from the ankle.
    """

    heel_height: float = 0.0
    thickness: float = 0.0
    heel_length: float = 0.055
    waist: float = 0.010
    toe_length: float = 0.070
    behind: float = 0.0
    heel_width: float = 0.062
    ball_width: float = 0.092
    tip_width: float = 0.055
    shaft: float = 0.0


FOOTWEAR: dict[FootwearName, Footwear] = {
    "bare": Footwear(),
    "shoes": Footwear(
        heel_height=0.025, thickness=0.012, heel_length=0.065, waist=0.004, toe_length=0.085, behind=0.006
    ),
    "heels": Footwear(
        heel_height=0.070, thickness=0.020, heel_length=0.030, waist=0.0, toe_length=0.085, behind=0.004,
        heel_width=0.040, ball_width=0.086, tip_width=0.04,
    ),
    "boots": Footwear(
        heel_height=0.040, thickness=0.030, heel_length=0.075, waist=0.006, toe_length=0.090, behind=0.010,
        heel_width=0.078, ball_width=0.108, tip_width=0.07, shaft=0.22,
    ),
    "paws": Footwear(
        heel_height=0.070, heel_length=0.0, waist=0.0, toe_length=0.065, ball_width=0.140, tip_width=0.11
    ),
}  # fmt: skip
"""Dimensions by name."""


@dataclass(frozen=True)
class FootShape:
    """A foot that stands flat, in the frame of its foot joint, metres.

    Attributes
    ----------
    footwear
        Its dimensions.
    ankle_height, toe_height
        Heights of the foot joint and of the toe joint above the floor.
    toe_offset
        (3,) the toe joint.
    back, heel
        Where the surface begins, and where the sole first touches the floor, ahead of the foot joint.
    size
        Size as a multiple of an adult's.
    """

    footwear: Footwear
    ankle_height: float
    toe_height: float
    toe_offset: FloatArray
    back: float
    heel: float
    size: float = 1.0

    @property
    def heel_point(self) -> FloatArray:
        """The hindmost point (3,) that touches the floor."""
        return np.array([0.0, -self.ankle_height, self.heel])

    def scaled(self, factor: float) -> FootShape:
        """Return the same foot in another size."""
        values = {name: factor * value for name, value in vars(self.footwear).items()}
        return FootShape(
            Footwear(**values),
            factor * self.ankle_height,
            factor * self.toe_height,
            factor * self.toe_offset,
            factor * self.back,
            factor * self.heel,
            factor * self.size,
        )


def fit_foot(footwear: Footwear) -> FootShape:
    """Tilt the biped's bare foot about its ball until it fills the footwear.

    >>> bare = fit_foot(FOOTWEAR["bare"])
    >>> round(bare.ankle_height, 9), bare.toe_offset[1:].round(9).tolist(), round(bare.heel, 9)
    (0.08, [-0.06, 0.13], -0.05)
    """
    heel, ankle = HEEL_POINT - TOE_OFFSET, -TOE_OFFSET
    toe_height = TOE_THICKNESS + footwear.thickness
    # The bare heel turns about the toe joint: its height there is sin(tilt - level) times its distance.
    level = np.arctan2(-heel[1], -heel[2])
    distance = np.hypot(heel[1], heel[2])
    tilt = float(np.arcsin((footwear.heel_height - toe_height) / distance) + level)
    cosine, sine = np.cos(tilt), np.sin(tilt)
    rotation = np.array([[1.0, 0.0, 0.0], [0.0, cosine, -sine], [0.0, sine, cosine]])
    toe_offset = -(rotation @ ankle)
    back = float((rotation @ heel)[2] + toe_offset[2]) - footwear.behind
    on_heel = footwear.heel_length > 0.0
    touching = back if on_heel else float(toe_offset[2]) - _PAD_BEHIND
    return FootShape(
        footwear, toe_height - float(toe_offset[1]), toe_height, freeze(toe_offset), back, touching
    )
