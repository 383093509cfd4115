"""How long a new process waits: importing the package, asking for help, and the first use of a kernel.

Times are medians over fresh processes, bare Python's own start included and shown for comparison.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial

from benchmarks.timing import median_seconds, print_table

COMMANDS = {
    "import motionloom": [sys.executable, "-c", "import motionloom"],
    "motionloom --help": [sys.executable, "-m", "motionloom", "--help"],
    "first world positions, kernels cached": [
        sys.executable,
        "-c",
        "import motionloom as ml; from motionloom.synthesis import walk; walk().clip.world_positions()",
    ],
    "bare python": [sys.executable, "-c", "pass"],
    "import numpy": [sys.executable, "-c", "import numpy"],
}


def main() -> None:
    rows = {
        name: median_seconds(partial(subprocess.run, command, check=True, capture_output=True))
        for name, command in COMMANDS.items()
    }
    print_table("Start of a process", rows, "import motionloom")


if __name__ == "__main__":
    main()
