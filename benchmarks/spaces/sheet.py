"""Twenty results of motion spaces in a sheet, to be looked at, with numbers that point at faults.

Run `python -m benchmarks.spaces.sheet FOLDER`. Random requests are made in each captured set, and in spaces
made from a search where `--library` names one (as for `benchmarks.spaces.found`). FOLDER gets `sheet.html`,
and for each result a row of poses from the side and one from the front. Printed for each: what was asked for;
the weights; the largest speed of a joint over the largest in the clips with weight; the largest slide of a
planted foot; and the lowest height of a joint, beside that of the clips.
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
from motionloom.motion import Clip
from motionloom.spaces.report import SpaceReport
from motionloom.spaces.space import MotionSpace

PER_SET = {"kicks, captured": 3, "gaits, captured": 4, "reaches, captured": 3}
"""Results of a set; two of the others."""

N_POSES = 8


def max_speed(clip: Clip) -> float:
    """Return the largest speed of a joint, seen from the root, m/s."""
    positions = clip.world_positions()
    positions = positions - positions[:, :1]
    return float(np.linalg.norm(np.diff(positions, axis=0), axis=-1).max() * clip.fps)


def measure_slide(clip: Clip) -> float:
    """Return how far a planted point moves over the ground at most, metres."""
    positions = clip.world_positions()
    worst = 0.0
    for constraint in clip.constraints:
        first, last = int(np.ceil(constraint.start)), int(np.floor(constraint.end))
        held = positions[first : last + 1, clip.skeleton.index(constraint.joint)][:, [0, 2]]
        if constraint.kind == "plant" and len(held) > 1:
            worst = max(worst, float(np.linalg.norm(held - held[0], axis=1).max()))
    return worst


def min_height(clip: Clip) -> float:
    """Return the lowest height of a joint, metres."""
    return float(clip.world_positions()[..., 1].min())


def describe(space: MotionSpace, result: BlendResult) -> str:
    """Return the numbers of a result in one line."""
    report, clip = result.report, result.clip
    assert isinstance(report, SpaceReport)
    used = [space.curve.clips[k] for k in np.flatnonzero(np.abs(result.weights[0]) > 0.05)]
    asked = ", ".join(f"{name} {value:.2f}" for name, value in zip(report.names, report.request, strict=True))
    ratio = max_speed(clip) / max(max_speed(each) for each in used)
    weights = result.weights[0][np.abs(result.weights[0]) > 0.005].round(2).tolist()
    return (
        f"{asked} | weights {weights} | speed x{ratio:.2f} | slide {1000 * measure_slide(clip):.2f} mm | "
        f"lowest {100 * min_height(clip):.1f} cm (clips {100 * min(min_height(each) for each in used):.1f})"
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
