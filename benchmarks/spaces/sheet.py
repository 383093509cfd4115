"""Twenty results of motion spaces in a sheet, to be looked at, with numbers that point at faults.

Run `python -m benchmarks.spaces.sheet FOLDER`. Random requests are made in each captured set, and in spaces
made from a search where `--library` names one (as for `benchmarks.spaces.found`). FOLDER gets `sheet.html`,
and for each result a row of poses from the side and one from the front. Printed for each: what was asked
for; the weights; the largest speed and jerk of a joint over the largest in the clips with weight; the largest
slide of a planted foot; how deep feet are below the ground, beside those of the clips; how deep limbs pass
into each other.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.library.corpus_library import open_library
from benchmarks.spaces.found import N_HITS, SEARCHES
from benchmarks.spaces.sets import SETS
from motionloom.blending.result import BlendResult
from motionloom.spaces.report import SpaceReport
from motionloom.spaces.space import MotionSpace

PER_SET = {"kicks, captured": 3, "gaits, captured": 4, "reaches, captured": 3}
"""Results of a set; two of the others."""

N_POSES = 8

MIN_WEIGHT = 0.05
"""Clips with less weight are not compared with."""


def describe(space: MotionSpace, result: BlendResult) -> str:
    """Return the numbers of a result in one line."""
    report = result.report
    assert isinstance(report, SpaceReport)
    shares = result.weights[0]
    own = ml.measure(result.clip)
    used = [ml.measure(space.curve.clips[k]) for k in np.flatnonzero(np.abs(shares) > MIN_WEIGHT)]

    def compare(name: str) -> float:
        return own.value(name) / max(each.value(name) for each in used)

    asked = ", ".join(f"{name} {value:.2f}" for name, value in zip(report.names, report.request, strict=True))
    deepest = max(each.value("largest penetration") for each in used)
    return (
        f"{asked} | weights {shares[np.abs(shares) > MIN_WEIGHT].round(2).tolist()} | speed "
        f"x{compare('fastest joint'):.2f} | jerk x{compare('peak jerk'):.2f} | slide "
        f"{10 * own.value('largest slide'):.3f} mm | below ground {own.value('largest penetration'):.1f} cm "
        f"(clips {deepest:.1f}) | limbs overlap {own.value('limb overlap'):.1f} cm"
    )


def make_spaces(library: Path | None) -> dict[str, tuple[MotionSpace, int]]:
    """Return the spaces, and how many results to make of each."""
    spaces = {
        chosen.name: (MotionSpace(chosen.clips(), chosen.parameters), PER_SET.get(chosen.name, 2))
        for chosen in SETS
        if "captured" in chosen.name
    }
    if library is not None:
        for name in ("kicks, how high the foot goes", "sits, how low the seat is"):
            example, parameters = SEARCHES[name]
            hits = open_library(library).search(ml.load(MOCAP / example), k=N_HITS, mirrored=True).near()
            spaces[f"found: {name}"] = (MotionSpace(hits, parameters), 2)
    return spaces


def main() -> None:
    """Make the sheet and print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path, default=None)
    parser.add_argument("--seed", type=int, default=24)
    arguments = parser.parse_args()
    need_corpus()
    warnings.simplefilter("ignore")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    results, names, captions = [], [], []
    for name, (space, count) in make_spaces(arguments.library).items():
        for request in space.hull.draw_points(count, arguments.seed):
            result = space.blend(request)
            results.append(result)
            names.append(f"{len(results)} {name}")
            captions.append(describe(space, result))
            print(f"{names[-1]}: {captions[-1]}", flush=True)
            for view in ("side", "front"):
                path = arguments.folder / f"{len(results):02d}_{view}.png"
                ml.render(result.clip, path, n_poses=N_POSES, view=view, overwrite=True)
    ml.sheet(results, arguments.folder / "sheet.html", names=names, captions=captions, overwrite=True)


if __name__ == "__main__":
    main()
