"""Putting the parts of a blend together into one clip."""

from __future__ import annotations

from dataclasses import replace

from motionloom.blending.constrain import BlendedAnnotations
from motionloom.blending.result import BlendReport
from motionloom.motion import Clip, Pose


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
        # A blend is written like the model but is not what is in its file.
        source=replace(model.source, path="", notes=()),
        report=report,
    )
