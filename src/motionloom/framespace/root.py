"""The path of the root: velocities are blended, and what they add up to is exact for each clip.

Between two output frames, every clip moves by the difference of its own positions at the two source frames,
seen from the middle of its steady heading there. The weighted mean of these steps, and of the turns, is added
to where the blend is. One cycle of constant weights therefore leads exactly as far, and turns exactly as
much, as the mean of the clips' cycles, however unevenly their source frames follow each other; and a clip
with weight 1 is copied.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.framespace.basis_clips import FrameSources
from motionloom.geometry import GroundTransform

NO_DIRECTION = 1e-9
"""Length of a mean of directions below which they cancel each other."""


class RootPath(NamedTuple):
    """Headings (T,) and root positions (T, 3) of a blend, and transforms (T, K, 3) of the source frames."""

    headings: FloatArray
    positions: FloatArray
    placements: FloatArray


def root_path(
    sources: FrameSources, frames: FloatArray, weights: FloatArray, place: GroundTransform | None
) -> RootPath:
    """The root's path for source frames (T, K), counted on from cycle to cycle, and weights (T, K)."""
    inside, cycles = sources.within(frames)
    roots = sources.sampled(sources.root_rows, inside)
    headings = sources.heading_at(inside)
    # The next frame as seen from the cycle that this one lies in.
    following = frames[1:] - cycles[:-1] * sources.lengths
    moved = sources.sampled(sources.root_rows, following) - roots[:-1]
    turned = sources.heading_at(following) - headings[:-1]
    middle = (weights[1:] + weights[:-1]) / 2.0
    seen = _turned(-(headings[:-1] + turned / 2.0), moved)

    start, origin = _beginning(headings[0], roots[0], weights[0], place)
    turns = np.einsum("tk,tk->t", middle, turned)
    yaws = start + np.concatenate([[0.0], np.cumsum(turns)])
    steps = _turned(yaws[:-1] + turns / 2.0, np.einsum("tk,tkc->tc", middle, seen))
    positions = origin + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    positions[:, 1] = np.einsum("tk,tk->t", weights, roots[..., 1])
    return RootPath(yaws, positions, _placements(yaws, positions, headings, roots))


def _beginning(
    headings: FloatArray, roots: FloatArray, weights: FloatArray, place: GroundTransform | None
) -> tuple[float, FloatArray]:
    """Heading and position (3,) of the first frame: where the clips are, on average, or where it is asked."""
    if place is not None:
        return place.yaw, np.array([place.x, 0.0, place.z])
    # Clips may head all round the circle: their mean is a direction.
    mean = weights @ np.exp(1j * headings)
    yaw = float(np.angle(mean)) if abs(mean) > NO_DIRECTION else 0.0
    return yaw, np.asarray(weights @ roots)


def _placements(
    yaws: FloatArray, positions: FloatArray, headings: FloatArray, roots: FloatArray
) -> FloatArray:
    """Yaw, x, z (T, K, 3) that put every clip's root where the blend's is."""
    angles = yaws[:, None] - headings
    shifts = positions[:, None] - _turned(angles, roots)
    return np.stack([angles, shifts[..., 0], shifts[..., 2]], axis=-1)


def _turned(yaws: FloatArray, vectors: FloatArray) -> FloatArray:
    """Vectors (..., 3) turned about the vertical by yaws (...)."""
    c, s = np.cos(yaws), np.sin(yaws)
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.stack([x * c + z * s, y, z * c - x * s], axis=-1)
