"""Every benchmark of `make bench` runs on small inputs, so that none can rot."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

import pytest
from playwright.sync_api import Browser

import motionloom
from benchmarks import small
from benchmarks.__main__ import MODULES
from benchmarks.bounds import BoundMissed

SYNTHETIC = (
    "blending",
    "enforcement",
    "files",
    "foot_sheets",
    "framespace",
    "gltf",
    "kinematics",
    "registration",
    "time_alignment",
    "video",
)
"""Benchmarks that need no captured motion."""

SLOW = (
    "batch",
    "budgets",
    "claims",
    "continuity",
    "files_damaged",
    "glitches",
    "holding",
    "library",
    "planting",
    "planting_traces",
    "quality",
    "rests",
    "retargeting",
    "start",
    "studio",
    "up_axis",
    "warping",
)
"""Benchmarks that start other programs, or that judge many things, one of each."""

IN_A_BROWSER = "studio_page"

CAPTURED = [
    pytest.param(name, marks=pytest.mark.slow if name in SLOW else ())
    for name in MODULES
    if name not in (*SYNTHETIC, IN_A_BROWSER)
]

# Benchmarks look for warnings where they want to, and print what they find.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(autouse=True)
def _no_traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what benchmarks keep between runs in the folder of the test."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def run(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a benchmark on small inputs; returns what it printed."""
    # Output is captured, and where to a program that hangs would write its stack is no file then.
    monkeypatch.setattr("faulthandler.dump_traceback_later", lambda *_, **__: None)
    with patch.dict(os.environ), suppress(BoundMissed):
        small.run_small(name, monkeypatch.setattr)
    said = capsys.readouterr().out
    assert said.strip(), "it printed nothing"
    return said


@pytest.mark.parametrize("name", SYNTHETIC)
def test_benchmarks_of_built_in_motion_run(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(name, monkeypatch, capsys)


@pytest.mark.parametrize("name", CAPTURED)
def test_benchmarks_of_captured_motion_run(
    name: str, mocap: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(name, monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.browser
def test_the_benchmark_of_the_page_runs(
    browser: Browser,
    mocap: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = Path(motionloom.__file__).parent / "studio" / "page" / "index.html"
    if not page.exists() or shutil.which("chromium") is None:
        pytest.skip("the studio's page is not built: run 'python studio/build_page.py'")

    @contextmanager
    def share_browser() -> Iterator[tuple[Browser, Path]]:
        yield browser, tmp_path

    monkeypatch.setattr(small.import_benchmark(IN_A_BROWSER), "open_chromium", share_browser)
    assert "pictures per second" in run(IN_A_BROWSER, monkeypatch, capsys)


def test_small_inputs_are_those_of_constants_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    module = small.import_benchmark("kinematics")
    monkeypatch.setattr(module, "SMALL", {"N_FRAMES_OF_OLD": 3})
    with pytest.raises(AssertionError, match=r"benchmarks\.kinematics has no constant N_FRAMES_OF_OLD"):
        small.run_small("kinematics", monkeypatch.setattr)
