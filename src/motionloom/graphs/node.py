"""`GraphNode`: a take of a motion graph, and where its body is on the ground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.annotation.floor import Floor
from motionloom.annotation.ground import find_floor
from motionloom.arrays import FloatArray, freeze
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing


@dataclass(frozen=True, eq=False)
class GraphNode:
    """Motion that plays as it is, between transitions.

    Attributes
    ----------
    name
        What the take is called; no two nodes of a graph have the same name.
    clip
        The take, brought to the graph's frame rate, body and floor and planted, with its plants and events.
    tags
        Labels of the take, such as "walk".
    """

    name: str
    clip: Clip
    tags: tuple[str, ...] = ()

    @property
    def n_frames(self) -> int:
        """Frames of the take."""
        return self.clip.n_frames

    @cached_property
    def track(self) -> FloatArray:
        """(T, 3) x and z of the body on the ground, metres, and the yaw it faces, radians, continuous."""
        return ground_track(self.clip)

    @cached_property
    def floor(self) -> Floor:
        """The floor that the take's feet stand on."""
        return find_floor(self.clip)

    def __repr__(self) -> str:
        tags = f", {', '.join(self.tags)}" if self.tags else ""
        return f"GraphNode({self.name!r}, {self.clip.duration:.1f} s{tags})"


def ground_track(clip: Clip) -> FloatArray:
    """Return x, z and yaw (T, 3) of a clip's body on the ground; the yaw does not jump by whole turns.

    >>> from motionloom.synthesis import walk
    >>> track = ground_track(walk(duration=2.0, fps=30).clip)
    >>> track.shape, bool(abs(track[-1, 0]) < 0.1), bool(track[-1, 1] > 1.0)
    ((61, 3), True, True)
    """
    body = clip.body
    yaws = np.unwrap(facing(body))
    return freeze(np.column_stack([body.root_positions[:, 0], body.root_positions[:, 2], yaws]))
