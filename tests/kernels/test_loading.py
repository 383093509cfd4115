from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import threading
from motionloom import kernels

found, start = [], threading.Barrier(4)

def touch():
    start.wait()
    found.append(kernels.text.parse_numbers is not None)

threads = [threading.Thread(target=touch) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(found)
"""


@pytest.mark.slow
def test_threads_that_load_a_kernel_at_once_wait_for_each_other() -> None:
    ended = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert ended.stdout == "[True, True, True, True]\n", ended.stderr
