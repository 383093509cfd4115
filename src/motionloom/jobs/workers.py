"""Run other libraries in a process of their own, so that their crashes and hangs do not reach the caller.

A worker is a script without imports from this package. It is started with file names, reads or writes one
file, and passes its result as arrays in a temporary folder. Where it has a sentence to say about the file, it
prints a line that begins with :data:`REFUSAL` and fails; any other failure is a crash of the library.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.errors import FileFormatError, MotionloomError
from motionloom.jobs.budget import ALLOW_MORE, BYTES_PER_SAMPLE, SECONDS_PER_MEGABYTE, Budget
from motionloom.json_files import JsonFields

REFUSAL = "refused: "
"""Prefix of the line in which a worker says what is wrong; libraries print their own lines around it."""

TOO_LARGE = "too large: "
"""Prefix of the line in which a worker gives the frames and joints of a motion that it must not read."""

MORE_MEMORY = "; it needs more memory"
"""End of a worker's sentence about a file that may be read once it is allowed more memory."""

HEADER = "header"
"""The array that holds the JSON header as bytes."""

MIN_TIME_LIMIT = 60.0
"""Seconds that a worker may take for the smallest file, when a slow machine starts it for the first time."""

MAX_WAIT = 5.0
"""Times the limit that a worker may take on the clock. On a crowded machine it waits for the processor, and
its file is not damaged."""

_PULSE = 0.2
"""Seconds between two looks at a worker. A thread is told that its job was stopped when it runs Python code
again: one that waited for the whole time would let the worker go on as long."""

_running: set[subprocess.Popen[bytes]] = set()

_DAMAGE = (OSError, ValueError, EOFError, zipfile.BadZipFile)
"""What NumPy raises on an exchange file that is missing or cut short."""


@dataclass(frozen=True)
class Exchange:
    """What a worker returns or is given: entries of a header, and arrays by name."""

    path: Path
    header: JsonFields
    arrays: dict[str, npt.NDArray[Any]]

    def array(self, name: str) -> npt.NDArray[np.float64]:
        """Return an array of numbers, or fail where the library did not give it."""
        if name not in self.arrays or self.arrays[name].dtype.kind not in "fiu":
            raise FileFormatError(self.path, f"cannot be read: its {name} are missing or not numbers")
        with np.errstate(invalid="ignore"):  # some NaN bit patterns cause warnings, others do not
            return np.asarray(self.arrays[name], dtype=np.float64)


def time_limit(n_bytes: int) -> float:
    """Return the seconds that a worker may take for a file of this size.

    >>> time_limit(0), time_limit(2 << 20)
    (60.0, 64.0)
    """
    return MIN_TIME_LIMIT + SECONDS_PER_MEGABYTE * n_bytes / (1 << 20)


def max_samples(budget: Budget) -> int:
    """Return the frames times joints that a worker may read."""
    return (budget.allowed - budget.claimed) // BYTES_PER_SAMPLE


def run_worker(
    command: Sequence[str], path: Path, library: str, limit: float, budget: Budget | None = None
) -> None:
    """Run a worker on a file; whatever goes wrong becomes an error with a sentence.

    Parameters
    ----------
    command
        The program, its script and the file names.
    path
        The file that the caller named, for messages.
    library
        What the worker runs ("Blender", "the USD library"), for messages.
    limit
        Seconds of the processor after which it is stopped; :data:`MAX_WAIT` times as many on the clock.
    budget
        The memory that reading the file may take; what the worker says to be too large is refused by it.
    """
    try:
        code, output, complaints = _run_to_end(command, limit)
    except subprocess.TimeoutExpired:
        raise FileFormatError(
            path, f"{library} was stopped after {limit:.0f} s without a result: the file is probably damaged"
        ) from None
    except OSError as error:
        raise MotionloomError(f"{library} cannot be started from {command[0]}: {error.strerror}") from None
    if code != 0:
        for line in output.decode("utf-8", "replace").splitlines():
            if line.startswith(REFUSAL):
                sentence = line.removeprefix(REFUSAL)
                remedy = ALLOW_MORE if sentence.endswith(MORE_MEMORY) else ()
                raise FileFormatError(path, sentence.removesuffix(MORE_MEMORY), remedy=remedy)
            if budget is not None and line.startswith(TOO_LARGE):
                n_frames, n_joints = map(int, line.removeprefix(TOO_LARGE).split())
                budget.claim_samples(n_frames, n_joints)
        errors = complaints.decode("utf-8", "replace").strip().splitlines()
        hint = f" ({errors[-1][:200]})" if errors else ""
        raise FileFormatError(path, f"{library} failed on it with exit code {code}{hint}")


def _run_to_end(command: Sequence[str], limit: float) -> tuple[int, bytes, bytes]:
    """Run a program and return its exit code, output and errors; it ends with whoever waits for it."""
    start = time.monotonic()
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        _running.add(process)
        try:
            while True:
                try:
                    output, errors = process.communicate(timeout=_PULSE)
                    return process.returncode, output, errors
                except subprocess.TimeoutExpired:
                    elapsed = time.monotonic() - start
                    computed = _processor_seconds(process.pid, elapsed) if elapsed >= limit else 0.0
                    if computed >= limit or elapsed >= MAX_WAIT * limit:
                        raise
        finally:
            process.kill()  # where it goes on: its time is over, or its job was stopped
            _running.discard(process)


def _processor_seconds(process: int, elapsed: float) -> float:
    """Return the seconds that a process has computed, or those that passed where the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return elapsed


@atexit.register
def _end_running() -> None:
    """End workers of threads that nobody waits for."""
    for process in list(_running):
        process.kill()


def read_exchange(exchange_path: Path, path: Path) -> Exchange:
    """Read what a worker wrote about the file ``path``."""
    try:
        with np.load(exchange_path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        header = json.loads(arrays.pop(HEADER).tobytes())
    except (*_DAMAGE, KeyError):
        raise FileFormatError(path, "cannot be read: the library gave no complete result") from None
    return Exchange(path, JsonFields(path, header, "what the library read"), arrays)


def write_exchange(exchange_path: Path, header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Write what a worker is given."""
    with zipfile.ZipFile(exchange_path, "w") as archive:
        text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
        for name, array in {HEADER: text, **arrays}.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
