"""`GraphNode`: a take of a motion graph, and where its body is on the ground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from motionloom.annotation.floor import Floor
from motionloom.annotation.ground import find_floor
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.ground_path import ground_track


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
