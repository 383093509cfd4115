"""Joint mappings: which joint of one skeleton does what which joint of another does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Literal

from motionloom.errors import ParameterError
from motionloom.motion import Clip, Skeleton
from motionloom.motion.clip import check_skeleton
from motionloom.motion.union import united
from motionloom.retargeting.parts import ARM, LEG, SIDES, BodyParts, body_parts, path_lengths

FoundBy = Literal["same name", "names", "structure", "given"]


@dataclass(frozen=True)
class JointPair:
    """Two joints that do the same.

    Attributes
    ----------
    source, target
        Their names.
    part
        The part of the body that they are, or "" where no name for it is known.
    found_by
        "same name" where the skeletons are one rig, "names" where dialects told both, "structure" where
        branching and bone lengths told one of them, "given" where the user said so.
    """

    source: str
    target: str
    part: str
    found_by: FoundBy


@dataclass(frozen=True, eq=False)
class JointMapping:
    """Which joints of a source skeleton move which joints of a target skeleton.

    A joint of the source may move several of the target, a joint of the target follows at most one. Joints of
    the target that follow none keep their rest rotation. Printing shows all of it.

    Attributes
    ----------
    source, target
        The skeletons.
    pairs
        In the order of the target's joints.
    """

    source: Skeleton
    target: Skeleton
    pairs: tuple[JointPair, ...]

    @property
    def partners(self) -> dict[int, int]:
        """Target joint index → source joint index."""
        return {self.target.index(pair.target): self.source.index(pair.source) for pair in self.pairs}

    @property
    def unmapped_targets(self) -> tuple[str, ...]:
        """Target joints that keep their rest rotation."""
        taken = {pair.target for pair in self.pairs}
        return tuple(name for name in self.target.names if name not in taken)

    @property
    def unmapped_sources(self) -> tuple[str, ...]:
        """Source joints whose motion is not carried over."""
        taken = {pair.source for pair in self.pairs}
        return tuple(name for name in self.source.names if name not in taken)

    def replaced(self, changes: Mapping[str, str | None]) -> JointMapping:
        """The mapping with some pairs corrected: source joint → target joint, or None for none.

        >>> from motionloom.synthesis.body import biped
        >>> corrected = joint_mapping(biped(), biped()).replaced({"LeftHand": "RightHand", "Head": None})
        >>> corrected.unmapped_targets
        ('Head', 'LeftHand')
        """
        given = []
        for source, target in changes.items():
            self.source.index(source)
            if target is not None:
                self.target.index(target)
                given.append(JointPair(source, target, "", "given"))
        targets = [pair.target for pair in given]
        twice = next((name for name in targets if targets.count(name) > 1), None)
        if twice is not None:
            raise ParameterError(f"two source joints cannot both move the target joint {twice!r}: name one")
        kept = [pair for pair in self.pairs if pair.source not in changes and pair.target not in targets]
        return replace(self, pairs=_in_target_order(self.target, [*kept, *given]))

    def __str__(self) -> str:
        width = max([len(pair.source) for pair in self.pairs], default=0)
        reach = max([len(pair.target) for pair in self.pairs], default=0)
        lines = [
            f"{pair.source:<{width}} -> {pair.target:<{reach}}  {pair.part or 'no part'} ({pair.found_by})"
            for pair in self.pairs
        ]
        if self.unmapped_targets:
            lines.append(f"keep their rest rotation: {', '.join(self.unmapped_targets)}")
        if self.unmapped_sources:
            lines.append(f"not carried over: {', '.join(self.unmapped_sources)}")
        return "\n".join(lines)


def joint_mapping(source: Skeleton | Clip, target: Skeleton | Clip) -> JointMapping:
    """Find which joints of two skeletons, or of those of two clips, correspond.

    Joints of one rig correspond by name. Otherwise the joints of both are told apart by the names of known
    programs (:mod:`~motionloom.retargeting.dialects`) and by anatomy; spines, necks and other chains with
    different numbers of joints correspond by how far along the chain the joints lie.

    >>> from motionloom.synthesis.body import biped
    >>> print(joint_mapping(biped(), biped()).pairs[0])
    JointPair(source='Hips', target='Hips', part='pelvis', found_by='same name')
    """
    source, target = (check_skeleton("joint_mapping", body) for body in (source, target))
    own, other = body_parts(source), body_parts(target)
    if is_same_rig(source, target):
        names = other.names
        pairs = [
            JointPair(name, name, names.get(target.index(name), ""), "same name")
            for name in target.names
            if name in source.names
        ]
        return JointMapping(source, target, tuple(pairs))
    named = own.named & other.named
    found = {
        other.joints[part]: JointPair(
            source.names[joint],
            target.names[other.joints[part]],
            part,
            "names" if part in named else "structure",
        )
        for part, joint in own.joints.items()
        if part in other.joints
    }
    for joint, pair in _along_chains(own, other):
        found.setdefault(joint, pair)
    return JointMapping(source, target, _in_target_order(target, [*found.values()]))


def is_same_rig(a: Skeleton, b: Skeleton) -> bool:
    """Whether two skeletons have the same joints on the same joints, apart from fingers and props."""
    if a.names == b.names:
        return bool((a.parents == b.parents).all())
    try:
        united([a, b])
    except ParameterError:
        return False
    return True


def _in_target_order(target: Skeleton, pairs: list[JointPair]) -> tuple[JointPair, ...]:
    return tuple(sorted(pairs, key=lambda pair: target.index(pair.target)))


def _chains() -> Iterator[tuple[str, str, str]]:
    """Neighbouring parts between which further joints may lie, and what those are called."""
    yield "pelvis", "chest", "spine"
    yield "chest", "head", "neck"
    for side in SIDES:
        yield "pelvis", f"{side} thigh", f"{side} hip"
        yield "chest", f"{side} upper arm", f"{side} collar"
        for kinds in (LEG, ARM):
            yield from (
                (f"{side} {upper}", f"{side} {lower}", f"{side} {upper}") for upper, lower in pairwise(kinds)
            )


def _along_chains(own: BodyParts, other: BodyParts) -> Iterator[tuple[int, JointPair]]:
    """Pairs of the joints between parts, with the target's joint index."""
    for upper, lower, name in _chains():
        mine, theirs = _only_between(own, upper, lower), _only_between(other, upper, lower)
        if not mine or not theirs:
            continue
        shares = [
            path_lengths(parts.skeleton, joints, parts.joints[upper], parts.joints[lower])
            for parts, joints in ((own, mine), (other, theirs))
        ]
        for n, m in _in_order(*shares):
            source, target = own.skeleton.names[mine[n]], other.skeleton.names[theirs[m]]
            yield theirs[m], JointPair(source, target, name, "structure")


def _only_between(parts: BodyParts, upper: str, lower: str) -> list[int]:
    """The joints between two parts that carry nothing of the other side."""
    joints = parts.between(upper, lower)
    side, _, kind = lower.partition(" ")
    if side not in SIDES:
        return joints
    across = set(parts.between(upper, f"{'right' if side == 'left' else 'left'} {kind}"))
    return [joint for joint in joints if joint not in across]


def _in_order(a: list[float], b: list[float]) -> list[tuple[int, int]]:
    """As many pairs as the shorter list has entries, both in order, with the least difference in all.

    >>> _in_order([0.0, 0.5], [0.4])
    [(1, 0)]
    """
    if len(a) > len(b):
        return [(n, m) for m, n in _in_order(b, a)]
    chosen = min(
        combinations(range(len(b)), len(a)),
        key=lambda places: sum(abs(x - b[m]) for x, m in zip(a, places, strict=True)),
    )
    return list(enumerate(chosen))
