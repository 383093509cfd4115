"""Poses between captured frames without flattened peaks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip

STENCIL = 4
"""Captured frames that take part in a pose between frames: a cubic through them."""


def sampled_smoothly(clip: Clip, frames: FloatArray) -> Clip:
    """The poses at fractional frames (N,), by a cubic through four near ones; annotations are left out.

    Linear sampling would flatten every peak and leave corners in the velocities.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> bool((sampled_smoothly(clip, np.arange(5.0)).root_positions == clip.root_positions[:5]).all())
    True
    """
    width = min(STENCIL, clip.n_frames)
    first = np.clip(np.floor(frames).astype(np.int64) - 1, 0, clip.n_frames - width)
    index = first[:, None] + np.arange(width)
    weights = _cubic_weights(frames - first, width)
    low = int(first.min())
    quaternions = rot.unrolled(clip.rotations[low : int(first.max()) + width])
    moved = clip.translations
    return replace(
        clip,
        root_positions=freeze(np.einsum("nw,nwc->nc", weights, clip.root_positions[index])),
        rotations=freeze(rot.normalize(np.einsum("nw,nwjc->njc", weights, quaternions[index - low]))),
        translations=None if moved is None else freeze(np.einsum("nw,nwjc->njc", weights, moved[index])),
        constraints=(),
        events=(),
        cyclic=False,
        report=None,
    )


def _cubic_weights(places: FloatArray, width: int) -> FloatArray:
    """Lagrange weights (N, width) of samples at 0, 1, … for places (N,) among them."""
    nodes = np.arange(width)
    weights = np.ones((len(places), width))
    for node in nodes:
        for other in nodes[nodes != node]:
            weights[:, node] *= (places - other) / (node - other)
    return weights
