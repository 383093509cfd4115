"""Spaces made from what a search in a library finds, without hand work: kicks and sits.

Run `python -m benchmarks.spaces.found [--requests N] [--library FOLDER]`. An example is searched in the
library of 910 takes, also mirrored; the hits that probably are the same motion are given to `MotionSpace` as
they are. Printed are which of them were left out, and the errors of random requests over the space, in
percent of the clips' range: of interpolated weights, of corrected ones, and of the finished motion with feet
planted and inverse kinematics.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP
from benchmarks.library.corpus_library import open_library
from motionloom.spaces.accuracy import measure_accuracy
from motionloom.spaces.measures import Parameter
from motionloom.spaces.report import SpaceReport

N_HITS = 20

SEARCHES: dict[str, tuple[str, dict[str, Parameter]]] = {
    "kicks, how high the foot goes": (
        "actions/kicks/soccerkick_10_03.bvh",
        {"foot": ml.parameters.height("RightFoot")},
    ),
    "kicks, where the foot is at its apex": (
        "actions/kicks/soccerkick_10_03.bvh",
        {"foot": ml.parameters.position("RightFoot", axes="yz")},
    ),
    "sits, how low the seat is": (
        "actions/sits/sit_high_75_18.bvh",
        {"seat": ml.parameters.height("Hips", "lowest")},
    ),
    "sits, how low and how long": (
        "actions/sits/sit_high_75_18.bvh",
        {"seat": ml.parameters.height("Hips", "lowest"), "time": ml.parameters.duration()},
    ),
}
"""Name -> example, and what is asked for."""


def measure_finished(space: ml.MotionSpace, n_requests: int) -> list[float]:
    """Return the largest error of each finished motion, as a fraction of the clips' range."""
    ranges = np.ptp(space.examples, axis=0)
    errors = []
    for request in space.hull.draw_points(n_requests, 1):
        report = space.blend(request).report
        assert isinstance(report, SpaceReport)
        errors.append(float(np.abs((report.measured - request) / ranges).max()))
    return errors


def main() -> None:
    """Search, make the spaces, and print their accuracy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--library", type=Path, default=None)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    library = open_library(arguments.library)
    for name, (example, parameters) in SEARCHES.items():
        hits = library.search(ml.load(MOCAP / example), k=N_HITS, mirrored=True).near()
        start = time.process_time()
        space = ml.MotionSpace(hits, parameters)
        seconds = time.process_time() - start
        print(f"{name}: {len(hits)} hits, {seconds:.1f} s of processor time; {space}")
        for note in space.notes:
            print(f"  note: {note}")
        print("  " + str(measure_accuracy(space, arguments.requests)).replace("\n", "\n  "))
        median, most, worst = 100.0 * np.percentile(
            measure_finished(space, arguments.requests // 3), [50, 95, 100]
        )
        print(
            f"  finished motion:      median {median:.2g} %, 95 % within {most:.2g} %, largest {worst:.2g} %"
        )


if __name__ == "__main__":
    main()
