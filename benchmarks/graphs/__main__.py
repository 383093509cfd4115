"""`python -m benchmarks.graphs PROOF`: what motion graphs and paths must show.

- `build` a graph of ten minutes: edges, time in all and per edge, core, seams and slide of all edges
- `walk` ten hours of random walk (dead ends, takes visited, longest repeat), and ten minutes that are made
- `curves` random smooth curves of 20 m: deviation, speed error, time over real time
- `shapes` a square, a figure of eight, spirals
- `held-out` the paths of twenty takes that are not in the graph, beside the takes themselves
- `control` the same curves and shapes by blending alone, steered by speed and turn
- `fairmotion` random walks over fairmotion's graph of the same takes, beside ours
- `goto` random targets and facings: distance and turn at the end, length over 1.5 Dubins paths + 1 m
- `actions` walk a path, kick at a mark, sit down at its end
- `growth` time and memory of graphs of more and more takes
- `determinism` graphs and motions by seed and by number of processes
- `strangers` takes that share nothing
- `fuzz` damaged graph files
- `pictures` some twenty results from above and as sheets of poses, into `--pictures`

Graphs are of the set `--set`: "several" (walks, turns and runs of all subjects), "one" (subject 16 and its
mirror images), or the number of a subject. `--graph FILE` keeps a graph: it is read if the file exists, and
else built and written there. `--count` is how many curves, targets, takes or files there are. Times are of
the processor.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.graphs.sets import load_takes, open_graph

PROOFS = (
    "build",
    "walk",
    "curves",
    "shapes",
    "held-out",
    "control",
    "fairmotion",
    "goto",
    "actions",
    "growth",
    "determinism",
    "strangers",
    "fuzz",
    "pictures",
)


def main(words: Sequence[str] | None = None) -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("proof", choices=PROOFS)
    parser.add_argument("--set", help='"several", "one" or a subject')
    parser.add_argument("--graph", type=Path, help="a file to keep the graph in")
    parser.add_argument("--density", type=int, help="transitions per second; by default the library's own")
    parser.add_argument("--apart", metavar="SUBJECT", help="hold out takes of one subject, and all of it")
    parser.add_argument("--jobs", type=int, default=2, help="processes that build")
    parser.add_argument("--count", type=int, help="curves, targets, takes or files")
    parser.add_argument("--minutes", type=float, default=10.0, help="of walks that are made")
    parser.add_argument("--pictures", type=Path, help="folder for pictures, outside the checkout")
    given = parser.parse_args(words)
    given.set = given.set or ("113" if given.proof == "actions" else "several")
    if given.pictures is not None:
        given.pictures.mkdir(parents=True, exist_ok=True)
    _run(given)


def _run(given: argparse.Namespace) -> None:
    """Import what a proof needs, and run it."""
    match given.proof:
        case "build":
            from benchmarks.graphs.build import measure_build

            graph = measure_build(load_takes(given.set), density=given.density, jobs=given.jobs)
            if given.graph is not None:
                graph.save(given.graph, overwrite=True)
        case "walk":
            from benchmarks.graphs.walks import measure_walk

            measure_walk(open_graph(given), given.minutes)
        case "curves" | "shapes" | "goto" | "actions":
            from benchmarks.graphs import paths

            paths.run(given)
        case "held-out":
            from benchmarks.graphs.held_out import measure_held_out

            measure_held_out(given)
        case "control":
            from benchmarks.graphs.control import measure_control

            measure_control(given.count or 50)
        case "fairmotion":
            from benchmarks.graphs.fairmotion_walk import measure_fairmotion

            measure_fairmotion(given)
        case "growth":
            from benchmarks.graphs.build import measure_growth

            measure_growth(given.density)
        case "determinism":
            from benchmarks.graphs.build import check_determinism

            check_determinism(given.density)
        case "strangers":
            from benchmarks.graphs.build import join_strangers

            join_strangers()
        case "fuzz":
            from benchmarks.graphs.fuzz import fuzz_files

            fuzz_files(given.count or 3000, seed=1)
        case "pictures":
            from benchmarks.graphs.pictures import draw_results

            draw_results(given)


if __name__ == "__main__":
    main()
