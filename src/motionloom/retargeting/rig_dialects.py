"""Rig dialects: the joint names of known programs and data sets, as plain data.

A pattern writes ``{}`` where the name says left or right. Names are compared without case, spaces and
punctuation, and without a namespace before a colon or a bar. Other packages add dialects through the
entry-point group :data:`GROUP`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from motionloom.errors import ParameterError
from motionloom.motion.anatomy import Side
from motionloom.plugins import load_plugins

GROUP = "motionloom.rig_dialects"
"""Entry-point group of rig dialects; each entry is a :class:`RigDialect`."""

LIMB_PARTS = ("thigh", "shin", "foot", "toes", "upper arm", "forearm", "hand")
FINGERS = ("thumb", "index", "middle", "ring", "little")


@dataclass(frozen=True)
class RigDialect:
    """What one program calls the joints of a body.

    Attributes
    ----------
    name
        The program or data set.
    sides
        What it writes for left and for right.
    trunk
        "pelvis" and "head" → name. The joints in between are found by structure, because the number of spine
        joints varies from rig to rig.
    limbs
        "thigh", "shin", "foot", "toes", "upper arm", "forearm", "hand" → pattern.
    fingers
        Finger → the pattern that its joint names start with, where they do not name the finger.
    prefix
        Regular expression for the prefix of every name; empty for none.

    >>> MIXAMO.find_part("mixamorig:LeftUpLeg"), MIXAMO.find_part("LeftUpLeg")
    ('left thigh', None)
    """

    name: str
    sides: tuple[str, str]
    trunk: Mapping[str, str]
    limbs: Mapping[str, str]
    fingers: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""

    def find_part(self, joint: str) -> str | None:
        """Return the body part that this dialect calls ``joint``, such as "left thigh", or None."""
        parts = {_squeeze(name): part for part, name in self._names()}
        return parts.get(_comparable(joint, self.prefix) or "")

    def find_finger(self, joint: str) -> str | None:
        """Return the finger that the joint belongs to where the dialect has its own names for fingers."""
        name = _comparable(joint, self.prefix) or ""
        for finger, pattern in self.fingers.items():
            if any(name.startswith(_squeeze(pattern.format(side))) for side in self.sides):
                return finger
        return None

    def _names(self) -> Iterator[tuple[str, str]]:
        yield from self.trunk.items()
        words: tuple[Side, Side] = ("left", "right")
        for side, written in zip(words, self.sides, strict=True):
            for part, pattern in self.limbs.items():
                yield f"{side} {part}", pattern.format(written)


@cache
def rig_dialects() -> tuple[RigDialect, ...]:
    """Return all dialects: the built-in ones, then those of installed packages.

    Of two that name as many joints of a skeleton, the earlier one counts.

    >>> rig_dialects()[0].name
    'Mixamo'
    """
    return (*BUILT_IN, *load_plugins(GROUP, check=_check_dialect).values())


def _check_dialect(found: object) -> RigDialect:
    if not isinstance(found, RigDialect):
        raise ParameterError(f"a rig dialect is a RigDialect, not a {type(found).__name__}")
    unknown = [*set(found.trunk) - {"pelvis", "head"}, *set(found.limbs) - set(LIMB_PARTS)]
    unknown += set(found.fingers) - set(FINGERS)
    if unknown:
        raise ParameterError(
            f"unknown body parts {', '.join(map(repr, sorted(unknown)))}: the trunk has 'pelvis' and "
            f"'head', limbs have {', '.join(LIMB_PARTS)}, hands have {', '.join(FINGERS)}"
        )
    return found


def _squeeze(name: str) -> str:
    """Reduce a name to small letters and digits."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _comparable(name: str, prefix: str) -> str | None:
    """Return a name as it is compared, or None where it lacks the dialect's prefix."""
    if not prefix:
        return _squeeze(re.split(r"[:|]", name)[-1])
    squeezed = _squeeze(name)
    found = re.match(prefix, squeezed)
    return squeezed[found.end() :] if found else None


def _limbs(*patterns: str) -> dict[str, str]:
    """Name patterns in the order of :data:`LIMB_PARTS`."""
    return dict(zip(LIMB_PARTS, patterns, strict=True))


_HIPS_HEAD = {"pelvis": "Hips", "head": "Head"}
_LEFT_RIGHT = ("Left", "Right")
_UP_LEG = _limbs("{}UpLeg", "{}Leg", "{}Foot", "{}ToeBase", "{}Arm", "{}ForeArm", "{}Hand")
_UPPER_LEG = _limbs("{}UpperLeg", "{}LowerLeg", "{}Foot", "{}Toes", "{}UpperArm", "{}LowerArm", "{}Hand")
_ANKLE = _limbs("{}Hip", "{}Knee", "{}Ankle", "{}Toe", "{}Shoulder", "{}Elbow", "{}Wrist")

MIXAMO = RigDialect("Mixamo", _LEFT_RIGHT, _HIPS_HEAD, _UP_LEG, prefix=r"mixamorig\d*")
MOTIONBUILDER = RigDialect("MotionBuilder", _LEFT_RIGHT, _HIPS_HEAD, _UP_LEG)
"""CMU's BVH files and Perception Neuron name limbs the same way."""
CMU_ASF = RigDialect(
    "CMU (ASF)",
    ("l", "r"),
    {"pelvis": "root", "head": "head"},
    _limbs("{}femur", "{}tibia", "{}foot", "{}toes", "{}humerus", "{}radius", "{}wrist"),
)
ROKOKO = RigDialect(
    "Rokoko",
    _LEFT_RIGHT,
    _HIPS_HEAD,
    _limbs("{}Thigh", "{}Shin", "{}Foot", "{}Toe", "{}Arm", "{}ForeArm", "{}Hand"),
)
XSENS = RigDialect("Xsens", _LEFT_RIGHT, _HIPS_HEAD, _ANKLE)
XSENS_MVN = RigDialect(
    "Xsens MVN",
    _LEFT_RIGHT,
    {"pelvis": "Pelvis", "head": "Head"},
    _limbs("{}UpperLeg", "{}LowerLeg", "{}Foot", "{}Toe", "{}UpperArm", "{}ForeArm", "{}Hand"),
)
BANDAI = RigDialect(
    "Bandai",
    ("L", "R"),
    _HIPS_HEAD,
    _limbs("UpperLeg_{}", "LowerLeg_{}", "Foot_{}", "Toes_{}", "UpperArm_{}", "LowerArm_{}", "Hand_{}"),
)
SMPL = RigDialect(
    "SMPL",
    ("L", "R"),
    {"pelvis": "Pelvis", "head": "Head"},
    # SMPL's "foot" is the ball of the foot.
    _limbs("{}_Hip", "{}_Knee", "{}_Ankle", "{}_Foot", "{}_Shoulder", "{}_Elbow", "{}_Wrist"),
)
SMPL_X = RigDialect("SMPL-X", ("left", "right"), SMPL.trunk, SMPL.limbs)
BIPED = RigDialect(
    "Biped",
    ("L", "R"),
    {"pelvis": "Pelvis", "head": "Head"},
    _limbs("{} Thigh", "{} Calf", "{} Foot", "{} Toe0", "{} UpperArm", "{} Forearm", "{} Hand"),
    fingers={finger: f"{{}} Finger{n}" for n, finger in enumerate(FINGERS)},
    prefix=r"bip(?:ed)?\d*",
)
UNREAL = RigDialect(
    "Unreal Engine",
    ("l", "r"),
    {"pelvis": "pelvis", "head": "head"},
    _limbs("thigh_{}", "calf_{}", "foot_{}", "ball_{}", "upperarm_{}", "lowerarm_{}", "hand_{}"),
)
VRM = RigDialect("VRM", ("left", "right"), _HIPS_HEAD, _UPPER_LEG)
VROID = RigDialect(
    "VRoid",
    ("L", "R"),
    {"pelvis": "C_Hips", "head": "C_Head"},
    _limbs("{}_UpperLeg", "{}_LowerLeg", "{}_Foot", "{}_ToeBase", "{}_UpperArm", "{}_LowerArm", "{}_Hand"),
    fingers={finger: f"{{}}_{finger}" for finger in FINGERS},
    prefix="jbip",
)

BUILT_IN = (
    MIXAMO,
    MOTIONBUILDER,
    CMU_ASF,
    ROKOKO,
    XSENS,
    XSENS_MVN,
    BANDAI,
    SMPL,
    SMPL_X,
    BIPED,
    UNREAL,
    VRM,
    VROID,
)
"""The dialects that come with Motionloom."""
