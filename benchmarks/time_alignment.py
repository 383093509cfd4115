"""Time alignment of 600 × 600 frames against four other packages, and how time grows with length.

Run with `make bench`. tslearn, librosa and dtaidistance have no slope limit, so they solve an easier problem;
dtw-python's symmetricP1 and symmetricP05 allow the same runs as slope limits 2 and 3. The lower bound is
reading the grid once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from benchmarks.peers import find_peer
from benchmarks.timing import median_seconds, print_table
from motionloom.arrays import FloatArray
from motionloom.registration.time_alignment import align_times
from motionloom.registration.windowed_dtw import align_times_windowed

N_FRAMES = 600
N_FEATURES = 66
LENGTHS, LONG_LENGTHS = (300, 600, 1200, 2400), (2500, 5000, 10_000, 20_000)
SMALL = {"N_FRAMES": 30, "LENGTHS": (30, 60), "LONG_LENGTHS": (100, 200)}


def main() -> None:
    costs = distances(*features(N_FRAMES))
    rows = {
        f"motionloom, W = {limit}, {form}": median_seconds(
            partial(align_times, costs, slope_limit=limit, form=form)
        )
        for form in ("reversible", "thesis")
        for limit in (2, 3)
    }
    rows |= peer_times(costs)
    rows["reading the grid once"] = median_seconds(costs.sum)
    print_table(
        f"Time alignment, {N_FRAMES} × {N_FRAMES} frames, corner to corner, with path", rows, next(iter(rows))
    )
    print_growth("Whole grid, W = 2, pinned ends", LENGTHS, whole_grid)
    print_growth("Windows of 20 frames, W = 2, pinned ends", LONG_LENGTHS, windowed)


def features(n_frames: int) -> tuple[FloatArray, FloatArray]:
    """Two feature curves (T, F) that run through the same cycle at varying rates."""
    rng = np.random.default_rng(1)
    phases, rates = rng.uniform(0, 2 * np.pi, N_FEATURES), rng.integers(1, 4, N_FEATURES)
    times = np.arange(n_frames) / 30.0
    warped = times + 0.3 * np.sin(times)
    first, second = (np.sin(2 * np.pi * np.outer(t, rates) + phases) for t in (times, warped))
    return first, second + 0.2 * rng.normal(size=second.shape)


def distances(first: FloatArray, second: FloatArray) -> FloatArray:
    squares = (first**2).sum(1)[:, None] + (second**2).sum(1) - 2.0 * first @ second.T
    costs: FloatArray = np.maximum(squares, 0.0)
    return costs


def peer_times(costs: FloatArray) -> dict[str, float]:
    """The peers that are installed, after a check that all of them agree where they should."""
    rows = {}
    if tslearn := find_peer("tslearn.metrics"):
        rows["tslearn dtw_path_from_metric, no slope limit"] = median_seconds(
            lambda: tslearn.dtw_path_from_metric(costs, metric="precomputed")
        )
    if dtaidistance := find_peer("dtaidistance.dtw_ndim"):
        curves = features(N_FRAMES)
        rows["dtaidistance dtw_ndim, from the curves, no slope limit"] = median_seconds(
            lambda: dtaidistance.warping_path(*curves, use_c=True)
        )
        unlimited = align_times(costs, slope_limit=N_FRAMES).cost
        assert np.isclose(unlimited, dtaidistance.distance(*curves) ** 2), "the two disagree"
    if librosa := find_peer("librosa.sequence"):
        rows["librosa sequence.dtw, no slope limit"] = median_seconds(lambda: librosa.dtw(C=costs))
        unlimited = align_times(costs, slope_limit=N_FRAMES).cost
        assert np.isclose(unlimited, librosa.dtw(C=costs)[0][-1, -1]), "the two disagree"
    if dtw := find_peer("dtw"):
        for pattern, limit in (("symmetricP1", 2), ("symmetricP05", 3)):
            rows[f"dtw-python {pattern}, as W = {limit}"] = median_seconds(
                partial(dtw.dtw, costs, step_pattern=pattern)
            )
    return rows


def whole_grid(n_frames: int) -> Callable[[], object]:
    costs = distances(*features(n_frames))
    return lambda: align_times(costs)


def windowed(n_frames: int) -> Callable[[], object]:
    first, second = features(n_frames)
    return lambda: align_times_windowed(
        lambda rows, columns: distances(first[rows], second[columns]), (n_frames, n_frames)
    )


def print_growth(title: str, lengths: Sequence[int], case: Callable[[int], Callable[[], object]]) -> None:
    """Print the time per length, and the slope of the line through all of them on log-log axes."""
    seconds = [median_seconds(case(length), 3) for length in lengths]
    print(title)
    for length, time in zip(lengths, seconds, strict=True):
        print(f"  {length:6d} frames  {1000 * time:9.2f} ms")
    print(f"  grows with the power {np.polyfit(np.log(lengths), np.log(seconds), 1)[0]:.2f} of the length\n")


if __name__ == "__main__":
    main()
