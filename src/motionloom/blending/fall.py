"""Fall: in flight, the centre of mass of a blend is the mean of the clips' centres.

The mean of the roots with the mean of the rotations has its centre of mass elsewhere, by millimetres or
centimetres that change in flight. The difference is taken from the root in flight, and less and less of it on
the ground before and after.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, freeze, read_only_view
from motionloom.blending.held_weights import find_flight_frames
from motionloom.blending.place import PlacedFrames
from motionloom.blending.result import BlendedFlight
from motionloom.blending.sources import BlendSources
from motionloom.geometry.ground_transform import apply_rows
from motionloom.motion import Pose
from motionloom.motion.anatomy import find_body_masses


def let_fall(sources: BlendSources, placed: PlacedFrames, poses: Pose) -> Pose:
    """Return poses (T,) whose centres of mass are the means of the clips' centres in flight."""
    body = find_body_masses(poses.skeleton)
    if body is None or not len(sources.flights):
        return poses
    fractions = np.empty(len(placed.positions))
    kernels.advance.flight_fractions(
        sources.flights, sources.n_pieces, read_only_view(placed.positions), fractions
    )
    # A frame of one clip is that clip's frame to the last bit.
    at = np.flatnonzero((fractions > 0.0) & ~(placed.weights == 1.0).any(axis=1))
    if not len(at):
        return poses
    centres = apply_rows(placed.alignments[at], sources.sample(sources.centre_rows, placed.frames[at]))
    goals = apply_rows(placed.placements[at], np.einsum("tk,tkc->tc", placed.weights[at], centres))
    moved = None if poses.translations is None else poses.translations[at]
    some = Pose(poses.skeleton, poses.root_positions[at], poses.rotations[at], moved)
    roots = poses.root_positions.copy()
    actual = body.centre(some.world_positions(), some.world_rotations())
    roots[at] += fractions[at, None] * (goals - actual)
    return replace(poses, root_positions=freeze(roots))


def describe_flights(
    sources: BlendSources, positions: FloatArray, weights: FloatArray
) -> tuple[tuple[BlendedFlight, ...], tuple[str, ...]]:
    """Return the flights of a blend with output frames at positions (T,), and notes on what falls otherwise.

    ``weights`` (T, K) have sum 1; positions increase.
    """
    frame_time = sources.curve.clips[0].frame_time
    notes = _describe_unmatched(sources)
    flights = []
    for row, matched in zip(sources.flights, sources.matched_flights, strict=True):
        period = float(sources.n_pieces) if sources.periodic else None
        for start, end in find_flight_frames(positions, row[None], period).tolist():
            own = weights[min(max(round((start + end) / 2.0), 0), len(weights) - 1)]
            durations = (matched.frames[1] - matched.frames[0]) * frame_time
            square = float(own @ durations**2)
            limit = kernels.advance.MIN_RATE_FRACTION * float(durations.min())
            if square < 2.0 * limit**2:
                notes.append(
                    f"these weights leave the flight at {start * frame_time:.2f} s no duration that keeps "
                    f"gravity (Σ w T² = {square:.3g} s²): it follows the mean rate of the clips"
                )
                continue
            gravity = matched.blend_gravity(own)
            flights.append(BlendedFlight(max(start, 0.0), min(end, len(positions) - 1.0), gravity))
    flights.sort(key=lambda flight: flight.start)
    return tuple(flights), tuple(dict.fromkeys(notes))


def _describe_unmatched(sources: BlendSources) -> list[str]:
    """Return one note per clip on its flights that not all clips have."""
    frame_time = sources.curve.clips[0].frame_time
    notes = []
    for k in sorted({k for k, _ in sources.unmatched_flights}):
        flights = [flight for own, flight in sources.unmatched_flights if own == k]
        start, end = flights[0].start * frame_time, flights[0].end * frame_time
        more = f" and {len(flights) - 1} times more" if len(flights) > 1 else ""
        notes.append(
            f"clip {k} flies from {start:.2f} to {end:.2f} s{more} where not all clips do: the blend "
            "does not fall freely there"
        )
    return notes
