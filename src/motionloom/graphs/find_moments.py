"""`find_moment`: the frame of a take at which its action happens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry.ground_transform import rotate_on_ground
from motionloom.graphs.node import GraphNode
from motionloom.motion import Clip
from motionloom.paths.path import Moment

PEAK_SMOOTHING = 0.1
"""Seconds over which speeds are averaged before the largest is sought: a glitch of one frame is no kick."""

REACHED = 0.99
"""Fraction of the largest distance from the poses of other takes at which an action is done: who sits still
moves a little, and is seated all the while."""

POSE_SPACING = 0.1
"""Seconds between the poses of other takes that are compared."""


def find_moment(
    node: GraphNode,
    tag: str,
    moment: Moment,
    *,
    others: Sequence[GraphNode] = (),
    first: int = 0,
    last: int | None = None,
) -> int:
    """Return the frame at which the action of a take happens (:class:`motionloom.paths.path.Action`).

    ``others`` are the takes of the graph without the tag. ``first`` and ``last`` are the frames that count as
    the take's start and end; by default its very ends.
    """
    final = node.n_frames - 1
    if moment == "start":
        return first
    if moment == "end":
        return final if last is None else last
    if moment == "auto":
        for event in node.clip.events:
            if event.label == tag:
                return int(np.clip(round(event.frame), 0, final))
    return find_peak(node, others)


def find_peak(node: GraphNode, others: Sequence[GraphNode] = ()) -> int:
    """Return the frame at which a take does what others do not.

    That is when its pose is least like any of theirs: the leg is stretched in a kick, the body is seated. The
    fastest joint would not tell: it may be that of a step before. It has to where there are no others.

    >>> from motionloom.synthesis import kick, walk
    >>> kicks, walks = GraphNode("kick", kick(fps=30).clip), GraphNode("walk", walk(fps=30).clip)
    >>> 0 < find_peak(kicks, [walks]) < kicks.n_frames - 1
    True
    """
    if not others:
        return int(np.argmax(_top_speeds(node.clip)))
    step = max(1, round(POSE_SPACING / node.clip.frame_time))
    distances = _distances(_poses(node), np.concatenate([_poses(other)[::step] for other in others]))
    return int(np.argmax(distances >= REACHED * distances.max()))


def _top_speeds(clip: Clip) -> FloatArray:
    """Return the speed (T,) of the fastest joint relative to the root, metres per frame."""
    body = clip.body
    if body.n_frames < 3:
        return np.zeros(body.n_frames)
    relative = body.world_positions() - body.root_positions[:, None]
    speeds = np.linalg.norm(np.gradient(relative, axis=0), axis=-1)
    width = max(1, round(PEAK_SMOOTHING / body.frame_time)) | 1
    kernel = np.ones(width) / width
    smooth = np.stack([np.convolve(column, kernel, mode="same")[: len(column)] for column in speeds.T])
    return np.asarray(smooth.max(axis=0))


def _poses(node: GraphNode) -> FloatArray:
    """Return the joints (T, 3 J) of a take, seen from the body's place on the ground and its facing."""
    points = node.clip.body.world_positions()
    x, z, yaw = node.track.T[:, :, None]
    own_x, own_z = rotate_on_ground(-yaw, points[..., 0] - x, points[..., 2] - z)
    return np.stack([own_x, points[..., 1], own_z], axis=-1).reshape(len(points), -1)


def _distances(poses: FloatArray, others: FloatArray) -> FloatArray:
    """Return the distance (T,) of each pose (T, D) from the nearest of others (N, D)."""
    squares = (poses**2).sum(axis=1)[:, None] + (others**2).sum(axis=1) - 2.0 * poses @ others.T
    return np.asarray(np.sqrt(np.maximum(squares.min(axis=1), 0.0)))
