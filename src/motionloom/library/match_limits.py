"""Within which distance a segment probably is the same motion as a query.

That depends on how much the query moves: 5 cm are another action for someone who breathes, and the same one
for someone who turns a cartwheel. And it depends on the segment: where much of the library lies near it, as
near a step of a walk, it must be nearer to the query than a segment that resembles nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, freeze
from motionloom.library.exact_search import RARITY_RADIUS, weigh_samples
from motionloom.library.signatures import SampleRate, Singles, Windows, measure_distances

RELATIVE_DISTANCE = 0.66
"""Fraction of spread and ordinary distance within which a segment counts as the same motion. This and the two
below were chosen on actions that were marked by hand (``python -m benchmarks.library quality``)."""

ORDINARY = 0.03
"""Fraction of the library's samples that lie within the ordinary distance of a sample."""

EXPONENT = 2.0 / 3.0
"""Exponent of the ordinary distance; the spread has what is missing to 1."""

REFERENCE_STEP = 4
"""Every how manieth reference is looked at: a few hundred tell the ordinary distance well enough."""

MIN_APART = 0.3
"""Seconds between samples of a motion whose distances tell how much it moves."""


def measure_spread(windows: Windows, rate: SampleRate) -> float:
    """Return the median distance of samples of a motion that are at least 0.3 s apart, metres."""
    distances = measure_distances(windows, windows)
    n = len(distances)
    rows, columns = np.triu_indices(n, min(n - 1, round(MIN_APART * rate)))
    return float(np.median(distances[rows, columns]))


def choose_limits(segments: Sequence[Singles], references: Singles, spread: float) -> FloatArray:
    """Return for each segment the metres within which it probably is the same motion as a query.

    Parameters
    ----------
    segments
        Signatures (27, n) of each.
    references
        Signatures (27, R) of samples spread over the library.
    spread
        How much the query moves, metres.
    """
    if not segments:
        return freeze(np.empty(0))
    few = np.ascontiguousarray(references[:, ::REFERENCE_STEP])
    n_few = few.shape[1]
    if n_few == 0:
        return freeze(np.full(len(segments), RELATIVE_DISTANCE * spread))
    samples = np.concatenate(segments, axis=1)
    counts, nearest = np.empty(samples.shape[1], np.int64), np.empty(samples.shape[1], np.float32)
    rank = min(n_few - 1, round(ORDINARY * n_few))
    scratch = np.empty((3, n_few), np.float32), np.empty(rank + 1, np.float32)
    kernels.subsequence.rank_bounds(few.ravel(), n_few, samples, RARITY_RADIUS, *scratch, counts, nearest)
    weights = weigh_samples(counts, n_few)
    first = np.cumsum([0, *(each.shape[1] for each in segments[:-1])])
    ordinary = np.add.reduceat(weights * nearest.astype(np.float64), first) / np.add.reduceat(weights, first)
    return freeze(RELATIVE_DISTANCE * spread ** (1.0 - EXPONENT) * ordinary**EXPONENT)
