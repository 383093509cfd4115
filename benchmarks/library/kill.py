"""A process that adds is killed at random moments, while another one searches; two writers; a full disk.

Each time a fresh process goes on adding to the same library, tells how many takes it reports, and is killed
(SIGKILL) a random time later; a reader searches all the while. The library must open, `check` must find
nothing, and no take that was reported may be missing. Needs `os.fork`.
"""

from __future__ import annotations

import os
import resource
import signal
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from select import select

import numpy as np

import motionloom as ml
from motionloom import synthesis
from motionloom.errors import MotionloomError
from motionloom.library import add_files
from motionloom.library.errors import BusyLibraryError

SEED = 5
N_TAKES = 400
MAX_SECONDS = 0.6


def run(n_kills: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        takes = _make_takes(Path(folder) / "takes")
        _kill(Path(folder) / "killed.library", takes, n_kills)
        _write_twice(Path(folder) / "twice.library", takes)
        _fill_disk(Path(folder) / "full.library", takes)


def _make_takes(folder: Path) -> Path:
    folder.mkdir()
    walk = synthesis.walk(duration=2.0, fps=30).clip
    for n in range(N_TAKES):
        roots = walk.root_positions + np.array([0.001 * n, 0.0, 0.0])
        ml.save(ml.Clip(walk.skeleton, walk.frame_time, roots, walk.rotations), folder / f"take_{n:03d}.npz")
    return folder


def _kill(path: Path, takes: Path, n_kills: int) -> None:
    rng = np.random.default_rng(SEED)
    add_files.BATCH_SECONDS = 0.05  # many commits to be killed in
    library = ml.Library(path)
    library.add(takes / "take_000.npz")
    example = library.take("take_000").clip()
    library.search(example, k=3)
    lost = faults = failed = searches = 0
    reported = 1
    for n in range(n_kills):
        if reported == N_TAKES:
            library.remove(library.takes[1:])
            reported = 1
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            _add_and_tell(path, takes, write)
        os.close(write)
        told, deadline = b"", np.inf
        while time.monotonic() < deadline:
            # The clock starts with the first batch, or sometimes before it.
            if select([read], [], [], 0.0)[0]:
                told += os.read(read, 65536)
            if deadline == np.inf and (n % 5 == 0 or told.count(b"\n") > 1):
                deadline = time.monotonic() + float(rng.uniform(0.0, MAX_SECONDS))
            try:
                ml.Library(path).search(example, k=3)
                searches += 1
            except MotionloomError as error:
                failed += 1
                print(f"a reader failed: {error}")
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while part := os.read(read, 65536):
            told += part
        os.close(read)
        counts = [int(line) for line in told.split(b"\n")[:-1]]
        reported = max([reported, *counts])
        after = ml.Library(path)
        lost += max(0, reported - len(after.takes))
        faults += len(after.check())
        reported = len(after.takes)
        if n % 10 == 0:
            print(f"{n}: {reported} takes", flush=True)
    ml.Library(path).add(takes)
    whole = len(ml.Library(path).takes)
    print(
        f"killed {n_kills} times: {lost} takes lost, {faults} faults, {searches} searches meanwhile, ", end=""
    )
    print(f"{failed} of them failed; then all {whole} of {N_TAKES} takes added")


def _add_and_tell(path: Path, takes: Path, write: int) -> None:
    """Add, and write how many takes are reported after each batch; this process is killed at some time."""
    try:
        library = ml.Library(path)

        def tell(done: int, _: int) -> None:
            os.write(write, b"%d\n" % done)

        library.add(takes, progress=tell)
    finally:
        os._exit(0)


def _write_twice(path: Path, takes: Path) -> None:
    library = ml.Library(path)
    with library._catalogue.lock():
        try:
            ml.Library(path).add(takes / "take_000.npz")
            print("a second writer was let in")
        except BusyLibraryError as error:
            print(f"a second writer: {error}")
    print(f"after the first one: {library.add(takes / 'take_000.npz')}")


def _fill_disk(path: Path, takes: Path) -> None:
    """Let files grow to a limit only: writing fails as on a full disk."""
    library = ml.Library(path)
    library.add(takes / "take_00*.npz")
    before = len(library.takes)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    limit = max(file.stat().st_size for file in path.iterdir()) + 100_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        library.add(takes)
        print("nothing failed on a full disk")
    except MotionloomError as error:
        print(f"a full disk: {error}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    after = ml.Library(path)
    print(f"then {len(after.takes)} takes (before: {before}), check: {after.check()}")
    print(f"with room again: {after.add(takes)}, check: {after.check()}")
