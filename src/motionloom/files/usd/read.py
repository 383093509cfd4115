"""USD stages as clips: the USD library looks into the file in a process of its own."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from motionloom.files.text import unreadable
from motionloom.files.usd.library import check_installed
from motionloom.files.usd.motion import clip_from
from motionloom.files.workers import read_exchange, run_worker, time_limit
from motionloom.motion import Clip

_SCRIPT = Path(__file__).with_name("worker.py")


def read_usd(path: Path, *, frame_time: float | None = None, animation: str | int | None = None) -> Clip:
    """Read the animated skeleton of a stage in the stage's own unit and axes.

    The USD library runs in a process of its own, because damaged binary files keep it busy for minutes.

    Parameters
    ----------
    path
        The file.
    frame_time
        Seconds per frame, in place of the stage's own.
    animation
        Name of the SkelAnimation prim to read when there are several, or its number from 0.
    """
    check_installed()
    try:
        size = path.stat().st_size
        path.open("rb").close()
    except OSError as error:
        raise unreadable(path, error) from None
    with tempfile.TemporaryDirectory(prefix="motionloom-usd-") as folder:
        result = Path(folder, "motion.npz")
        command = [
            sys.executable,
            "-P",
            str(_SCRIPT),
            str(path.absolute()),
            str(result),
            "" if animation is None else str(animation),
        ]
        run_worker(command, path, "the USD library", time_limit(size))
        found = read_exchange(result, path)
    return clip_from(found, frame_time)
