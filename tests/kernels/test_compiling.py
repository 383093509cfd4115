from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import logging, os, signal, threading
import numpy as np
from motionloom import kernels

logging.basicConfig(level=logging.INFO, format="%(message)s")
threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    places, turns = np.zeros((1, 1, 3)), np.zeros((1, 1, 4))
    kernels.kinematics.world_transforms(np.array([-1]), places, places[0], turns, places, turns, 0, 1)
    threading.Event().wait(5)
except KeyboardInterrupt:
    print("interrupted", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def run(cache: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=60,
    )


def test_an_interrupt_during_compilation_is_not_lost(tmp_path: Path) -> None:
    """With an empty cache the kernel compiles when the interrupt comes; it is raised, not dropped."""
    ended = run(tmp_path / "cache")
    assert ended.stdout == "interrupted True\n", ended.stderr
    assert "Exception ignored" not in ended.stderr
    assert ended.stderr.count("compiling numeric kernels for their first use") <= 1
