"""Find which joint is which part of the body: by the names of known rig dialects, then by anatomy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from motionloom.motion import Skeleton
from motionloom.motion.anatomy import Side, find_anatomy, tree
from motionloom.motion.anatomy.joint_names import Role, read_name
from motionloom.retargeting.rig_dialects import FINGERS, RigDialect, rig_dialects

SIDES: tuple[Side, Side] = ("left", "right")
LEG = ("thigh", "shin", "foot", "toes")
ARM = ("upper arm", "forearm", "hand")

MIN_NAMED_PARTS = 8
"""A dialect applies to a skeleton when it names at least this many of a body's sixteen parts."""

_FINGER_WORDS = {"mid": "middle", "pinky": "little", **{finger: finger for finger in FINGERS}}
_NO_PHALANX = {"metacarpal", "in", "root", "end", "nub"}
"""Words in the names of hand joints that lie before the first knuckle or end a finger."""


@dataclass(frozen=True, eq=False)
class BodyParts:
    """The named parts of a skeleton.

    Attributes
    ----------
    skeleton
        The skeleton.
    joints
        Part → joint index: "pelvis", "chest", "head", "left thigh", "right hand", "left index 2" and the
        like.
    dialect
        The dialect whose names identified the limbs; None where anatomy did.
    named
        The parts identified by name.
    """

    skeleton: Skeleton
    joints: dict[str, int]
    dialect: RigDialect | None
    named: frozenset[str]

    @property
    def names(self) -> dict[int, str]:
        """Joint index → part."""
        return {joint: part for part, joint in self.joints.items()}

    def limb(self, side: Side, kinds: tuple[str, ...]) -> list[int]:
        """Return the joints of a limb that were found, from the trunk outwards."""
        found = (self.joints.get(f"{side} {kind}") for kind in kinds)
        return [joint for joint in found if joint is not None]

    def between(self, upper: str, lower: str) -> list[int]:
        """Return the joints strictly between two parts of one chain; empty where the parts form none.

        Joints inserted by an exporter, marked by a leading underscore, count only if there are no others.
        """
        top, bottom = self.joints.get(upper), self.joints.get(lower)
        if top is None or bottom is None or top not in tree.ancestors(self.skeleton, bottom):
            return []
        path = tree.path_between(self.skeleton, top, bottom)[1:-1]
        return [joint for joint in path if not self.skeleton.names[joint].startswith("_")] or path


@lru_cache(maxsize=64)
def find_body_parts(skeleton: Skeleton) -> BodyParts:
    """Find the body part of each joint of a skeleton.

    >>> from motionloom.synthesis.biped import biped
    >>> parts = find_body_parts(biped())
    >>> parts.dialect.name, biped().names[parts.joints["chest"]], biped().names[parts.joints["left shin"]]
    ('MotionBuilder', 'Spine2', 'LeftLeg')
    """
    dialect, joints = _parts_by_name(skeleton)
    named = set(joints)
    for part, joint in _parts_by_anatomy(skeleton).items():
        if part not in joints and joint not in joints.values():
            joints[part] = joint
    _add_trunk(skeleton, joints)
    _move_hands_to_wrists(skeleton, joints)
    for side in SIDES:
        fingers = _fingers(skeleton, joints.get(f"{side} hand"), side, dialect)
        joints |= fingers
        named |= set(fingers)
    return BodyParts(skeleton, joints, dialect, frozenset(named))


def _move_hands_to_wrists(skeleton: Skeleton, joints: dict[str, int]) -> None:
    """Let hands begin at the wrist where a rig has a joint there and another one in the palm.

    A hand bends at the wrist, and a source without a joint in the palm drives it from there. Between two such
    rigs, palms correspond too.
    """
    for side in SIDES:
        hand, forearm = joints.get(f"{side} hand"), joints.get(f"{side} forearm")
        if hand is None or forearm not in tree.ancestors(skeleton, hand):
            continue
        assert forearm is not None
        above = tree.path_between(skeleton, forearm, hand)[1:-1]
        wrists = [joint for joint in above if read_name(skeleton.names[joint]).role is Role.HAND]
        if wrists:
            joints |= {f"{side} hand": wrists[0], f"{side} palm": hand}


def _parts_by_name(skeleton: Skeleton) -> tuple[RigDialect | None, dict[str, int]]:
    """Return the dialect that names the most joints and the parts it names; nothing where none fits."""
    best: tuple[RigDialect | None, dict[str, int]] = None, {}
    for dialect in rig_dialects():
        found: dict[str, int] = {}
        for joint, name in enumerate(skeleton.names):
            part = dialect.find_part(name)
            if part is not None:
                found.setdefault(part, joint)
        if len(found) >= max(MIN_NAMED_PARTS, len(best[1]) + 1) and _limbs_are_chains(skeleton, found):
            best = dialect, found
    return best


def _limbs_are_chains(skeleton: Skeleton, joints: dict[str, int]) -> bool:
    """Whether the joints of every limb form a chain in the right order."""
    for side in SIDES:
        for kinds in (LEG, ARM):
            limb = [joints[f"{side} {kind}"] for kind in kinds if f"{side} {kind}" in joints]
            above = pairwise(limb)
            if any(upper not in tree.ancestors(skeleton, lower)[1:] for upper, lower in above):
                return False
    return True


def _parts_by_anatomy(skeleton: Skeleton) -> dict[str, int]:
    anatomy = find_anatomy(skeleton)
    joints: dict[str, int] = {}
    for leg in anatomy.legs:
        joints |= {f"{leg.side} {kind}": joint for kind, joint in zip(LEG, leg.joints, strict=False)}
    for arm in anatomy.arms:
        joints |= {f"{arm.side} {kind}": joint for kind, joint in zip(ARM, arm.joints, strict=True)}
    if anatomy.head is not None:
        joints["head"] = anatomy.head
    return joints


def _add_trunk(skeleton: Skeleton, joints: dict[str, int]) -> None:
    """Add pelvis and chest, the joints that carry legs and arms; pelvis names vary too much to rely on."""
    thighs, shoulders = _present(joints, "thigh"), _present(joints, "upper arm")
    head = joints.get("head")
    tops = shoulders if head is None else [*shoulders, head]
    if thighs and len(thighs) + len(tops) > 1:
        joints["pelvis"] = tree.common_ancestor(skeleton, [*thighs, *tops])
    else:
        joints.setdefault("pelvis", find_anatomy(skeleton).pelvis)
    if len(shoulders) == len(SIDES):
        chest = tree.common_ancestor(skeleton, shoulders)
        if chest not in joints.values():
            joints["chest"] = chest


def _present(joints: dict[str, int], kind: str) -> list[int]:
    return [joints[f"{side} {kind}"] for side in SIDES if f"{side} {kind}" in joints]


def _fingers(skeleton: Skeleton, hand: int | None, side: Side, dialect: RigDialect | None) -> dict[str, int]:
    """Return the phalanges of a hand, numbered from the knuckle outwards."""
    if hand is None:
        return {}
    counts, found = dict.fromkeys(FINGERS, 0), {}
    for joint in sorted(tree.subtree(skeleton, hand)[1:]):
        finger = _finger(skeleton.names[joint], dialect)
        if finger is not None:
            counts[finger] += 1
            found[f"{side} {finger} {counts[finger]}"] = joint
    return found


def _finger(name: str, dialect: RigDialect | None) -> str | None:
    """Return the finger that a joint is a phalanx of, by its name, or None."""
    if dialect is not None and dialect.fingers:
        return dialect.find_finger(name)
    if name.startswith("_"):
        return None
    words = read_name(name).words
    finger = next((_FINGER_WORDS[word] for word in words if word in _FINGER_WORDS), None)
    # The thumb's metacarpal moves as its first phalanx.
    before_knuckle = _NO_PHALANX - ({"metacarpal"} if finger == "thumb" else set())
    return None if before_knuckle & set(words) else finger


def path_fractions(skeleton: Skeleton, joints: Iterable[int], top: int, bottom: int) -> list[float]:
    """Return how far along the bones from ``top`` to ``bottom`` each joint lies, from 0 to 1."""
    whole = tree.length_between(skeleton, top, bottom)
    return [tree.length_between(skeleton, top, joint) / whole if whole > 0 else 0.0 for joint in joints]
