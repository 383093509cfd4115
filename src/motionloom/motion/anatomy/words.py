"""Reading joint names: the side and the role a name speaks of.

A name is cut into words at separators, at changes of case and at digits, after a namespace in front of a
colon or a bar is dropped: ``mixamorig:LeftUpLeg`` gives left, up, leg. A word in small letters that is made
of known words only is cut further: ``lhipjoint`` gives l, hip, joint. Words that say nothing are ignored, so
prefixes such as ``FK`` or ``Bip01`` do no harm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from motionloom.motion.anatomy.parts import Side


class Role(Enum):
    """What a name says about its joint. The plain ones depend on the company they are in."""

    UPPER_LEG = auto()
    LOWER_LEG = auto()
    PLAIN_LEG = auto()  # "LeftLeg": the shin below "LeftUpLeg", the thigh above "LeftKnee"
    HIP = auto()  # "LeftHip": the thigh's joint, or a joint between it and the pelvis
    FOOT = auto()
    TOE = auto()
    UPPER_ARM = auto()
    LOWER_ARM = auto()
    PLAIN_ARM = auto()  # "LeftArm": the upper arm above "LeftForeArm"
    SHOULDER = auto()  # "LeftShoulder": the collar bone above "LeftArm", the upper arm above "LeftElbow"
    HAND = auto()
    HEAD = auto()
    OTHER = auto()


@dataclass(frozen=True)
class ReadName:
    """A joint name understood: its side if it has one, its role, and its words without the side."""

    side: Side | None
    role: Role
    words: tuple[str, ...]


_SIDES: dict[str, Side] = {
    "l": "left",
    "left": "left",
    "lft": "left",
    "lf": "left",
    "左": "left",
    "r": "right",
    "right": "right",
    "rgt": "right",
    "rt": "right",
    "右": "right",
}
_UP = {"up", "upper"}
_LOW = {"lo", "low", "lower", "fore"}
_THIGH = {"thigh", "femur"}
_SHIN = {"knee", "shin", "calf", "tibia"}
_FOOT = {"foot", "ankle"}
_TOE = {"toe", "toes", "ball"}
_UPPER_ARM = {"humerus", "bicep"}
_FOREARM = {"elbow", "radius", "ulna"}
_HAND = {"hand", "wrist"}
_FINGER = {
    "finger",
    "fingers",
    "thumb",
    "index",
    "middle",
    "mid",
    "ring",
    "pinky",
    "little",
    "palm",
    "metacarpal",
}
_SHOULDER = {"shoulder", "shldr"}
_COLLAR = {"collar", "clavicle", "clav", "scapula"}
_HIP = {"hip", "hips"}
_TRUNK = {
    "spine",
    "back",
    "chest",
    "thorax",
    "abdomen",
    "neck",
    "pelvis",
    "root",
    "head",
    "eye",
    "jaw",
    "buttock",
}
# Helpers beside the real chain: ends, twist bones, controls of inverse kinematics.
_HELPERS = {"end", "nub", "tip", "site", "twist", "roll", "ik", "pole", "target"}
_FILLERS = {"joint", "jnt", "base", "bone"}

_LEXICON = set().union(
    _UP, _LOW, _THIGH, _SHIN, _FOOT, _TOE, _UPPER_ARM, _FOREARM, _HAND, _FINGER, _SHOULDER, _COLLAR, _HIP,
    _TRUNK, _HELPERS, _FILLERS, {"leg", "arm"},
)  # fmt: skip
_KNOWN = "|".join(sorted(_LEXICON, key=len, reverse=True))
_COMPOUND = re.compile(rf"(left|right|l|r)?((?:{_KNOWN})+?)(left|right)?")
_WORDS = re.compile(r"[左右]|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z左右]+")


def read_name(name: str) -> ReadName:
    """Read the side and the role of one joint name.

    >>> read = read_name("mixamorig:LeftUpLeg")
    >>> read.side, read.role.name, read.words
    ('left', 'UPPER_LEG', ('up', 'leg'))
    >>> read_name("rhumerus").side, read_name("FK_back1_jnt").side
    ('right', None)
    """
    words = [part for word in _WORDS.findall(re.split(r"[:|]", name)[-1]) for part in _cut(word.lower())]
    sides = [_SIDES[word] for word in words if word in _SIDES]
    rest = tuple(word for word in words if word not in _SIDES)
    side = sides[0] if sides else None
    # A leading underscore marks a joint that an exporter put in between.
    role = Role.OTHER if name.startswith("_") else _role(set(rest), side)
    return ReadName(side, role, rest)


def _cut(word: str) -> list[str]:
    """Cut a word in small letters into known words, or leave it whole."""
    if word in _LEXICON or word in _SIDES:
        return [word]
    found = _COMPOUND.fullmatch(word)
    if found is None:
        return [word]
    before, core, after = found.groups()
    return [side for side in (before, after) if side] + re.findall(_KNOWN, core)


def _role(words: set[str], side: Side | None) -> Role:
    if words & _HELPERS:
        return Role.OTHER
    if side is None:
        return Role.HEAD if "head" in words else Role.OTHER
    if words & _TOE:
        return Role.TOE
    if words & _FINGER:
        return Role.OTHER
    for role, says in _SIDED_ROLES:
        if words & says:
            return role
    for plain, upper, lower, either in (
        ("leg", Role.UPPER_LEG, Role.LOWER_LEG, Role.PLAIN_LEG),
        ("arm", Role.UPPER_ARM, Role.LOWER_ARM, Role.PLAIN_ARM),
    ):
        if plain in words:
            return upper if words & _UP else lower if words & _LOW else either
    return Role.OTHER


_SIDED_ROLES = (
    (Role.FOOT, _FOOT),
    (Role.LOWER_LEG, _SHIN),
    (Role.UPPER_LEG, _THIGH),
    (Role.LOWER_ARM, _FOREARM),
    (Role.UPPER_ARM, _UPPER_ARM),
    (Role.HAND, _HAND),
    (Role.SHOULDER, _SHOULDER),
    (Role.HIP, _HIP),
)
