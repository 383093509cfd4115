"""`python -m benchmarks.library PROOF`: what a library of takes must show.

- `quality` hits that are right and actions that are found, on actions marked by hand
- `exactness` the top 100 against the distance computed everywhere
- `bound` ten million pairs of samples
- `speed` a search beside the full computation, NumPy and faiss; sizes; a web of ten minutes
- `growth` query time and memory with perturbed copies
- `kill` processes killed while they add, a reader meanwhile, two writers, a full disk
- `fuzz` damaged catalogues and shards
- `cluster` what a block of takes costs more on a Dask cluster

`--library FOLDER` names where the library of all takes is kept; `--count N` how many queries per action,
queries, pairs, kills or cases.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

DEFAULTS = {
    "quality": 4,
    "exactness": 200,
    "bound": 10_000_000,
    "speed": 20,
    "growth": 50,
    "kill": 50,
    "fuzz": 10_000,
    "cluster": 200,
}

SMALL_WORDS = ("speed", "--count", "1")
SMALL_PARTS = ("library.speed",)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Show what a library of takes must show.")
    parser.add_argument("proof", choices=list(DEFAULTS))
    parser.add_argument("--library", type=Path)
    parser.add_argument("--count", type=int)
    given = parser.parse_args(words)
    count = given.count or DEFAULTS[given.proof]
    if given.proof == "quality":
        from benchmarks.library import quality

        quality.run(given.library, count)
    elif given.proof == "exactness":
        from benchmarks.library import exactness

        exactness.run(given.library, count)
    elif given.proof == "bound":
        from benchmarks.library import bound

        bound.run(given.library, count)
    elif given.proof == "speed":
        from benchmarks.library import speed

        speed.run(given.library, count)
    elif given.proof == "growth":
        from benchmarks.library import growth

        growth.run(given.library, [n for n in (1, 2, 5, 10, 20, 50) if n <= count])
    elif given.proof == "kill":
        from benchmarks.library import kill

        kill.run(count)
    elif given.proof == "cluster":
        from benchmarks.library import cluster

        cluster.run(given.library, count)
    else:
        from benchmarks.library import fuzz

        fuzz.run(count)


if __name__ == "__main__":
    main()
