"""Convert between a clip and motion as Blender holds it: positions and rotations of bones in the world."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Source, Tip

LEAF = "_end"
"""Suffix of the name of a bone that only shows where a chain ends, after the name of its joint."""

METRES_MARK = "motionloom_metres"
"""Property of an armature that this package wrote: its unit is what the file states, however large it is."""

MAX_STILL = 1e-4
"""A bone whose length changes by less, as a fraction of the longest, does not move: Blender has float32."""

MIN_BONE = 0.02
"""Metres; length of a bone without children."""

PIECE = 512
"""Frames that are converted at a time."""


@dataclass(frozen=True)
class WorldMotion:
    """J bones over T frames, parents first, metres and Y up.

    Attributes
    ----------
    names, parents
        J names, and (J,) the index of each bone's parent or −1.
    rest
        (J, 3) world positions in the rest pose.
    axes
        (J, 4) world rotations in the rest pose: which way each joint's own axes point.
    positions
        (T, J, 3) world positions.
    rotations
        (T, J, 4) world rotations that lead from the rest pose to the pose.
    """

    names: tuple[str, ...]
    parents: IntArray
    rest: FloatArray
    axes: FloatArray
    positions: FloatArray
    rotations: FloatArray

    def with_one_root(self, name: str) -> WorldMotion:
        """Return the same bones below one root; several roots get a still joint above them at the origin."""
        if np.count_nonzero(self.parents < 0) == 1:
            return self
        while name in self.names:
            name += "_root"
        n_frames = len(self.rotations)
        still = np.broadcast_to(rot.IDENTITY, (n_frames, 1, 4))
        return WorldMotion(
            (name, *self.names),
            np.concatenate([[-1], self.parents + 1]),
            np.concatenate([np.zeros((1, 3)), self.rest]),
            np.concatenate([rot.IDENTITY[None], self.axes]),
            np.concatenate([np.zeros((n_frames, 1, 3)), self.positions], axis=1),
            np.concatenate([still, self.rotations], axis=1),
        )


def make_world_motion(clip: Clip) -> WorldMotion:
    """Return the motion of a clip in the world, with a bone for each tip.

    >>> from motionloom.synthesis import stand
    >>> motion = make_world_motion(stand(duration=0.1).clip)
    >>> [name for name in motion.names if name.endswith(LEAF)][:2]
    ['Head_end', 'LeftHand_end']
    """
    skeleton = clip.skeleton
    names = list(skeleton.names)
    for tip in skeleton.tips:
        name = skeleton.names[tip.joint] + LEAF
        while name in names:
            name += LEAF
        names.append(name)
    above = [tip.joint for tip in skeleton.tips]
    ends = np.array([tip.offset for tip in skeleton.tips]).reshape(-1, 3)
    at_rest = skeleton.rest_positions()
    rest_rotations = skeleton.rest_world_rotations()
    rotations = rot.multiply(clip.world_rotations(), rot.inverse(rest_rotations))
    return WorldMotion(
        tuple(names),
        np.concatenate([skeleton.parents, np.array(above, dtype=np.int64)]),
        np.concatenate([at_rest, at_rest[above] + rot.rotate(rest_rotations[above], ends)]),
        np.concatenate([rest_rotations, rest_rotations[above]]),
        np.concatenate([clip.world_positions(), clip.tip_positions()], axis=1),
        np.concatenate([rotations, rotations[:, above]], axis=1),
    )


def make_clip(motion: WorldMotion, frame_time: float, source: Source) -> Clip:
    """Return a clip whose joints keep their own axes; still leaves become tips."""
    root = motion.parents < 0
    parents = np.where(root, 0, motion.parents)
    rotations, local = np.empty_like(motion.rotations), np.empty_like(motion.positions)
    for part in split_frames(len(rotations)):
        world, positions = rot.multiply(motion.rotations[part], motion.axes), motion.positions[part]
        back = rot.inverse(world[:, parents])
        rotations[part] = rot.normalize(np.where(root[:, None], world, rot.multiply(back, world)))
        local[part] = rot.rotate(back, positions - positions[:, parents])
    local[:, root] = motion.positions[:, root]
    back = rot.inverse(motion.axes[parents])
    rest_rotations = np.where(root[:, None], motion.axes, rot.multiply(back, motion.axes))
    offsets = rot.rotate(back, motion.rest - motion.rest[parents])
    offsets[root] = motion.rest[root]
    offsets, moving = _adopt_offsets(offsets, local)
    tips = _find_tips(motion, moving)
    joints = [joint for joint in range(len(motion.names)) if joint not in tips]
    number = {joint: n for n, joint in enumerate(joints)}
    skeleton = Skeleton(
        tuple(motion.names[joint] for joint in joints),
        np.array([-1 if root[joint] else number[int(parents[joint])] for joint in joints]),
        offsets[joints],
        rot.normalize(rest_rotations[joints]),
        tips=tuple(Tip(number[int(parents[tip])], offsets[tip]) for tip in tips),
    )
    if tips:
        rotations, local = rotations[:, joints], local[:, joints]
    return Clip(
        skeleton,
        frame_time,
        freeze(motion.positions[:, 0].copy()),
        freeze(rotations),
        translations=freeze(local) if moving[joints].any() else None,
        source=source,
    )


def split_frames(n_frames: int) -> Iterator[slice]:
    """Yield pieces of so many frames, so that what is computed on the way takes little memory.

    >>> list(split_frames(600))
    [slice(0, 512, None), slice(512, 1024, None)]
    """
    for first in range(0, n_frames, PIECE):
        yield slice(first, first + PIECE)


def _adopt_offsets(offsets: FloatArray, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return offsets (J, 3) of bones, as in the motion where they stay, and (J,) which ones really move."""
    still = MAX_STILL * np.linalg.norm(offsets[1:], axis=-1).max(initial=0.0)
    moving = (
        np.ptp(positions, axis=0).max(axis=-1) > still
        if len(positions)
        else np.zeros(len(offsets), dtype=bool)
    )
    moving[0] = False
    away = np.abs(positions[:1] - offsets).max(axis=(0, 2), initial=0.0) > still
    adopted = away & ~moving & (np.arange(len(offsets)) > 0)
    return np.where(adopted[:, None], positions[:1].reshape(-1, len(offsets), 3).sum(axis=0), offsets), moving


def _find_tips(motion: WorldMotion, moving: FloatArray) -> list[int]:
    """Return the bones that are still, have no children and are named after their parent."""
    carrying = set(motion.parents.tolist())
    return [
        joint
        for joint, (name, parent) in enumerate(zip(motion.names, motion.parents.tolist(), strict=True))
        if parent >= 0
        and joint not in carrying
        and not moving[joint]
        and name.removeprefix(motion.names[parent]).strip("_").lower() == LEAF.strip("_")
    ]


def find_bone_ends(motion: WorldMotion) -> FloatArray:
    """Return where each bone (J, 3) ends in the rest pose: at its first child, or a little further on."""
    ends = np.empty_like(motion.rest)
    for joint, parent in enumerate(motion.parents.tolist()):
        children = np.flatnonzero(motion.parents == joint)
        lengths = np.linalg.norm(motion.rest[children] - motion.rest[joint], axis=-1)
        if len(children) and lengths.max() > 0.0:
            ends[joint] = motion.rest[children[int(np.argmax(lengths > 0.0))]]
            continue
        along = motion.rest[joint] - motion.rest[parent] if parent >= 0 else np.zeros(3)
        length = float(np.linalg.norm(along))
        direction = along / length if length > 0.0 else np.array([0.0, 1.0, 0.0])
        ends[joint] = motion.rest[joint] + MIN_BONE * direction
    return ends
