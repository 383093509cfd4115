"""Machine code that is kept on disk: the numbers of Numba without Numba, whatever happens to files."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from motionloom.kernels import compiling, machine_code, machine_code_cache
from motionloom.kernels.compiling import Floats, Kernel, by_numba, kernel

SCALE = 3.0


@kernel
def _scale(value: float, positive: bool) -> float:
    return SCALE * value if positive else -SCALE * value


def add_rows(rows: Floats, first: int, positive: bool, out: Floats) -> int:
    for i in range(first, rows.shape[0]):
        for j in range(rows.shape[1]):
            out[j] += _scale(rows[i, j], positive)
    return int(rows.shape[0]) - first


def allocate(out: Floats) -> None:
    numbers = np.empty(out.shape[0])
    numbers[0] = 1.0
    out[0] = numbers[0]


def count_as_float(out: Floats) -> float:
    n: int = out.shape[0]
    return n


MakeKernel = Callable[[Callable[..., object]], Kernel]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> MakeKernel:
    """Makes a kernel as a new process would, with its machine code in a folder of the test."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    caplog.set_level(logging.INFO, "motionloom")

    def make(function: Callable[..., object]) -> Kernel:
        monkeypatch.setattr(machine_code_cache, "_said", set())
        caplog.clear()
        made = kernel(function)
        assert isinstance(made, Kernel)
        return made

    return make


def call_add_rows(compiled: Kernel, rows: Floats) -> tuple[int, list[float]]:
    out = np.zeros(rows.shape[1])
    count = compiled(rows, 1, True, out)
    return count, out.tolist()


ROWS = np.array([[9.0, 9.0], [1.0, 2.0], [10.0, 20.0]])
EXPECTED = (2, [33.0, 66.0])


def test_results_are_the_same_compiled_and_loaded(
    fresh: MakeKernel, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert call_add_rows(fresh(add_rows), ROWS) == EXPECTED
    assert "compiling add_rows" in caplog.text
    (path,) = tmp_path.rglob("*.o")
    assert path.name.startswith("test_machine_code.add_rows-")
    assert call_add_rows(fresh(add_rows), ROWS) == EXPECTED
    assert not caplog.messages


def test_machine_code_is_named_after_its_kernel(fresh: MakeKernel, tmp_path: Path) -> None:
    fresh(add_rows)(np.ones((2, 3)), 0, True, np.zeros(3))
    (file,) = (tmp_path / "cache").glob("machine-code*/*.add_rows-*.o")
    assert b"test_machine_code_add_rows" in file.read_bytes().partition(b"\n")[0]


@pytest.mark.parametrize("rows", [ROWS[:, ::-1][:, ::-1].T.copy().T, ROWS.astype(np.float32)])
def test_numba_takes_other_arrays(fresh: MakeKernel, tmp_path: Path, rows: Floats) -> None:
    assert call_add_rows(fresh(add_rows), rows) == EXPECTED
    assert not list(tmp_path.rglob("*.o"))


def test_empty_arrays(fresh: MakeKernel) -> None:
    assert call_add_rows(fresh(add_rows), np.zeros((1, 0))) == (0, [])


def test_kernels_that_allocate_are_left_to_numba(fresh: MakeKernel, tmp_path: Path) -> None:
    out = np.zeros(3)
    fresh(allocate)(out)
    assert out.tolist() == [1.0, 0.0, 0.0]
    assert not list(tmp_path.rglob("*.o"))


@pytest.mark.parametrize("kept", [0, 10, 400])
def test_damaged_files_are_replaced(
    fresh: MakeKernel, tmp_path: Path, kept: int, caplog: pytest.LogCaptureFixture
) -> None:
    call_add_rows(fresh(add_rows), ROWS)
    (path,) = tmp_path.rglob("*.o")
    path.write_bytes(path.read_bytes()[:kept])
    assert call_add_rows(fresh(add_rows), ROWS) == EXPECTED
    assert f"machine code in {path.parent} is damaged: it is compiled again" in caplog.messages
    assert call_add_rows(fresh(add_rows), ROWS) == EXPECTED
    assert not caplog.messages


def test_a_disk_that_takes_nothing(
    fresh: MakeKernel, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "cache").write_text("a file where the folder is to be")
    assert call_add_rows(fresh(add_rows), ROWS) == EXPECTED
    assert any("every run compiles it again" in message for message in caplog.messages)


def test_no_folder_at_all(
    fresh: MakeKernel, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(machine_code, "find_folder", lambda: None)
    assert call_add_rows(fresh(add_rows), ROWS) == EXPECTED
    assert machine_code.NO_FOLDER in caplog.messages


def test_on_windows_numba_calls_kernels(
    fresh: MakeKernel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert call_add_rows(fresh(add_rows), ROWS) == EXPECTED
    assert not list(tmp_path.rglob("*.o"))


def test_bounds_checks_are_numbas(fresh: MakeKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert not fresh(add_rows)._is_kept


def test_threads_that_compile_do_not_block_each_other(fresh: MakeKernel) -> None:
    """One thread compiles and turns to Numba, while another turns to Numba right away and waits for it."""
    first, second = fresh(add_rows), fresh(allocate)
    compiles, is_done = Event(), Event()

    def compile_first() -> None:
        with compiling._lock:
            compiles.set()
            waiting.join(0.2)
            assert first.by_numba is not None
        is_done.set()

    waiting = Thread(target=lambda: compiles.wait() and second.by_numba, daemon=True)
    waiting.start()
    Thread(target=compile_first, daemon=True).start()
    assert is_done.wait(30.0)
    waiting.join(30.0)
    assert not waiting.is_alive()


def test_by_numba_gives_the_same(fresh: MakeKernel) -> None:
    out = np.zeros(2)
    assert by_numba(fresh(add_rows))(ROWS, 1, True, out) == 2
    assert out.tolist() == EXPECTED[1]


@pytest.mark.slow
def test_a_second_process_needs_no_numba() -> None:
    script = (
        "import sys\n"
        "from motionloom.synthesis import walk\n"
        "clip = walk(duration=0.5, fps=30).clip\n"
        "print(float(clip.world_positions().sum()), 'numba' in sys.modules, 'scipy' in sys.modules)\n"
    )
    first, second = (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    assert second.split() == [first.split()[0], "False", "False"]


def test_a_kernel_returns_what_its_annotation_says(fresh: MakeKernel) -> None:
    with pytest.raises(TypeError, match="count_as_float returns int64 and is annotated float"):
        fresh(count_as_float)(np.zeros(2))
