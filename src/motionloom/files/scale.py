"""Changing the length unit of a whole clip."""

from __future__ import annotations

from dataclasses import replace

from motionloom.arrays import freeze
from motionloom.motion import Clip, Source, Tip


def scaled(clip: Clip, factor: float, source: Source) -> Clip:
    """The clip with every length multiplied, and another source."""
    if factor == 1.0:
        return replace(clip, source=source)
    skeleton = replace(
        clip.skeleton,
        offsets=freeze(clip.skeleton.offsets * factor),
        tips=tuple(Tip(tip.joint, tip.offset * factor) for tip in clip.skeleton.tips),
    )
    return replace(
        clip,
        source=source,
        skeleton=skeleton,
        root_positions=freeze(clip.root_positions * factor),
        translations=None if clip.translations is None else freeze(clip.translations * factor),
        constraints=tuple(
            replace(c, point=c.point * factor, target=None if c.target is None else c.target * factor)
            for c in clip.constraints
        ),
    )
