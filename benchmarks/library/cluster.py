"""What a block of takes costs more on a Dask cluster than here: two worker processes, a web of many blocks.

The same web is made in this process and on the cluster, in blocks so small that handing them over is what
takes time. Results must be the same. The time of empty blocks is what the cluster adds to each.
"""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path

import numpy as np

from benchmarks.library.corpus_library import open_library
from motionloom.jobs.parallel import connect_scheduler
from motionloom.library import match_web


def run(path: Path | None, n_blocks: int) -> None:
    library = open_library(path)
    chosen = {take.id for take in library.takes[:: max(1, len(library.takes) // 40)]}
    match_web.BLOCK_SAMPLES = 200
    cluster = import_module("distributed").LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    with cluster, connect_scheduler(cluster.scheduler_address) as executor:
        list(executor.map(_wait, [0.0] * 4))
        began = time.perf_counter()
        list(executor.map(_wait, [0.0] * n_blocks))
        empty = time.perf_counter() - began
        blocks: list[int] = []
        began = time.perf_counter()
        far = library.match_web(
            where=lambda take: take.id in chosen,
            executor=executor,
            progress=lambda done, total: blocks.append(total),
        )
        spent = time.perf_counter() - began
    began = time.perf_counter()
    near = library.match_web(where=lambda take: take.id in chosen)
    here = time.perf_counter() - began
    same = [link.distance for link in near] == [link.distance for link in far]
    print(f"{n_blocks} empty blocks on two workers: {1000 * empty / n_blocks:.1f} ms each")
    total = blocks[-1] if blocks else 0
    print(f"web of {len(chosen)} takes in {total} pairs of blocks: {spent:.2f} s there, {here:.2f} s here")
    print(f"{len(far)} and {len(near)} links, {'the same' if same else 'NOT the same'} distances")
    print(f"largest difference {np.max(np.abs(_distances(near) - _distances(far)), initial=0.0):.1e} m")


def _distances(web: match_web.MatchWeb) -> np.ndarray:
    return np.array([link.distance for link in web])


def _wait(seconds: float) -> None:
    time.sleep(seconds)
