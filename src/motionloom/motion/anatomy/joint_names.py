"""Read joint names: the side and the role of a joint; and find limbs, head and pairs by them.

A namespace before a colon or a bar is dropped, and the rest is split into words at separators, at changes of
case and at digits: ``mixamorig:LeftUpLeg`` gives left, up, leg. A lower-case word that consists of known
words is split further: ``lhipjoint`` gives l, hip, joint. Unknown words are ignored, so prefixes such as
``FK`` or ``Bip01`` do no harm.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Literal

from motionloom.motion.anatomy import tree
from motionloom.motion.skeleton import Skeleton

Side = Literal["left", "right"]

Chain = tuple[int, int, int]
"""Three joints of a limb, from the trunk outwards."""


class Role(Enum):
    """The role of a joint by its name. The plain ones depend on the names around them."""

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
    """A joint name as read: its side if it has one, its role, and its words without the side."""

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
# Helper joints beside the real chain: ends, twist bones, IK controls.
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
    words = [
        part for word in _WORDS.findall(re.split(r"[:|]", name)[-1]) for part in _split_word(word.lower())
    ]
    sides = [_SIDES[word] for word in words if word in _SIDES]
    rest = tuple(word for word in words if word not in _SIDES)
    side = sides[0] if sides else None
    # A leading underscore marks a joint that an exporter inserted.
    role = Role.OTHER if name.startswith("_") else _role(set(rest), side)
    return ReadName(side, role, rest)


def _split_word(word: str) -> list[str]:
    """Split a lower-case word into known words, or leave it whole."""
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


@dataclass(frozen=True)
class LimbRoles:
    """The roles that make up a limb, from the trunk outwards."""

    before: Role
    upper: Role
    lower: Role
    plain: Role
    end: Role


LEG = LimbRoles(Role.HIP, Role.UPPER_LEG, Role.LOWER_LEG, Role.PLAIN_LEG, Role.FOOT)
ARM = LimbRoles(Role.SHOULDER, Role.UPPER_ARM, Role.LOWER_ARM, Role.PLAIN_ARM, Role.HAND)


def chain_by_name(skeleton: Skeleton, reads: Sequence[ReadName], side: Side, limb: LimbRoles) -> Chain | None:
    """Find hip, knee and ankle (shoulder, elbow and wrist) of one side by their names, or return None.

    The knee comes first because its names are the least ambiguous, then the nearest matching joints above and
    below it. Of several joints with one role the topmost counts: the others are parts of the same bone.
    """

    def with_role(role: Role, among: Iterable[int] | None = None) -> list[int]:
        joints = range(len(reads)) if among is None else among
        return [j for j in joints if reads[j].side == side and reads[j].role is role]

    plain = with_role(limb.plain)
    lowers = with_role(limb.lower) or (
        plain if with_role(limb.upper) or with_role(limb.before) else plain[1:]
    )
    for knee in lowers:
        above = tree.ancestors(skeleton, knee)[1:]
        uppers = (
            with_role(limb.upper, above[::-1])
            or with_role(limb.plain, above[::-1])
            or with_role(limb.before, above)
        )
        below = tree.subtree(skeleton, knee)[1:]
        ends = with_role(limb.end, below) or with_role(limb.plain, below) or _next_joint(skeleton, knee)
        if uppers and ends:
            return uppers[0], knee, ends[0]
    return None


def toe_by_name(skeleton: Skeleton, reads: Sequence[ReadName], ankle: int) -> int | None:
    """Return the first joint below the ankle with the name of a toe, or None."""
    below = tree.subtree(skeleton, ankle)[1:]
    return next((j for j in below if reads[j].role is Role.TOE), None)


def head_by_name(reads: Sequence[ReadName]) -> int | None:
    """Return the first joint with the name of a head, or None."""
    return next((j for j, read in enumerate(reads) if read.role is Role.HEAD), None)


def pairs_by_name(skeleton: Skeleton, reads: Sequence[ReadName]) -> list[tuple[int, int]]:
    """Pair (left, right) joints whose names differ in the side only; the root has no partner."""
    by_words: dict[tuple[str, ...], dict[Side, list[int]]] = defaultdict(lambda: {"left": [], "right": []})
    for joint, read in enumerate(reads):
        side = read.side
        if side is not None and joint > 0:
            by_words[read.words][side].append(joint)
    pairs = [
        pair
        for sides in by_words.values()
        if len(sides["left"]) == len(sides["right"])
        for pair in zip(sides["left"], sides["right"], strict=True)
    ]
    return sorted(pairs + _pairs_by_first_letter(skeleton.names, reads))


def _next_joint(skeleton: Skeleton, joint: int) -> list[int]:
    """Return the child with the most joints below it, as a list of at most one."""
    children = skeleton.children(joint)
    return [max(children, key=lambda child: len(tree.subtree(skeleton, child)))] if children else []


def _pairs_by_first_letter(names: Sequence[str], reads: Sequence[ReadName]) -> list[tuple[int, int]]:
    """Pair names such as ``lbrow`` and ``rbrow``, whose words are unknown."""
    unsided = {name: j for j, name in enumerate(names) if reads[j].side is None and j > 0}
    swapped = {"l": "r", "L": "R"}
    found = ((j, unsided.get(swapped.get(name[:1], "") + name[1:])) for name, j in unsided.items())
    return [(left, right) for left, right in found if right is not None and right != left]
