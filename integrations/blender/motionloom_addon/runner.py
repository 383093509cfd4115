"""Where Motionloom runs: inside Blender where it can be imported, else in the Python that the user named."""

from __future__ import annotations

import json
import shutil
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .errors import Refusal
from .motion import ANSWER, REQUEST, Motion, read_motion, write_motion
from .worker import WAY_OUT, Worker

_waiting: list[Worker] = []
"""The process that waits for the next job; none, or one."""


@dataclass(frozen=True)
class Answer:
    """What a job came to: motions, and sentences about them."""

    motions: list[Motion]
    sentences: list[str]


def perform(program: str, request: dict[str, Any], motions: Sequence[Motion] = ()) -> Answer:
    """Have Motionloom do a job.

    Parameters
    ----------
    program
        A Python that has Motionloom, or its command ``motionloom``; "" for whatever is found.
    request
        The job and its settings (:mod:`jobs`).
    motions
        What it works on; the request names them by :func:`file_name`.
    """
    python = python_of(program)
    with tempfile.TemporaryDirectory(prefix="motionloom-blender-") as name:
        folder = Path(name)
        for n, motion in enumerate(motions):
            write_motion(motion, folder / file_name(n))
        (folder / REQUEST).write_text(json.dumps(request), encoding="utf-8")
        if python is None:
            _perform_here(folder)
        else:
            _perform_there(python, folder)
        answer = json.loads((folder / ANSWER).read_text(encoding="utf-8"))
        if "error" in answer:
            raise Refusal(answer["error"])
        return Answer([read_motion(folder / made) for made in answer["motions"]], answer["sentences"])


def file_name(n: int) -> str:
    """What the n-th motion that is given to a job is called."""
    return f"given-{n}.npz"


def python_of(program: str) -> str | None:
    """The Python that runs Motionloom, or None for Blender's own."""
    if not program and find_spec("motionloom") is not None:
        return None
    found = shutil.which(program or "motionloom")
    if found is None and program:
        raise Refusal(
            f"{program} is no program: name a Python that has Motionloom, or its command ({WAY_OUT})"
        )
    if found is None:
        raise Refusal(
            "Motionloom was not found: install it in a Python of your own (pip install motionloom) and name "
            f"that Python, or the command motionloom, in the preferences of this add-on ({WAY_OUT})"
        )
    return found if "python" in Path(found).name.lower() else _python_behind(Path(found))


def _python_behind(command: Path) -> str:
    """The Python that a command was installed for: its first line says, or it lies beside it."""
    with command.open("rb") as file:
        first = file.readline()
    named = first[2:].decode("utf-8", "replace").strip() if first.startswith(b"#!") else ""
    beside = [command.resolve().with_name(name) for name in ("python", "python.exe", "python3")]
    for python in (named, *map(str, beside)):
        if "python" in python and Path(python).is_file():
            return python
    raise Refusal(
        f"{command}: the Python behind this command was not found: name that Python itself ({WAY_OUT})"
    )


def _perform_here(folder: Path) -> None:
    try:
        from .jobs import perform as perform_job
    except ImportError as error:
        raise Refusal(
            f"Motionloom does not work inside this Blender ({error}): name another Python ({WAY_OUT})"
        ) from None
    try:
        perform_job(folder)
    except Exception as error:  # as of another process: a sentence, and the rest in the console
        traceback.print_exc()
        raise Refusal(f"Motionloom failed ({type(error).__name__}: {error})") from None


def _perform_there(python: str, folder: Path) -> None:
    """Do a job in the process that waits for jobs, if it is of this Python and alive; else in a new one."""
    if not (_waiting and _waiting[0].alive and _waiting[0].python == python):
        stop()
        _waiting.append(Worker(python))
    _waiting[0].perform(folder)


def stop() -> None:
    """End the process that waits for jobs, if there is one."""
    while _waiting:
        _waiting.pop().stop()
