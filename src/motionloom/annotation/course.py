"""What annotation looks at: a clip itself, or a cyclic clip with a cycle before it and one after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from motionloom.annotation.plants import Interval
from motionloom.motion import Clip, Event
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, unroll


class Course(NamedTuple):
    """The motion around a clip, in which its plants and events are looked for.

    A cyclic clip goes on over its seam, so that nothing begins or ends there only because frames do.

    Attributes
    ----------
    clip
        The motion to look at.
    first, end
        Its frames at which the clip begins and ends; a cyclic clip ends at the seam.
    """

    clip: Clip
    first: int
    end: int

    @classmethod
    def around(cls, clip: Clip) -> Course:
        """The course of a clip; a cycle too short to go on from is taken by itself.

        >>> from motionloom.cycles import cyclify
        >>> from motionloom.synthesis import walk
        >>> loop = cyclify(walk().clip, cycles=1)
        >>> loop.n_frames, Course.around(loop)[1:]
        (62, (62, 124))
        """
        if clip.cyclic and clip.n_frames >= MIN_CYCLE_FRAMES:
            return cls(unroll(clip, 3), clip.n_frames, 2 * clip.n_frames)
        return cls(clip, 0, clip.n_frames)

    def intervals(self, found: Iterable[Interval]) -> list[Interval]:
        """The parts of intervals that lie within the clip, in its frames; the seam cuts one into two."""
        cut = ((max(start, self.first), min(end, self.end)) for start, end in found)
        return [(start - self.first, end - self.first) for start, end in cut if start < end]

    def events(self, found: Iterable[Event]) -> list[Event]:
        """The events that lie within the clip, in its frames; what happens at the seam is there once."""
        inside = (event for event in found if self.first <= event.frame < self.end)
        return [event.retimed(1.0, -self.first) for event in inside]
