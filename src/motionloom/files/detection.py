"""What a file does not say and the body tells: the vertical axis, and what root positions count from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import find_anatomy, standing_direction
from motionloom.motion.source import RootOffset, UpAxis

SAMPLED_FRAMES = 100
"""How many frames, spread over the clip, are looked at to tell its axes and its floor."""

UPRIGHT = 0.75
"""How much of the direction in which the body stands must lie along one axis to call it vertical."""

AXES: tuple[UpAxis, ...] = ("x", "y", "z")


def detected_up(clip: Clip) -> UpAxis:
    """The vertical axis of a clip that has the axes of its file.

    The axis along which the body stands in most frames counts, unless the rest pose stands along Y: then the
    body lies about in a file that is Y up. Where the frames do not tell, the rest pose does; else it is Y.
    """
    posed = _clear_axis(standing_direction(_sample(clip)))
    rest = _clear_axis(find_anatomy(clip.skeleton).up)
    return "y" if rest == "y" else posed or rest or "y"


def _clear_axis(direction: FloatArray | None) -> UpAxis | None:
    if direction is None or direction.max() < UPRIGHT:
        return None
    return AXES[int(direction.argmax())]


def detected_root_offset(clip: Clip, up: UpAxis, root_channels: Sequence[str]) -> RootOffset:
    """Whichever reading of bare root channels puts the lowest joints near height zero; else "absolute"."""
    axis = AXES.index(up)
    height = root_offset_added(clip.skeleton, root_channels)[axis]
    if height == 0.0 or clip.n_frames == 0:
        return "absolute"
    floor = np.percentile(_sample(clip).world_positions()[..., axis].min(axis=1), 10)
    return "relative" if abs(floor + height) < 0.5 * abs(floor) else "absolute"


def root_offset_added(skeleton: Skeleton, root_channels: Sequence[str]) -> FloatArray:
    """What (3,) relative root positions are added to: the root's OFFSET on the axes that have a channel."""
    driven = [f"{axis.upper()}position" in root_channels for axis in AXES]
    return np.where(driven, skeleton.offsets[0], 0.0)


def with_unmistakable_root(clip: Clip, root_channels: Sequence[str]) -> Clip:
    """A clip to be written as BVH, changed where reading would put its root elsewhere.

    Then the OFFSET of the root becomes zero, so that adding it and replacing it come to the same.
    """
    sample, stated = _sample(clip), clip.source.root_offset
    if stated == "relative":
        bare = sample.root_positions - root_offset_added(clip.skeleton, root_channels)
        sample = replace(sample, root_positions=freeze(bare))
    if clip.n_frames == 0 or detected_root_offset(sample, clip.source.up, root_channels) == stated:
        return clip
    offsets = clip.skeleton.offsets * (np.arange(clip.skeleton.n_joints) > 0)[:, None]
    return replace(
        clip,
        skeleton=replace(clip.skeleton, offsets=freeze(offsets)),
        source=replace(clip.source, root_offset="absolute"),
    )


def _sample(clip: Clip) -> Clip:
    return clip[:: max(1, clip.n_frames // SAMPLED_FRAMES)]
