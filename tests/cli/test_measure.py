from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.cli.reading import PLANTS_DETECTED
from motionloom.synthesis import walk
from tests.cli.conftest import Run


def test_a_missing_file_fails_and_the_others_are_measured(run: Run, walk_bvh: Path, tmp_path: Path) -> None:
    ended = run("measure", walk_bvh, tmp_path / "none.bvh", "--json")
    assert ended.code == 1
    assert ended.complaint == "1 of 2 files could not be measured"
    good, bad = ended.json()
    assert good["file"] == str(walk_bvh)
    assert "there is no such file" in bad["error"]


def test_a_seam_outside_the_clip_is_a_wrong_call(run: Run, walk_bvh: Path) -> None:
    ended = run("measure", walk_bvh, "--seam", 900)
    assert (ended.code, ended.complaint) == (2, "frame 900 lies outside the clip: it has frames 0 to 30")


def test_plants_are_found_first_and_that_is_said(run: Run, walk_bvh: Path) -> None:
    shown = run("measure", walk_bvh)
    assert shown.code == 0
    assert "largest slide" in shown.out
    assert f"note: {PLANTS_DETECTED}" in shown.out


def test_own_plants_are_taken(run: Run, tmp_path: Path) -> None:
    clip = ml.annotate(walk(duration=2, fps=30).clip)
    ml.save(clip, tmp_path / "walk.npz")
    (facts,) = run("measure", tmp_path / "walk.npz", "--ground", 0.0, "--json").json()
    assert not any("found first" in note for note in facts["notes"])
    assert facts["groups"]["plants"]["plants"]["value"] == len(clip.constraints)


def test_sources_and_seams_add_their_figures(run: Run, walk_bvh: Path) -> None:
    (alone,) = run("measure", walk_bvh, "--json").json()
    assert alone["unmeasured"] == {"seams": "no seams were given", "sources": "no sources were given"}
    (facts,) = run("measure", walk_bvh, "--source", walk_bvh, "--seam", 15, "--json").json()
    assert facts["unmeasured"] == {}
    assert facts["groups"]["sources"]["joint speed ratio"] == {"value": 1.0, "unit": ""}


def test_the_file_before_an_edit_shows_what_one_sees_of_it(run: Run, walk_bvh: Path, tmp_path: Path) -> None:
    clip = ml.load(walk_bvh)
    sunk = replace(clip, root_positions=clip.root_positions - np.array([0.0, 0.02, 0.0]))
    path = ml.save(sunk, tmp_path / "sunk.bvh")
    shown = run("measure", path, "--before", walk_bvh).out
    assert "note: against the clip before: hips 2.0 cm lower on average" in shown
    (facts,) = run("measure", path, "--before", walk_bvh, "--json").json()
    assert round(facts["groups"]["changes"]["hip shift"]["value"], 3) == -2.0
    assert run("measure", path, "--before", tmp_path / "none.bvh").code == 1
