from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

from motionloom.kernels import machine_code_cache
from motionloom.kernels.compiling import by_numba, kernel


def double(number: float) -> float:
    return 2.0 * number


@pytest.fixture
def compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Callable[[], Any]:
    """Makes a kernel as a new process would, with its machine code in a folder of the test."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))  # Numba reads it again when it changes
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    caplog.set_level(logging.INFO, "motionloom")

    def make() -> Any:
        monkeypatch.setattr(machine_code_cache, "_said", set())
        monkeypatch.setattr(machine_code_cache, "_compiled", [])
        caplog.clear()
        return by_numba(kernel(double))

    return make


def cached_files(folder: Path, ending: str) -> list[Path]:
    return sorted(folder.rglob(f"*{ending}"))


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("kept", [0, 10])
def test_damaged_files_are_replaced(
    compiled: Callable[[], Any], tmp_path: Path, ending: str, kept: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert compiled()(1.0) == 2.0
    assert caplog.messages == [
        "compiling numeric kernels for their first use; later runs load them",
        "compiling double (kernel 1)",
    ]
    (path,) = cached_files(tmp_path, ending)
    path.write_bytes(path.read_bytes()[:kept])
    assert compiled()(1.0) == 2.0
    assert f"machine code in {path.parent} is damaged: it is compiled again" in caplog.messages
    third = compiled()
    assert third(1.0) == 2.0
    assert not caplog.messages
    assert sum(third.stats.cache_hits.values()) == 1


def test_a_disk_that_takes_nothing(
    compiled: Callable[[], Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    double_it = compiled()
    (folder,) = (tmp_path / "cache").iterdir()
    folder.rmdir()
    folder.write_text("a file where the folder was")
    assert double_it(1.0) == 2.0
    assert (
        f"machine code cannot be kept in {folder} (file exists): every run compiles it again"
        in caplog.messages
    )
    assert not any("damaged" in message for message in caplog.messages)


def test_no_folder_at_all(
    compiled: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("numba.core.caching.CacheImpl._locator_classes", [])
    assert compiled()(1.0) == 2.0
    assert any("no folder for machine code is writable" in message for message in caplog.messages)
