from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.synthesis import walk
from tests.cli.conftest import Run
from tests.viewer.conftest import template as template
from tests.viewer.pages import page_data


@pytest.fixture
def faster_bvh(tmp_path: Path) -> Path:
    return ml.save(walk(speed=1.8, duration=1.0, fps=30).clip, tmp_path / "faster.bvh")


def test_two_files_are_needed(run: Run, walk_bvh: Path) -> None:
    ended = run("compare", walk_bvh)
    assert (ended.code, ended.complaint) == (2, "missing argument 'SECOND' (see 'motionloom compare --help')")


def test_figures_stand_side_by_side_with_their_difference(run: Run, walk_bvh: Path, faster_bvh: Path) -> None:
    shown = run("compare", walk_bvh, faster_bvh)
    assert shown.code == 0
    head, *rows = shown.out.splitlines()
    assert head.split() == ["walk.bvh", "faster.bvh", "difference"]
    (speed,) = [row.split() for row in rows if row.startswith("  mean speed")]
    slow, fast, more = map(float, speed[2:5])
    assert more == pytest.approx(fast - slow, abs=0.01)
    assert speed[5] == "m/s"


def test_json_has_both_values(run: Run, walk_bvh: Path, faster_bvh: Path) -> None:
    facts = run("compare", walk_bvh, faster_bvh, "--json").json()
    assert facts["files"] == [str(walk_bvh), str(faster_bvh)]
    speed = facts["groups"]["path"]["mean speed"]
    assert speed["difference"] == pytest.approx(speed["values"][1] - speed["values"][0])
    assert any("foot plants were detected first" in note for note in facts["notes"])


def test_more_than_two_files_have_no_single_difference(run: Run, walk_bvh: Path, faster_bvh: Path) -> None:
    head = run("compare", walk_bvh, faster_bvh, walk_bvh).out.splitlines()[0]
    assert head.split() == ["walk.bvh", "faster.bvh", "walk.bvh"]
    speed = run("compare", walk_bvh, faster_bvh, walk_bvh, "--json").json()["groups"]["path"]["mean speed"]
    assert speed["difference"] == pytest.approx([speed["values"][1] - speed["values"][0], 0.0])


def test_a_page_shows_figures_curves_and_measures(
    run: Run, walk_bvh: Path, faster_bvh: Path, template: Path, tmp_path: Path
) -> None:
    wrong = run("compare", walk_bvh, faster_bvh, "-o", tmp_path / "page.txt")
    assert (wrong.code, wrong.complaint) == (2, f"{tmp_path / 'page.txt'}: a page ends in .html")
    target = tmp_path / "page.html"
    ended = run("compare", walk_bvh, faster_bvh, "-o", target)
    assert ended.out.splitlines()[-1] == f"wrote {target}"
    data = page_data(target.read_text())
    assert [clip["name"] for clip in data["clips"]] == ["walk.bvh", "faster.bvh"]
    assert data["rows"]
    assert data["curves"]
    assert all(clip["header"]["plants"] for clip in data["clips"])


def test_what_one_sees_of_an_edit_is_said(run: Run, walk_bvh: Path, tmp_path: Path) -> None:
    clip = ml.load(walk_bvh)
    sunk = replace(clip, root_positions=clip.root_positions - np.array([0.0, 0.02, 0.0]))
    path = ml.save(sunk, tmp_path / "sunk.bvh")
    said = "sunk.bvh: against the clip before: hips 2.0 cm lower on average"
    assert f"note: {said}" in run("compare", walk_bvh, path).out.splitlines()
    facts = run("compare", walk_bvh, path, "--json").json()
    assert said in facts["notes"]
    assert round(facts["groups"]["changes"]["hip shift"]["values"][1], 3) == -2.0
