from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder


@pytest.fixture
def evaluator(tmp_path: Path) -> Evaluator:
    """Over an empty folder, with nothing made yet."""
    return Evaluator(ProjectFolder(tmp_path))
