"""Excursions: values that leave their path for a few frames and come back.

A glitch has two sharp edges, and between them nothing belongs to the motion. So a run of frames is an
excursion where the cubic bridge from the frames before it to the frames after it runs far from the values,
and where the path is several times smoother with the bridge than without: the largest second difference
drops to a fraction. Fast motion does not pass that test. A kick or a strike bends the path once, and a bridge
over the bend only spreads the bend; a movement that swings out and back within a few frames has no sharp
edges. Joints that jitter all the time have no excursions: an edge must stand out from what is around. And at
low frame rates, where a fast movement out and back fits between a few frames, what a body could do is left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray, IntArray, read_only_view
from motionloom.repair.bridge import cubic_weights

MAX_ROUGHNESS = 0.33
"""Largest second difference with the bridge, over that of the weaker edge without. A bend that is bridged
leaves about half of its second difference, a spike among noise of a tenth of its size about 0.15."""

MAX_LONG_ROUGHNESS = 0.2
"""The same for excursions of more than three frames, whose edges may be unrelated bends of fast motion."""

LONG = 3
"""Frames beyond which an excursion is long."""

EDGE_FRACTION = 0.7
"""Second difference at both edges of an excursion, as a fraction of the smallest size that counts."""

MIN_END_FRACTION = 0.3
"""How far the first and the last frame of an excursion must be off, as a fraction of the one that is most."""

MAX_STEP_RATIO = 0.6
"""Largest step of the bridge and of the frames around, over the size of the excursion: what is hardly larger
than a step of the motion cannot be told from it."""

MIN_TAKEN_FRACTION = 0.6
"""Excursions of this fraction of the smallest size that counts are not reported, but taken into account, so
that they do not appear as parts of longer ones."""

MAX_END_STEP_RATIO = 0.3
"""The same where only one frame before or after the excursion is left, which may be wrong itself."""


MAX_ARCH = 0.5
"""Largest distance of the bridge from a straight line, over the size of the excursion. A joint that jitters
has slopes that swing the bridge out as far as the jitter: what is noise is left to smoothing."""

MIN_PROMINENCE, N_AROUND = 8.0, 3
"""Second difference of the weaker edge over the median of those around, up to so many times the longest
excursion away. The largest of such a stretch of noise is up to 5 times its median: joints that jitter (toes
whose markers shake) have no single frames that are wrong."""

SWING = 1.0 / 16.0
"""How far a joint gets that sets off, turns back and stops within a time, over its acceleration times the
square of that time: a quarter of the time to set off, half of it to turn back, a quarter to stop."""

INITIAL_CAPACITY = 256
"""Runs that there is room for at first; where more are found, they are looked for once more."""


class Excursion(NamedTuple):
    """Frames ``first`` to ``last`` of series ``series`` lie up to ``size`` off the bridge over them."""

    series: int
    first: int
    last: int
    size: float


def rotation_roughness(rotations: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return what neighbouring rotations (T, J, 4) of each joint have to do with each other.

    Inner products (T - 1, J), sizes (T, J) of second differences whatever the signs, and which neighbours are
    equal bit for bit (T - 1, J).
    """
    n_frames, n_joints = rotations.shape[:2]
    products, roughness = np.empty((n_frames - 1, n_joints)), np.empty((n_frames, n_joints))
    still = np.empty((n_frames - 1, n_joints), dtype=np.bool_)
    kernels.roughness.rotation_roughness(rotations, products, roughness, still)
    return products, roughness, still


def vector_roughness(values: FloatArray) -> FloatArray:
    """Return the sizes (T, S) of second differences of vectors (T, S, C); 0 at the first and last frame.

    >>> vector_roughness(np.array([0.0, 0.0, 3.0, 0.0]).reshape(4, 1, 1)).ravel().tolist()
    [0.0, 3.0, 6.0, 0.0]
    """
    roughness = np.empty(values.shape[:2])
    kernels.roughness.vector_roughness(read_only_view(values), roughness)
    return roughness


def find_excursions(
    values: FloatArray,
    roughness: FloatArray,
    min_sizes: FloatArray,
    max_frames: int,
    *,
    max_bends: FloatArray | None = None,
    rotations: bool = False,
) -> list[Excursion]:
    """Return the excursions of S series that last at most ``max_frames`` frames, shortest first.

    Parameters
    ----------
    values
        (T, S, C) vectors, or unit quaternions.
    roughness
        (T, S) sizes of their second differences.
    min_sizes
        (S,) smallest distance from the bridge that counts.
    max_frames
        Longest excursion looked for.
    max_bends
        (S,) largest second differences of real motion: no excursion counts that a movement out and back with
        such accelerations could be.
    rotations
        Whether the values are quaternions; sizes are distances between quaternions then.

    >>> path = np.zeros((9, 1, 1)); path[4] = 1.0
    >>> find_excursions(path, vector_roughness(path), np.array([0.5]), 3)
    [Excursion(series=0, first=4, last=4, size=1.0)]
    """
    lengths = np.arange(1, max_frames + 1)
    edge = np.full(max_frames, EDGE_FRACTION * MIN_TAKEN_FRACTION)
    rough = np.where(lengths <= LONG, MAX_ROUGHNESS, MAX_LONG_ROUGHNESS)
    constants = MAX_STEP_RATIO, MAX_END_STEP_RATIO, MIN_END_FRACTION, MIN_TAKEN_FRACTION, MAX_ARCH
    limits = np.column_stack(
        [edge, rough, *(np.full(max_frames, each) for each in (*constants, MIN_PROMINENCE))]
    )
    weights = np.zeros((max_frames, max_frames, 4))
    for length in lengths.tolist():
        weights[length - 1, :length] = cubic_weights(length)
    bends = np.zeros(len(min_sizes)) if max_bends is None else SWING * max_bends
    capacity = INITIAL_CAPACITY
    while True:
        runs, sizes = np.empty((capacity, 3), dtype=np.int64), np.empty(capacity)
        count = kernels.roughness.find_runs(
            read_only_view(values),
            roughness,
            min_sizes,
            bends,
            weights,
            limits,
            N_AROUND * max_frames,
            rotations,
            runs,
            sizes,
            np.empty((max_frames + 4, values.shape[2])),
            np.empty(2 * N_AROUND * max_frames),
        )
        if count <= capacity:
            break
        capacity = count
    return _choose(runs[:count], sizes[:count], min_sizes, bends, len(values))


def _choose(
    runs: IntArray, sizes: FloatArray, min_sizes: FloatArray, max_bends: FloatArray, n_frames: int
) -> list[Excursion]:
    """Return runs that do not touch, the shortest first and then the largest, and of them the large ones."""
    taken: dict[int, BoolArray] = {}
    found: list[Excursion] = []
    for n in np.lexsort((-sizes, runs[:, 2])).tolist():
        series, first, length = runs[n].tolist()
        own = taken.setdefault(series, np.zeros(n_frames, dtype=np.bool_))
        if own[max(first - 1, 0) : first + length + 1].any():
            continue
        own[first : first + length] = True
        if sizes[n] > max(min_sizes[series], max_bends[series] * (length + 1) ** 2):
            found.append(Excursion(series, first, first + length - 1, float(sizes[n])))
    return found
