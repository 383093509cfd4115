"""The course of a blend: where on the curve each output frame lies, and where on the ground."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

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

RateLaw = Literal["frequency", "duration"]
Integrator = Literal["rk4", "euler"]

LAWS: dict[str, int] = {"frequency": 0, "duration": 1}


@dataclass(frozen=True, eq=False)
class Course:
    """Where the frames of a blend come from.

    Attributes
    ----------
    positions
        (T,) on the timewarp curve, in pieces; of periodic curves within one cycle.
    cycles
        (T,) whole cycles before each frame.
    weights
        (T, K), with sum 1.
    frames
        (T, K) rows of the clips, counted from their frame 0; of cyclic clips it may lie in the next cycle.
    aligned
        (T, K, 3) transforms into the group of corresponding frames.
    roots
        (T, K, 3) root positions within the group.
    placements
        (T, 3) transforms of the group into the result's world.
    """

    positions: FloatArray
    cycles: FloatArray
    weights: FloatArray
    frames: FloatArray
    aligned: FloatArray
    roots: FloatArray
    placements: FloatArray

    def reversed(self) -> Course:
        """The same frames in the opposite order."""
        return Course(*(getattr(self, field.name)[::-1] for field in fields(self)))


def advanced(
    sources: BlendSources,
    weights: FloatArray,
    first: float,
    step: float = 1.0,
    rate: RateLaw = "frequency",
    integrator: Integrator = "rk4",
) -> FloatArray:
    """Positions (M,) on the curve of output frames from ``first`` on: all N rows of weights, or fewer.

    ``step`` is source frames per output frame, negative to go backward.
    """
    if rate not in LAWS:
        raise ParameterError(f"rate must be one of {', '.join(LAWS)}, not {rate!r}")
    if integrator not in ("rk4", "euler"):
        raise ParameterError(f"integrator must be one of rk4, euler, not {integrator!r}")
    positions = np.empty(len(weights))
    count = kernels.advance.advance(
        sources.warp_points,
        sources.periodic,
        read_only_view(weights),
        float(first),
        float(step),
        LAWS[rate],
        integrator == "euler",
        positions,
    )
    return positions[:count]


def laid_course(
    sources: BlendSources, positions: FloatArray, weights: FloatArray, place: GroundTransform | None
) -> Course:
    """Place the frames at these positions (T,) one after the other, from the given place on."""
    n_frames, n_clips = weights.shape
    cycles = np.zeros(n_frames)
    if sources.periodic:
        cycles = np.floor(positions / sources.n_pieces)
        positions = positions - cycles * sources.n_pieces
    frames = splines.evaluate(sources.warp_points, positions)
    roots = sources.sampled(sources.root_rows, frames)

    aligned, placements = np.empty((n_frames, n_clips, 3)), np.empty((n_frames, 3))
    scale = (len(sources.align_points) - 2) / sources.n_pieces
    first = read_only_view(positions[:1] * scale)
    placements[0] = _first_placement(sources, frames[0], roots[0], weights[0], float(first[0]), place)
    kernels.place.place_all(
        *sources.alignment,
        read_only_view(positions * scale),
        read_only_view(cycles),
        roots,
        read_only_view(weights),
        aligned,
        placements,
    )
    return Course(positions, cycles, weights, frames, aligned, roots, placements)


def _first_placement(
    sources: BlendSources,
    frames: FloatArray,
    roots: FloatArray,
    weights: FloatArray,
    position: float,
    place: GroundTransform | None,
) -> FloatArray:
    """Yaw, x, z of the first group: where the clips are, on average, or where the caller wants it."""
    aligned = np.empty_like(roots)
    kernels.place.align(*sources.alignment, position, aligned)
    grouped = roots.copy()
    kernels.place.to_group(aligned, grouped)
    x, _, z = weights @ grouped
    if place is None:
        # The turns that undo the alignment may lie all round the circle: their mean is a direction.
        votes = weights @ np.exp(-1j * aligned[:, 0])
        yaw = float(np.angle(votes)) if abs(votes) > 1e-9 else 0.0
        goal_x, _, goal_z = (weights @ roots).tolist()
    else:
        share = position / (len(sources.align_points) - 2)
        yaw = place.yaw - _heading(sources, share * sources.n_pieces, frames, weights, aligned)
        goal_x, goal_z = place.x, place.z
    shift = GroundTransform(yaw).apply([float(x), 0.0, float(z)])
    return np.array([yaw, goal_x - shift[0], goal_z - shift[2]])


def _heading(
    sources: BlendSources, position: float, frames: FloatArray, weights: FloatArray, aligned: FloatArray
) -> float:
    """Which way the blended body faces within the group, in radians."""
    skeleton = sources.curve.clips[0].skeleton
    turns = np.empty((skeleton.n_joints, 4))
    kernels.average.average_rotations(
        sources.rotation_rows,
        sources.firsts,
        sources.signs[sources.sign_rows(np.array([position]))[0]],
        read_only_view(frames),
        read_only_view(weights),
        np.empty((0, len(weights))),
        read_only_view(aligned[:, 0]),
        0.0,
        turns,
    )
    return float(facing(Clip(skeleton, 1.0, np.zeros((1, 3)), rot.normalize(turns)[None]))[0])


def source_frames(sources: BlendSources, course: Course) -> tuple[FloatArray, FloatArray]:
    """Source frames (T, K) within the clips, and the transforms (T, K, 3) that put them into the result."""
    frames, aligned = course.frames.copy(), course.aligned
    periods = sources.curve.timewarp.periods
    if periods is not None:
        cycles = np.floor(frames / periods)
        frames -= cycles * periods
        # A frame of the next cycle is the frame of this one, moved on by the travel.
        aligned = compose_rows(aligned, cycles[..., None] * sources.travels)
    return frames, compose_rows(course.placements[:, None], aligned)
