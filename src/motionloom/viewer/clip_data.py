"""A clip as a page draws it: its header, and where its joints and planted points are, packed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.annotation.ground import find_floor
from motionloom.annotation.treadmill import recover_if_in_place
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, PointClip
from motionloom.motion.anatomy import body_height, facing
from motionloom.viewer.packing import choose_quantum, compress, pack_table
from motionloom.viewer.page_data import FigureHeader, Mark, ViewerClip
from motionloom.viewer.planted_points import find_planted_points, plant_spans

MAX_COORDINATES = 40_000_000
"""Coordinates of all clips of a page together: 160 MB in the browser. 100,000 frames of 31 joints are nine
million."""


@dataclass(frozen=True)
class PackedClip:
    """A clip for a page: what is known of it, and its tables, compressed."""

    data: ViewerClip
    packed: bytes


def pack_clip(clip: Clip | PointClip, name: str, caption: str = "") -> PackedClip:
    """Pack a clip, or points without a skeleton, for a page.

    >>> from motionloom.synthesis import walk
    >>> packed = pack_clip(walk(duration=1.0, fps=30).clip, "walk")
    >>> packed.data.header.n_frames, [table.name for table in packed.data.tables]
    (31, ['positions'])
    """
    if isinstance(clip, PointClip):
        header, start, arrays = _describe_points(clip)
    else:
        header, start, arrays = _describe(clip.body)
    quantum = choose_quantum(arrays["positions"])
    tables, parts = zip(*(pack_table(key, table, quantum) for key, table in arrays.items()), strict=True)
    data = ViewerClip(name=name, caption=caption, header=header, start=start, tables=tables)
    return PackedClip(data, compress(list(parts)))


def thin(clips: list[Clip | PointClip]) -> tuple[list[Clip | PointClip], int]:
    """Return the clips, with every n-th frame only where all frames would not fit into a browser, and n."""
    total = sum(3 * clip.n_frames * _n_points(clip) for clip in clips)
    step = -(-total // MAX_COORDINATES)
    return (clips, 1) if step <= 1 else ([clip[::step] for clip in clips], step)


def figure_height(clip: Clip) -> float:
    """Return the height of the body, metres; of a figure without legs, the extent of its joints."""
    found = body_height(clip.skeleton)
    if found is not None:
        return found
    return float(np.ptp(clip.skeleton.rest_positions(), axis=0).max(initial=0.0))


def floor_height(clip: Clip) -> float:
    """Return the height of the floor that a clip stands on, metres; never -0.0."""
    return float(find_floor(clip).height) + 0.0


_Described = tuple[FigureHeader, tuple[float, float, float], dict[str, FloatArray]]


def _describe(clip: Clip) -> _Described:
    held = find_planted_points(clip)
    # Planted feet of a gait in place stand on ground that moves.
    moving = recover_if_in_place(clip)[0] if held.columns else clip
    arrays = {"positions": clip.world_positions()}
    if held.columns:
        arrays["points"] = held.track(clip)
        if moving is not clip:
            arrays["ground_points"] = held.track(moving)
    header = FigureHeader(
        names=clip.skeleton.names,
        parents=tuple(clip.skeleton.parents.tolist()),
        n_frames=clip.n_frames,
        fps=clip.fps,
        cyclic=clip.cyclic,
        plants=plant_spans(clip, held, moving),
        events=tuple(Mark(frame=e.frame, label=e.label, joint=e.joint) for e in clip.events),
        floor=floor_height(clip),
        height=figure_height(clip),
    )
    x, _, z = arrays["positions"][0, 0].tolist()
    return header, (x, z, float(facing(clip[:1])[0])), arrays


def _describe_points(clip: PointClip) -> _Described:
    is_seen = np.asarray(np.isfinite(clip.positions).all(axis=2))
    seen = clip.positions[is_seen] if is_seen.any() else np.zeros((1, 3))
    low, high = seen.min(axis=0), seen.max(axis=0)
    first = int(np.argmax(np.sum(is_seen, axis=1) > 0))
    x, _, z = (clip.positions[first][is_seen[first]].mean(axis=0) if is_seen.any() else seen[0]).tolist()
    header = FigureHeader(
        names=clip.names,
        parents=(-1,) * len(clip.names),
        n_frames=clip.n_frames,
        fps=clip.fps,
        cyclic=False,
        plants=(),
        events=(),
        floor=float(low[1]) + 0.0,
        height=float(high[1] - low[1]),
    )
    return header, (x, z, 0.0), {"positions": clip.positions}


def _n_points(clip: Clip | PointClip) -> int:
    return len(clip.names) if isinstance(clip, PointClip) else clip.skeleton.n_joints
