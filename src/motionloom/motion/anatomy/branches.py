"""Find limbs and pairs by bone lengths and branching alone, for skeletons without telling names.

Two children of one joint are partners when the joints of their branches lie at the same distances, measured
along the bones. This does not depend on the pose, the unit or the axes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, product

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion.anatomy import tree
from motionloom.motion.anatomy.joint_names import Chain
from motionloom.motion.skeleton import Skeleton

Pair = tuple[int, int]

MAX_DIFFERENCE = 0.1
"""Branches count as partners up to this mean difference, as a fraction of their length: captured left and
right limbs differ by up to 0.03, different body parts by more than 0.2."""
MIN_LIMB = 0.25
"""A pair of branches shorter than this fraction of the longest pair is no limb (eyes, ears)."""
NEARLY_AS_LONG = 0.6
"""Of two-bone chains within this fraction of the best one, the outermost is the limb: a collar bone with an
upper arm can be as long as an upper arm with a forearm, but a hand is much shorter than a forearm."""
MAX_BRANCHES = 40
"""Most branches that are compared pair by pair; bodies have fewer."""
_PROFILE = np.linspace(0.0, 1.0, 11)


def partner_branches(skeleton: Skeleton) -> list[Pair]:
    """Find pairs of joints that begin matching branches on the trunk, nearest to the root first."""
    found: list[Pair] = []
    trunk = [0]
    for joint in trunk:
        children = skeleton.children(joint)
        comparable = 1 < len(children) <= MAX_BRANCHES
        pairs = _best_matches(skeleton, combinations(children, 2)) if comparable else []
        taken = {child for pair in pairs for child in pair}
        found.extend(pairs)
        trunk.extend(child for child in children if child not in taken)
    return found


def limb_pairs(skeleton: Skeleton, branches: Sequence[Pair]) -> list[tuple[Chain, Chain]]:
    """Find the chains of pairs of branches that can be limbs: legs first, then arms, then others.

    Legs are nearest to the root; where two pairs branch off the same joint, the longer ones are the legs.
    """
    chains = [(two_bones(skeleton, a), two_bones(skeleton, b)) for a, b in branches]
    limbs = [(a, b) for a, b in chains if a is not None and b is not None]
    lengths = [sum(tree.length_between(skeleton, chain[0], chain[2]) for chain in pair) for pair in limbs]
    max_length = max(lengths, default=0.0)

    def order(n: int) -> tuple[int, float]:
        fork = tree.common_ancestor(skeleton, (limbs[n][0][0], limbs[n][1][0]))
        return len(tree.ancestors(skeleton, fork)), -lengths[n]

    kept = [n for n in range(len(limbs)) if lengths[n] >= MIN_LIMB * max_length]
    return [limbs[n] for n in sorted(kept, key=order)]


def two_bones(skeleton: Skeleton, base: int) -> Chain | None:
    """Find the three joints of the two longest consecutive bones of a branch, or return None where it has
    fewer.
    """
    joints = _path_to_end(skeleton, base)
    min_length = tree.COINCIDENT * tree.size(skeleton)
    # Joints that coincide with their parent add no bone; the upper one represents both.
    joints = joints[:1] + [j for j in joints[1:] if tree.bone(skeleton, j) > min_length]
    # A bare end point ends a hand or a foot, unless the limb has too few joints without it.
    if len(joints) > 3 and not _has_continuation(skeleton, joints[-1]):
        joints.pop()
    bones = [tree.bone(skeleton, j) for j in joints[1:]]
    shorter = [min(two) for two in pairwise(bones)]
    if not shorter:
        return None
    n = max(n for n, length in enumerate(shorter) if length >= NEARLY_AS_LONG * max(shorter))
    return joints[n], joints[n + 1], joints[n + 2]


def next_joint(skeleton: Skeleton, joint: int) -> int | None:
    """Return the next joint of a chain, such as the toe below an ankle; a bare end point does not count."""
    min_length = tree.COINCIDENT * tree.size(skeleton)
    for current in _path_to_end(skeleton, joint)[1:]:
        if tree.bone(skeleton, current) > min_length:
            return current if _has_continuation(skeleton, current) else None
    return None


def trunk_end(skeleton: Skeleton, fork: int, limbs: Iterable[int]) -> int | None:
    """Find the head: the end of the unbranched chain beyond where the arms branch off, or return None."""
    carrying = {above for limb in limbs for above in tree.ancestors(skeleton, limb)}
    onward = [child for child in skeleton.children(fork) if child not in carrying]
    if not onward:
        return None
    joint = max(onward, key=lambda child: _reach(skeleton, child))
    while len(children := skeleton.children(joint)) == 1 and next_joint(skeleton, joint) is not None:
        joint = children[0]
    return joint


def pairs_below(skeleton: Skeleton, pairs: Iterable[Pair], taken: Iterable[int]) -> list[Pair]:
    """Find further pairs below given pairs, matched branch by branch, without the ``taken`` joints.

    Equal numbers of branches below two partners all match, however much they differ: fingers are measured
    badly, and no other match makes sense.
    """
    matched = set(taken)
    queue, found = list(pairs), []
    for a, b in queue:
        left = [child for child in skeleton.children(a) if child not in matched]
        right = [child for child in skeleton.children(b) if child not in matched]
        if len(left) + len(right) > MAX_BRANCHES:
            continue
        limit = np.inf if len(left) == len(right) else MAX_DIFFERENCE
        matches = _best_matches(skeleton, product(left, right), limit)
        queue.extend(matches)
        found.extend(matches)
    return found


def _best_matches(
    skeleton: Skeleton, candidates: Iterable[Pair], limit: float = MAX_DIFFERENCE
) -> list[Pair]:
    """Find disjoint pairs of branches that differ by no more than a limit, best match first."""
    pairs = list(candidates)
    profiles = {joint: _profile(skeleton, joint) for joint in {j for pair in pairs for j in pair}}
    costs = sorted((_difference(profiles[a], profiles[b]), a, b) for a, b in pairs)
    matched: set[int] = set()
    found = []
    for cost, a, b in costs:
        if cost <= limit and not matched & {a, b}:
            matched |= {a, b}
            found.append((a, b))
    return sorted(found)


def _profile(skeleton: Skeleton, base: int) -> tuple[int, FloatArray]:
    """Return the number of points of a branch, and quantiles of their distances along the bones from its
    parent.
    """
    along = _distances(skeleton, base)
    ends = [along[t.joint] + float(np.linalg.norm(t.offset)) for t in skeleton.tips if t.joint in along]
    distances = np.array([*along.values(), *ends])
    return len(distances), np.quantile(distances, _PROFILE)


def _difference(a: tuple[int, FloatArray], b: tuple[int, FloatArray]) -> float:
    """Return how much two branches differ: zero for equal ones, about one for very different ones."""
    (n_a, along_a), (n_b, along_b) = a, b
    max_length = max(along_a[-1], along_b[-1])
    apart = np.abs(along_a - along_b).mean() / max_length if max_length > 0 else 0.0
    return float(apart) + abs(n_a - n_b) / (n_a + n_b)


def _distances(skeleton: Skeleton, base: int) -> dict[int, float]:
    """Return each joint's distance along the bones from the parent of the branch's first joint."""
    along: dict[int, float] = {}
    for joint in tree.subtree(skeleton, base):
        along[joint] = along.get(int(skeleton.parents[joint]), 0.0) + tree.bone(skeleton, joint)
    return along


def _has_continuation(skeleton: Skeleton, joint: int) -> bool:
    """Return whether another joint or a tip follows the joint."""
    return bool(skeleton.children(joint)) or tree.has_tip(skeleton, joint)


def _reach(skeleton: Skeleton, base: int) -> float:
    return float(_profile(skeleton, base)[1][-1])


def _path_to_end(skeleton: Skeleton, base: int) -> list[int]:
    """Return the joints from ``base`` to the joint below it that lies farthest along the bones."""
    along = _distances(skeleton, base)
    return tree.path_between(skeleton, base, max(along, key=lambda joint: along[joint]))
