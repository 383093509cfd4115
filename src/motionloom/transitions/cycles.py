"""Cyclic clips as long as a transition needs them, and what their frames are called in one cycle."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import GroundTransform
from motionloom.geometry.ground_transform import compose_rows
from motionloom.motion import Clip
from motionloom.motion.sampling import WHOLE_FRAME
from motionloom.motion.unroll import travel, unroll

PLENTY = 2.0
"""A cyclic clip so many times as long as what is taken of it offers enough places without being repeated."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Used:
    """A clip as it is used, and how its frames are found again in the clip that was given.

    Attributes
    ----------
    clip
        The clip as it is used; not cyclic.
    period
        Frames of one cycle of the given clip, or None for one that is not repeated.
    cycle_travel
        Where one cycle leads.
    shift
        Frame of the given clip, running on from cycle to cycle, with which the used one begins.
    way
        Where the given clip was moved.
    """

    clip: Clip
    period: int | None = None
    cycle_travel: GroundTransform = field(default_factory=GroundTransform)
    shift: int = 0
    way: GroundTransform = field(default_factory=GroundTransform)

    def given(self, frame: int) -> int:
        """What a frame of the used clip is called in the given one."""
        return frame + self.shift if self.period is None else (frame + self.shift) % self.period

    def going_on(self, first: int, way: GroundTransform) -> Used:
        """The same from frame ``first`` on, moved by ``way``."""
        return replace(self, clip=self.clip[first:].placed(way), shift=self.shift + first, way=way @ self.way)

    def named(self, frames: FloatArray, placements: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Frames (N,) and placements (N, 3) of the used clip as those of the clip that was given."""
        own = frames + self.shift
        # A hair of rounding must not send the first frame of a cycle to the end of the one before.
        cycles = np.zeros(len(own)) if self.period is None else np.floor((own + WHOLE_FRAME) / self.period)
        rows = placements.copy()
        for cycle in np.unique(cycles).tolist():
            way = self.way
            for _ in range(int(cycle)):
                way = way @ self.cycle_travel
            at = cycles == cycle
            rows[at] = compose_rows(rows[at], way.row())
        return own - cycles * (self.period or 0), rows


def used(clip: Clip, *, before: float, after: float, frame: int | None, loop: bool) -> Used:
    """A clip with enough frames before and after one of its frames, or after any: cyclic ones may repeat.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> cycle = cyclify(walk().clip, n_cycles=1)
    >>> used(cycle, before=70, after=10, frame=5, loop=True).clip.n_frames == 3 * cycle.n_frames
    True
    """
    cycles = _cycles(clip.n_frames, before, after, frame) if clip.cyclic and loop else 1
    if cycles == 1:
        return Used(clip=replace(clip, cyclic=False) if clip.cyclic else clip)
    return Used(
        clip=replace(unroll(clip, cycles), cyclic=False), period=clip.n_frames, cycle_travel=travel(clip)
    )


def _cycles(period: int, before: float, after: float, frame: int | None) -> int:
    """How many cycles there must be."""
    if frame is None:
        enough = period >= PLENTY * (before + after)
        return 1 if enough else 1 + int(np.ceil((before + after) / period))
    earlier = int(np.ceil(max(0.0, before - frame) / period))
    later = int(np.ceil(max(0.0, frame + after - (period - 1)) / period))
    return earlier + 1 + later
