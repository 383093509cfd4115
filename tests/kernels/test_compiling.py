from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import logging, os, signal, sys, threading, time
import numpy as np
from motionloom import kernels

def interrupt(delay):
    threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)).start()

logging.basicConfig(level=logging.INFO, format="%(message)s")
try:
    if sys.argv[1] == "loading":
        interrupt(0.05)
    module = kernels.kinematics
    interrupt(0.3)
    places, turns = np.zeros((1, 1, 3)), np.zeros((1, 1, 4))
    module.world_transforms(np.array([-1]), places, places[0], turns, places, turns, 0, 1)
    time.sleep(5)
except KeyboardInterrupt:
    print("interrupted", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
    os._exit(0)
"""


def run(cache: Path, moment: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.run(
        [sys.executable, "-uc", SCRIPT, moment],
        # A test run in the background may itself ignore interrupts, which its children would inherit.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=60,
    )


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["loading", "compiling"])
def test_an_interrupt_is_not_lost(tmp_path: Path, moment: str) -> None:
    """It comes while numba loads, or while a kernel compiles with an empty cache; it is raised after that."""
    ended = run(tmp_path / "cache", moment)
    assert ended.stdout == "interrupted True\n", ended.stderr
    assert "Exception ignored" not in ended.stderr
