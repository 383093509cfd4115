"""Place the frames of a blend on the ground.

The clips' corresponding frames are aligned with each other into a group, and each group is placed so that
the blend continues every clip's path, averaged by weight (:mod:`motionloom.kernels.place`).
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, read_only_view
from motionloom.blending.sources import BlendSources
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform, splines
from motionloom.geometry import rotations as rot
from motionloom.geometry.ground_transform import compose_rows
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing

MIN_MEAN_DIRECTION = 1e-9
"""Length of a mean direction below which the clips face opposite ways and have none."""


@dataclass(frozen=True, eq=False, repr=False)
class PlacedFrames:
    """Source frames, weights and transforms of the T frames of a blend.

    Attributes
    ----------
    positions
        (T,) on the timewarp curve, in pieces; for periodic curves, within one cycle.
    cycles
        (T,) completed cycles before each frame.
    weights
        (T, K), with sum 1.
    frames
        (T, K) source frames, counted from frame 0 of each clip; for cyclic clips they may lie in the next
        cycle.
    alignments
        (T, K, 3) transforms of the clips into the group of corresponding frames.
    roots
        (T, K, 3) root positions within the group.
    placements
        (T, 3) transforms of the group into the result's world.
    """

    positions: FloatArray
    cycles: FloatArray
    weights: FloatArray
    frames: FloatArray
    alignments: FloatArray
    roots: FloatArray
    placements: FloatArray

    def reversed(self) -> PlacedFrames:
        """Return the same frames in the opposite order."""
        return PlacedFrames(*(getattr(self, field.name)[::-1] for field in fields(self)))


def place_frames(
    sources: BlendSources, positions: FloatArray, weights: FloatArray, place: GroundTransform | None
) -> PlacedFrames:
    """Place the frames at positions (T,) with weights (T, K) one after the other.

    The first is where ``place`` says, or where the clips are on average.
    """
    n_frames, n_clips = weights.shape
    cycles = np.zeros(n_frames)
    if sources.periodic:
        cycles = np.floor(positions / sources.n_pieces)
        positions = positions - cycles * sources.n_pieces
    frames = splines.evaluate(sources.warp_points, positions)
    roots = sources.sample(sources.root_rows, frames)

    alignments, placements = np.empty((n_frames, n_clips, 3)), np.empty((n_frames, 3))
    scale = (len(sources.align_points) - 2) / sources.n_pieces
    first = read_only_view(positions[:1] * scale)
    placements[0] = _first_placement(sources, frames[0], roots[0], weights[0], float(first[0]), place)
    kernels.place.place_all(
        *sources.alignment,
        read_only_view(positions * scale),
        read_only_view(cycles),
        roots,
        read_only_view(weights),
        alignments,
        placements,
    )
    return PlacedFrames(positions, cycles, weights, frames, alignments, roots, placements)


def _first_placement(
    sources: BlendSources,
    frames: FloatArray,
    roots: FloatArray,
    weights: FloatArray,
    position: float,
    place: GroundTransform | None,
) -> FloatArray:
    """Return yaw, x, z of the first group: where the clips are on average, or where the caller wants it."""
    alignments = np.empty_like(roots)
    kernels.place.align(*sources.alignment, position, alignments)
    grouped = roots.copy()
    kernels.place.to_group(alignments, grouped)
    x, _, z = weights @ grouped
    if place is None:
        # The yaws that undo the alignment may lie anywhere on the circle: average them as directions.
        direction = weights @ np.exp(-1j * alignments[:, 0])
        yaw = float(np.angle(direction)) if abs(direction) > MIN_MEAN_DIRECTION else 0.0
        goal_x, _, goal_z = (weights @ roots).tolist()
    else:
        yaw = place.yaw - _heading(sources, frames, weights, alignments)
        goal_x, goal_z = place.x, place.z
    shift = GroundTransform(yaw).apply([float(x), 0.0, float(z)])
    return np.array([yaw, goal_x - shift[0], goal_z - shift[2]])


def _heading(sources: BlendSources, frames: FloatArray, weights: FloatArray, alignments: FloatArray) -> float:
    """Return the yaw in radians that the blended body faces within the group."""
    skeleton = sources.curve.clips[0].skeleton
    rotations = np.empty(4 * skeleton.n_joints)
    kernels.average.average_rotations(
        sources.rotation_rows,
        sources.firsts,
        sources.signs[0],
        read_only_view(frames),
        read_only_view(weights),
        np.empty((0, len(weights))),
        read_only_view(np.ascontiguousarray(alignments[:, 0])),
        0.0,
        rotations,
        np.empty(skeleton.n_joints),
    )
    pose = rot.normalize(rotations.reshape(1, -1, 4))
    return float(facing(Clip(skeleton, 1.0, np.zeros((1, 3)), pose))[0])


def find_source_frames(sources: BlendSources, placed: PlacedFrames) -> tuple[FloatArray, FloatArray]:
    """Return the source frames (T, K) within the clips, and the transforms (T, K, 3) into the result."""
    frames, alignments = placed.frames.copy(), placed.alignments
    periods = sources.curve.timewarp.periods
    if periods is not None:
        cycles = np.floor(frames / periods)
        frames -= cycles * periods
        # A frame of the next cycle is the same frame of this one, moved by the travel of a cycle.
        alignments = compose_rows(alignments, cycles[..., None] * sources.travels)
    return frames, compose_rows(placed.placements[:, None], alignments)


def check_place(place: object) -> None:
    """Raise an error unless a place is None or a :class:`GroundTransform`."""
    if place is not None and not isinstance(place, GroundTransform):
        raise ParameterError(
            f"must be a GroundTransform(yaw, x, z), not {place!r}", parameter="place", value=place
        )
