"""The joint map: which joint of one skeleton drives which joint of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Literal

from motionloom.errors import ParameterError
from motionloom.motion import Skeleton
from motionloom.motion.result import ClipLike, check_skeleton
from motionloom.motion.skeleton_union import skeleton_union
from motionloom.retargeting.body_parts import ARM, LEG, SIDES, BodyParts, find_body_parts, path_fractions

FoundBy = Literal["same name", "names", "structure", "given"]


@dataclass(frozen=True)
class JointPair:
    """Two corresponding joints.

    Attributes
    ----------
    source, target
        Their names.
    part
        The body part, or "" where it is unknown.
    found_by
        How the pair was found: "same name" where both skeletons are the same rig, "names" where rig dialects
        identified both, "structure" where branching and bone lengths identified one of them, "given" where
        the user set it.
    """

    source: str
    target: str
    part: str
    found_by: FoundBy


@dataclass(frozen=True, eq=False)
class JointMapping:
    """Which joints of a source skeleton move which joints of a target skeleton.

    One source joint may drive several target joints; a target joint follows at most one source joint. Target
    joints without a partner keep their rest rotation. Print the mapping to see it all.

    Attributes
    ----------
    source, target
        The skeletons.
    pairs
        The pairs, in the order of the target's joints.
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
        """Source joints whose motion is not transferred."""
        taken = {pair.source for pair in self.pairs}
        return tuple(name for name in self.source.names if name not in taken)

    def replaced(self, changes: Mapping[str, str | None]) -> JointMapping:
        """Return a copy with some pairs changed: source joint → target joint, or None for no target.

        >>> from motionloom.synthesis.biped import biped
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
            raise ParameterError(f"the target joint {twice!r} is given twice: map one source joint to it")
        kept = [pair for pair in self.pairs if pair.source not in changes and pair.target not in targets]
        return replace(self, pairs=_in_target_order(self.target, [*kept, *given]))

    def redriven(self, drivers: Mapping[str, str | None]) -> JointMapping:
        """Return a copy in which some target joints follow other source joints, or none.

        >>> from motionloom.synthesis.biped import biped
        >>> crossed = joint_mapping(biped(), biped()).redriven({"LeftHand": "RightHand", "Head": None})
        >>> crossed.unmapped_targets, crossed.unmapped_sources
        (('Head',), ('Head', 'LeftHand'))
        """
        for target, source in drivers.items():
            self.target.index(target)
            if source is not None:
                self.source.index(source)
        parts = {pair.target: pair.part for pair in self.pairs}
        given = [
            JointPair(source, target, parts.get(target, ""), "given")
            for target, source in drivers.items()
            if source is not None
        ]
        kept = [pair for pair in self.pairs if pair.target not in drivers]
        return replace(self, pairs=_in_target_order(self.target, [*kept, *given]))

    def __str__(self) -> str:
        width = max([len(pair.source) for pair in self.pairs], default=0)
        target_width = max([len(pair.target) for pair in self.pairs], default=0)
        lines = [
            f"{pair.source:<{width}} -> {pair.target:<{target_width}}  "
            f"{pair.part or 'unknown part'} ({pair.found_by})"
            for pair in self.pairs
        ]
        if self.unmapped_targets:
            lines.append(f"target joints at rest: {', '.join(self.unmapped_targets)}")
        if self.unmapped_sources:
            lines.append(f"unmapped source joints: {', '.join(self.unmapped_sources)}")
        return "\n".join(lines)


def joint_mapping(source: Skeleton | ClipLike, target: Skeleton | ClipLike) -> JointMapping:
    """Find which joints of two skeletons, or of the skeletons of two clips, correspond.

    Joints of the same rig correspond by name. Otherwise joints are identified by the names of known programs
    (:mod:`~motionloom.retargeting.rig_dialects`) and by anatomy. In spines, necks and other chains with
    different numbers of joints, those at similar fractions of the chain's length correspond.

    Parameters
    ----------
    source, target
        The skeleton that has the motion and the one to move, or clips of them.

    Returns
    -------
    JointMapping
        Pairs of joints, each with how it was found; print it to read it.

    Raises
    ------
    ParameterError
        What is given is neither a skeleton nor a clip.

    >>> from motionloom.synthesis.biped import biped
    >>> print(joint_mapping(biped(), biped()).pairs[0])
    JointPair(source='Hips', target='Hips', part='pelvis', found_by='same name')
    """
    source, target = (check_skeleton("joint_mapping", body) for body in (source, target))
    own, other = find_body_parts(source), find_body_parts(target)
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
    """Whether two skeletons have the same hierarchy, apart from fingers and props."""
    if a.names == b.names:
        return bool((a.parents == b.parents).all())
    try:
        skeleton_union([a, b])
    except ParameterError:
        return False
    return True


def _in_target_order(target: Skeleton, pairs: list[JointPair]) -> tuple[JointPair, ...]:
    return tuple(sorted(pairs, key=lambda pair: target.index(pair.target)))


def _chains() -> Iterator[tuple[str, str, str]]:
    """Yield neighbouring parts that may have further joints between them, and the name of those joints."""
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
    """Yield pairs of the joints between parts, with the target's joint index."""
    for upper, lower, name in _chains():
        mine, theirs = _only_between(own, upper, lower), _only_between(other, upper, lower)
        if not mine or not theirs:
            continue
        fractions = [
            path_fractions(parts.skeleton, joints, parts.joints[upper], parts.joints[lower])
            for parts, joints in ((own, mine), (other, theirs))
        ]
        for n, m in _in_order(*fractions):
            source, target = own.skeleton.names[mine[n]], other.skeleton.names[theirs[m]]
            yield theirs[m], JointPair(source, target, name, "structure")


def _only_between(parts: BodyParts, upper: str, lower: str) -> list[int]:
    """Return the joints between two parts that do not also lead to the other side's limb."""
    joints = parts.between(upper, lower)
    side, _, kind = lower.partition(" ")
    if side not in SIDES:
        return joints
    across = set(parts.between(upper, f"{'right' if side == 'left' else 'left'} {kind}"))
    return [joint for joint in joints if joint not in across]


def _in_order(a: list[float], b: list[float]) -> list[tuple[int, int]]:
    """Pair all entries of the shorter list with entries of the longer one, in order, as close as possible.

    >>> _in_order([0.0, 0.5], [0.4])
    [(1, 0)]
    """
    if len(a) > len(b):
        return [(n, m) for m, n in _in_order(b, a)]
    chosen = min(
        combinations(range(len(b)), len(a)),
        key=lambda picks: sum(abs(x - b[m]) for x, m in zip(a, picks, strict=True)),
    )
    return list(enumerate(chosen))
