"""Limbs, head and pairs from joint names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from motionloom.motion.anatomy import tree
from motionloom.motion.anatomy.parts import Side
from motionloom.motion.anatomy.words import ReadName, Role
from motionloom.motion.skeleton import Skeleton

Chain = tuple[int, int, int]


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
    """Hip, knee and ankle (shoulder, elbow and wrist) of one side by their names, or None.

    The knee comes first because its words are the least ambiguous, then the nearest fitting joints above and
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
    """The first joint below the ankle that is called a toe, or None."""
    below = tree.subtree(skeleton, ankle)[1:]
    return next((j for j in below if reads[j].role is Role.TOE), None)


def head_by_name(reads: Sequence[ReadName]) -> int | None:
    """The first joint that is called a head, or None."""
    return next((j for j, read in enumerate(reads) if read.role is Role.HEAD), None)


def pairs_by_name(skeleton: Skeleton, reads: Sequence[ReadName]) -> list[tuple[int, int]]:
    """(left, right) joints whose names differ in the side only; the root has no partner."""
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
    """The joint that carries the longest rest of the chain below a joint, as a list of at most one."""
    children = skeleton.children(joint)
    return [max(children, key=lambda child: len(tree.subtree(skeleton, child)))] if children else []


def _pairs_by_first_letter(names: Sequence[str], reads: Sequence[ReadName]) -> list[tuple[int, int]]:
    """Pairs such as ``lbrow`` and ``rbrow``, whose words are not known."""
    unsided = {name: j for j, name in enumerate(names) if reads[j].side is None and j > 0}
    swapped = {"l": "r", "L": "R"}
    found = ((j, unsided.get(swapped.get(name[:1], "") + name[1:])) for name, j in unsided.items())
    return [(left, right) for left, right in found if right is not None and right != left]
