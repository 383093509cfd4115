from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from motionloom.studio.background import JobStopped, interrupt, run_in_background
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


def test_an_import_is_not_interrupted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Half of a package would stay behind, and nobody could import it again."""
    gate = SimpleNamespace(begun=Event(), goes_on=Event())
    (tmp_path / "slow_import.py").write_text(
        "import import_gate\nimport_gate.begun.set()\nimport_gate.goes_on.wait(60)\nwhole = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "import_gate", gate)

    def work() -> None:
        with suppress(JobStopped):
            import_module("slow_import")
            while True:
                time.sleep(0.001)

    thread = Thread(target=work, daemon=True)
    thread.start()
    assert gate.begun.wait(60)
    interrupt(thread)
    gate.goes_on.set()
    thread.join(60)
    assert not thread.is_alive()
    assert sys.modules.pop("slow_import").whole
