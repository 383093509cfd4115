"""Processes killed while they save, export, annotate and autosave: nothing is broken, nothing saved is lost.

Run with `make kill MINUTES=20`, or `python -m benchmarks.kill 20`. A process writes one file after the other,
each with its number in it, and tells every number once it is written. It is killed (SIGKILL) at a random
moment. What is on the disk then must be whole, and of the last number that was told or a later one.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.project.folder import ProjectFolder
from motionloom.synthesis import walk

MAX_SECONDS = 0.6
"""Seconds after its first file within which a process is killed."""

Write = Callable[[Path, int], None]
Number = Callable[[Path], int]
"""Returns the number in a file, or raises where the file is not whole."""


def numbered(n: int) -> ml.Clip:
    """A clip whose figure begins n metres aside."""
    clip = walk(duration=0.5, fps=20).clip
    roots = clip.root_positions + np.array([n, 0.0, 0.0]) - clip.root_positions[0] * [1, 0, 0]
    return ml.Clip(clip.skeleton, clip.frame_time, roots, clip.rotations)


def number_of(clip: ml.Clip) -> int:
    return round(float(clip.root_positions[0, 0]))


def writes_motion(suffix: str) -> tuple[str, Write, Number]:
    return f"saved{suffix}", lambda path, n: _save(numbered(n), path), lambda path: number_of(ml.load(path))


def _save(clip: ml.Clip, path: Path) -> None:
    ml.save(clip, path, overwrite=True)


def write_marks(path: Path, n: int) -> None:
    clip = numbered(0)
    marked = ml.Clip(
        clip.skeleton, clip.frame_time, clip.root_positions, clip.rotations, events=(ml.Event(1.0, f"n{n}"),)
    )
    ml.save_annotations(marked, path, overwrite=True)


def number_of_marks(path: Path) -> int:
    (event,) = ml.load_annotations(path, numbered(0)).events
    return int(event.label[1:])


def write_gif(path: Path, n: int) -> None:
    ml.render(numbered(0)[: 3 + n % 3], path, overwrite=True)


def check_gif(path: Path) -> int:
    from PIL import Image

    with Image.open(path) as image:
        for frame in range(getattr(image, "n_frames", 1)):
            image.seek(frame)
            image.load()
    return sys.maxsize  # it does not say which one it is


KINDS: dict[str, tuple[str, Write, Number]] = {
    "saving BVH": writes_motion(".bvh"),
    "saving NPZ": writes_motion(".npz"),
    "saving GLB": writes_motion(".glb"),
    "saving AMC and ASF": writes_motion(".amc"),
    "saving CSV and skeleton": writes_motion(".csv"),
    "annotating": ("marks.json", write_marks, number_of_marks),
    "exporting GIF": ("movie.gif", write_gif, check_gif),
}


def kill_writer(folder: Path, name: str, write: Write, number: Number, rng: random.Random) -> tuple[int, str]:
    """Kill one process that writes; returns how many files it told of, and what was lost or broken."""
    path = folder / name
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with suppress(BaseException):
            n = 0
            while True:
                n += 1
                write(path, n)
                os.write(writer, b"%d\n" % n)
        os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        first = told.readline()
        time.sleep(rng.uniform(0.0, MAX_SECONDS))
        os.kill(child, signal.SIGKILL)
        lines = [first, *told.read().split()]
    os.waitpid(child, 0)
    last = int(lines[-1] or 0)
    if not last:
        return 0, "it ended before it wrote anything"
    try:
        found = number(path)
    except Exception as error:
        return last, f"after {last} files: {type(error).__name__}: {error}"
    return last, "" if found >= last else f"{last} was written, but {found} is there"


def _tell_address(writer: int, address: str) -> None:
    os.write(writer, address.encode() + b"\n")


def kill_studio(folder: Path, rng: random.Random) -> tuple[int, str]:
    """Kill one studio whose clip is renamed to one number after the other; "saved" tells of a number."""
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    project = folder / "project"
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        from motionloom.studio.server import serve

        with suppress(BaseException):
            serve(project, browser=False, announce=partial(_tell_address, writer))
        os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        address = told.readline().decode().strip()
    last = 0
    revisions: dict[int, int] = {}
    host, _, token = address.removeprefix("http://").partition("/?token=")
    end = time.monotonic() + rng.uniform(0.5, 4.0)
    with (
        suppress(ConnectionClosed, OSError, TimeoutError),
        connect(f"ws://{host}/ws?token={token}", max_size=None) as tab,
    ):
        names = [item["name"] for item in json.loads(tab.recv())["document"]["items"]]
        n = max((int(name) for name in names if name.isdecimal()), default=0)
        killer = os.fork()
        if killer == 0:
            time.sleep(max(0.0, end - time.monotonic()))
            os.kill(child, signal.SIGKILL)
            os._exit(0)
        try:
            while True:
                n += 1
                edit = {"type": "rename", "item": "c1", "name": str(n)}
                tab.send(json.dumps({"type": "do", "serial": n, "edit": edit}))
                while True:
                    message = json.loads(tab.recv(timeout=20))
                    if message["type"] == "saved":
                        last = max(last, revisions.get(message["revision"], 0))
                    if message["type"] == "state":
                        revisions[message["revision"]] = n
                        break
                time.sleep(rng.uniform(0.0, 0.2))
        finally:
            os.waitpid(killer, 0)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    try:
        found = int(ProjectFolder(project).load().item("c1").name or 0) if last else last
    except Exception as error:
        return last, f"after {last} edits: {type(error).__name__}: {error}"
    return last, "" if found >= last else f"{last} was saved, but {found} is there"


def main(minutes: float) -> None:
    warnings.simplefilter("ignore")
    rng = random.Random(time.time_ns())
    _save(numbered(1), Path(tempfile.mkdtemp(), "warm.bvh"))  # compiled before processes are forked
    kills, files = dict.fromkeys([*KINDS, "autosaving"], 0), dict.fromkeys([*KINDS, "autosaving"], 0)
    losses: list[str] = []
    end = time.monotonic() + 60.0 * minutes
    with tempfile.TemporaryDirectory() as place:
        page = Path(place, "page")
        page.mkdir()
        (page / "index.html").write_text("<!doctype html><title>studio</title>")
        os.environ["MOTIONLOOM_STUDIO_PAGE"] = str(page)
        while time.monotonic() < end:
            for kind in kills:
                folder = Path(place, kind)
                folder.mkdir(exist_ok=True)
                if kind in KINDS:
                    last, lost = kill_writer(folder, *KINDS[kind], rng)
                else:
                    last, lost = kill_studio(folder, rng)
                kills[kind] += 1
                files[kind] += last
                losses += [f"{kind}: {lost}"] if lost else []
    print("| killed while | kills | files or edits acknowledged | lost or broken |")
    print("|---|---:|---:|---:|")
    for kind in kills:
        lost_here = sum(loss.startswith(f"{kind}:") for loss in losses)
        print(f"| {kind} | {kills[kind]} | {files[kind]:,} | {lost_here} |")
    print(f"\n{sum(kills.values())} kills in {minutes:g} minutes, {len(losses)} losses.")
    if losses:
        raise SystemExit("\n".join(losses))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0)
