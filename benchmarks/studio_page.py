"""The studio's page in Chromium without a graphics card: first picture, live control, scrubbing, ten figures.

Run with `python -m benchmarks.studio_page` where Chromium, Playwright and the captured clips are at hand and
the page is built (`make studio`). Pictures are drawn in software, which is the slowest that there is.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser

from benchmarks.chromium import open_chromium
from benchmarks.corpus import MOCAP, need_corpus
from tests.registration.nine_clips import nine_files
from tests.studio.browser.running_studio import RunningStudio

N_STARTS = 4
LIVE_SECONDS, PLAY_SECONDS = 8.0, 6.0
LONG_FRAMES, FPS, SCRUBS = 20_000, 60.0, 300
SMALL = {"N_STARTS": 2, "LIVE_SECONDS": 0.5, "PLAY_SECONDS": 0.5, "LONG_FRAMES": 200, "SCRUBS": 10}
WIDTH = 42
CANVAS = {"width": 700, "height": 500}

PICTURE = """() => new Promise((done) => {
    const look = () => requestAnimationFrame(() =>
        window.viewport?.figures.all.length ? requestAnimationFrame(done) : look());
    look();
})"""
"""Waits until a figure has been drawn."""

PLAY = """(seconds) => new Promise((done) => {
    const gaps = [];
    const end = performance.now() + 1000 * seconds;
    let last = performance.now();
    const next = (now) => {
        gaps.push(now - last);
        last = now;
        if (now < end) requestAnimationFrame(next);
        else done(gaps.slice(1));
    };
    requestAnimationFrame(next);
})"""
"""Milliseconds from picture to picture for some seconds."""

STEER = """() => {
    const { live } = window.studio;
    window.poses = 0;
    window.studio.livePosed.on((pose) => { if (pose) window.poses++; });
    const turn = (now) => {
        const raw = live.weights.map((_, n) => 1 + Math.sin(now / 700 + n));
        const sum = raw.reduce((total, weight) => total + weight, 0);
        live.weights = raw.map((weight) => weight / sum);
        if (live.running) requestAnimationFrame(turn);
    };
    live.roundTrips.length = 0;
    requestAnimationFrame(turn);
}"""
"""Goes on changing the weights of live control, and counts the poses that come."""

STICKS_SIDE_BY_SIDE = """() => {
    const { settings } = window.viewport;
    settings.set("shape", "sticks");
    settings.set("sideBySide", true);
    settings.set("others", "faint");
}"""
"""Draws all figures, as sticks that stand next to each other."""

Rows = dict[str, str]


def main() -> None:
    need_corpus()
    with open_chromium() as (browser, place):
        for measure in (start_rows, live_rows, long_rows, crowd_rows):
            for name, value in measure(browser, place).items():
                print(f"{name:<{WIDTH}}  {value}", flush=True)


def start_rows(browser: Browser, place: Path) -> Rows:
    """From the command to the first figure of a first project; the first start warms caches."""
    times = []
    for n in range(N_STARTS):
        start = time.perf_counter()
        studio = RunningStudio(browser, [], place / f"start {n}")
        studio.page.evaluate(PICTURE)
        times.append(time.perf_counter() - start)
        close(studio)
    return {"command to first picture": f"{np.median(times[1:]):.2f} s (median of {N_STARTS - 1})"}


def live_rows(browser: Browser, place: Path) -> Rows:
    """Nine captured loops, steered while they are drawn."""
    studio = RunningStudio(browser, nine_files(MOCAP, "s16"), place / "nine")
    sources = [item["id"] for item in studio.items()]
    recipe: dict[str, Any] = {
        "type": "blend",
        "sources": sources,
        "weights": [1.0 / len(sources)] * len(sources),
        "registration": {"cut": "loops"},
    }
    for item in sources:
        studio.do({"type": "show", "item": item, "visible": False})
    studio.do({"type": "add", "name": "nine", "recipe": recipe})
    studio.wait_computed(studio.item("nine")["id"])
    studio.page.get_by_role("button", name="Steer live").click()
    studio.wait("window.studio.live.roundTrips.length > 30")
    studio.page.evaluate(STEER)
    gaps = studio.page.evaluate(PLAY, LIVE_SECONDS)
    trips, poses = studio.page.evaluate("[window.studio.live.roundTrips, window.poses]")
    close(studio)
    median, high = np.percentile(trips, [50, 95])
    return {
        "live control of nine clips, round trip": f"median {median:.1f} ms, 95 % within {high:.1f} ms",
        "  poses per second": f"{poses / LIVE_SECONDS:.0f}",
        "  pictures per second": f"{1000 / np.mean(gaps):.0f}",
    }


def long_rows(browser: Browser, place: Path) -> Rows:
    """Dragging the playhead through a long clip, with its lanes and figure following."""
    studio = RunningStudio(browser, [], place / "long")
    options = {"duration": (LONG_FRAMES - 1) / FPS, "fps": FPS}
    studio.do(
        {"type": "add", "name": "long", "recipe": {"type": "motion", "motion": "walk", "options": options}}
    )
    item = studio.item("long")["id"]
    studio.wait_computed(item)
    frames = studio.page.evaluate("id => window.studio.motion(id).nFrames", item)
    box = studio.page.get_by_role("slider", name="Playhead").bounding_box()
    assert box is not None
    studio.page.evaluate(f"window.gaps = ({PLAY})(8)")
    mouse, y = studio.page.mouse, box["y"] + 8
    mouse.move(box["x"] + 12, y)
    mouse.down()
    mouse.move(box["x"] + box["width"] - 12, y, steps=SCRUBS // 2)
    mouse.move(box["x"] + 12, y, steps=SCRUBS // 2)
    mouse.up()
    gaps = studio.page.evaluate("window.gaps")
    close(studio)
    return {
        f"scrubbing {frames} frames, longest stall": f"{max(gaps):.0f} ms",
        "  pictures, 95 % within": f"{np.percentile(gaps, 95):.0f} ms",
    }


def crowd_rows(browser: Browser, place: Path) -> Rows:
    """Ten figures of sticks at once."""
    studio = RunningStudio(browser, [], place / "ten")
    page = studio.page
    for item in studio.items():
        if not item["visible"]:
            studio.do({"type": "show", "item": item["id"], "visible": True})
    for n in range(10 - len(studio.items())):
        recipe = {"type": "motion", "motion": ["sneak", "idle", "jog_left"][n], "options": {}}
        studio.do({"type": "add", "name": f"more {n}", "recipe": recipe})
    studio.wait_all()
    page.evaluate(STICKS_SIDE_BY_SIDE)
    canvas = page.locator(".viewport canvas").bounding_box()
    assert canvas is not None
    page.set_viewport_size(
        {
            "width": round(1280 + CANVAS["width"] - canvas["width"]),
            "height": round(720 + CANVAS["height"] - canvas["height"]),
        }
    )
    page.evaluate("window.viewport.frameAll()")
    page.evaluate("window.studio.playback.play()")
    page.wait_for_timeout(1000)
    gaps = page.evaluate(PLAY, PLAY_SECONDS)
    drawn = page.evaluate("window.viewport.figures.all.length")
    size = page.evaluate("(({ width, height }) => `${width}×${height}`)(window.viewport.stage.canvas)")
    close(studio)
    return {f"{drawn} figures of sticks, {size}": f"{1000 / np.mean(gaps):.0f} pictures per second"}


def close(studio: RunningStudio) -> None:
    """End a studio, and the benchmark where its page complained."""
    if errors := studio.close():
        raise SystemExit("\n".join(errors))


if __name__ == "__main__":
    main()
