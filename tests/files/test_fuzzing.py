"""Thousands of broken files: each is read or refused with our own error, quickly and in little memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionloom as ml
from motionloom.errors import MotionloomError
from tests.figures import smooth_clip
from tests.files.bvh_texts import PLAIN
from tests.files.mutation import mutated

ROOT = Path(__file__).parents[2]
MEGABYTE = 1 << 20
LONGEST_SECONDS = 2.0


@pytest.fixture(scope="session")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Well-formed files of every format."""
    folder = tmp_path_factory.mktemp("originals")
    for name in ("figure.bvh", "figure.amc", "figure.npz"):
        ml.save(smooth_clip(40), folder / name)
    files = {path.suffix + path.stem: path.read_bytes() for path in folder.iterdir()}
    return {**files, ".bvhplain": PLAIN.encode(), ".bvhcommas": PLAIN.replace("1 20 3", "1,5 20 3").encode()}


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def load_within_limits(path: Path, skeleton: Path | None = None) -> None:
    """Load a file; anything but success or an error of ours, in time and memory, fails the test."""
    size = path.stat().st_size + (skeleton.stat().st_size if skeleton else 0)
    started = time.monotonic()
    refusal = refused(path, skeleton)
    assert time.monotonic() - started < LONGEST_SECONDS
    assert not refusal or path.stem in refusal, "a refusal names the file"
    # Tracing slows everything down, so that it gets a run of its own.
    tracemalloc.start()
    assert refused(path, skeleton) == refusal
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * size + 50 * MEGABYTE


def refused(path: Path, skeleton: Path | None) -> str:
    """The sentence with which a file is refused, or nothing."""
    try:
        ml.load(path, skeleton=skeleton)
    except MotionloomError as error:
        return str(error)
    return ""


@pytest.fixture(scope="session", autouse=True)
def warm(scratch: Path) -> None:
    """Compile the kernels before anything is timed."""
    (scratch / "warm.bvh").write_text(PLAIN)
    ml.load(scratch / "warm.bvh")


@pytest.mark.slow
@settings(max_examples=1000)
@given(seed=st.integers(0, 2**32), which=st.sampled_from([".bvhfigure", ".bvhplain", ".bvhcommas"]))
def test_broken_bvh_files(originals: dict[str, bytes], scratch: Path, seed: int, which: str) -> None:
    path = scratch / "broken.bvh"
    path.write_bytes(mutated(originals[which], seed))
    load_within_limits(path)


@pytest.mark.slow
@settings(max_examples=400)
@given(seed=st.integers(0, 2**32), asf=st.booleans())
def test_broken_acclaim_files(originals: dict[str, bytes], scratch: Path, seed: int, asf: bool) -> None:
    motion, skeleton = scratch / "broken.amc", scratch / "broken.asf"
    motion.write_bytes(originals[".amcfigure"] if asf else mutated(originals[".amcfigure"], seed))
    skeleton.write_bytes(mutated(originals[".asffigure"], seed) if asf else originals[".asffigure"])
    load_within_limits(motion, skeleton)


@pytest.mark.slow
@settings(max_examples=500)
@given(seed=st.integers(0, 2**32))
def test_broken_native_files(originals: dict[str, bytes], scratch: Path, seed: int) -> None:
    path = scratch / "broken.npz"
    path.write_bytes(mutated(originals[".npzfigure"], seed))
    load_within_limits(path)


HEAD = PLAIN.split("Frames:")[0]
HUGE = {
    "billions of frames": HEAD + "Frames: 4000000000\nFrame Time: 0.1\n1 2 3 4 5 6 7 8 9 10 11 12\n",
    "billions of frames without channels": "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\n"
    + "MOTION\nFrames: 4000000000\nFrame Time: 1\n",
    "only line ends": HEAD + "Frames: 1\nFrame Time: 0.1\n" + "\n" * MEGABYTE,
    "one number a line": HEAD + "Frames: 9\nFrame Time: 0.1\n" + "1\n" * (MEGABYTE // 2),
    "one endless number": HEAD + "Frames: 9\nFrame Time: 0.1\n" + "1" * MEGABYTE,
    "hard numbers": HEAD + "Frames: 9\nFrame Time: 0.1\n" + "1e-99 " * (MEGABYTE // 6 // 12 * 12),
    "a deep chain": "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n" + "JOINT b\n{\nOFFSET 0 1 0\n" * 20000,
    "many children": "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n"
    + "JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\n" * 1900
    + "}\nMOTION\nFrames: 1\nFrame Time: 1\n"
    + "1 " * 1900,
    "a long chain": "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n"
    + "JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" * 1900
    + "}\n" * 1901
    + "MOTION\nFrames: 1\nFrame Time: 1\n"
    + "1 " * 1900,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HUGE)
def test_files_made_to_exhaust(scratch: Path, name: str) -> None:
    path = scratch / "huge.bvh"
    path.write_text(HUGE[name])
    load_within_limits(path)


MEMORY_SCRIPT = """
import resource, sys
import motionloom as ml

ml.load(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
ml.load(sys.argv[2])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.slow
def test_memory_of_a_large_dense_file(scratch: Path) -> None:
    """Resident memory, as the system counts it, for twelve megabytes of one-digit numbers."""
    path = scratch / "dense.bvh"
    rows = 12 * MEGABYTE // 24
    path.write_text(HEAD + f"Frames: {rows}\nFrame Time: 0.01\n" + ("1 " * 11 + "1\n") * rows)
    run = subprocess.run(
        [sys.executable, "-c", MEMORY_SCRIPT, scratch / "warm.bvh", path],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(run.stdout) * 1024 < 20 * path.stat().st_size + 50 * MEGABYTE


BOUNDS_SCRIPT = """
import sys
from pathlib import Path
import motionloom as ml
from tests.files.bvh_texts import PLAIN
from tests.files.mutation import mutated
from tests.figures import smooth_clip

folder = Path(sys.argv[1])
ml.save(smooth_clip(60), folder / "figure.bvh")
good = (folder / "figure.bvh").read_bytes()
read = refused = 0
for seed in range(1500):
    path = folder / "broken.bvh"
    path.write_bytes(mutated(good if seed % 2 else PLAIN.encode(), seed))
    try:
        clip = ml.load(path)
        ml.save(clip, folder / "again.bvh", overwrite=True)
        read += 1
    except ml.MotionloomError:
        refused += 1
print(read, refused)
"""


@pytest.mark.slow
def test_byte_kernels_stay_inside_their_arrays(tmp_path: Path) -> None:
    """The same kind of files with numba's bounds checks compiled in; an access outside raises IndexError."""
    cache = str(tmp_path / "cache")
    # Without optimization, because compiling takes most of the time.
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0", "NUMBA_CACHE_DIR": cache}
    run = subprocess.run(
        [sys.executable, "-c", BOUNDS_SCRIPT, tmp_path],
        capture_output=True, text=True, cwd=ROOT, env=environment, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]
    read, refused = map(int, run.stdout.split())
    assert read > 100
    assert refused > 100
