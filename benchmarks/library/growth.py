"""Query time and memory as a library grows, with perturbed copies of all takes.

Copies are shifted by noise of 5 mm per point and second, and stored as takes of their own. Times are those
of the processor, of all threads. Memory is the resident size of a process that searches: all of it, and the
part of its own. The rest are pages of the mapped shards, which the system takes back when memory is short. To
show that, searches are repeated in a control group that may use `MAX_MEGABYTES`, where one can be made: on
Linux, as root.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.library.corpus_library import open_library
from motionloom.library.add_files import AddReport, IndexedFile, IndexedTake, _Writer
from motionloom.library.body_points import RATE
from motionloom.library.signatures import Singles, make_windows, sign_windows, stride_of
from motionloom.library.stored_clip import StoredClip

SEED = 13
NOISE = 0.005
MAX_MEGABYTES = 300
GROUP = "motionloom-growth"


def run(path: Path | None, factors: list[int]) -> None:
    library = open_library(path)
    rng = np.random.default_rng(SEED)
    titles = ("copies", "samples", "MB on disk", "ms per query", "ms passed", "resident MB", "own MB")
    print(" " * 7 + "".join(f"{title:>13}" for title in titles))
    with tempfile.TemporaryDirectory() as folder:
        grown = ml.Library(Path(folder) / "grown.library")
        done = 0
        for factor in factors:
            for copy in range(done, factor):
                _add_copies(grown, library, copy, rng)
            done = factor
            _measure(grown.path, factor)
            with limit_memory(MAX_MEGABYTES) as group:
                if group is not None:
                    _measure(grown.path, factor, group)
        shutil.rmtree(grown.path)


def _add_copies(grown: ml.Library, library: ml.Library, copy: int, rng: np.random.Generator) -> None:
    writer = _Writer(grown._catalogue, (), {}, {}, set())
    with grown._catalogue.lock():
        batch: list[IndexedFile] = []
        for file in _perturb(library, copy, rng):
            batch.append(file)
            if len(batch) == 200:
                writer.write(batch, AddReport())
                batch = []
        writer.write(batch, AddReport())


def _perturb(library: ml.Library, copy: int, rng: np.random.Generator) -> Iterator[IndexedFile]:
    index = library._read().index
    for n, row in enumerate(index.rows):
        points = index.points(n) + _smooth_noise(rng, row.n_points)
        dense = sign_windows(make_windows(points, 30))
        name = f"{row.name}_{copy}"
        # What is searched is what grows; the poses themselves are left out.
        header = library._catalogue.header(row.id) or "{}"
        clip = StoredClip('{"names": []}', header, np.zeros(1, np.uint8))
        sparse = np.ascontiguousarray(dense[:, :: stride_of(10)])
        take = IndexedTake(
            name,
            name,
            clip,
            row.n_frames,
            row.frame_time,
            points,
            row.scale,
            {30: dense, 10: sparse},
            None,
            (),
        )
        yield IndexedFile(Path(f"/{name}.bvh"), 0, 0, name, take, None)


def _smooth_noise(rng: np.random.Generator, n_frames: int) -> Singles:
    keys = rng.normal(scale=NOISE, size=(n_frames // RATE + 2, 17, 3))
    at = np.arange(n_frames) / RATE
    low = at.astype(np.int64)
    part = (at - low)[:, None, None]
    return np.asarray(keys[low] * (1 - part) + keys[low + 1] * part, np.float32)


@contextmanager
def limit_memory(megabytes: int) -> Iterator[Path | None]:
    """Give the file into which a process writes its number to have so much memory, files' pages included."""
    old, new = Path("/sys/fs/cgroup/memory", GROUP), Path("/sys/fs/cgroup", GROUP)
    folder, limit = (old, "memory.limit_in_bytes") if old.parent.is_dir() else (new, "memory.max")
    try:
        folder.mkdir(exist_ok=True)
        (folder / limit).write_text(str(megabytes << 20))
    except OSError as error:
        print(f"memory cannot be limited here ({error.strerror})")
        yield None
        return
    try:
        yield folder / "cgroup.procs"
    finally:
        folder.rmdir()


def _measure(path: Path, factor: int, group: Path | None = None) -> None:
    """Search in a process of its own, whose memory is counted."""
    code = f"from benchmarks.library.growth import search_there; search_there({str(path)!r}, {factor})"
    if group is not None:
        # Pages that another process has read already count there.
        for shard in path.iterdir():
            with shard.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        code = f"import os; open({str(group)!r}, 'w').write(str(os.getpid())); {code}"
    print(end="limited" if group is not None else "       ", flush=True)
    subprocess.run([sys.executable, "-c", code], check=True)


def search_there(path: str, factor: int) -> None:
    library = ml.Library(path)
    index = library._read().index
    rng = np.random.default_rng(SEED)
    times, passed = [], []
    from motionloom.library.exact_search import find_matches, make_query

    everything = np.arange(len(index.rows))
    for _ in range(7):
        while True:
            points = index.points(int(rng.integers(len(index.rows))))
            if len(points) > 70:
                break
        query = make_query(np.array(points[5:65]), 10, index.references)
        began, since = time.process_time(), time.perf_counter()
        find_matches(index, [(False, query)], 20, everything)
        times.append(time.process_time() - began)
        passed.append(time.perf_counter() - since)
    size = sum(file.stat().st_size for file in Path(path).iterdir()) / 1e6
    samples = int(index.counts(10).sum())
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    own = int(re.findall(r"RssAnon:\s+(\d+)", Path("/proc/self/status").read_text())[0]) / 1024
    cpu, wall = 1000 * np.median(times), 1000 * np.median(passed)
    values = (factor, samples, size, cpu, wall, resident, own)
    print("".join(f"{value:>13.0f}" for value in values), flush=True)
