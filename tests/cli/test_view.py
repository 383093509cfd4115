from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from tests.cli.conftest import Run
from tests.viewer.conftest import template as template
from tests.viewer.pages import page_data


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["-o", "page.png"], "page.png: a page ends in .html"),
        (["--no-browser"], "--no-browser needs -o: else nobody would see the page"),
        (["--sheet", "--layout", "wipe"], "--sheet has a layout of its own: leave --layout out"),
    ],
)
def test_wrong_calls(run: Run, walk_bvh: Path, words: list[str], complaint: str) -> None:
    ended = run("view", walk_bvh, *words)
    assert (ended.code, ended.complaint) == (2, complaint)


def test_the_page_is_written_and_opened(
    run: Run, walk_bvh: Path, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    target = tmp_path / "page.html"
    ended = run("view", walk_bvh, walk_bvh, "-o", target, "--layout", "wipe", "--json")
    assert ended.json()["written"] == [str(target)]
    assert opened == [target.as_uri()]
    data = page_data(target.read_text())
    assert (data["kind"], data["layout"]) == ("view", "wipe")
    assert [clip["name"] for clip in data["clips"]] == ["walk", "walk"]
    refused = run("view", walk_bvh, "-o", target)
    assert refused.code == 1
    assert "exists" in refused.complaint


@pytest.mark.filterwarnings("default::UserWarning")
def test_without_a_browser_the_page_is_named(
    run: Run, walk_bvh: Path, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    target = tmp_path / "page.html"
    ended = run("view", walk_bvh, "-o", target)
    assert ended.code == 0
    assert f"no browser could be opened: open {target} in one yourself" in ended.err


def test_sheets_plants_and_points(run: Run, walk_bvh: Path, template: Path, tmp_path: Path) -> None:
    points = ml.save(ml.PointClip(("a",), 0.1, np.zeros((2, 1, 3))), tmp_path / "points.trc")
    target = tmp_path / "page.html"
    ended = run("view", walk_bvh, points, "-o", target, "--sheet", "--plants", "--no-browser")
    assert ended.code == 0
    first, second = page_data(target.read_text())["clips"]
    assert len(first["header"]["plants"]) > 0
    assert second["header"]["parents"] == [-1]
