"""Skeletons that differ by fingers or props: what they share, and one that has the joints of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import BoolArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.motion.clip import Clip
from motionloom.motion.skeleton import Skeleton, Tip

MIN_SHARED = 2 / 3
"""Share of the joints of the smallest skeleton that the others must have too, for all to be one body."""


@dataclass(frozen=True, eq=False)
class SkeletonUnion:
    """One skeleton with the joints of several, and where to find those of each.

    Attributes
    ----------
    skeleton
        The J joints of all: those of the first skeleton, then what others have besides.
    rows
        For each of the K skeletons, the index in ``skeleton`` of each of its joints.
    """

    skeleton: Skeleton
    rows: tuple[IntArray, ...]

    @property
    def presence(self) -> BoolArray:
        """(J, K) which skeletons have which joints."""
        found = np.zeros((self.skeleton.n_joints, len(self.rows)), dtype=np.bool_)
        for k, rows in enumerate(self.rows):
            found[rows, k] = True
        return found


def common_joints(skeletons: Sequence[Skeleton]) -> tuple[str, ...]:
    """Names of the joints that all skeletons have, in the order of the first.

    >>> leg = Skeleton(["hip", "knee"], [-1, 0], [[0, 1, 0], [0, -0.5, 0]])
    >>> common_joints([leg, Skeleton(["hip", "tail"], [-1, 0], np.zeros((2, 3)))])
    ('hip',)
    """
    shared = set.intersection(*(set(skeleton.names) for skeleton in skeletons))
    return tuple(name for name in skeletons[0].names if name in shared)


def skeleton_union(skeletons: Sequence[Skeleton]) -> SkeletonUnion:
    """One skeleton with the joints of all; an error where they are not one body with different extras.

    Joints that only some skeletons have must lie at the ends of chains, and joints of one name must hang on
    joints of one name. Offsets are those of the first skeleton that has the joint, tips those of the first in
    which most joints hang on it.

    >>> leg = Skeleton(["hip", "knee"], [-1, 0], [[0, 1, 0], [0, -0.5, 0]])
    >>> tailed = Skeleton(["hip", "tail", "knee"], [-1, 0, 0], [[0, 1, 0], [0, 0, -1], [0, -0.5, 0]])
    >>> skeleton_union([leg, tailed]).skeleton.names
    ('hip', 'knee', 'tail')
    """
    _check_one_body(skeletons)
    names = tuple(dict.fromkeys(name for skeleton in skeletons for name in skeleton.names))
    index = {name: joint for joint, name in enumerate(names)}
    homes = [next(s for s in skeletons if name in s.names) for name in names]
    own = [home.index(name) for home, name in zip(homes, names, strict=True)]
    origins = list(zip(homes, own, strict=True))
    union = Skeleton(
        names,
        np.array([index.get(_parent(home, joint), -1) for home, joint in origins]),
        np.array([home.offsets[joint] for home, joint in origins]),
        np.array([home.rest_rotations[joint] for home, joint in origins]),
        tuple(tip for name in names for tip in _tips(skeletons, name, index[name])),
    )
    return SkeletonUnion(union, tuple(np.array([index[name] for name in s.names]) for s in skeletons))


def move_to_union(clip: Clip, body: SkeletonUnion, k: int) -> Clip:
    """Return a clip of the k-th skeleton on their union: joints that it lacks stay at rest."""
    skeleton, rows = body.skeleton, body.rows[k]
    if skeleton == clip.skeleton:
        return clip
    offsets, rest = np.array(skeleton.offsets), np.array(skeleton.rest_rotations)
    offsets[rows], rest[rows] = clip.skeleton.offsets, clip.skeleton.rest_rotations
    rotations = np.tile(rest, (clip.n_frames, 1, 1))
    rotations[:, rows] = clip.rotations
    moved = clip.translations
    if moved is not None:
        moved = np.tile(offsets, (clip.n_frames, 1, 1))
        moved[:, rows] = clip.translations
        moved = freeze(moved)
    return replace(
        clip,
        skeleton=replace(skeleton, offsets=offsets, rest_rotations=rest),
        rotations=freeze(rotations),
        translations=moved,
        # Channels and axes are lists with one entry per joint of the file.
        source=replace(clip.source, channels=None, axes=None),
    )


def keep_common_joints(clips: Sequence[Clip]) -> list[Clip]:
    """The clips with those joints and tips only that all of them have, in the order of the first.

    Skeletons that cannot be united are refused. Annotations of dropped joints are dropped too.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=0.1, fps=30).clip
    >>> keep_common_joints([clip, clip])[0] is clip
    True
    """
    skeletons = [clip.skeleton for clip in clips]
    names = common_joints(skeletons)
    if len({(s.names, tuple(tip.joint for tip in s.tips)) for s in skeletons}) == 1:
        return list(clips)
    _check_one_body(skeletons)
    tipped = {name for name in names if len({_n_tips(skeleton, name) for skeleton in skeletons}) == 1}
    return [_with_joints(clip, names, tipped) for clip in clips]


def _with_joints(clip: Clip, names: Sequence[str], tipped: set[str]) -> Clip:
    """A clip with the named joints only, which include all that they hang on, and tips of some of these."""
    skeleton = clip.skeleton
    kept = [skeleton.index(name) for name in names]
    index = {joint: n for n, joint in enumerate(kept)}
    tips = [tip for tip in skeleton.tips if skeleton.names[tip.joint] in tipped]
    return replace(
        clip,
        skeleton=Skeleton(
            tuple(names),
            np.array([index.get(int(skeleton.parents[joint]), -1) for joint in kept]),
            skeleton.offsets[kept],
            skeleton.rest_rotations[kept],
            tuple(
                Tip(index[tip.joint], tip.offset) for tip in sorted(tips, key=lambda tip: index[tip.joint])
            ),
        ),
        rotations=freeze(clip.rotations[:, kept]),
        translations=None if clip.translations is None else freeze(clip.translations[:, kept]),
        constraints=tuple(c for c in clip.constraints if c.joint in names),
        source=replace(clip.source, channels=None, axes=None),
    )


def _n_tips(skeleton: Skeleton, name: str) -> int:
    return sum(skeleton.names[tip.joint] == name for tip in skeleton.tips)


def _check_one_body(skeletons: Sequence[Skeleton]) -> None:
    shared = set(common_joints(skeletons))
    roots = {skeleton.names[0] for skeleton in skeletons}
    if len(roots) > 1:
        raise ParameterError(f"the skeletons have different roots: {', '.join(sorted(roots))}")
    fewest = min(skeleton.n_joints for skeleton in skeletons)
    if len(shared) < MIN_SHARED * fewest:
        raise ParameterError(
            f"the skeletons share {len(shared)} joints of the {fewest} that the smallest has: "
            "they are not one body"
        )
    hung: dict[str, str] = {}
    for skeleton in skeletons:
        for joint, name in enumerate(skeleton.names):
            parent = _parent(skeleton, joint)
            if name in shared and parent and parent not in shared:
                raise ParameterError(f"joint {name!r} hangs on {parent!r}, which not all skeletons have")
            if hung.setdefault(name, parent) != parent:
                raise ParameterError(f"joint {name!r} hangs on {hung[name]!r} and on {parent!r}")


def _parent(skeleton: Skeleton, joint: int) -> str:
    """The name of the joint that this one hangs on; empty for the root."""
    parent = int(skeleton.parents[joint])
    return skeleton.names[parent] if parent >= 0 else ""


def _tips(skeletons: Sequence[Skeleton], name: str, joint: int) -> list[Tip]:
    """Return the tips of a joint of the union."""
    having = [skeleton for skeleton in skeletons if name in skeleton.names]
    home = max(having, key=lambda skeleton: len(skeleton.children(skeleton.index(name))))
    return [Tip(joint, tip.offset) for tip in home.tips if tip.joint == home.index(name)]
