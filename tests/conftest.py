"""Shared fixtures: the captured clips beside the checkout, reproducible hypothesis runs, and a browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "reproducible",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("reproducible")

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NO_CHROMIUM = "there is no Chromium to try pages in: install Debian's package chromium"

SHOTS = Path(os.environ.get("MOTIONLOOM_SHOTS", "build/studio"))
"""Where tests put their pictures of pages."""

MOCAP = Path(os.environ.get("MOTIONLOOM_MOCAP", Path(__file__).parents[2] / "shared" / "mocap"))

NO_MOCAP = "the captured clips are not beside the checkout; set MOTIONLOOM_MOCAP to their folder"

LIBRARY_STEP = 100
"""Of the whole takes in ``library``, tests that run over everything read every hundredth."""


def captured(pattern: str) -> list[Path]:
    """The captured files that match, for parametrising; empty where the corpus is not there."""
    return sorted(MOCAP.glob(pattern))


def captured_sample(ending: str) -> list[Path]:
    """All clips that the corpus describes one by one, and a fixed sample of the takes in its library."""
    library = MOCAP / "library"
    described = [path for path in captured(f"**/*{ending}") if library not in path.parents]
    return described + captured(f"library/**/*{ending}")[::LIBRARY_STEP]


@pytest.fixture(scope="session")
def mocap() -> Path:
    """The folder of captured clips; tests that need it skip where it is missing."""
    if not MOCAP.is_dir():
        pytest.skip(NO_MOCAP)
    return MOCAP


@pytest.fixture
def no_blender(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without Blender; the folder that its environment would be in."""
    from motionloom.files.fbx import blender

    monkeypatch.delenv(blender.BLENDER_VARIABLE, raising=False)
    monkeypatch.setattr(blender, "environment_folder", lambda: tmp_path / "environment")
    monkeypatch.setattr(blender, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path / "environment"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window; one for all pages, because Playwright runs once per process."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip(NO_CHROMIUM)
    from playwright.sync_api import sync_playwright

    from tests.studio.browser.running_studio import FLAGS

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def shots() -> Path:
    """The folder for pictures."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    return SHOTS


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that read captured motion, so that `make check` can leave them out."""
    for item in items:
        values = getattr(item, "callspec", None)
        paths = [] if values is None else [v for v in values.params.values() if isinstance(v, Path)]
        reads = "mocap" in getattr(item, "fixturenames", ()) or any(MOCAP in path.parents for path in paths)
        if reads:
            item.add_marker(pytest.mark.corpus)
        reasons = [str(mark.kwargs.get("reason")) for mark in item.iter_markers("skip")]
        if not MOCAP.is_dir() and any(reason.startswith("got empty parameter set") for reason in reasons):
            item.add_marker(pytest.mark.skip(reason=NO_MOCAP), append=False)
