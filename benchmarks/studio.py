"""The studio's server: from start to page, live control through a real socket, a changed weight, long clips.

Run with `python -m benchmarks.studio` where the captured clips are beside the checkout. A studio runs in a
process of its own and is talked to as a page does. Nine captured loops are steered one pose at a time; the
bound is a message that the server only refuses.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import numpy as np
from websockets.sync.client import ClientConnection, connect

from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.timing import median_seconds
from motionloom.project.document import ClipEdit
from motionloom.project.evaluator import EvaluatedClip
from motionloom.studio.clips import pack_clip
from motionloom.studio.server import PAGE_VARIABLE
from motionloom.synthesis import walk
from motionloom.workflows import ensure_annotated
from tests.registration.nine_clips import nine_files

N_STARTS, N_STEPS, N_CHANGES = 5, 2000, 20
LONG_FRAMES, FPS = 20_000, 60.0
SMALL = {"N_STARTS": 1, "N_STEPS": 5, "N_CHANGES": 1, "LONG_FRAMES": 100}


def main() -> None:
    need_corpus()
    with tempfile.TemporaryDirectory() as place:
        page = Path(place, "page")
        page.mkdir()
        (page / "index.html").write_text("<!doctype html><title>studio</title>")
        os.environ[PAGE_VARIABLE] = str(page)
        print_start(Path(place))
        with started(Path(place, "nine"), *map(str, nine_files(MOCAP, "s16"))) as address:
            socket, _, token = address.partition("/?token=")
            with connect(f"{socket.replace('http', 'ws')}/ws?token={token}", max_size=None) as tab:
                print_live(tab)
    print_pack()


@contextmanager
def started(project: Path, *files: str) -> Iterator[str]:
    """A studio in a process of its own; gives its address."""
    words = [sys.executable, "-m", "motionloom", "studio", "--no-browser", "--project", str(project), *files]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.kill()


def print_start(place: Path) -> None:
    pages, clips = [], []
    for n in range(N_STARTS):
        start = time.perf_counter()
        with started(place / f"start {n}") as address:
            urlopen(address).read()
            pages.append(time.perf_counter() - start)
            socket, _, token = address.partition("/?token=")
            with connect(f"{socket.replace('http', 'ws')}/ws?token={token}") as tab:
                heard(tab, lambda message: message["type"] == "finished" and message["item"] == "c7")
            clips.append(time.perf_counter() - start)
    print(f"From the command to the page {np.median(pages):.2f} s,")
    print(f"  to all seven clips of a first project {np.median(clips):.2f} s (median of {N_STARTS} starts)")


def print_live(tab: ClientConnection) -> None:
    state = heard(tab, lambda message: message["type"] == "state")
    sources = [item["id"] for item in state["document"]["items"]]
    recipe: dict[str, Any] = {
        "type": "blend",
        "sources": sources,
        "weights": [1.0 / len(sources)] * len(sources),
        "registration": {"cut": "loops"},
    }
    blend = f"c{state['document']['next_number']}"
    start = time.perf_counter()
    do(tab, {"type": "add", "name": "nine", "recipe": recipe})
    wait_for(tab, blend)
    print(f"\nNine captured loops are read, registered and blended in {time.perf_counter() - start:.1f} s")

    random = np.random.default_rng(1)
    changes = []
    for _ in range(N_CHANGES):
        weights = random.dirichlet(np.ones(len(sources))).tolist()
        start = time.perf_counter()
        do(tab, {"type": "set_recipe", "item": blend, "recipe": {**recipe, "weights": weights}})
        wait_for(tab, blend)
        changes.append(time.perf_counter() - start)
    print(f"A changed weight to the new clip: {spread(changes)}")

    tab.send(json.dumps({"type": "live_start", "item": blend, "weights": recipe["weights"]}))
    heard(tab, lambda message: message["type"] == "live_started")
    print(f"Live control, round trip of a pose: {spread(round_trips(tab, lambda n: step(n, random)))}")
    print(f"  bound, a message that is refused: {spread(round_trips(tab, lambda n: '{}'))}")


def round_trips(tab: ClientConnection, message: Callable[[int], str]) -> list[float]:
    times = []
    for n in range(N_STEPS):
        text = message(n)
        start = time.perf_counter()
        tab.send(text)
        tab.recv()
        times.append(time.perf_counter() - start)
    return times


def step(n: int, random: np.random.Generator) -> str:
    weights = random.dirichlet(np.ones(9)).tolist()
    return json.dumps({"type": "live_step", "serial": n, "dt": 1.0 / 60.0, "weights": weights})


def print_pack() -> None:
    clip = ensure_annotated(walk(duration=LONG_FRAMES / FPS, fps=FPS).clip)
    outcome = EvaluatedClip(
        clip=clip,
        before=None,
        blend=None,
        curve=None,
        frames=None,
        verdict=None,
        notes=(),
        seams=(),
        edit=ClipEdit(),
        whole_frames=clip.n_frames,
        source_provenances=(),
        key="long",
    )
    seconds = median_seconds(lambda: pack_clip(outcome))
    megabytes = len(pack_clip(outcome)) / 1e6
    print(
        f"\nPacking {clip.n_frames} frames with {len(clip.constraints)} plants: {1000 * seconds:.0f} ms, "
        f"{megabytes:.1f} MB"
    )


def do(tab: ClientConnection, edit: dict[str, Any]) -> None:
    tab.send(json.dumps({"type": "do", "serial": 1, "edit": edit}))


def wait_for(tab: ClientConnection, item: str) -> None:
    told = heard(tab, lambda m: m.get("item") == item and m["type"] in ("finished", "failed"))
    if told["type"] == "failed":
        raise SystemExit(told["error"])


def heard(tab: ClientConnection, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(tab.recv())
        if wanted(message):
            return message


def spread(times: list[float]) -> str:
    median, high = np.percentile(times, [50, 95])
    return f"median {1000 * median:.2f} ms, 95 % within {1000 * high:.2f} ms"


if __name__ == "__main__":
    main()
