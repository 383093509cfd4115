"""Joint names of known programs and data sets, as plain data.

A pattern writes ``{}`` where the name says left or right. Names are compared without case, spaces and signs,
and without a namespace in front of a colon or a bar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from motionloom.motion.anatomy import Side

FINGERS = ("thumb", "index", "middle", "ring", "little")


@dataclass(frozen=True)
class Dialect:
    """What one program calls the joints of a body.

    Attributes
    ----------
    name
        The program or data set.
    sides
        What it writes for left and for right.
    trunk
        "pelvis" and "head" → name. Spines have as many joints as their makers like, so the joints in between
        are found by structure.
    limbs
        "thigh", "shin", "foot", "toes", "upper arm", "forearm", "hand" → pattern.
    fingers
        Finger → the pattern with which the names of its joints begin, where they do not name the finger.
    prefix
        Regular expression of what stands in front of every name; empty for nothing.

    >>> MIXAMO.read("mixamorig:LeftUpLeg"), MIXAMO.read("LeftUpLeg")
    ('left thigh', None)
    """

    name: str
    sides: tuple[str, str]
    trunk: Mapping[str, str]
    limbs: Mapping[str, str]
    fingers: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""

    def read(self, joint: str) -> str | None:
        """The part of the body that this dialect calls ``joint``, such as "left thigh", or None."""
        return self._parts().get(_plain(joint, self.prefix) or "")

    def finger(self, joint: str) -> str | None:
        """The finger that the joint belongs to where the dialect has its own words for fingers, or None."""
        plain = _plain(joint, self.prefix) or ""
        for finger, pattern in self.fingers.items():
            if any(plain.startswith(_squeezed(pattern.format(side))) for side in self.sides):
                return finger
        return None

    def _parts(self) -> dict[str, str]:
        return {_squeezed(name): part for part, name in self._names()}

    def _names(self) -> Iterator[tuple[str, str]]:
        yield from self.trunk.items()
        words: tuple[Side, Side] = ("left", "right")
        for side, written in zip(words, self.sides, strict=True):
            for part, pattern in self.limbs.items():
                yield f"{side} {part}", pattern.format(written)


def _squeezed(name: str) -> str:
    """A name in small letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _plain(name: str, prefix: str) -> str | None:
    """A name as it is compared, or None where it lacks the dialect's prefix."""
    if not prefix:
        return _squeezed(re.split(r"[:|]", name)[-1])
    squeezed = _squeezed(name)
    found = re.match(prefix, squeezed)
    return squeezed[found.end() :] if found else None


def _limbs(*patterns: str) -> dict[str, str]:
    """Patterns in the order thigh, shin, foot, toes, upper arm, forearm, hand."""
    parts = ("thigh", "shin", "foot", "toes", "upper arm", "forearm", "hand")
    return dict(zip(parts, patterns, strict=True))


_HIPS_HEAD = {"pelvis": "Hips", "head": "Head"}
_LEFT_RIGHT = ("Left", "Right")
_UP_LEG = _limbs("{}UpLeg", "{}Leg", "{}Foot", "{}ToeBase", "{}Arm", "{}ForeArm", "{}Hand")
_UPPER_LEG = _limbs("{}UpperLeg", "{}LowerLeg", "{}Foot", "{}Toes", "{}UpperArm", "{}LowerArm", "{}Hand")
_ANKLE = _limbs("{}Hip", "{}Knee", "{}Ankle", "{}Toe", "{}Shoulder", "{}Elbow", "{}Wrist")

MIXAMO = Dialect("Mixamo", _LEFT_RIGHT, _HIPS_HEAD, _UP_LEG, prefix=r"mixamorig\d*")
MOTIONBUILDER = Dialect("MotionBuilder", _LEFT_RIGHT, _HIPS_HEAD, _UP_LEG)
"""CMU's BVH files and Perception Neuron name limbs the same way."""
CMU_ASF = Dialect(
    "CMU (ASF)",
    ("l", "r"),
    {"pelvis": "root", "head": "head"},
    _limbs("{}femur", "{}tibia", "{}foot", "{}toes", "{}humerus", "{}radius", "{}wrist"),
)
ROKOKO = Dialect(
    "Rokoko",
    _LEFT_RIGHT,
    _HIPS_HEAD,
    _limbs("{}Thigh", "{}Shin", "{}Foot", "{}Toe", "{}Arm", "{}ForeArm", "{}Hand"),
)
XSENS = Dialect("Xsens", _LEFT_RIGHT, _HIPS_HEAD, _ANKLE)
XSENS_MVN = Dialect(
    "Xsens MVN",
    _LEFT_RIGHT,
    {"pelvis": "Pelvis", "head": "Head"},
    _limbs("{}UpperLeg", "{}LowerLeg", "{}Foot", "{}Toe", "{}UpperArm", "{}ForeArm", "{}Hand"),
)
BANDAI = Dialect(
    "Bandai",
    ("L", "R"),
    _HIPS_HEAD,
    _limbs("UpperLeg_{}", "LowerLeg_{}", "Foot_{}", "Toes_{}", "UpperArm_{}", "LowerArm_{}", "Hand_{}"),
)
SMPL = Dialect(
    "SMPL",
    ("L", "R"),
    {"pelvis": "Pelvis", "head": "Head"},
    # What SMPL calls a foot is the ball of it.
    _limbs("{}_Hip", "{}_Knee", "{}_Ankle", "{}_Foot", "{}_Shoulder", "{}_Elbow", "{}_Wrist"),
)
SMPL_X = Dialect("SMPL-X", ("left", "right"), SMPL.trunk, SMPL.limbs)
BIPED = Dialect(
    "Biped",
    ("L", "R"),
    {"pelvis": "Pelvis", "head": "Head"},
    _limbs("{} Thigh", "{} Calf", "{} Foot", "{} Toe0", "{} UpperArm", "{} Forearm", "{} Hand"),
    fingers={finger: f"{{}} Finger{n}" for n, finger in enumerate(FINGERS)},
    prefix=r"bip(?:ed)?\d*",
)
UNREAL = Dialect(
    "Unreal Engine",
    ("l", "r"),
    {"pelvis": "pelvis", "head": "head"},
    _limbs("thigh_{}", "calf_{}", "foot_{}", "ball_{}", "upperarm_{}", "lowerarm_{}", "hand_{}"),
)
VRM = Dialect("VRM", ("left", "right"), _HIPS_HEAD, _UPPER_LEG)
VROID = Dialect(
    "VRoid",
    ("L", "R"),
    {"pelvis": "C_Hips", "head": "C_Head"},
    _limbs("{}_UpperLeg", "{}_LowerLeg", "{}_Foot", "{}_ToeBase", "{}_UpperArm", "{}_LowerArm", "{}_Hand"),
    fingers={finger: f"{{}}_{finger}" for finger in FINGERS},
    prefix="jbip",
)

DIALECTS = (
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
"""All dialects; of two that name as many joints of a skeleton the earlier one counts."""
