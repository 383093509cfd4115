"""The viewer page in Chromium without a graphics card: sizes, first picture, scrubbing, a sheet, accuracy.

Run with `python -m benchmarks.viewer` where Chromium and Playwright are at hand and the page is built
(`python studio/build_page.py`). Pictures are drawn in software, which is the slowest that there is. Captured
clips are used where they are there, else built-in ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from os import getloadavg
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page

import motionloom as ml
from benchmarks.chromium import open_chromium
from benchmarks.corpus import MOCAP
from benchmarks.studio_page import PLAY
from motionloom.motion import Skeleton
from motionloom.synthesis import MOTIONS, walk
from motionloom.viewer import ViewerPage, sheet_page, view_page
from motionloom.viewer.page import template_path

WIDTH = 46
N_STARTS, N_SCRUBS, N_FIGURES = 5, 300, 30
LONG_FRAMES, HUGE_FRAMES, MANY_JOINTS, MANY_CLIPS = 10_000, 100_000, 300, 50
PLAY_SECONDS = 6.0
TIMEOUT_MS = 120_000

DRAWN = """() => new Promise((done, fail) => {
    const end = performance.now() + 120000;
    const look = () => {
        const viewer = window.viewer;
        const ready = document.documentElement.dataset.ready === "true" || viewer?.nDrawn > 0;
        if (viewer && viewer.firstFrame !== null && ready) done(viewer.firstFrame);
        else if (performance.now() > end) fail(new Error("nothing was drawn"));
        else setTimeout(look, 10);
    };
    look();
})"""
"""Waits until figures are drawn; milliseconds from opening the page to the first one."""

SCRUB = """async (times) => {
    const { playback } = window.player;
    playback.pause();
    const gaps = [];
    for (const time of times) {
        const before = performance.now();
        playback.seek(time);
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        gaps.push(performance.now() - before);
    }
    return gaps;
}"""
"""Moves the playhead from place to place, and returns the milliseconds that each took to be drawn."""

DRAW = """(n) => {
    const { viewer } = window;
    const context = viewer.stage.renderer.getContext();
    const pixel = new Uint8Array(4);
    const times = [];
    for (let k = 0; k < n; k++) {
        const before = performance.now();
        viewer.draw(0);
        context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);
        times.push(performance.now() - before);
    }
    return times;
}"""
"""Milliseconds that a picture takes to be computed and drawn, without waiting for the screen."""

Rows = Iterator[tuple[str, str]]


def main() -> None:
    with open_chromium() as (browser, place):
        print(f"{'load of the machine':<{WIDTH}}  {getloadavg()[0]:.1f} on two cores")
        for measure in (size_rows, start_rows, scrub_rows, sheet_rows, accuracy_rows, large_rows):
            for name, value in measure(browser, place):
                print(f"{name:<{WIDTH}}  {value}", flush=True)


def captured_clips(count: int) -> list[ml.Clip]:
    """Clips of the library that lie evenly apart in its list, or built-in ones."""
    files = sorted(MOCAP.glob("library/**/*.bvh"))
    if len(files) < count:
        return [MOTIONS[name](duration=4.0).clip for name in list(MOTIONS)[:count]]
    return [ml.load(path) for path in files[:: len(files) // count][:count]]


def long_clip(n_frames: int, n_joints: int | None = None) -> ml.Clip:
    """A walk of this many frames at 60 frames per second, or a chain of joints that swings."""
    if n_joints is None:
        return walk(duration=(n_frames - 1) / 60.0, fps=60).clip
    names = tuple(f"joint{n}" for n in range(n_joints))
    offsets = np.tile([0.0, 1.8 / n_joints, 0.0], (n_joints, 1))
    chain = Skeleton(names, np.arange(n_joints) - 1, offsets)
    angles = 0.002 * np.sin(np.arange(n_frames)[:, None] / 20.0 + np.arange(n_joints) / 30.0)
    rotations = np.stack(
        [np.cos(angles), np.zeros_like(angles), np.zeros_like(angles), np.sin(angles)], axis=-1
    )
    return ml.Clip(chain, 1 / 60, np.zeros((n_frames, 3)), rotations)


def size_rows(browser: Browser, place: Path) -> Rows:
    yield "page without motion", kilobytes(template_path().stat().st_size)
    empty = template_path().stat().st_size
    for clip in captured_clips(3):
        size = len(view_page(clip).html.encode()) - empty
        name = Path(clip.source.path).stem or "built-in"
        frames = f"{clip.n_frames} frames × {clip.skeleton.n_joints} joints"
        plain = 12 * clip.n_frames * clip.skeleton.n_joints
        yield f"motion of {name}", f"{kilobytes(size)} for {frames} (float32: {kilobytes(plain)})"


def start_rows(browser: Browser, place: Path) -> Rows:
    page = view_page(captured_clips(1)[0])
    opened = [open_page(browser, page, place) for _ in range(N_STARTS)]
    yield "first picture of one clip", f"{median([ms for _, ms in opened]):.0f} ms (median of {N_STARTS})"
    for tab, _ in opened:
        tab.context.close()


def scrub_rows(browser: Browser, place: Path) -> Rows:
    clip = long_clip(LONG_FRAMES)
    page = view_page(clip)
    tab, first = open_page(browser, page, place)
    times = np.random.default_rng(0).uniform(0.0, clip.duration, N_SCRUBS)
    gaps = tab.evaluate(SCRUB, times.tolist())
    yield f"page of {LONG_FRAMES} frames", f"{kilobytes(len(page.html))}, first picture after {first:.0f} ms"
    yield f"{N_SCRUBS} jumps in it", f"median {median(gaps):.0f} ms, longest stall {max(gaps):.0f} ms"
    tab.context.close()


def sheet_rows(browser: Browser, place: Path) -> Rows:
    page = sheet_page(captured_clips(N_FIGURES))
    tab, first = open_page(browser, page, place, height=1240)
    tab.evaluate("() => new Promise((done) => setTimeout(done, 1500))")  # unpack, and let detail settle
    gaps = tab.evaluate(PLAY, PLAY_SECONDS)
    drawn = tab.evaluate("viewer.nDrawn")
    draws = tab.evaluate(DRAW, 20)
    yield f"sheet of {N_FIGURES} figures", f"{kilobytes(len(page.html))}, first picture after {first:.0f} ms"
    yield (
        f"its {drawn} figures in view",
        f"{1000 / float(np.mean(gaps)):.0f} pictures per second, median {median(gaps):.0f} ms, "
        f"longest {max(gaps):.0f} ms; drawing takes {median(draws):.0f} ms of each",
    )
    tab.context.close()


def accuracy_rows(browser: Browser, place: Path) -> Rows:
    worst = 0.0
    for clip in captured_clips(5):
        tab, _ = open_page(browser, view_page(clip), place)
        positions = clip.body.world_positions()
        for frame in np.linspace(0, clip.n_frames - 1, 9).astype(int):
            tab.evaluate("(t) => { player.playback.pause(); player.playback.seek(t); }", frame / clip.fps)
            joints = np.array(tab.evaluate("viewer.jointPositions(0)"))
            worst = max(worst, float(np.linalg.norm(joints - positions[frame], axis=1).max()))
        tab.context.close()
    yield "joints read back, farthest from the library's", f"{1000 * worst:.2f} mm (5 clips, 9 frames each)"


def large_rows(browser: Browser, place: Path) -> Rows:
    cases: dict[str, Callable[[], ViewerPage]] = {
        f"{HUGE_FRAMES} frames": lambda: view_page(long_clip(HUGE_FRAMES)),
        f"{MANY_JOINTS} joints, {LONG_FRAMES} frames": lambda: view_page(long_clip(LONG_FRAMES, MANY_JOINTS)),
        f"{MANY_CLIPS} clips on one page": lambda: view_page(captured_clips(MANY_CLIPS)),
    }
    for name, make in cases.items():
        started = time.perf_counter()
        page = make()
        seconds = time.perf_counter() - started
        tab, first = open_page(browser, page, place)
        yield (
            name,
            f"{kilobytes(len(page.html))}, made in {seconds:.1f} s, first picture after {first:.0f} ms",
        )
        tab.context.close()


def open_page(browser: Browser, page: ViewerPage, place: Path, height: int = 720) -> tuple[Page, float]:
    """Open a page and wait for its first picture; also returns the milliseconds that it took."""
    path = page.save(place / "page.html", overwrite=True)
    context = browser.new_context(viewport={"width": 1280, "height": height}, offline=True)
    tab = context.new_page()
    tab.set_default_timeout(TIMEOUT_MS)
    tab.goto(path.as_uri())
    return tab, float(tab.evaluate(DRAWN))


def median(values: list[Any]) -> float:
    return float(np.median(values))


def kilobytes(size: float) -> str:
    return f"{size / 1000:.0f} kB"


if __name__ == "__main__":
    main()
