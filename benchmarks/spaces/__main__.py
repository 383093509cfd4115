"""Motion spaces measured: accuracy, truth, smoothness or live, with --requests and --only.

- accuracy: random requests over the hull of measured blends; errors in percent of the clips' range, before
  inverse kinematics, of our weights and of other ways to choose weights; the volumes of both hulls; how far
  positions are off after inverse kinematics, and how far planted feet slide.
- truth: every clip left out in turn and its parameters asked for; distance of joints to the real take.
- smoothness: requests along lines; the largest steps of weights and joints, and whether they are jumps.
- live: time of interpolated weights and of a step; how far a held hand is from a moving target, and how fast
  joints get; a walk whose step is asked for elsewhere while it plays.
"""

from __future__ import annotations

import argparse
import warnings

from benchmarks.corpus import need_corpus
from benchmarks.spaces.accuracy import measure_accuracy
from benchmarks.spaces.live import measure_live
from benchmarks.spaces.sets import SETS
from benchmarks.spaces.smoothness import measure_smoothness
from benchmarks.spaces.truth import print_truth
from motionloom.errors import MotionloomError

MEASURES = {"smoothness": measure_smoothness, "live": measure_live}


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["accuracy", "truth", *MEASURES])
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--finished", type=int, default=500, help="requests of accuracy that are finished")
    parser.add_argument("--only", default="", help="sets whose name has this word")
    arguments = parser.parse_args()
    need_corpus()
    warnings.simplefilter("ignore")
    chosen = [each for each in SETS if arguments.only in each.name]
    if arguments.what == "truth":
        print_truth(chosen)
        return
    for each in chosen:
        try:
            if arguments.what == "accuracy":
                measure_accuracy(each, arguments.requests, arguments.finished)
            else:
                MEASURES[arguments.what](each, arguments.requests)
        except MotionloomError as error:
            print(f"{each.name}: {error}")


if __name__ == "__main__":
    main()
