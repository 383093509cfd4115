"""Find the body parts of a skeleton: by joint names first, then by geometry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.motion.anatomy import body_axes, branches, joint_names, tree
from motionloom.motion.anatomy.joint_names import Chain, ReadName, Side, read_name
from motionloom.motion.skeleton import Skeleton, Tip

SIDES: tuple[Side, Side] = get_args(Side)
SIDEWAYS = 0.7
"""Branches are left and right partners when this fraction of the distance between their centres is
sideways."""

Limbs = dict[Side, Chain]
Pair = tuple[int, int]

FoundBy = Literal["names", "geometry", "nothing"]


@dataclass(frozen=True, eq=False)
class Leg:
    """The joints of one leg, as indices into the skeleton.

    Attributes
    ----------
    side
        "left" or "right".
    hip, knee, ankle
        The joints at the upper end of the thigh, between thigh and shin, and at the lower end of the shin.
    toe
        The joint at the ball of the foot, or None where the skeleton has none.
    tip
        The point of the foot farthest from its last joint, in that joint's frame in the rest pose; None where
        nothing follows the last joint.
    """

    side: Side
    hip: int
    knee: int
    ankle: int
    toe: int | None = None
    tip: Tip | None = None

    @property
    def joints(self) -> tuple[int, ...]:
        """Hip, knee, ankle and, where there is one, toe."""
        return (self.hip, self.knee, self.ankle) if self.toe is None else (*self.chain, self.toe)

    @property
    def chain(self) -> tuple[int, int, int]:
        """Hip, knee and ankle: the two bones that reach for the ground."""
        return self.hip, self.knee, self.ankle


@dataclass(frozen=True, eq=False)
class Arm:
    """The joints of one arm, as indices into the skeleton; the collar bone is not part of it.

    Attributes
    ----------
    side
        "left" or "right".
    shoulder, elbow, wrist
        The joints at the upper end of the upper arm, between the two bones, and at the end of the forearm.
    tip
        The point of the hand farthest from the wrist, in the wrist's frame in the rest pose; None where
        nothing follows the wrist.
    """

    side: Side
    shoulder: int
    elbow: int
    wrist: int
    tip: Tip | None = None

    @property
    def joints(self) -> tuple[int, ...]:
        """Shoulder, elbow and wrist."""
        return self.chain

    @property
    def chain(self) -> tuple[int, int, int]:
        """Shoulder, elbow and wrist: the two bones that reach for things."""
        return self.shoulder, self.elbow, self.wrist


@dataclass(frozen=True, eq=False)
class Anatomy:
    """The body parts of a skeleton as joint indices; parts that were not found are empty.

    Attributes
    ----------
    legs, arms
        At most one per side, left first.
    spine
        Joint indices from the pelvis to the head, or to the end of the trunk where no head was found.
    head
        The head joint, or None.
    pairs
        (left, right) joint indices of every joint that has a partner on the other side, fingers included.
    up, left, forward
        (3,) unit axes of the body in the rest pose, in the skeleton's own coordinates; right-handed in the
        order left, up, forward.
    found_by
        "names" when joint names identified the limbs, "geometry" when only bone lengths and branching did,
        "nothing" when the skeleton has no limbs.
    """

    legs: tuple[Leg, ...]
    arms: tuple[Arm, ...]
    spine: tuple[int, ...]
    head: int | None
    pairs: tuple[tuple[int, int], ...]
    up: FloatArray
    left: FloatArray
    forward: FloatArray
    found_by: FoundBy

    @property
    def pelvis(self) -> int:
        """The joint where the spine begins; the root where no spine was found."""
        return self.spine[0] if self.spine else 0

    def partners(self, n_joints: int) -> tuple[int, ...]:
        """Return for each joint of the skeleton its partner on the other side, or itself."""
        partner = list(range(n_joints))
        for left, right in self.pairs:
            partner[left], partner[right] = right, left
        return tuple(partner)


@lru_cache(maxsize=256)
def find_anatomy(skeleton: Skeleton) -> Anatomy:
    """Find legs, arms, spine, head, left/right pairs and the body's axes of any skeleton.

    Names are read first (:mod:`~motionloom.motion.anatomy.joint_names`). Limbs without telling names are
    found as branches of equal bone lengths (:mod:`~motionloom.motion.anatomy.branches`), and their sides from
    the rest pose (:mod:`~motionloom.motion.anatomy.body_axes`). Parts that cannot be found are empty; nothing
    is raised. Lengths are only compared with each other, so any unit and any up axis works.

    >>> legs = ["LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    >>> down, aside = [0, -0.4, 0], [0.1, 0, 0]
    >>> body = Skeleton(
    ...     ["Hips", *legs], [-1, 0, 1, 2, 0, 4, 5], [[0, 0, 0], aside, down, down, [-0.1, 0, 0], down, down]
    ... )
    >>> anatomy = find_anatomy(body)
    >>> [(leg.side, leg.chain) for leg in anatomy.legs], anatomy.pairs
    ([('left', (1, 2, 3)), ('right', (4, 5, 6))], ((1, 4), (2, 5), (3, 6)))
    """
    reads = [read_name(name) for name in skeleton.names]
    trunk_pairs = branches.partner_branches(skeleton)

    # 1. Limbs by name, then unnamed ones as two chains without sides.
    legs, arms = (
        _limbs_by_name(skeleton, reads, joint_names.LEG),
        _limbs_by_name(skeleton, reads, joint_names.ARM),
    )
    found_by: FoundBy = "names" if legs or arms else "nothing"
    unnamed = branches.limb_pairs(skeleton, trunk_pairs)
    leg_pair = None if legs else _free_limb(skeleton, _not_above(skeleton, unnamed, arms), [*arms.values()])
    arm_pair = None if arms else _free_limb(skeleton, unnamed, [*legs.values(), *(leg_pair or ())])
    if leg_pair and not legs and not arms:
        found_by = "geometry"

    # 2. Axes of the rest pose, which also give the sides of unnamed limbs.
    leg_chains, arm_chains = list(leg_pair or legs.values()), list(arm_pair or arms.values())
    head = _head(skeleton, reads, leg_chains, arm_chains)
    up = body_axes.up_axis(skeleton, leg_chains, arm_chains, head)
    known = [*_joint_pairs(legs), *_joint_pairs(arms), *joint_names.pairs_by_name(skeleton, reads)]
    left = _left(skeleton, up, known, [pair for pair in (leg_pair, arm_pair) if pair])
    legs, arms = (
        legs or _assign_sides(skeleton, leg_pair, left),
        arms or _assign_sides(skeleton, arm_pair, left),
    )

    return Anatomy(
        legs=tuple(_leg(skeleton, reads, side, legs[side]) for side in SIDES if side in legs),
        arms=tuple(
            Arm(side, *arms[side], tip=tree.end_point(skeleton, arms[side][2]))
            for side in SIDES
            if side in arms
        ),
        spine=_spine(skeleton, leg_chains, arm_chains, head),
        head=head,
        pairs=_pairs(skeleton, reads, trunk_pairs, left, [*legs.values(), *arms.values()]),
        up=freeze(np.array(up)),
        left=freeze(np.array(left)),
        forward=freeze(np.cross(left, up)),
        found_by=found_by,
    )


def _limbs_by_name(skeleton: Skeleton, reads: Sequence[ReadName], limb: joint_names.LimbRoles) -> Limbs:
    chains = {side: joint_names.chain_by_name(skeleton, reads, side, limb) for side in SIDES}
    return {side: chain for side, chain in chains.items() if chain is not None}


def _not_above(
    skeleton: Skeleton, pairs: Sequence[tuple[Chain, Chain]], arms: Limbs
) -> list[tuple[Chain, Chain]]:
    """Return the pairs of chains that do not branch off beyond the arms, as ears or horns do."""
    if not arms:
        return list(pairs)
    chest = tree.common_ancestor(skeleton, [arm[0] for arm in arms.values()])
    forks = [tree.common_ancestor(skeleton, (a[0], b[0])) for a, b in pairs]
    return [
        pair
        for pair, fork in zip(pairs, forks, strict=True)
        if chest not in tree.ancestors(skeleton, fork)[1:]
    ]


def _free_limb(
    skeleton: Skeleton, pairs: Sequence[tuple[Chain, Chain]], taken: Sequence[Chain]
) -> tuple[Chain, Chain] | None:
    """Return the first pair of chains on branches without another limb."""
    for pair in pairs:
        related = {
            j
            for chain in pair
            for j in (*tree.ancestors(skeleton, chain[0]), *tree.subtree(skeleton, chain[0]))
        }
        if not any(chain[0] in related for chain in taken):
            return pair
    return None


def _head(
    skeleton: Skeleton, reads: Sequence[ReadName], legs: Sequence[Chain], arms: Sequence[Chain]
) -> int | None:
    head = joint_names.head_by_name(reads)
    if head is not None or len(arms) < len(SIDES):
        return head
    fork = tree.common_ancestor(skeleton, [arm[0] for arm in arms])
    return branches.trunk_end(skeleton, fork, [chain[0] for chain in (*legs, *arms)])


def _spine(
    skeleton: Skeleton, legs: Sequence[Chain], arms: Sequence[Chain], head: int | None
) -> tuple[int, ...]:
    if head is not None:
        top = head
    elif len(arms) == len(SIDES):
        top = tree.common_ancestor(skeleton, [arm[0] for arm in arms])
    else:
        return ()
    hips = [leg[0] for leg in legs]
    pelvis = tree.common_ancestor(skeleton, [*hips, top]) if hips else 0
    return tuple(tree.path_between(skeleton, pelvis, top))


def _joint_pairs(limbs: Limbs) -> list[Pair]:
    """Pair the joints of a left limb with those of the right one."""
    return list(zip(limbs["left"], limbs["right"], strict=True)) if len(limbs) == len(SIDES) else []


def _left(
    skeleton: Skeleton, up: FloatArray, known: Sequence[Pair], unsided: Sequence[tuple[Chain, Chain]]
) -> FloatArray:
    """Find the left axis from (left, right) pairs, or from limbs without sides and where their feet point."""
    left = body_axes.left_axis(skeleton, known, up)
    if left is not None:
        return left
    sideways = body_axes.left_axis(
        skeleton, [pair for a, b in unsided for pair in zip(a, b, strict=True)], up
    )
    if sideways is None:
        return body_axes.usual_left(up)
    forward = body_axes.forward_by_feet(skeleton, [chain[2] for chain in unsided[0]], up, sideways)
    return np.cross(up, forward)


def _assign_sides(skeleton: Skeleton, pair: tuple[Chain, Chain] | None, left: FloatArray) -> Limbs:
    """Assign two chains to the sides on which they lie; the first joints that lie apart decide."""
    if pair is None:
        return {}
    positions = skeleton.rest_positions()
    apart = [float((positions[a] - positions[b]) @ left) for a, b in zip(*pair, strict=True)]
    offset = next(
        (distance for distance in apart if abs(distance) > tree.COINCIDENT * tree.size(skeleton)), 1.0
    )
    a, b = pair if offset > 0 else pair[::-1]
    return {"left": a, "right": b}


def _leg(skeleton: Skeleton, reads: Sequence[ReadName], side: Side, chain: Chain) -> Leg:
    ankle = chain[2]
    toe = joint_names.toe_by_name(skeleton, reads, ankle)
    if toe is None:
        toe = branches.next_joint(skeleton, ankle)
    return Leg(side, *chain, toe=toe, tip=tree.end_point(skeleton, ankle if toe is None else toe))


def _pairs(
    skeleton: Skeleton,
    reads: Sequence[ReadName],
    trunk_pairs: Sequence[Pair],
    left: FloatArray,
    limbs: Sequence[Chain],
) -> tuple[Pair, ...]:
    """Find all (left, right) pairs: by names, then matching branches on the trunk, then everything below
    both.
    """
    pairs = joint_names.pairs_by_name(skeleton, reads)
    taken = {joint for pair in pairs for joint in pair}
    carrying = {above for limb in limbs for above in tree.ancestors(skeleton, limb[0])}
    for a, b in trunk_pairs:
        ordered = _left_first(skeleton, a, b, left, is_limb=a in carrying and b in carrying)
        if ordered is not None and not taken & {a, b}:
            pairs.append(ordered)
            taken |= {a, b}
    return tuple(sorted(pairs + branches.pairs_below(skeleton, pairs, taken)))


def _left_first(skeleton: Skeleton, a: int, b: int, left: FloatArray, is_limb: bool) -> Pair | None:
    """Order two matching branches as (left, right), or return None where they do not lie side by side."""
    positions = skeleton.rest_positions()
    chains = branches.two_bones(skeleton, a), branches.two_bones(skeleton, b)
    if is_limb and chains[0] is not None and chains[1] is not None:
        sided = _assign_sides(skeleton, (chains[0], chains[1]), left)
        return (a, b) if sided["left"] is chains[0] else (b, a)
    apart = positions[tree.subtree(skeleton, a)].mean(axis=0) - positions[tree.subtree(skeleton, b)].mean(
        axis=0
    )
    sideways = float(apart @ left)
    if abs(sideways) <= max(SIDEWAYS * float(np.linalg.norm(apart)), tree.COINCIDENT * tree.size(skeleton)):
        return None
    return (a, b) if sideways > 0 else (b, a)
