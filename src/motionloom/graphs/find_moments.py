"""`find_moment`: the frame of a take at which its action happens."""

from __future__ import annotations

import numpy as np

from motionloom.graphs.node import GraphNode
from motionloom.motion import Clip
from motionloom.motion.path import Moment

PEAK_SMOOTHING = 0.1
"""Seconds over which speeds are averaged before the largest is sought: a glitch of one frame is no kick."""


def find_moment(node: GraphNode, tag: str, moment: Moment, *, first: int = 0, last: int | None = None) -> int:
    """Return the frame at which the action of a take happens (:class:`motionloom.motion.path.Action`).

    ``first`` and ``last`` are the frames that count as its start and its end; by default its very ends.
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
    return find_peak(node.clip)


def find_peak(clip: Clip) -> int:
    """Return the frame at which a joint moves fastest relative to the root.

    >>> from motionloom.synthesis import kick
    >>> motion = kick(fps=30)
    >>> 0 < find_peak(motion.clip) < motion.clip.n_frames - 1
    True
    """
    body = clip.body
    if body.n_frames < 3:
        return 0
    relative = body.world_positions() - body.root_positions[:, None]
    speeds = np.linalg.norm(np.gradient(relative, axis=0), axis=-1)
    width = max(1, round(PEAK_SMOOTHING / body.frame_time)) | 1
    kernel = np.ones(width) / width
    smooth = np.stack([np.convolve(column, kernel, mode="same") for column in speeds.T], axis=-1)
    return int(np.argmax(smooth.max(axis=1)))
