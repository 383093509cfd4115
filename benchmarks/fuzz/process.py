"""One process of the fuzzer: damages the files of one target until its time is up, and notes what it finds.

Where atheris is installed, files that reach new code are kept and damaged again. What is found is written to
a folder line by line, so that a process that hangs or dies has told what came before. The last input is in
the folder as well.
"""

from __future__ import annotations

import faulthandler
import hashlib
import json
import os
import random
import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

KERNELS = Path(__file__).parents[2] / "src/motionloom/kernels"

MIN_SECONDS = 2.0
"""Seconds that reading the smallest file may take; on a busy machine the processor's seconds count."""

HANG_SECONDS = 60.0
"""Seconds after which a process that reads one file is ended: it hangs."""

SLOW_HANG_SECONDS = 120.0
"""The same where another program is started, which is ended by itself after 60 s."""

MAX_INPUT = 60_000
"""Bytes of the longest file that the fuzzer makes."""


@dataclass
class Tally:
    """How the files of a target fared so far."""

    read: int = 0
    refused: int = 0
    longest: float = 0.0
    largest: int = 0
    blow_up: float = 0.0
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def inputs(self) -> int:
        """Files that were read or refused, or at which something went wrong."""
        return self.read + self.refused


class Trial:
    """Reads damaged files one by one and keeps the tally."""

    def __init__(self, name: str, found: Path) -> None:
        from benchmarks.fuzz.targets import make_target

        self.target = make_target(name)
        self.tally = Tally()
        self._found = found
        self._scratch = Path(tempfile.mkdtemp(prefix="motionloom-fuzz-"))
        self._path = self._scratch / self.target.file_name
        for beside, content in self.target.beside.items():
            (self._scratch / beside).write_bytes(content)
        for seed in self.target.seeds:  # compiles and loads what no limit is meant for
            self._path.write_bytes(seed)
            self.target.read(self._path)
        self._children = _children_peak()

    def read(self, content: bytes) -> None:
        """Read one damaged file; whatever is not as it should be is noted."""
        self._path.write_bytes(content)
        limit = SLOW_HANG_SECONDS if self.target.slow else HANG_SECONDS
        (self._found / "last").write_bytes(content)
        faulthandler.dump_traceback_later(limit, exit=True)
        before, start = _reset_peak(), time.process_time()
        try:
            self.target.read(self._path)
            self.tally.read += 1
        except Exception as error:
            self.tally.refused += 1
            self._judge(error, content)
        seconds, memory = time.process_time() - start, _peak() - before
        faulthandler.cancel_dump_traceback_later()
        if self.target.slow:
            memory = _children_peak() - self._children
        self._measure(content, seconds, memory)
        if self.tally.inputs % 50 == 0:
            self.write()

    def _judge(self, error: Exception, content: bytes) -> None:
        from motionloom.errors import FileFormatError, MotionloomError

        if not isinstance(error, MotionloomError):
            frames = traceback.extract_tb(error.__traceback__)
            place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"
            self.note(f"crash: {type(error).__name__} at {place}", f"{error}", content)
        elif isinstance(error, FileFormatError) and self.target.file_name.split(".")[0] not in str(error):
            self.note("refusal without the file's name", str(error), content)

    def _measure(self, content: bytes, seconds: float, memory: int) -> None:
        from motionloom.jobs.budget import BYTES_PER_FILE_BYTE, MIN_BYTES, SECONDS_PER_MEGABYTE

        size = len(content) + sum(map(len, self.target.beside.values()))
        tally = self.tally
        tally.longest, tally.largest = max(tally.longest, seconds), max(tally.largest, memory)
        tally.blow_up = max(tally.blow_up, (memory - MIN_BYTES) / max(size, 1))
        if seconds > MIN_SECONDS + SECONDS_PER_MEGABYTE * size / 1e6:
            self.note("slow", f"{seconds:.1f} s for {size} bytes", content)
        if memory > MIN_BYTES + BYTES_PER_FILE_BYTE * size:
            self.note("memory", f"{memory / 1e6:.0f} MB for {size} bytes", content)

    def note(self, kind: str, text: str, content: bytes) -> None:
        """Note a fault once, with the file that shows it."""
        if kind not in self.tally.faults:
            self.tally.faults[kind] = text
            name = hashlib.sha256(kind.encode()).hexdigest()[:12]
            (self._found / f"{name}-{self.target.file_name}").write_bytes(content)
            self.write()

    def write(self) -> None:
        """Write the tally for the process that started this one."""
        (self._found / "tally.json").write_text(json.dumps(vars(self.tally)))


def _reset_peak() -> int:
    """Have the system forget the largest memory of this process, and return what it takes now, in bytes."""
    Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def _peak() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) << 10
    return 0


def _children_peak() -> int:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10


def damage(content: bytes, seed: int) -> bytes:
    """Damage a file in one of the ways of the tests, inside the members of archives every second time."""
    from tests.files.mutation import DAMAGES, in_archive

    rng = random.Random(seed)
    way = rng.choice(list(DAMAGES.values()))
    if content[:2] == b"PK" and rng.random() < 0.5:
        try:
            return in_archive(way)(content, seed)
        except Exception:
            return way(content, seed)
    return way(content, seed) if content else content


def run_guided(trial: Callable[[], Trial], seconds: float, corpus: Path) -> None:
    """Fuzz with atheris, which keeps files that reach new code."""
    import atheris

    # Kernels are compiled by Numba, which cannot compile what atheris puts into functions.
    kernels = [f"motionloom.kernels.{path.stem}" for path in KERNELS.glob("*.py")]
    with atheris.instrument_imports(include=["motionloom", "zipfile", "json"], exclude=kernels):
        tried = trial()
    end = time.monotonic() + seconds
    for n, seed in enumerate(tried.target.seeds):
        (corpus / f"seed{n}").write_bytes(seed)

    def mutate(content: bytes, max_size: int, seed: int) -> bytes:
        # libFuzzer's own changes reach single bytes; ours words, counts and members of archives.
        if seed % 2:
            return bytes(atheris.Mutate(content, max_size))
        return damage(content, seed)[:max_size]

    def read(content: bytes) -> None:
        if time.monotonic() > end:
            tried.write()
            sys.stdout.flush()
            os._exit(0)
        tried.read(content)

    words = [
        sys.argv[0],
        str(corpus),
        f"-max_len={MAX_INPUT}",
        "-rss_limit_mb=0",
        "-timeout=300",
        "-mutate_depth=2",
    ]
    atheris.Setup([*words, f"-artifact_prefix={corpus.parent}/", "-verbosity=0"], read, custom_mutator=mutate)
    atheris.Fuzz()


def run_random(trial: Callable[[], Trial], seconds: float) -> None:
    """Fuzz without coverage: every file is a damaged whole one, and some are damaged twice."""
    tried = trial()
    rng, end = random.Random(time.time_ns()), time.monotonic() + seconds
    while time.monotonic() < end:
        content = rng.choice(tried.target.seeds)
        for _ in range(rng.choice([1, 1, 2])):
            content = damage(content, rng.getrandbits(32))
        tried.read(content[:MAX_INPUT])
    tried.write()


def main(name: str, seconds: float, found: Path, slow: bool) -> None:
    """Fuzz one target for so many seconds."""
    warnings.simplefilter("ignore")
    if slow or find_spec("atheris") is None:
        run_random(lambda: Trial(name, found), seconds)
    else:
        corpus = found / "corpus"
        corpus.mkdir(exist_ok=True)
        run_guided(lambda: Trial(name, found), seconds, corpus)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), Path(sys.argv[3]), sys.argv[4] == "slow")
