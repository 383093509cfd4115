"""Ten million pairs of samples: is a bound ever above the distance that it bounds?

Samples of the library, mirrored ones, those of other rigs (captured clips and game rigs of the corpus) and of
built-in motion, each with each. A squared bound may exceed the squared distance by the rounding of single
precision; stated is the largest excess in millimetres.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP
from benchmarks.library.corpus_library import open_library
from motionloom import synthesis
from motionloom.arrays import FloatArray
from motionloom.errors import MotionloomError
from motionloom.library.body_points import mirror_points, sample_points
from motionloom.library.signatures import (
    Windows,
    bound_distances,
    make_windows,
    measure_distances,
    sign_windows,
)

SEED = 11
SAMPLES = 1000


def run(path: Path | None, n_pairs: int) -> None:
    library = open_library(path)
    rng = np.random.default_rng(SEED)
    kinds = {"library": _library_windows(library, rng), "other rigs": _other_windows(rng)}
    kinds["mirrored"] = _library_windows(library, rng, mirrored=True)
    blocks = max(1, -(-n_pairs // (3 * SAMPLES * SAMPLES)))
    print(f"{'pairs':<28}{'number':>12}{'above':>8}{'largest excess mm':>20}{'median tightness':>18}")
    for name in kinds:
        above, excess, tight, count = 0, 0.0, [], 0
        for _ in range(blocks):
            a, b = _draw(kinds["library"], rng), _draw(kinds[name], rng)
            distances = measure_distances(a, b)
            bounds = bound_distances(sign_windows(a), sign_windows(b)).astype(np.float64)
            over = bounds - distances
            above += int((over > 0.0).sum())
            excess, count = max(excess, float(over.max())), count + over.size
            tight.append(float(np.median(bounds / np.maximum(distances, 1e-9))))
        print(f"library with {name:<15}{count:>12}{above:>8}{1000 * excess:>20.5f}{np.mean(tight):>18.3f}")


def _draw(windows: Windows, rng: np.random.Generator) -> Windows:
    chosen = rng.integers(windows.heights.shape[1], size=SAMPLES)
    ground, heights = windows.ground[:, :, chosen], windows.heights[:, chosen]
    return Windows(np.ascontiguousarray(ground), np.ascontiguousarray(heights))


def _library_windows(library: ml.Library, rng: np.random.Generator, mirrored: bool = False) -> Windows:
    index = library._read().index
    points = [index.points(n).astype(np.float64) for n in rng.integers(len(index.rows), size=120)]
    return _join([mirror_points(each) if mirrored else each for each in points])


def _other_windows(rng: np.random.Generator) -> Windows:
    paths = [p for folder in ("game", "dialects", "actions") for p in sorted((MOCAP / folder).rglob("*.*"))]
    points = [sample_points(synthesis.kick(fps=30).clip), sample_points(synthesis.walk(duration=3.0).clip)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in paths:
            try:
                points.append(sample_points(ml.load(path)))
            except (MotionloomError, OSError):
                continue
    print(f"{len(points)} motions of other rigs")
    return _join(points)


def _join(points: list[FloatArray]) -> Windows:
    windows = [make_windows(each, 30) for each in points if len(each) > 10]
    return Windows(
        np.concatenate([w.ground for w in windows], axis=2),
        np.concatenate([w.heights for w in windows], axis=1),
    )
