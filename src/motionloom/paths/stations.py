"""`find_stations`: how far along a path a body is, frame by frame, while it follows the path."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray
from motionloom.paths.path import Line

Value = TypeVar("Value", bound=np.generic)

LOOK_AHEAD = 0.4
"""Metres of path, beyond the length of a step, that a body may cut off: the inside of a tight corner."""


START_REACH = 0.5
"""Metres of path within which a body starts."""

SAMPLE_STRIDE = 3
"""Frames between those whose stations are found; the others lie between them."""

BAND = 12.0
"""Metres of path to either side of the best place so far within which the body is: a loop that is cut short
is shorter. Without a bound, time and memory would grow with the square of the path."""

MAX_STEP_RATIO, MIN_REACH = 2.0, 0.1
"""A body may advance along the path by so many times the length of its step, and by so many metres."""


def find_stations(path: Line, positions: FloatArray) -> FloatArray:
    """Return metres along a path (T,) of a body at positions (T, 2), which never decrease.

    Of all assignments that start at the path's start and advance no faster than the body, the one with the
    smallest sum of squared distances: where a path crosses itself, the body is on the part that it has come
    to, and where it cuts a corner or a loop short, it is found again.

    >>> line, body = Line([[0, 0], [0, 2]]), np.array([[0.1, 0.0], [0.1, 0.5], [0.1, 1.0]])
    >>> find_stations(line, body).round(2).tolist()
    [0.0, 0.5, 1.0]
    """
    n_frames = len(positions)
    frames = np.unique(np.append(np.arange(0, n_frames, SAMPLE_STRIDE if n_frames > 30 else 1), n_frames - 1))
    sampled = positions[frames]
    steps = np.linalg.norm(np.diff(sampled, axis=0, prepend=sampled[:1]), axis=1)
    spacing = path.length / (len(path.stations) - 1)
    reaches = np.ceil((MAX_STEP_RATIO * steps + MIN_REACH) / spacing).astype(np.int64)
    n_samples, band = len(path.stations), int(BAND / spacing)
    indices = np.arange(min(2 * band + 1, n_samples))
    first = 0
    costs = np.where(path.stations[indices] <= START_REACH, _squares(path, sampled[0], indices), np.inf)
    # Place in the band of the sample before, and the sample of the path at which each band begins.
    origins, firsts = np.zeros((len(frames), len(indices)), dtype=np.int32), np.zeros(len(frames), np.int64)
    for n in range(1, len(frames)):
        costs, origin = _advance(costs, int(reaches[n]), indices)
        shift = max(0, min(first + int(np.argmin(costs)) - band, n_samples - len(indices)) - first)
        first += shift
        costs, origins[n] = _shift(costs, shift, np.inf), _shift(origin, shift, 0)
        costs = costs + _squares(path, sampled[n], first + indices)
        firsts[n] = first
    found = np.empty(len(frames), dtype=np.int64)
    at = int(np.argmin(costs))
    for n in range(len(frames) - 1, -1, -1):
        found[n] = firsts[n] + at
        at = int(origins[n, at])
    return np.asarray(np.interp(np.arange(n_frames), frames, path.stations[found]))


def _squares(path: Line, position: FloatArray, samples: IntArray) -> FloatArray:
    """Return the squared distances (M,) of samples (M,) of a path from a position (2,)."""
    return np.asarray(((path.positions[samples] - position) ** 2).sum(axis=1))


def _shift(values: npt.NDArray[Value], by: int, fill: float) -> npt.NDArray[Value]:
    """Return values (M,) without the first few, filled up at the end."""
    return np.concatenate([values[by:], np.full(by, fill, dtype=values.dtype)]) if by else values


def _advance(costs: FloatArray, reach: int, indices: IntArray) -> tuple[FloatArray, IntArray]:
    """Return the smallest cost (M,) among each place and ``reach`` before it, and where it is."""
    best, origin = costs, indices
    width = 1
    # The minimum over a wide window is that of two narrower ones that cover it.
    while width <= reach and width < len(costs):
        shift = min(width, reach + 1 - width)
        before, earlier = np.full(len(costs), np.inf), indices.copy()
        before[shift:], earlier[shift:] = best[:-shift], origin[:-shift]
        closer = before < best
        best, origin = np.where(closer, before, best), np.where(closer, earlier, origin)
        width += shift
    return best, origin
