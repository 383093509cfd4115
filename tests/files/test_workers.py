"""Foreign libraries in processes of their own: every ending becomes a sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.workers import read_exchange, run_worker, write_exchange

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
