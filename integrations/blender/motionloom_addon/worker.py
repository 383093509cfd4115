"""Motionloom in a process of its own, which waits for the next job: only the first one loads everything."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
from pathlib import Path

from .errors import Refusal

TIME_LIMIT = 600.0
"""Seconds after which a job is given up; the first one on a machine compiles for a while."""

WAY_OUT = "Edit > Preferences > Add-ons > Motionloom"
"""Where the user says which Python runs Motionloom."""

DONE = "motionloom: done"
"""The line that says that a job is done; libraries print lines of their own."""

START = f"""
import importlib, json, pathlib, sys
sys.path.append(sys.argv[1])
jobs = importlib.import_module(sys.argv[2] + ".jobs")
for line in sys.stdin:
    jobs.perform(pathlib.Path(json.loads(line)))
    print({DONE!r}, flush=True)
"""
"""What the process runs: job after job, until Blender ends. It finds this add-on as a package."""

_HEARD = 300
"""Characters of what a failed process said last."""


class Worker:
    """A Python with Motionloom that does jobs."""

    def __init__(self, python: str) -> None:
        package = Path(__file__).parent
        self.python = python
        self._lines: queue.Queue[str] = queue.Queue()
        try:
            self._process = subprocess.Popen(
                [python, "-c", START, str(package.parent), package.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # there on Windows only
            )
        except OSError as error:
            raise Refusal(f"{python} cannot be started: {error.strerror} ({WAY_OUT})") from None
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether the process waits for jobs."""
        return self._process.poll() is None

    def perform(self, folder: Path) -> None:
        """Have the job in a folder done; each way in which that can fail is a sentence."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # a process that has ended is told of below
            self._process.stdin.write(json.dumps(str(folder)) + "\n")
            self._process.stdin.flush()
        last = ""
        try:
            # What a library prints without ending the line comes before what we say.
            while not (line := self._lines.get(timeout=TIME_LIMIT)).endswith(DONE):
                if not line:
                    raise Refusal(self._end(last))
                last = line
        except queue.Empty:
            self.stop()
            raise Refusal(f"Motionloom was stopped after {TIME_LIMIT:.0f} s without a result") from None

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def _listen(self) -> None:
        """Take what the process says, line by line; an empty line tells that it has ended."""
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # the pipe is closed when the process is stopped
            for line in self._process.stdout:
                self._lines.put(line.rstrip("\n") or " ")
        self._lines.put("")

    def _end(self, last: str) -> str:
        """A sentence about a process that has ended before its job was done, and what it said last."""
        code = self._process.wait()
        self.stop()
        if "No module named 'motionloom'" in last:
            return f"{self.python} has no Motionloom: install it there, or name another Python ({WAY_OUT})"
        return f"Motionloom failed with exit code {code}" + (f" ({last[:_HEARD]})" if last else "")
