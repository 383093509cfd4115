"""Show a clip in a Jupyter server, driven by Playwright: ``python studio/try_notebook.py [FOLDER]``.

Not a part of the tests: it needs the package notebook, Chromium and Playwright, and a built viewer page.
Exits with 1 where the viewer does not appear below its cell, or draws a joint more than a millimetre from
where the library has it. A picture of the notebook goes into FOLDER.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
from playwright.sync_api import Frame, Page, sync_playwright

from motionloom.synthesis import walk

ROOT = Path(__file__).parents[1]
TOKEN = "try-notebook"
SECONDS = 180.0
CODE = "from motionloom.synthesis import walk\nwalk(duration=2.0, fps=60).clip.show()"
FRAMES = (0, 50, 120)
MILLIMETRE = 1e-3


def main(folder: Path) -> None:
    """Start a server on a notebook with one cell, run the cell, and look at the frame below it."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "clip.ipynb").write_text(json.dumps(notebook()))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        call = [sys.executable, "-m", "notebook", "--no-browser", "--allow-root", f"--port={port}"]
        call += [f"--ServerApp.token={TOKEN}", f"--ServerApp.root_dir={place}"]
        server = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            sys.exit(look(port, folder))
        finally:
            server.terminate()
            server.wait()


def notebook() -> dict[str, object]:
    """Return a notebook with one cell that shows a clip."""
    cell: dict[str, object] = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {
        "cells": [{**cell, "source": CODE}],
        "metadata": {"kernelspec": spec},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def wait_for(port: int) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token={TOKEN}", timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    sys.exit("the Jupyter server did not start")


def look(port: int, folder: Path) -> int:
    """Run the cell, compare the joints that are drawn with the library, and return the exit code."""
    sys.path.insert(0, str(ROOT))
    from tests.studio.browser.running_studio import FLAGS

    clip = walk(duration=2.0, fps=60).clip
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.set_default_timeout(1000 * SECONDS)
        page.goto(f"http://127.0.0.1:{port}/notebooks/clip.ipynb?token={TOKEN}")
        page.locator(".jp-Cell .cm-content").first.click()
        frame = run_cell(page)
        began = time.monotonic()
        while not frame.evaluate("() => window.viewer !== undefined && window.viewer.firstFrame !== null"):
            if time.monotonic() > began + SECONDS:
                sys.exit("the viewer drew nothing")
            time.sleep(0.1)
        worst = 0.0
        for n in FRAMES:
            frame.evaluate("(t) => { player.playback.pause(); player.playback.seek(t); }", n / clip.fps)
            joints = np.array(frame.evaluate("viewer.jointPositions(0)"))
            worst = max(worst, float(np.linalg.norm(joints - clip.world_positions()[n], axis=1).max()))
        page.screenshot(path=folder / "notebook.png")
        print(f"first picture {frame.evaluate('viewer.firstFrame'):.0f} ms after the frame was made")
        print(f"joints within {1000 * worst:.2f} mm of the library")
        browser.close()
    return int(worst > MILLIMETRE)


def run_cell(page: Page) -> Frame:
    """Run the cell until its output is there: the kernel may not have started yet."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        page.keyboard.press("Control+Enter")
        for _ in range(50):
            found = page.locator("iframe[srcdoc]").first
            if found.count():
                frame = found.element_handle().content_frame()
                if frame is not None:
                    return frame
            time.sleep(0.2)
    sys.exit("no viewer appeared below the cell")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
