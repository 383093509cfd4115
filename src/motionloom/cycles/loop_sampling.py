"""Poses between captured frames without flattened peaks."""

from __future__ import annotations

from dataclasses import replace

from motionloom.arrays import FloatArray, freeze
from motionloom.motion import Clip
from motionloom.motion.sampling import sample_rotations, sample_vectors


def sampled_smoothly(clip: Clip, frames: FloatArray) -> Clip:
    """The poses at fractional frames (N,), by a cubic through four near ones; annotations are left out.

    Linear sampling would flatten every peak and leave corners in the velocities.

    >>> import numpy as np
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> bool((sampled_smoothly(clip, np.arange(5.0)).root_positions == clip.root_positions[:5]).all())
    True
    """
    bones = clip.translations
    return replace(
        clip,
        root_positions=freeze(sample_vectors(clip.root_positions, frames, "lagrange")),
        rotations=freeze(sample_rotations(clip.rotations, frames, "lagrange")),
        translations=None if bones is None else freeze(sample_vectors(bones, frames, "lagrange")),
        constraints=(),
        events=(),
        cyclic=False,
        report=None,
    )
