"""Motion as the add-on hands it over, against clips; runs where Motionloom is."""

from __future__ import annotations

from typing import Any

import numpy as np

from motionloom import Clip, Constraint, Event, PointClip, Skeleton
from motionloom.geometry import rotations as rot
from motionloom.motion import Source, Tip
from motionloom.motion.unroll import extend_cycle

from .motion import Array, Motion

STILL = 1e-4
"""A bone that leaves its place by less, as part of the longest, does not move: Blender has float32."""


def clip_of(motion: Motion) -> Clip:
    """A clip whose joints have no rotation in the rest pose; further roots hang on the greatest."""
    order, parents = _below_one_root(motion.parents)
    n_frames = len(motion.positions) - (1 if motion.cyclic else 0)
    rest, positions = motion.rest[order], motion.positions[:n_frames, order]
    worlds = rot.from_matrix(motion.turns[:n_frames, order])
    above = np.maximum(parents, 0)
    offsets = np.where(parents[:, None] < 0, rest, rest - rest[above])
    back = rot.inverse(worlds[:, above])
    local = np.where(parents[:, None] < 0, worlds, rot.multiply(back, worlds))
    number = {joint: n for n, joint in enumerate(order)}
    return Clip(
        Skeleton(
            tuple(motion.names[joint] for joint in order),
            parents,
            offsets,
            tips=tuple(Tip(number[joint], np.array(end) - motion.rest[joint]) for joint, end in motion.tips),
        ),
        motion.frame_time,
        positions[:, 0],
        rot.unroll(rot.normalize(local)),
        _translations(offsets, rot.rotate(back, positions - positions[:, above])),
        tuple(_constraint(entry) for entry in motion.constraints),
        tuple(Event(**entry) for entry in motion.events),
        motion.cyclic,
        Source(path=motion.name),
    )


def _below_one_root(parents: list[int]) -> tuple[list[int], Any]:
    """An order of bones with the greatest root first, and their parents in it."""
    tops: list[int] = []
    for joint, parent in enumerate(parents):
        tops.append(joint if parent < 0 else tops[parent])
    main = max(set(tops), key=lambda top: (tops.count(top), -top))
    order = sorted(range(len(parents)), key=lambda joint: tops[joint] != main)
    number = {joint: n for n, joint in enumerate(order)}
    above = [number[parents[joint]] if parents[joint] >= 0 else 0 for joint in order]
    return order, np.array([-1, *above[1:]])


def _translations(offsets: Array, places: Array) -> Array | None:
    """Local places (T, J, 3) where bones really move, else None."""
    still = STILL * np.linalg.norm(offsets[1:], axis=-1).max(initial=0.0)
    away = np.abs(places - offsets).max(axis=(0, 2), initial=0.0) > still
    away[0] = False
    return np.where(away[:, None], places, offsets) if away.any() else None


def motion_of(clip: Clip, name: str) -> Motion:
    """The motion of a clip in the world; a cycle ends with the first frame of the next."""
    skeleton = clip.skeleton
    rest, turned = skeleton.rest_positions(), skeleton.rest_world_rotations()
    played = extend_cycle(clip, clip.n_frames + 1) if clip.cyclic else clip
    return Motion(
        name,
        list(skeleton.names),
        skeleton.parents.tolist(),
        clip.frame_time,
        rest,
        played.world_positions(),
        rot.to_matrix(rot.multiply(played.world_rotations(), rot.inverse(turned))),
        [
            (tip.joint, (rest[tip.joint] + rot.rotate(turned[tip.joint], tip.offset)).tolist())
            for tip in skeleton.tips
        ],
        clip.cyclic,
        [_entry(constraint, turned[skeleton.index(constraint.joint)]) for constraint in clip.constraints],
        [vars(event) for event in clip.events],
    )


def points_motion(points: PointClip, name: str) -> Motion:
    """Markers as bones of which none hangs on another."""
    n_frames, n_points = points.positions.shape[:2]
    seen = np.isfinite(points.positions).all(axis=-1)
    first = points.positions[seen.argmax(axis=0), np.arange(n_points)]
    return Motion(
        name,
        list(points.names),
        [-1] * n_points,
        points.frame_time,
        np.nan_to_num(first),
        np.array(points.positions),
        np.broadcast_to(np.eye(3), (n_frames, n_points, 3, 3)),
    )


def _entry(constraint: Constraint, turned: Array) -> dict[str, Any]:
    target = None if constraint.target is None else constraint.target.tolist()
    return vars(constraint) | {"point": rot.rotate(turned, constraint.point).tolist(), "target": target}


def _constraint(entry: dict[str, Any]) -> Constraint:
    target = entry["target"]
    return Constraint(**entry | {"point": np.array(entry["point"]), "target": target and np.array(target)})
