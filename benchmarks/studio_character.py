"""A skinned character in the studio without a graphics card: from the drop to playing, pictures per second.

Run with `python -m benchmarks.studio_character` where Chromium, Playwright and the captured clips are at hand
and the page is built (`make studio`). Pictures are drawn in software, which is the slowest that there is. The
character is the skinned mannequin of the corpus with four times its triangles and a texture that makes it
3 MB; five more clips are on the stage, drawn faintly.
"""

from __future__ import annotations

import time
from os import getloadavg
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser

import motionloom as ml
from benchmarks.chromium import open_chromium
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.large_characters import MEGABYTE, save_character, split_triangles
from benchmarks.studio_page import PLAY, WIDTH, close
from tests.studio.browser.running_studio import RunningStudio

FAINT = ("jog", "sneak", "walk_left", "walk_right", "idle")
SECONDS = 12
N_DROPS = 3
SIZES = ((1280, 720), (1920, 1080))

DROPPED = """() => new Promise((done) => {
    const { playback } = window.studio;
    const item = window.studio.selected.id;
    const look = () => {
        const figure = window.viewport.figures.of(item);
        if (figure?.look.startsWith("character")) {
            playback.play();
            const start = playback.time;
            const moved = () => requestAnimationFrame(() => (playback.time !== start ? done() : moved()));
            moved();
        } else requestAnimationFrame(look);
    };
    look();
})"""
"""Waits until the selected clip is drawn on the character that was dropped, and plays."""


def main() -> None:
    need_corpus()
    with open_chromium() as (browser, place):
        measure(browser, place)


def measure(browser: Browser, place: Path) -> None:
    """Print the rows."""
    source = MOCAP / "game" / "character" / "manny_med_mod.gltf"
    mesh = split_triangles(ml.load_skinned_mesh(source))
    studio = open_stage(browser, place)
    for n in range(N_DROPS):
        # The colours differ, so that nothing is remembered from the drop before.
        hero = save_character(ml.load(source), mesh, place / f"hero {n}.glb", 3 * MEGABYTE + n)
        studio.page.evaluate("window.studio.playback.pause()")
        start = time.perf_counter()
        studio.drop([hero])
        studio.wait("n => window.studio.document.characters.length > n", n)
        studio.page.evaluate(DROPPED)
        seconds = time.perf_counter() - start
        row(f"drop {hero.stat().st_size / MEGABYTE:.1f} MB to playing", f"{seconds:.2f} s")
    row("vertices and triangles", f"{len(mesh.positions)} and {len(mesh.triangles)}")
    hero = save_character(ml.load(source), mesh, place / "huge.glb", 50 * MEGABYTE)
    start = time.perf_counter()
    studio.drop([hero])
    studio.wait("n => window.studio.document.characters.length > n", N_DROPS)
    studio.page.evaluate(DROPPED)
    seconds = time.perf_counter() - start
    row(f"drop {hero.stat().st_size / MEGABYTE:.1f} MB to playing", f"{seconds:.2f} s")
    studio.do({"type": "choose_figure", "figure": "k3"})
    for width, height in SIZES:
        studio.page.set_viewport_size({"width": width, "height": height})
        studio.page.reload()
        studio.page.wait_for_selector(".clip-name")
        studio.wait_all()
        studio.select(studio.item("walk")["id"])
        studio.page.evaluate(DROPPED)
        gaps = np.array(studio.page.evaluate(PLAY, SECONDS))
        ends = np.cumsum(gaps) / 1000
        by_second = [int(np.sum((ends >= n) & (ends < n + 1))) for n in range(SECONDS)]
        row(f"{width}x{height}: pictures in each second", " ".join(map(str, by_second)))
        last = gaps[ends > SECONDS / 2]
        row(
            "  in the second half",
            f"{1000 / last.mean():.1f} per second, 95 % within {np.percentile(last, 95):.0f} ms",
        )
        row(
            "  detail",
            studio.page.evaluate(
                "`level ${viewport.detail.level}: ${JSON.stringify(viewport.detail.detail)}`"
            ),
        )
        row(
            "  figures",
            studio.page.evaluate(
                "viewport.figures.all.map((f) => `${f.role} ${f.look.split(' ')[0]}`).join(', ')"
            ),
        )
    row("load average", f"{getloadavg()[0]:.1f}")
    close(studio)


def open_stage(browser: Browser, place: Path) -> RunningStudio:
    """Open a studio on a walk in focus and five other clips."""
    studio = RunningStudio(browser, [], place / "project")
    ids = [item["id"] for item in studio.items()]
    studio.do({"type": "remove_many", "items": ids})
    for motion in ("walk", *FAINT):
        options = {"fps": 30, "duration": 3.0}
        studio.do(
            {
                "type": "add",
                "name": motion,
                "recipe": {"type": "motion", "motion": motion, "options": options},
            }
        )
    studio.wait_all()
    studio.select(studio.item("walk")["id"])
    return studio


def row(name: str, value: str) -> None:
    """Print a row of the table."""
    print(f"{name:<{WIDTH}}  {value}", flush=True)


if __name__ == "__main__":
    main()
