"""A studio that is steered and edited for a long time: its memory stays flat, and nothing is refused.

Run with `make soak MINUTES=20`, or `python -m benchmarks.soak 20`. One tab steers a blend sixty times a
second; between poses it changes weights, renames, undoes, measures and exports, and a second tab comes and
goes. The memory is that of the studio's process, as the system counts it.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from websockets.sync.client import ClientConnection, connect

MAX_GROWTH = 0.05
"""Growth of memory from the second quarter to the last, as a fraction: more is a leak."""

N_SAMPLES = 20
"""Rows of the table."""

STEP = 1 / 60

EDIT_EVERY = 30
"""Poses between two edits."""

WEIGHTS = [n / 20 for n in range(21)]
"""Weights that edits take: few enough for all clips to be cached, so that only a leak grows."""


class Tab:
    """A tab of the studio, which counts what it hears."""

    def __init__(self, address: str) -> None:
        self.host, _, self.token = address.removeprefix("http://").partition("/?token=")
        self._open = ExitStack()
        address = f"ws://{self.host}/ws?token={self.token}"
        self.socket: ClientConnection = self._open.enter_context(connect(address, max_size=None))
        self.heard: dict[str, int] = {}
        self.refused: list[str] = []

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self) -> str:
        """Take one message and return its kind."""
        data = self.socket.recv(timeout=600)
        message = {"type": "pose"} if isinstance(data, bytes) else json.loads(data)
        kind = str(message["type"])
        self.heard[kind] = self.heard.get(kind, 0) + 1
        if kind in ("refused", "failed"):
            self.refused.append(message["error"])
        return kind

    def wait_for(self, kind: str) -> None:
        while self.hear() != kind:
            pass

    def fetch(self, path: str, method: str = "GET") -> int:
        request = Request(
            f"http://{self.host}{path}", headers={"X-Motionloom-Token": self.token}, method=method
        )
        with urlopen(request, timeout=120) as answer:
            return len(answer.read())

    def close(self) -> None:
        self._open.close()


def resident_bytes(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) << 10
    return 0


def edit(tab: Tab, n: int, rng: random.Random) -> None:
    """Do one of the things that a user does."""
    weight = rng.choice(WEIGHTS)
    blend = {"type": "blend", "sources": ["c1", "c2"], "weights": [weight, 1 - weight]}
    kind = n % 8
    if kind in (0, 2, 4):
        tab.say(type="do", serial=n, edit={"type": "set_recipe", "item": "c7", "recipe": blend})
    elif kind == 1:
        tab.say(type="do", serial=n, edit={"type": "rename", "item": "c1", "name": f"walk {n % 100}"})
    elif kind == 3:
        tab.say(type="undo")
    elif kind == 5:
        tab.fetch("/api/quality/c7")
    elif kind == 6:
        tab.fetch("/api/exports/c7?format=bvh", "POST")
    else:
        other = Tab(f"http://{tab.host}/?token={tab.token}")
        other.wait_for("state")
        other.close()


def main(minutes: float) -> None:
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as place:
        page = Path(place, "page")
        page.mkdir()
        (page / "index.html").write_text("<!doctype html><title>studio</title>")
        environment = {**os.environ, "MOTIONLOOM_STUDIO_PAGE": str(page)}
        command = [sys.executable, "-m", "motionloom", "studio", "--no-browser"]
        with subprocess.Popen(
            [*command, "--project", f"{place}/project"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        ) as studio:
            assert studio.stdout is not None
            try:
                soak(studio.pid, studio.stdout.readline().split()[-1], minutes, rng)
            finally:
                studio.kill()


def soak(process: int, address: str, minutes: float, rng: random.Random) -> None:
    """Use the studio for so many minutes, and print its memory over time."""
    tab = Tab(address)
    tab.say(type="live_start", item="c7", weights=[0.5, 0.5])
    tab.wait_for("live_started")
    print("| minute | memory | poses | edits and requests | slowest pose |")
    print("|---:|---:|---:|---:|---:|")
    start = time.monotonic()
    memory: list[int] = []
    n_poses = n_edits = 0
    slowest = 0.0
    while len(memory) < N_SAMPLES:
        weight = 0.5 + 0.5 * np.sin(n_poses / 100)
        begun = time.monotonic()
        tab.say(type="live_step", serial=n_poses, dt=STEP, weights=[weight, 1 - weight])
        tab.wait_for("pose")
        took = time.monotonic() - begun
        slowest = max(slowest, took)
        n_poses += 1
        if n_poses % EDIT_EVERY == 0:
            n_edits += 1
            edit(tab, n_edits, rng)
        time.sleep(max(0.0, STEP - took))
        elapsed = time.monotonic() - start
        if elapsed >= 60.0 * minutes * (len(memory) + 1) / N_SAMPLES:
            memory.append(resident_bytes(process))
            cells = [f"{elapsed / 60:.1f}", f"{memory[-1] / 1e6:.1f} MB", f"{n_poses:,}", f"{n_edits:,}"]
            print(f"| {' | '.join(cells)} | {1000 * slowest:.0f} ms |", flush=True)
            slowest = 0.0
    quarter = N_SAMPLES // 4
    early, late = np.mean(memory[quarter : 2 * quarter]), np.mean(memory[-quarter:])
    growth = late / early - 1
    print(f"\nFrom the second quarter to the last memory grew by {100 * growth:.1f} %; ", end="")
    print(f"{len(tab.refused)} messages were refused or clips failed.")
    if growth > MAX_GROWTH or tab.refused:
        raise SystemExit("\n".join(["memory is not flat, or something was refused", *tab.refused[:5]]))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0)
