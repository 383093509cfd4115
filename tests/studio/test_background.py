from __future__ import annotations

import subprocess
import sys

import pytest

from motionloom.studio.background import run_in_background
from tests.studio.running import run_here

ENDLESS = """
import asyncio, time
from motionloom.studio.background import run_in_background

async def run():
    working = asyncio.create_task(run_in_background(lambda: time.sleep(600)))
    await asyncio.sleep(0.05)
    working.cancel()

asyncio.run(run())
"""


def test_an_error_goes_to_whoever_waits() -> None:
    def fail() -> None:
        raise ZeroDivisionError("a fault")

    with pytest.raises(ZeroDivisionError, match="a fault"):
        run_here(run_in_background(fail))


def test_what_it_returns_is_the_answer() -> None:
    assert run_here(run_in_background(lambda: 6 * 7)) == 42


def test_work_that_never_ends_keeps_no_process_alive() -> None:
    ended = subprocess.run([sys.executable, "-c", ENDLESS], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
