"""Joint frames in the rest pose: express the same poses in other frames, or in frames that rest unrotated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Tip
from motionloom.motion.kinematics import local_rotations


def unrotate_rest(clip: Clip) -> Clip:
    """Return the same poses with joints that rest unrotated, for formats that have no rest rotations.

    Such files show the rest pose where all rotations are zero.

    >>> from motionloom.motion import Skeleton
    >>> quarter = [0.5**0.5, 0, 0, 0.5**0.5]
    >>> leg = Skeleton(["hip", "knee"], [-1, 0], [[0, 1, 0], [1, 0, 0]], [quarter, [1, 0, 0, 0]])
    >>> clip = unrotate_rest(Clip(leg, 0.1, [[0, 1, 0]], [[quarter, [1, 0, 0, 0]]]))
    >>> (clip.skeleton.offsets[1].round(9) + 0.0).tolist(), clip.rotations[0, 0].round(9).tolist()
    ([0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0])
    """
    skeleton = clip.skeleton
    if (skeleton.rest_rotations == rot.IDENTITY).all():
        return clip
    axes, still = skeleton.rest_world_rotations(), np.tile(rot.IDENTITY, (skeleton.n_joints, 1))
    offsets = np.array(skeleton.offsets)
    offsets[1:] = rot.rotate(axes[skeleton.parents[1:]], offsets[1:])
    tips = tuple(Tip(tip.joint, rot.rotate(axes[tip.joint], tip.offset)) for tip in skeleton.tips)
    unrotated = replace(skeleton, offsets=freeze(offsets), rest_rotations=freeze(still), tips=tips)
    return replace(replace_axes(clip, still), skeleton=unrotated)


def replace_axes(clip: Clip, axes: FloatArray) -> Clip:
    """Return the same poses with other joint frames; offsets and rest rotations of the skeleton are kept.

    Parameters
    ----------
    clip
        The motion of J joints.
    axes
        (J, 4) world rotations of the wanted joint frames in the rest pose.
    """
    change = rot.multiply(rot.inverse(clip.skeleton.rest_world_rotations()), axes)
    parents = clip.skeleton.parents
    rotations = local_rotations(parents, rot.multiply(clip.world_rotations(), change))
    moved = clip.translations
    if moved is not None:
        moved = np.concatenate(
            [moved[:, :1], rot.rotate(rot.inverse(change[parents[1:]]), moved[:, 1:])], axis=1
        )
    return replace(
        clip,
        rotations=freeze(rotations),
        translations=None if moved is None else freeze(moved),
        constraints=tuple(
            replace(each, point=rot.rotate(rot.inverse(change[clip.skeleton.index(each.joint)]), each.point))
            for each in clip.constraints
        ),
    )
