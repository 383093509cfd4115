"""Putting the parts of a blend together into one clip."""

from __future__ import annotations

from dataclasses import replace

from motionloom.blending.constrain import BlendedAnnotations
from motionloom.blending.result import BlendReport
from motionloom.motion import Clip, Pose
from motionloom.motion.source import Source


def conventions_of(model: Clip) -> Source:
    """What new motion takes over from the file of a model: it is written like it but is not what is in it."""
    return replace(model.source, path="", notes=())


def assembled(
    model: Clip, poses: Pose, found: BlendedAnnotations, report: BlendReport, cyclic: bool = False
) -> Clip:
    """The clip of blended poses (T,) and annotations, with the rate and the file's conventions of a model."""
    return replace(
        model,
        skeleton=poses.skeleton,
        root_positions=poses.root_positions,
        rotations=poses.rotations,
        translations=poses.translations,
        constraints=found.constraints,
        events=found.events,
        cyclic=cyclic,
        source=conventions_of(model),
        report=report,
    )
