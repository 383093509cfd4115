"""Build the wheel, install it with its extra into an environment of its own, and open its studio offline.

Run with `make evidence`: needs npm, Chromium, Playwright and Linux, whose users may make network namespaces.
Exits with 1 where the page does not come up, logs an error, or asks for anything but the studio's own server.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]

INSIDE = "--inside"
"""Tells the second run of this script, the one without a network, whose Python has the wheel."""


def main() -> None:
    """Make the wheel and the environment, then look at the page from within a network of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tree = folder / "tree"
        _run("git", "clone", "-q", str(ROOT), str(tree))
        _run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(tree))
        (wheel,) = folder.glob("*.whl")
        _run(sys.executable, "-m", "venv", str(folder / "env"))
        python = folder / "env" / "bin" / "python"
        _run(str(python), "-m", "pip", "install", "-q", f"{wheel}[studio]")
        inside = f'ip link set lo up && "{sys.executable}" "{__file__}" {INSIDE} "{python}"'
        _run("unshare", "--map-root-user", "--net", "sh", "-c", inside)
    print("the wheel's studio works with the network off")


def look(python: Path) -> None:
    """Open the studio of an installed wheel and wait for all built-in motions."""
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(ROOT))
    from tests.studio.browser.running_studio import FLAGS, RunningStudio

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        studio = RunningStudio(browser, [], Path(name) / "project", (str(python), "-m", "motionloom"))
        studio.wait_all()
        made = len(studio.items())
        errors = studio.close()
        browser.close()
    print(f"{made} clips made, {len(errors)} errors", *errors, sep="\n")
    sys.exit(bool(errors))


def _run(*call: str) -> None:
    if subprocess.run(call, check=False, cwd=tempfile.gettempdir()).returncode:
        sys.exit(f"failed: {' '.join(call)}")


if __name__ == "__main__":
    if INSIDE in sys.argv:
        look(Path(sys.argv[-1]))
    else:
        main()
