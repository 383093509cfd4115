"""Memory of the studio while somebody plays and edits for half an hour: of the page and of the server.

Run with `python -m benchmarks.studio_memory [minutes]` where Chromium, Playwright and the captured clips are
at hand and the page is built (`make studio`). Every round selects a clip, plays it, opens a panel, changes
the weights of a blend, adds a clip, switches between mannequin and character, and undoes all of it. Once a
minute garbage is collected and memory measured. The last row is the growth per minute over the second half.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, CDPSession

from benchmarks.chromium import open_chromium
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.studio_page import close
from tests.studio.browser.page_checks import PANELS
from tests.studio.browser.running_studio import RunningStudio

MINUTES = 30.0
PLAY_MS = 400
COLUMNS = ("minute", "rounds", "page heap MB", "DOM nodes", "geometries", "textures", "server MB")


@dataclass(frozen=True)
class Sample:
    """What was in use at a time."""

    minute: float
    rounds: int
    heap: float
    nodes: int
    geometries: int
    textures: int
    server: float

    @property
    def values(self) -> tuple[float, ...]:
        """The values in the order of the columns."""
        return (
            self.minute,
            self.rounds,
            self.heap,
            self.nodes,
            self.geometries,
            self.textures,
            self.server,
        )


def main() -> None:
    need_corpus()
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    with open_chromium() as (browser, place):
        samples = run(browser, place, minutes)
    half = np.array([sample.values for sample in samples if sample.minute >= minutes / 2])
    slopes = np.polyfit(half[:, 0], half[:, 2:], 1)[0]
    print("growth per minute, second half: ", end="")
    print(", ".join(f"{name} {slope:+.3f}" for name, slope in zip(COLUMNS[2:], slopes, strict=True)))


def run(browser: Browser, place: Path, minutes: float) -> list[Sample]:
    """Play and edit for some minutes, and measure once a minute."""
    studio = RunningStudio(browser, [], place / "project")
    studio.wait_all()
    blend = next(item["id"] for item in studio.items() if item["recipe"]["type"] == "blend")
    studio.drop(sorted((MOCAP / "game" / "character").iterdir()))
    studio.wait("window.studio.document.characters.length > 0")
    character = studio.page.evaluate("window.studio.document.figure")
    tools = studio.page.context.new_cdp_session(studio.page)
    print("  ".join(f"{name:>12}" for name in COLUMNS), flush=True)
    samples: list[Sample] = []
    start, rounds = time.monotonic(), 0
    while (minute := (time.monotonic() - start) / 60) < minutes or minute - samples[-1].minute > 0.1:
        if not samples or minute - samples[-1].minute >= 1.0 or minute >= minutes:
            samples.append(measure(studio, tools, minute, rounds))
            print("  ".join(f"{value:12.1f}" for value in samples[-1].values), flush=True)
        if minute >= minutes:
            break
        edit(studio, blend, character, rounds)
        rounds += 1
    close(studio)
    return samples


def edit(studio: RunningStudio, blend: str, character: str, n: int) -> None:
    """One round of playing and editing, all of which is undone."""
    page, items = studio.page, studio.items()
    revision = page.evaluate("window.studio.state.revision")
    studio.select(items[n % len(items)]["id"])
    page.evaluate("window.studio.playback.play()")
    page.wait_for_timeout(PLAY_MS)
    studio.select(blend)
    studio.tab(PANELS[n % len(PANELS)])
    recipe = studio.item(next(item["name"] for item in items if item["id"] == blend))["recipe"]
    first = 0.15 + 0.1 * (n % 7)  # never 0.5, which would be no edit
    studio.do({"type": "set_recipe", "item": blend, "recipe": {**recipe, "weights": [first, 1 - first]}})
    studio.wait_computed(blend)
    motion = {"type": "motion", "motion": "jog", "options": {"fps": 30, "duration": 2 + 0.01 * (n % 50)}}
    studio.do({"type": "add", "name": "more", "recipe": motion})
    added = studio.item("more")["id"]
    studio.wait_computed(added)
    figure = "mannequin" if n % 2 else character
    if page.evaluate("window.studio.document.figure") != figure:
        studio.do({"type": "choose_figure", "figure": figure})
    page.wait_for_timeout(PLAY_MS)
    page.evaluate("window.studio.playback.pause()")
    for _ in range(page.evaluate("window.studio.state.revision") - revision):
        if page.evaluate("window.studio.state.undo") is None or studio.items() == items:
            break
        studio.wait_for_edit(lambda: page.evaluate("window.studio.undo()"))
    studio.wait_all()


def measure(studio: RunningStudio, tools: CDPSession, minute: float, rounds: int) -> Sample:
    """Collect garbage and read what is in use."""
    tools.send("HeapProfiler.collectGarbage")
    heap = tools.send("Runtime.getHeapUsage")["usedSize"]
    nodes = tools.send("Memory.getDOMCounters")["nodes"]
    geometries, textures = studio.page.evaluate(
        "(({ geometries, textures }) => [geometries, textures])(window.viewport.stage.renderer.info.memory)"
    )
    status = Path(f"/proc/{studio.process.pid}/status").read_text()
    server = next(int(line.split()[1]) / 1000 for line in status.splitlines() if line.startswith("VmRSS"))
    return Sample(minute, rounds, heap / 1e6, nodes, geometries, textures, server)


if __name__ == "__main__":
    main()
