"""A page to fill, as small as can be, so that tests need no Node."""

from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.viewer.page import TEMPLATE_VARIABLE

SMALL = "<title><!--title--></title><body><!--poster--><!--data--><script>play()</script></body>"


@pytest.fixture
def template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a built page."""
    path = tmp_path / "template" / "viewer.html"
    path.parent.mkdir()
    path.write_text(SMALL)
    monkeypatch.setenv(TEMPLATE_VARIABLE, str(path))
    return path
