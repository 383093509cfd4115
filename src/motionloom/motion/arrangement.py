"""How a rig holds its body: the joints above and beside it, put back on after work on the body.

The travel joint of a rig carries the body over the ground. Mostly it is the root. Many rigs have a joint
above the hips that stays at the origin (game characters, several capture systems) or only moves over the
ground (Unreal's ``root``); then the hips carry the body.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion.anatomy import find_anatomy, tree
from motionloom.motion.anatomy.joint_names import read_name
from motionloom.motion.annotations import Constraint
from motionloom.motion.clip import Clip
from motionloom.motion.ground_path import SMOOTHING, ground_path
from motionloom.motion.kinematics import world_transforms
from motionloom.motion.provenance import Source
from motionloom.motion.skeleton import Skeleton, Tip

CONTROL_WORDS = frozenset({"ik", "pole", "target", "ctrl", "control"})
"""Words in the names of joints that drive a rig and are no part of its figure."""

COINCIDENT = 1e-3
"""Joints nearer to each other at rest than this fraction of the sum of all bones lie in one place."""

STILL = 1e-3
"""A joint whose position varies by less than this stands still, metres: files round to a tenth of it."""

SAME_ROTATION = np.radians(0.5)
"""Rotations closer than this are the same: files round angles to a hundredth of a degree, and a body that is
alive tilts by several degrees."""

FLOOR_LEVEL = 0.25
"""A joint lies at floor level when it is lower than this fraction of the body's height. Hips of a standing
body lie at half of it."""

MIN_BODY_FRACTION = 0.5
"""Without legs to go by, the body hangs on the child that has more than this fraction of the joints."""


@dataclass(frozen=True, eq=False)
class Follower:
    """A helper joint that goes with a joint of the body: position (3,) and rotation (4,) in its frame."""

    leader: str
    position: FloatArray
    rotation: FloatArray


@dataclass(frozen=True, eq=False)
class Arrangement:
    """How a rig holds its body: what :func:`arrange_body` needs to put the other joints back on.

    Attributes
    ----------
    skeleton
        The whole rig.
    travel_joint
        Index of the joint that carries the body.
    rotations, positions
        (J, 4) and (J, 3) local transforms of the first frame, for joints that keep theirs.
    ground_joint
        The joint above the body that moves over the ground, or None where all of them stay put.
    smooth
        Whether the ground joint follows a smooth path, rather than the point right below the body.
    turn
        Yaw from the body's heading to the rotation of the ground joint since the first frame, radians; None
        where that joint does not turn.
    followers
        Helper joints that go with a joint of the body, by index.
    source
        The file of the clip, with the channels of all joints.
    whole
        The clip that the body was taken from, if any.
    """

    skeleton: Skeleton
    travel_joint: int
    rotations: FloatArray
    positions: FloatArray
    ground_joint: int | None
    smooth: bool
    turn: float | None
    followers: dict[int, Follower]
    source: Source
    whole: Clip | None = None

    @classmethod
    def above(cls, body: Clip, name: str = "root") -> Arrangement:
        """Return the arrangement in which a joint at the origin holds a body that had none above it."""
        if name in body.skeleton.names:
            raise ParameterError(
                f"the rig has a joint {name!r} that does not hold the body", remedy="rename it first"
            )
        own = body.skeleton
        skeleton = Skeleton(
            (name, *own.names),
            np.concatenate([[-1], own.parents + 1]),
            np.concatenate([np.zeros((1, 3)), own.offsets]),
            np.concatenate([rot.IDENTITY[None], own.rest_rotations]),
            tuple(Tip(tip.joint + 1, tip.offset) for tip in own.tips),
        )
        source = replace(body.source, channels=None, axes=None)
        return cls(skeleton, 1, skeleton.rest_rotations, skeleton.offsets, None, True, None, {}, source)

    def carrying(self, ground: bool) -> Arrangement:
        """Return the arrangement in which the joint above the body carries its ground motion, or stays put.

        All joints above the body then rest at the origin, upright as in the rest pose.
        """
        above = tree.ancestors(self.skeleton, self.travel_joint)[1:]
        positions, rotations = np.array(self.positions), np.array(self.rotations)
        positions[above] = 0.0
        rotations[above] = self.skeleton.rest_rotations[above]
        moved = replace(self, rotations=rotations, positions=positions, ground_joint=None, whole=None)
        return replace(moved, ground_joint=above[0], smooth=True, turn=0.0) if ground else moved


def arrange_body(body: Clip) -> Clip:
    """Put the joints above the travel joint back on: the inverse of :func:`take_body`.

    A root that stayed put stays where it was; one that moved over the ground follows the body again. A clip
    without an arrangement is returned as it is.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> arrange_body(clip) is clip
    True
    """
    own = body.arrangement
    if own is None:
        return body
    if own.whole is not None and _is_unchanged(body, own.whole.body):
        # What was only annotated comes back bit for bit.
        return replace(
            own.whole,
            constraints=(*_outside_constraints(own.whole, body), *body.constraints),
            events=body.events,
            source=replace(body.source, channels=own.source.channels, axes=own.source.axes),
            cyclic=body.cyclic,
            provenance=body.provenance,
        )
    skeleton, joint = _whole_skeleton(own, body.skeleton), own.travel_joint
    n_frames = body.n_frames
    rotations = np.repeat(skeleton.rest_rotations[None], n_frames, axis=0)
    bones = np.repeat(skeleton.offsets[None], n_frames, axis=0)
    held = slice(0, own.skeleton.n_joints)
    rotations[:, held], bones[:, held] = own.rotations, own.positions
    joints = [skeleton.index(name) for name in body.skeleton.names]
    rotations[:, joints] = body.rotations
    bones[:, joints] = body.local_positions()
    if own.ground_joint is not None:
        _lay_on_ground(own, body, skeleton, own.ground_joint, rotations, bones)
    # World transforms of the joints outside the body are known now, and the rest is set against them.
    world = world_transforms(skeleton, bones[:, 0], rotations, bones)
    goals = {joint: (body.root_positions, body.rotations[:, 0])}
    for n, j in enumerate(joints[1:], start=1):
        if body.skeleton.parents[n] == 0 and skeleton.parents[j] != joint:
            goals[j] = body.world_positions()[:, n], body.world_rotations()[:, n]
    for n, follower in own.followers.items():
        k = body.skeleton.index(follower.leader)
        goals[n] = (
            body.world_positions()[:, k] + rot.rotate(body.world_rotations()[:, k], follower.position),
            rot.multiply(body.world_rotations()[:, k], follower.rotation),
        )
    for j, (position, rotation) in sorted(goals.items()):
        parent = int(skeleton.parents[j])
        above = goals.get(parent, (world[0][:, parent], world[1][:, parent]))
        back = rot.inverse(above[1])
        rotations[:, j] = rot.multiply(back, rotation)
        bones[:, j] = rot.rotate(back, position - above[0])
    channels, axes = (None, None) if skeleton is not own.skeleton else (own.source.channels, own.source.axes)
    return replace(
        body,
        skeleton=skeleton,
        root_positions=freeze(bones[:, 0].copy()),
        rotations=freeze(rotations),
        translations=freeze(bones),
        constraints=(*_outside_constraints(own.whole, body), *body.constraints),
        source=replace(body.source, channels=channels, axes=axes),
        arrangement=None,
    )


def _outside_constraints(whole: Clip | None, body: Clip) -> tuple[Constraint, ...]:
    """Return the constraints of joints outside the body, where the body still has the frames of the clip."""
    if whole is None or (whole.n_frames, whole.frame_time) != (body.n_frames, body.frame_time):
        return ()
    return tuple(c for c in whole.constraints if c.joint not in body.skeleton.names)


def _is_unchanged(body: Clip, taken: Clip) -> bool:
    """Tell whether a body moves exactly as the one that was taken from a clip."""
    return (
        body.frame_time == taken.frame_time
        and body.skeleton == taken.skeleton
        and np.array_equal(body.root_positions, taken.root_positions)
        and np.array_equal(body.rotations, taken.rotations)
        and (body.translations is None) == (taken.translations is None)
        and np.array_equal(body.local_positions(), taken.local_positions())
    )


def find_helper_joints(skeleton: Skeleton, travel_joint: int) -> tuple[int, ...]:
    """Return the joints beside the body that are no part of the figure.

    They are named as controls (``ik_foot_l``, ``PoleTarget.L``), or lie at rest where a joint of the body or
    above it lies.
    """
    above, inside = tree.ancestors(skeleton, travel_joint)[1:], tree.subtree(skeleton, travel_joint)
    positions, near = skeleton.rest_positions(), COINCIDENT * tree.size(skeleton)
    found = []
    for joint in sorted(set(range(skeleton.n_joints)) - {*above, *inside}):
        distances = np.linalg.norm(positions[[*above, *inside]] - positions[joint], axis=1)
        if distances.min() < near or CONTROL_WORDS & set(read_name(skeleton.names[joint]).words):
            found.append(joint)
    return tuple(found)


def _find_followers(clip: Clip, travel_joint: int) -> dict[int, Follower]:
    """Return the helper joints that move, each with the joint of the body in whose frame it moves least."""
    positions, rotations = clip.world_positions(), clip.world_rotations()
    body = np.array(sorted(tree.subtree(clip.skeleton, travel_joint)))
    found: dict[int, Follower] = {}
    for joint in find_helper_joints(clip.skeleton, travel_joint):
        parent = int(clip.skeleton.parents[joint])
        if not (
            moves(clip.local_positions()[:, joint]) or rotates(clip.rotations[:, joint]) or parent in found
        ):
            continue
        local = rot.rotate(rot.inverse(rotations[:, body]), positions[:, joint, None] - positions[:, body])
        distances = np.linalg.norm(local, axis=2).mean(axis=0)
        n = int(np.argmin(np.ptp(local, axis=0).max(axis=1) + distances))
        relative = rot.multiply(rot.inverse(rotations[0, body[n]]), rotations[0, joint])
        found[joint] = Follower(clip.skeleton.names[body[n]], freeze(local[0, n].copy()), relative)
    return found


def describe_arrangement(clip: Clip, joint: int) -> Arrangement:
    """Return how the rig holds its body."""
    above = tree.ancestors(clip.skeleton, joint)[1:]
    moving = [
        j for j in above if moves(clip.world_positions()[:, j]) or rotates(clip.world_rotations()[:, j])
    ]
    ground = moving[0] if moving else None
    smooth, turn = False, None
    if ground is not None:
        under = clip.world_positions()[:, joint] - clip.world_positions()[:, ground]
        smooth = bool((np.abs(under[:, [0, 2]]) >= STILL).any())
        if rotates(clip.world_rotations()[:, ground]):
            world = clip.world_rotations()[:, ground]
            since_start = rot.yaw_of(rot.multiply(world, rot.inverse(world[:1])))
            turn = float(np.angle(np.exp(1j * (since_start - ground_path(clip, joint, 0.0)[:, 2])).mean()))
    positions = np.array(clip.local_positions()[0])
    positions[0] = clip.root_positions[0]
    return Arrangement(
        clip.skeleton,
        joint,
        clip.rotations[0],
        freeze(positions),
        ground,
        smooth,
        turn,
        _find_followers(clip, joint),
        clip.source,
        clip,
    )


def _whole_skeleton(own: Arrangement, body: Skeleton) -> Skeleton:
    """Return the rig for a body: the joints of the source's rig in their order, then others of the body.

    A body has other joints where it is a blend of two rigs.
    """
    whole = own.skeleton
    more = [n for n, name in enumerate(body.names) if n and name not in whole.names]
    if not more and body.names[0] == whole.names[own.travel_joint]:
        return whole
    names = [*whole.names, *(body.names[n] for n in more)]
    names[own.travel_joint] = body.names[0]
    parents = [names.index(body.names[body.parents[n]]) for n in more]
    ends = [Tip(names.index(body.names[tip.joint]), tip.offset) for tip in body.tips]
    return Skeleton(
        tuple(names),
        np.array([*whole.parents, *parents]),
        np.concatenate([whole.offsets, body.offsets[more]]),
        np.concatenate([whole.rest_rotations, body.rest_rotations[more]]),
        (*(tip for tip in whole.tips if whole.names[tip.joint] not in body.names), *ends),
    )


def _lay_on_ground(
    own: Arrangement,
    body: Clip,
    skeleton: Skeleton,
    ground: int,
    rotations: FloatArray,
    bones: FloatArray,
) -> None:
    """Let the ground joint follow the body, in place in ``rotations`` and ``bones``."""
    first = world_transforms(skeleton, bones[:1, 0], rotations[:1], bones[:1])
    path = ground_path(body, 0, SMOOTHING if own.smooth else 0.0)
    position = np.column_stack([path[:, 0], np.full(len(path), first[0][0, ground, 1]), path[:, 1]])
    rotation = np.repeat(first[1][:, ground], len(path), axis=0)
    if own.turn is not None:
        rotation = rot.multiply(rot.from_yaw(path[:, 2] + own.turn), rotation)
    parent = int(skeleton.parents[ground])
    if parent >= 0:
        back = rot.inverse(first[1][:, parent])
        position, rotation = rot.rotate(back, position - first[0][:, parent]), rot.multiply(back, rotation)
    rotations[:, ground], bones[:, ground] = rotation, position


def find_travel_joint(clip: Clip) -> int:
    """Return the index of the joint that carries the body: the root, unless the root only holds it.

    On the way from the root to the hips, a joint is above the body when it stays upright and either lies at
    floor level, or keeps its height while the next joint moves in its frame. Without legs, the way leads to
    the child with most of the joints, and only the second rule counts: a crane stands on its base.

    >>> from motionloom.synthesis import walk
    >>> find_travel_joint(walk(duration=1.0).clip)
    0
    """
    joint = 0
    for below in path_to_hips(clip.skeleton)[1:]:
        if not _holds_body(clip, joint, below):
            break
        joint = below
    return joint


def path_to_hips(skeleton: Skeleton) -> list[int]:
    """Return the joints from the root down to where the legs begin."""
    legs = find_anatomy(skeleton).legs
    if len(legs) == 2:
        return tree.path_between(skeleton, 0, tree.common_ancestor(skeleton, [leg.hip for leg in legs]))
    sizes = tree.count_below(skeleton)
    path = [0]
    while children := skeleton.children(path[-1]):
        biggest = max(children, key=lambda child: sizes[child])
        if sizes[biggest] <= MIN_BODY_FRACTION * skeleton.n_joints:
            break
        path.append(biggest)
    return path


def _holds_body(clip: Clip, joint: int, below: int) -> bool:
    """Tell whether a joint only holds the body, which the next joint below it carries."""
    if not clip.n_frames or not _stays_upright(clip, joint):
        return False
    positions = clip.world_positions()
    height = positions[:, joint, 1]
    body = positions[:, tree.subtree(clip.skeleton, below), 1]
    low, high = np.median(body.min(axis=1)), np.median(body.max(axis=1))
    legged = len(find_anatomy(clip.skeleton).legs) == 2
    if legged and np.median(height) < low + FLOOR_LEVEL * (high - low):
        return True
    return bool(np.ptp(height) < STILL) and moves(clip.local_positions()[:, below])


def may_hold(clip: Clip, joint: int) -> bool:
    """Tell whether all joints above this one stay upright and at one height; no frames do not show it."""
    if not clip.n_frames:
        return False
    above = tree.ancestors(clip.skeleton, joint)[1:]
    heights = clip.world_positions()[:, above, 1]
    return all(_stays_upright(clip, j) for j in above) and bool((np.ptp(heights, axis=0) < STILL).all())


def _stays_upright(clip: Clip, joint: int) -> bool:
    """Tell whether a joint turns about the vertical alone."""
    # Most roots turn about more than the vertical, and then no other joint is looked at.
    world = clip.world_rotations()[:, joint] if joint else clip.rotations[:, 0]
    up = rot.rotate(rot.inverse(world), np.array([0.0, 1.0, 0.0]))
    return bool((np.linalg.norm(up - up[0], axis=1) < SAME_ROTATION).all())


def moves(positions: FloatArray) -> bool:
    """Tell whether positions (T, 3) change."""
    return bool((np.ptp(positions, axis=0) >= STILL).any())


def rotates(rotations: FloatArray) -> bool:
    """Tell whether rotations (T, 4) change."""
    cosines = np.abs((rotations * rotations[:1]).sum(axis=-1))
    return bool((cosines < np.cos(SAME_ROTATION / 2.0)).any())
