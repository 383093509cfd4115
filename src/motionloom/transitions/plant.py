"""Planted feet of a transition."""

from __future__ import annotations

from dataclasses import replace

from motionloom.blending.result import BlendResult
from motionloom.enforcement import enforce


def plant_transition(result: BlendResult) -> BlendResult:
    """Plant the feet of a transition on the motion's own floor; its report names plants that are released.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import jog, walk
    >>> from motionloom.transitions import transition
    >>> result = transition(*(annotate(make(duration=4.0, fps=30).clip) for make in (walk, jog)))
    >>> plant_transition(result).report.seams == result.report.seams
    True
    """
    if not result.clip.constraints:
        return result
    planted = enforce(result.clip)
    report = replace(result.report, notes=(*result.report.notes, *map(str, planted.report.released)))
    return replace(result, clip=planted.clip, report=report)
