"""The biped that performs every built-in motion: 22 joints, 1.75 m tall, in a T-pose.

It faces +Z with its left along +X. All rest rotations are the identity, as in a BVH file.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.motion import Skeleton, Tip

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")

THIGH, SHIN, ANKLE_HEIGHT = 0.44, 0.42, 0.08
UPPER_ARM, FOREARM, HAND = 0.28, 0.26, 0.18
LEG, ARM = THIGH + SHIN, UPPER_ARM + FOREARM
"""Lengths in metres of the straight leg from hip to ankle, and of the straight arm from shoulder to wrist."""

HIP_DROP = 0.03
"""How far, in metres, the hip joints lie below the root."""

STANDING_HEIGHT = ANKLE_HEIGHT + LEG + HIP_DROP
"""Height of the root, in metres, when the legs are straight."""

TOE_THICKNESS = 0.02
"""Height of the toe joint above the sole, in metres."""

_TRUNK = (
    ("Hips", "", (0.0, STANDING_HEIGHT, 0.0)),
    ("Spine", "Hips", (0.0, 0.10, 0.0)),
    ("Spine1", "Spine", (0.0, 0.12, 0.0)),
    ("Spine2", "Spine1", (0.0, 0.12, 0.0)),
    ("Neck", "Spine2", (0.0, 0.18, 0.0)),
    ("Head", "Neck", (0.0, 0.09, 0.01)),
)
_ARM = (
    ("Shoulder", "Spine2", (0.04, 0.13, 0.0)),
    ("Arm", "Shoulder", (0.14, 0.0, 0.0)),
    ("ForeArm", "Arm", (UPPER_ARM, 0.0, 0.0)),
    ("Hand", "ForeArm", (FOREARM, 0.0, 0.0)),
)
_LEG = (
    ("UpLeg", "Hips", (0.09, -HIP_DROP, 0.0)),
    ("Leg", "UpLeg", (0.0, -THIGH, 0.0)),
    ("Foot", "Leg", (0.0, -SHIN, 0.0)),
    ("ToeBase", "Foot", (0.0, TOE_THICKNESS - ANKLE_HEIGHT, 0.13)),
)
_TIPS = (("Hand", (HAND, 0.0, 0.0)), ("ToeBase", (0.0, -TOE_THICKNESS, 0.07)))
_HEAD_TOP = (0.0, 0.17, 0.0)

HEEL_POINT: FloatArray = freeze(np.array([0.0, -ANKLE_HEIGHT, -0.05]))
"""The heel's contact point (3,) in the frame of the foot joint, metres."""

TOE_POINT: FloatArray = freeze(np.array([0.0, -TOE_THICKNESS, 0.0]))
"""The contact point (3,) of the ball of the foot in the frame of the toe joint, metres."""

TOE_OFFSET: FloatArray = freeze(np.array(_LEG[-1][2]))
"""The toe joint (3,) in the frame of the foot joint, metres."""


def sign(side: Side) -> float:
    """Return +1 for the left side, which lies along +X, and -1 for the right.

    >>> sign("right")
    -1.0
    """
    return 1.0 if side == "left" else -1.0


def joint(side: Side, name: str) -> int:
    """Return the index of a limb's joint, named without its side.

    >>> biped().names[joint("left", "Foot")]
    'LeftFoot'
    """
    return biped().index(side.capitalize() + name)


def offset(name: str) -> FloatArray:
    """Return the rest offset (3,) of a joint from its parent, metres.

    >>> offset("Spine").tolist()
    [0.0, 0.1, 0.0]
    """
    skeleton = biped()
    return np.asarray(skeleton.offsets[skeleton.index(name)])


@cache
def biped() -> Skeleton:
    """Return the skeleton of every built-in motion: 22 joints, metres, T-pose, facing +Z, left along +X.

    >>> skeleton = biped()
    >>> skeleton.n_joints, round(float(skeleton.rest_positions()[:, 1].max()), 2)
    (22, 1.58)
    """
    rows = list(_TRUNK)
    # Both arms before both legs: depth first, as files list joints.
    for limb, side in product((_ARM, _LEG), SIDES):
        for name, parent, (x, y, z) in limb:
            full_parent = parent if parent in ("Spine2", "Hips") else side.capitalize() + parent
            rows.append((side.capitalize() + name, full_parent, (sign(side) * x, y, z)))
    names = [name for name, _, _ in rows]
    parents = [names.index(parent) if parent else -1 for _, parent, _ in rows]
    tips = [Tip(names.index("Head"), np.array(_HEAD_TOP))]
    for side in SIDES:
        for name, (x, y, z) in _TIPS:
            tips.append(Tip(names.index(side.capitalize() + name), np.array([sign(side) * x, y, z])))
    return Skeleton(
        tuple(names), np.array(parents), np.array([offset for _, _, offset in rows]), tips=tuple(tips)
    )
