"""Detect what files leave open and the body shows: root convention, rest rows, jumps, up axis of points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.files.notes import Note, override
from motionloom.files.up_axis import AXES, N_SAMPLED_FRAMES, sample_frames
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.anatomy.thresholds import MAX_ROOT_SPEED
from motionloom.motion.provenance import RootOffset, UpAxis

MIN_SPREAD_RATIO = 1.2
"""How many times as far as along the others points must spread along an axis to call it vertical."""

MIN_POINTS = 3
"""Fewer points do not show how a body stands."""

MAX_REST_ANGLE = np.radians(30.0)
"""How far every joint of an added row may be from the rest pose (CMU's T-pose turns the feet by 21°)."""

MIN_REST_JUMP_SPEED = 30.0
"""Radians per second of some joint from the last added row to the first captured one. Throwing and kicking
limbs reach such speeds for a moment, but not from one frame to the next out of a rest pose."""

MIN_REST_JUMP_RATIO = 3.0
"""How much larger that jump must be than the step after it."""

MAX_REST_ROWS = 10
"""Added rows are few; a longer still start is part of the motion."""


def detect_points_up(positions: FloatArray) -> UpAxis | None:
    """Return the axis along which points (T, P, 3) clearly spread farthest in most frames, or None.

    >>> body = np.array([[[0, 0, 0], [0.2, 0, 0.9], [0.1, 0.1, 1.7]]])
    >>> detect_points_up(body)
    'z'
    """
    sample = positions[:: max(1, len(positions) // N_SAMPLED_FRAMES)]
    seen = np.isfinite(sample[..., 0])
    sample = sample[seen.sum(axis=1) >= MIN_POINTS]
    if not len(sample):
        return None
    spread = np.median(np.nanmax(sample, axis=1) - np.nanmin(sample, axis=1), axis=0)
    order = np.argsort(spread)
    return AXES[int(order[-1])] if spread[order[-1]] > MIN_SPREAD_RATIO * spread[order[-2]] else None


def choose_points_up(positions: FloatArray, usual: UpAxis, notes: list[str]) -> UpAxis:
    """Return the vertical axis of points (T, P, 3) whose file does not state it, and note how it was chosen.

    It is noted in any case: an animal is longer than high, and so is a person who crawls.
    """
    found = detect_points_up(positions)
    shown = "along it the points spread farthest" if found else "the points do not show it"
    axis = found or usual
    notes.append(
        Note(
            "up",
            f"the file does not say which axis is vertical: {axis.upper()} assumed, {shown}",
            remedy=override("up"),
        )
    )
    return axis


def detect_root_offset(clip: Clip, up: UpAxis, root_channels: Sequence[str]) -> RootOffset:
    """Return the reading of root channels that puts the lowest joints near height zero, else "absolute"."""
    axis = AXES.index(up)
    height = root_offset_on_channels(clip.skeleton, root_channels)[axis]
    if height == 0.0 or clip.n_frames == 0:
        return "absolute"
    floor = np.percentile(sample_frames(clip).world_positions()[..., axis].min(axis=1), 10)
    return "relative" if abs(floor + height) < 0.5 * abs(floor) else "absolute"


def root_offset_on_channels(skeleton: Skeleton, root_channels: Sequence[str]) -> FloatArray:
    """Return what (3,) relative root positions add to: the root's OFFSET on axes with a position channel."""
    has_channel = [f"{axis.upper()}position" in root_channels for axis in AXES]
    return np.where(has_channel, skeleton.offsets[0], 0.0)


def make_root_unambiguous(clip: Clip, root_channels: Sequence[str]) -> Clip:
    """Return a clip to be written as BVH, changed where reading it back would put its root elsewhere.

    There the root's OFFSET becomes zero, so that adding it and replacing it come to the same.
    """
    sample, stated = sample_frames(clip), clip.source.root_offset
    if stated == "relative":
        bare = sample.root_positions - root_offset_on_channels(clip.skeleton, root_channels)
        sample = replace(sample, root_positions=freeze(bare))
    if clip.n_frames == 0 or detect_root_offset(sample, clip.source.up, root_channels) == stated:
        return clip
    offsets = clip.skeleton.offsets * (np.arange(clip.skeleton.n_joints) > 0)[:, None]
    return replace(
        clip,
        skeleton=replace(clip.skeleton, offsets=freeze(offsets)),
        source=replace(clip.source, root_offset="absolute"),
    )


def count_rest_rows(clip: Clip) -> int:
    """Return how many rows at the start are a rest pose that a converter put before the motion of a body.

    Such rows lie near the rest pose and are followed by a jump that no body makes and that the motion itself
    does not repeat.
    """
    start = clip.rotations[: MAX_REST_ROWS + 2]
    far = np.flatnonzero(_max_angle(clip.skeleton.rest_rotations, start) > MAX_REST_ANGLE)
    n_rest = int(far[0]) if len(far) else 0
    if n_rest == 0 or n_rest + 1 >= len(start):
        return 0
    jump = float(_max_angle(start[n_rest - 1], start[n_rest]))
    next_step = float(_max_angle(start[n_rest], start[n_rest + 1]))
    too_fast = jump > MIN_REST_JUMP_SPEED * clip.frame_time and jump > MIN_REST_JUMP_RATIO * next_step
    return n_rest if too_fast and find_anatomy(clip.skeleton).legs else 0


def _max_angle(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the largest angle (...) over joints between rotations (..., J, 4)."""
    cosine = np.abs(np.einsum("...i,...i", a, b))
    return np.asarray(2.0 * np.arccos(np.minimum(cosine, 1.0)).max(axis=-1))


def find_root_jumps(clip: Clip) -> list[tuple[int, float]]:
    """Return the frames into which the root moves faster than a person can, and the jumps in metres."""
    steps = np.linalg.norm(np.diff(clip.root_positions, axis=0), axis=1)
    return [(int(n) + 1, float(steps[n])) for n in np.flatnonzero(steps > MAX_ROOT_SPEED * clip.frame_time)]
