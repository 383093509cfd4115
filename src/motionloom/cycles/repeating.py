"""Clips that go on for ever where they can."""

from __future__ import annotations

from motionloom.cycles.loop_report import CycleReport
from motionloom.cycles.looping import cyclify
from motionloom.errors import ParameterError
from motionloom.motion import Clip


def repeating(clip: Clip) -> Clip:
    """The longest cycle of a clip, or the clip itself where it is cyclic or no cycle closes well.

    >>> from motionloom.synthesis import stand, walk
    >>> repeating(walk(duration=3.0).clip).cyclic, repeating(stand(duration=0.1).clip).cyclic
    (True, False)
    """
    if clip.cyclic:
        return clip
    try:
        cycle = cyclify(clip)
    except ParameterError:
        return clip
    found = cycle.report
    return cycle if isinstance(found, CycleReport) and found.passed else clip


def frame_in_cycle(frame: int, clip: Clip, asked: str = "") -> int:
    """What a frame of a clip is called in the cycle that was closed of it; ``asked`` begins an error.

    >>> from motionloom.synthesis import walk
    >>> cycle = repeating(walk(duration=3.0).clip)
    >>> frame_in_cycle(cycle.report.start, cycle)
    0
    """
    found = clip.report
    if not isinstance(found, CycleReport):
        return frame
    if not found.start <= frame <= found.end:
        asked = asked or f"the clips are to meet at frame {frame} of one"
        raise ParameterError(f"{asked}, of which frames {found.start} to {found.end:.0f} repeat")
    return round((frame - found.start) * clip.n_frames / (found.end - found.start)) % clip.n_frames
