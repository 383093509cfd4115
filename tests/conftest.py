"""Shared fixtures: the captured clips beside the checkout, and reproducible hypothesis runs."""

from __future__ import annotations

import os
from pathlib import Path

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

MOCAP = Path(os.environ.get("MOTIONLOOM_MOCAP", Path(__file__).parents[2] / "shared" / "mocap"))


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
        pytest.skip("the captured clips are not beside the checkout; set MOTIONLOOM_MOCAP to their folder")
    return MOCAP


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that read captured motion, so that `make check` can leave them out."""
    for item in items:
        values = getattr(item, "callspec", None)
        paths = [] if values is None else [v for v in values.params.values() if isinstance(v, Path)]
        reads = "mocap" in getattr(item, "fixturenames", ()) or any(MOCAP in path.parents for path in paths)
        if reads:
            item.add_marker(pytest.mark.corpus)
