"""The body of a clip: its motion with the travel joint as the root.

Whatever asks where a body is, how fast it goes and which way it turns has to ask the joint that carries it.
So all stages work on the body, and :func:`~motionloom.motion.arrangement.arrange_body` puts the joints above
and beside it back on, as the rig has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

import numpy as np

from motionloom.arrays import freeze
from motionloom.geometry import rotations as rot
from motionloom.motion.anatomy import tree
from motionloom.motion.arrangement import (
    describe_arrangement,
    find_helper_joints,
    find_travel_joint,
    may_hold,
    path_to_hips,
)
from motionloom.motion.clip import Clip
from motionloom.motion.result import Result, unwrap
from motionloom.motion.skeleton import Skeleton, Tip

Verb = TypeVar("Verb", bound=Callable[..., Any])


def take_body(clip: Clip, travel_joint: int | None = None) -> Clip:
    """Return the motion with the travel joint as its root; the clip itself where it is the root already.

    World positions of the body's joints are the same. Joints above the travel joint and helper joints, like
    Unreal's ``ik_foot_l``, are left out and described by :attr:`Clip.arrangement`. Other joints outside, like
    feet that hang on the root, become children of the travel joint whose bones change length.

    Parameters
    ----------
    clip
        The motion.
    travel_joint
        Index of the joint; by default the one that :func:`find_travel_joint` finds.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> take_body(clip) is clip
    True
    """
    joint = find_travel_joint(clip) if travel_joint is None else travel_joint
    if joint == 0:
        return clip
    own = clip.provenance
    kept, skeleton = _body_skeleton(clip.skeleton, joint)
    positions, rotations = clip.world_positions(), clip.world_rotations()
    local = np.array(clip.rotations[:, kept])
    bones = np.array(clip.local_positions()[:, kept])
    for n, j in enumerate(kept):
        if n and skeleton.parents[n] == 0 and clip.skeleton.parents[j] != joint:
            back = rot.inverse(rotations[:, joint])
            local[:, n] = rot.multiply(back, rotations[:, j])
            bones[:, n] = rot.rotate(back, positions[:, j] - positions[:, joint])
    local[:, 0] = rotations[:, joint]
    rigid = np.allclose(bones[:, 1:], skeleton.offsets[1:], rtol=0.0, atol=1e-9)
    return replace(
        clip,
        skeleton=skeleton,
        root_positions=positions[:, joint],
        rotations=freeze(local),
        translations=None if rigid else freeze(bones),
        constraints=tuple(c for c in clip.constraints if c.joint in skeleton.names),
        source=replace(clip.source, channels=None, axes=None),
        provenance=replace(own, source=own.source or clip.content_hash(annotations=False)),
        arrangement=describe_arrangement(clip, joint),
    )


def take_bodies(clips: Sequence[Clip]) -> tuple[Clip, ...]:
    """Return the bodies of clips that are worked on together, with the same travel joint on the same rig.

    A clip in which someone sits still does not tell which joint travels; the others do. Clips of points stay
    as they are.

    >>> from motionloom.synthesis import stand, walk
    >>> clips = [walk(duration=1.0).clip, stand(duration=1.0).clip]
    >>> take_bodies(clips) == tuple(clips)
    True
    """
    if not all(isinstance(clip, Clip) for clip in clips):
        return tuple(clips)
    found = [clip.body.skeleton.names[0] for clip in clips]
    if len(set(found)) == 1:
        return tuple(clip.body for clip in clips)
    bodies = []
    for clip, own in zip(clips, found, strict=True):
        path = [clip.skeleton.names[j] for j in path_to_hips(clip.skeleton)]
        deeper = [name for name in path[path.index(own) + 1 :] if name in found]
        held = [name for name in deeper if may_hold(clip, clip.skeleton.index(name))]
        bodies.append(take_body(clip, clip.skeleton.index(held[-1])) if held else clip.body)
    return tuple(bodies)


def body_of_rig(rig: Skeleton | Clip) -> Clip:
    """Return the body of a clip, or of a skeleton in its rest pose.

    >>> from motionloom.synthesis import biped
    >>> body_of_rig(biped()).n_frames
    1
    """
    if isinstance(rig, Clip):
        return rig.body
    return Clip(rig, 1.0, rig.offsets[:1], rig.rest_rotations[None]).body


def on_body(verb: Verb) -> Verb:
    """Let a function whose first argument is a clip, or a result, work on the clip's body.

    A clip or a result that it returns gets the joints of the rig back that the body leaves out. Wrong
    arguments are for the function itself to refuse.
    """

    @wraps(verb)
    def work_on_body(*args: Any, **options: Any) -> Any:
        clip = unwrap(args[0] if args else options.get("clip"))
        if not isinstance(clip, Clip) or clip.body is clip:
            return verb(*args, **options)
        result = verb(clip.body, *args[1:], **options) if args else verb(**{**options, "clip": clip.body})
        if isinstance(result, Result):
            return replace(result, clip=result.clip.arranged())
        return result.arranged() if isinstance(result, Clip) else result

    return cast(Verb, work_on_body)


@lru_cache(maxsize=64)
def _body_skeleton(skeleton: Skeleton, joint: int) -> tuple[tuple[int, ...], Skeleton]:
    """Return the joints of the body, the travel joint first, and their skeleton.

    Joints outside that belong to the figure, like feet that hang on the root, become children of the first.
    """
    left_out = {*tree.ancestors(skeleton, joint)[1:], *find_helper_joints(skeleton, joint)}
    inside = sorted(tree.subtree(skeleton, joint))
    kept = (*inside, *(j for j in range(skeleton.n_joints) if j not in left_out and j not in inside))
    index = {j: n for n, j in enumerate(kept)}
    positions, rotations = skeleton.rest_positions(), skeleton.rest_world_rotations()
    parents = [-1] + [index.get(int(skeleton.parents[j]), 0) for j in kept[1:]]
    offsets, rest = skeleton.offsets[list(kept)].copy(), skeleton.rest_rotations[list(kept)].copy()
    offsets[0], rest[0] = positions[joint], rotations[joint]
    back = rot.inverse(rest[0])
    for n, j in enumerate(kept):
        if n and int(skeleton.parents[j]) not in index:
            offsets[n] = rot.rotate(back, positions[j] - positions[joint])
            rest[n] = rot.multiply(back, rotations[j])
    tips = tuple(Tip(index[tip.joint], tip.offset) for tip in skeleton.tips if tip.joint in index)
    names = tuple(skeleton.names[j] for j in kept)
    return kept, Skeleton(names, np.array(parents), offsets, rest, tips)
