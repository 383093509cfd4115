"""The path of the root: velocities are blended, and what they add up to is exact for each clip.

Between two output frames, every clip moves by the difference of its own positions at the two source frames,
seen from the mean of its steady headings there. The weighted mean of these steps, and of the turns, is added
to where the blend is. One cycle of constant weights therefore travels exactly as far, and turns exactly as
much, as the mean of the clips' cycles, however unevenly their source frames follow each other; and a clip
with weight 1 is copied.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.framespace.basis_clips import BasisFrames
from motionloom.geometry import GroundTransform

NO_DIRECTION = 1e-9
"""Length of a mean of directions below which they cancel each other."""


class RootPath(NamedTuple):
    """Headings (T,) and root positions (T, 3) of a blend, and transforms (T, K, 3) of the source frames."""

    headings: FloatArray
    positions: FloatArray
    placements: FloatArray


def blend_root(
    basis: BasisFrames, frames: FloatArray, weights: FloatArray, place: GroundTransform | None
) -> RootPath:
    """Blend the root's path for source frames (T, K), counted on from cycle to cycle, and weights (T, K)."""
    inside, cycles = basis.wrap(frames)
    roots = basis.sample(basis.root_rows, inside)
    headings = basis.headings_at(inside)
    # The next frame as seen from the cycle that this one lies in.
    following = frames[1:] - cycles[:-1] * basis.lengths
    moves = basis.sample(basis.root_rows, following) - roots[:-1]
    yaw_changes = basis.headings_at(following) - headings[:-1]
    mean_weights = (weights[1:] + weights[:-1]) / 2.0
    relative = _rotate_y(-(headings[:-1] + yaw_changes / 2.0), moves)

    start, origin = _find_start(headings[0], roots[0], weights[0], place)
    yaw_steps = np.einsum("tk,tk->t", mean_weights, yaw_changes)
    yaws = start + np.concatenate([[0.0], np.cumsum(yaw_steps)])
    steps = _rotate_y(yaws[:-1] + yaw_steps / 2.0, np.einsum("tk,tkc->tc", mean_weights, relative))
    positions = origin + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    positions[:, 1] = np.einsum("tk,tk->t", weights, roots[..., 1])
    return RootPath(yaws, positions, _find_placements(yaws, positions, headings, roots))


def _find_start(
    headings: FloatArray, roots: FloatArray, weights: FloatArray, place: GroundTransform | None
) -> tuple[float, FloatArray]:
    """Return heading and position (3,) of the first frame: the mean of the clips', or the requested ones."""
    if place is not None:
        return place.yaw, np.array([place.x, 0.0, place.z])
    # Clips may head in all directions: their mean is a direction too.
    mean = weights @ np.exp(1j * headings)
    yaw = float(np.angle(mean)) if abs(mean) > NO_DIRECTION else 0.0
    return yaw, np.asarray(weights @ roots)


def _find_placements(
    yaws: FloatArray, positions: FloatArray, headings: FloatArray, roots: FloatArray
) -> FloatArray:
    """Return yaw, x, z (T, K, 3) that put every clip's root where the blend's is."""
    angles = yaws[:, None] - headings
    offsets = positions[:, None] - _rotate_y(angles, roots)
    return np.stack([angles, offsets[..., 0], offsets[..., 2]], axis=-1)


def _rotate_y(yaws: FloatArray, vectors: FloatArray) -> FloatArray:
    """Rotate vectors (..., 3) about the vertical by yaws (...)."""
    c, s = np.cos(yaws), np.sin(yaws)
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.stack([x * c + z * s, y, z * c - x * s], axis=-1)
