"""Workers may not take any amount of memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from motionloom.files.fbx import worker as fbx_worker
from motionloom.files.usd import worker as usd_worker
from motionloom.jobs import worker_memory
from motionloom.jobs.worker_memory import MAX_MEMORY

pytest.importorskip("resource", reason="the system has no such limits")

TRY = """
import resource, sys
{before}
sys.path.insert(0, sys.argv[1])
from worker_memory import limit_memory
limit_memory()
print(resource.getrlimit(resource.RLIMIT_AS)[0])
try:
    bytes(9 << 30)
except MemoryError:
    print("refused")
"""


@pytest.mark.parametrize("lower", [0, 2 << 30])
def test_memory_is_limited_and_a_lower_limit_stays(lower: int) -> None:
    before = f"resource.setrlimit(resource.RLIMIT_AS, ({lower}, {lower}))" if lower else ""
    folder = Path(str(worker_memory.__file__)).parent
    command = [sys.executable, "-c", TRY.format(before=before), str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == [str(lower or MAX_MEMORY), "refused"]


@pytest.mark.parametrize("worker", [usd_worker, fbx_worker], ids=["usd", "fbx"])
def test_both_workers_limit_theirs(worker: ModuleType) -> None:
    source = Path(str(worker.__file__)).read_text(encoding="utf-8")
    assert source.count("    limit_memory()\n") == 1
