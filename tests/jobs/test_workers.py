"""Foreign libraries in processes of their own: every ending becomes a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from motionloom.errors import FileFormatError, MotionloomError
from motionloom.jobs import workers
from motionloom.jobs.workers import read_exchange, run_worker, write_exchange
from motionloom.studio.background import JobStopped, interrupt

PATH = Path("walk.fbx")


def run(code: str, limit: float = 60.0) -> None:
    run_worker([sys.executable, "-c", code], PATH, "Blender", limit)


def test_a_worker_that_refuses_says_why() -> None:
    with pytest.raises(FileFormatError, match=r"^walk\.fbx: holds no skeleton$"):
        run("import sys; print('chatter'); print('refused: holds no skeleton'); print('quit'); sys.exit(1)")


def test_a_worker_that_crashes() -> None:
    with pytest.raises(
        FileFormatError, match=r"Blender failed on it with exit code 1 \(RuntimeError: boom\)"
    ):
        run("raise RuntimeError('boom')")
    with pytest.raises(FileFormatError, match="Blender failed on it with exit code -6"):
        run("import os; os.abort()")


@pytest.mark.slow
def test_a_worker_that_never_ends() -> None:
    with pytest.raises(FileFormatError, match="was stopped after 0 s without a result: the file is probably"):
        run("import time; time.sleep(60)", limit=0.4)


def test_a_worker_that_waits_for_the_processor_is_not_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_PULSE", 0.01)
    run("import time; time.sleep(0.2)", limit=0.1)


def test_a_worker_that_computes_for_ever_is_stopped_at_its_limit() -> None:
    start = time.monotonic()
    with pytest.raises(FileFormatError, match="was stopped after 0 s without a result"):
        run("while True: pass", limit=0.3)
    assert time.monotonic() - start < 20.0


def test_a_worker_ends_with_its_job(tmp_path: Path) -> None:
    place = tmp_path / "process"
    code = f"import os, time; open({str(place)!r}, 'w').write(str(os.getpid())); time.sleep(60)"

    def work() -> None:
        with suppress(JobStopped):
            run(code)

    thread = Thread(target=work)
    thread.start()
    wait_until(lambda: place.exists() and place.read_text() != "")
    interrupt(thread)
    thread.join(10.0)
    assert not thread.is_alive()
    with pytest.raises(ProcessLookupError):
        os.kill(int(place.read_text()), 0)


def test_a_worker_ends_with_the_program(tmp_path: Path) -> None:
    place = tmp_path / "process"
    code = f"import os, time; open({str(place)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    program = f"""
import sys, threading, time
from pathlib import Path
from motionloom.jobs.workers import run_worker
words = [sys.executable, "-c", {code!r}], Path("walk.fbx"), "Blender", 60.0
threading.Thread(target=run_worker, args=words, daemon=True).start()
while not (Path({str(place)!r}).exists() and Path({str(place)!r}).read_text()):
    time.sleep(0.01)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    wait_until(lambda: not is_alive(int(place.read_text())))


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that ended, and that nobody has asked about, still has its number.
    return (
        not Path(f"/proc/{process}/stat").exists() or ") Z " not in Path(f"/proc/{process}/stat").read_text()
    )


def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(
        MotionloomError, match="Blender cannot be started from /no/such/program: No such file"
    ):
        run_worker(["/no/such/program"], PATH, "Blender", 1.0)


def test_results_that_are_not_whole(tmp_path: Path) -> None:
    result = tmp_path / "motion.npz"
    with pytest.raises(FileFormatError, match="the library gave no complete result"):
        read_exchange(result, PATH)
    result.write_bytes(b"half of a zip")
    with pytest.raises(FileFormatError, match="the library gave no complete result"):
        read_exchange(result, PATH)
    np.savez(result, positions=np.zeros(3))
    with pytest.raises(FileFormatError, match="the library gave no complete result"):
        read_exchange(result, PATH)


def test_arrays_that_are_missing_or_no_numbers(tmp_path: Path) -> None:
    result = tmp_path / "motion.npz"
    write_exchange(result, {}, {"turns": np.array(["a"])})
    found = read_exchange(result, PATH)
    for name in ("turns", "positions"):
        with pytest.raises(FileFormatError, match=f"its {name} are missing or not numbers"):
            found.array(name)


def test_bits_that_are_no_number_are_handed_over_without_a_warning(tmp_path: Path) -> None:
    result = tmp_path / "motion.npz"
    signalling = np.array([0x7FA00000], dtype=np.uint32).view(np.float32)
    write_exchange(result, {}, {"positions": signalling})
    assert np.isnan(read_exchange(result, PATH).array("positions")).all()


def test_what_is_handed_over_comes_back(tmp_path: Path) -> None:
    result = tmp_path / "motion.npz"
    positions = np.arange(6.0).reshape(2, 3)
    write_exchange(result, {"names": ["hip", "Knöchel"], "fps": 29.97}, {"positions": positions})
    found = read_exchange(result, PATH)
    assert found.header.texts("names") == ("hip", "Knöchel")
    assert found.header.number("fps") == 29.97
    np.testing.assert_array_equal(found.array("positions"), positions)
