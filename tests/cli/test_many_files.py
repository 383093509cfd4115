"""Commands on many files: names of results, reports, failures, what has not changed, joint maps."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import motionloom as ml
from motionloom.cli import batch, many_files
from motionloom.jobs.batch import RECORD, FileTask
from motionloom.synthesis import walk
from tests.cli.conftest import Run


@pytest.fixture
def takes(tmp_path: Path) -> Path:
    """Two walks in a tree, and a file that is none."""
    folder = tmp_path / "takes"
    (folder / "fast").mkdir(parents=True)
    ml.save(walk(duration=2.6, fps=30).clip, folder / "slow.bvh")
    ml.save(walk(duration=2.6, fps=30, speed=1.6).clip, folder / "fast" / "walk.glb")
    (folder / "broken.bvh").write_text("nothing")
    (folder / "notes.txt").write_text("no motion")
    return folder


def rows(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return {Path(row["file"]).name: row for row in csv.DictReader(file)}


def test_bad_calls(run: Run, takes: Path, tmp_path: Path) -> None:
    ended = run("edit", takes, "-o", tmp_path / "out", "--jobs", "0")
    assert (ended.code, ended.complaint) == (2, "--jobs must be a whole number of at least 1, not 0")
    ended = run("edit", takes, "-o", tmp_path / "out", "--format", "doc")
    assert ended.code == 2
    assert ended.complaint.startswith("--format must be one of amc, bvh,")
    ended = run("edit", takes, "-o", takes / "slow.bvh")
    assert "is a file: several files need a folder as output" in ended.complaint
    ended = run("edit", takes, "-o", tmp_path / "new.bvh")
    assert (ended.code, "is a file: several files need a folder" in ended.complaint) == (2, True)
    (tmp_path / "empty").mkdir()
    ended = run("edit", tmp_path / "empty", "-o", tmp_path / "out")
    assert (ended.code, "no motion files found" in ended.complaint) == (2, True)
    ended = run("edit", takes, "-o", takes)
    assert (ended.code, "would overwrite itself" in ended.complaint) == (2, True)
    ended = run("edit", tmp_path / "nobody", "-o", tmp_path / "out")
    assert (ended.code, ended.complaint) == (2, f"{tmp_path / 'nobody'}: there is no such file or folder")
    ended = run("edit", takes, "-o", tmp_path / "out", "--report", tmp_path / "no/report.csv")
    assert (ended.code, f"the folder {tmp_path / 'no'} does not exist" in ended.complaint) == (2, True)
    ended = run("annotate", takes, "-o", tmp_path / "out", "--markers", tmp_path / "m.json")
    assert (ended.code, "--markers names one file" in ended.complaint) == (2, True)


def test_arguments_that_are_wrong_for_all_files_are_told_once(run: Run, takes: Path, tmp_path: Path) -> None:
    hero = takes / "slow.bvh"
    ended = run("retarget", takes, "--to", hero)
    words = "name the file to write with -o, or print the joint mapping with --show"
    assert (ended.code, ended.complaint) == (2, words)
    ended = run("retarget", takes, "--to", takes / "nobody.glb", "-o", tmp_path / "out")
    assert (ended.code, ended.complaint) == (2, f"--to {takes / 'nobody.glb'}: there is no such file")
    ended = run(
        "retarget", takes, "--to", hero, "-o", tmp_path / "out", "--map-file", tmp_path / "no/map.json"
    )
    assert (ended.code, f"the folder {tmp_path / 'no'} does not exist" in ended.complaint) == (2, True)
    for option, path in (("--to", takes / "broken.bvh"), ("--map-file", takes / "notes.txt")):
        ended = run("retarget", takes, "--to", hero, "-o", tmp_path / "out", option, path)
        assert (ended.code, ended.complaint.startswith(f"{option} {path}")) == (2, True), ended.complaint
    ended = run("retarget", takes, "--to", hero, "-o", tmp_path / "out", "--template", takes / "no.glb")
    assert (ended.code, ended.complaint) == (2, f"--template {takes / 'no.glb'}: there is no such file")
    ended = run("repair", takes)
    assert (ended.code, ended.complaint.startswith("repair needs a file to write")) == (2, True)
    assert not (tmp_path / "out").exists()


def test_one_bad_file_does_not_stop_the_others(run: Run, takes: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.csv"
    ended = run("edit", takes, "--mirror", "-o", tmp_path / "out", "--report", report)
    assert ended.code == 1
    assert ended.complaint == f"1 of 3 files failed: {takes / 'broken.bvh'}"
    assert "2 done, 0 unchanged, 1 failed" in ended.out
    assert {path.name: row["status"] for path, row in ((Path(n), r) for n, r in rows(report).items())} == {
        "broken.bvh": "failed",
        "walk.glb": "done",
        "slow.bvh": "done",
    }
    assert "is not a BVH file" in rows(report)["broken.bvh"]["notes"]
    mirrored = ml.load(tmp_path / "out/slow.bvh")
    assert mirrored.n_frames == ml.load(takes / "slow.bvh").n_frames
    assert (tmp_path / "out/fast/walk.glb").is_file()
    assert not (tmp_path / "out/broken.bvh").exists()


def test_a_second_run_makes_only_what_changed(run: Run, takes: Path, tmp_path: Path) -> None:
    (takes / "broken.bvh").unlink()
    call = ("edit", takes, "--mirror", "-o", tmp_path / "out")
    assert run(*call).code == 0
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.*")}
    ended = run(*call)
    assert (ended.code, "0 done, 2 unchanged, 0 failed" in ended.out) == (0, True)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.*")} == stamps
    ml.save(walk(duration=1.5, fps=30).clip, takes / "slow.bvh", overwrite=True)
    assert "1 done, 1 unchanged" in run(*call).out
    assert "2 done, 0 unchanged" in run(*call, "--reverse").out
    (tmp_path / "out/slow.bvh").unlink()
    assert "1 done, 1 unchanged" in run(*call, "--reverse").out
    (tmp_path / "out" / RECORD).write_text("{damaged")
    ended = run(*call, "--reverse", "--force")
    assert "1 done, 1 unchanged" in ended.out  # each folder of the tree has its own record


def test_files_of_others_are_not_replaced(run: Run, takes: Path, tmp_path: Path) -> None:
    (takes / "broken.bvh").unlink()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/slow.bvh").write_text("mine")
    ended = run("edit", takes, "-o", tmp_path / "out")
    assert (ended.code, ended.complaint) == (1, f"1 of 2 files failed: {takes / 'slow.bvh'}")
    assert "already exists: choose another folder, or replace it with --force" in ended.err
    assert (tmp_path / "out/slow.bvh").read_text() == "mine"
    assert run("edit", takes, "-o", tmp_path / "out", "--force").code == 0
    assert ml.load(tmp_path / "out/slow.bvh").n_frames


def test_what_commands_print_is_shown_for_each_file(run: Run, takes: Path, tmp_path: Path) -> None:
    ended = run("repair", takes, "--preview", "-o", tmp_path / "out")
    assert f"{takes / 'slow.bvh'}: no faults of capture found" in ended.out
    assert not (tmp_path / "out").exists()


def test_one_file_goes_into_a_folder_that_exists(run: Run, takes: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert run("edit", takes / "slow.bvh", "--mirror", "-o", tmp_path / "out").code == 0
    assert (tmp_path / "out/slow.bvh").is_file()


def test_rows_as_json(run: Run, takes: Path, tmp_path: Path) -> None:
    found = run("annotate", takes, "-o", tmp_path / "out", "--json").json()
    assert [row["status"] for row in found["files"]] == ["failed", "done", "done"]
    assert (found["done"], found["failed"]) == (2, 1)
    assert json.loads((tmp_path / "out/slow.json").read_text())


@pytest.mark.slow
@pytest.mark.parametrize("command", ["enforce", "repair", "cyclify"])
def test_the_other_commands(run: Run, takes: Path, tmp_path: Path, command: str) -> None:
    ended = run(command, takes, "-o", tmp_path / "out", "--format", "npz")
    assert ended.complaint == f"1 of 3 files failed: {takes / 'broken.bvh'}"
    assert ml.load(tmp_path / "out/slow.npz").n_frames
    assert ml.load(tmp_path / "out/fast/walk.npz").n_frames


@pytest.mark.slow
def test_processes_do_the_same(run: Run, takes: Path, tmp_path: Path) -> None:
    ended = run("edit", takes, "--mirror", "-o", tmp_path / "two", "--jobs", "2")
    assert (ended.code, "2 done, 0 unchanged, 1 failed" in ended.out) == (1, True)
    run("edit", takes, "--mirror", "-o", tmp_path / "one")
    assert (tmp_path / "two/slow.bvh").read_bytes() == (tmp_path / "one/slow.bvh").read_bytes()


def test_an_interruption_keeps_what_is_done(
    run: Run, takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (takes / "broken.bvh").unlink()
    real = batch.run_task

    def interrupted(name: str, arguments: Any, task: FileTask) -> Any:
        if task.file.name == "slow.bvh":
            raise KeyboardInterrupt
        return real(name, arguments, task)

    monkeypatch.setattr(many_files, "run_task", interrupted)
    report = tmp_path / "report.csv"
    ended = run("edit", takes, "-o", tmp_path / "out", "--report", report)
    assert (ended.code, ended.complaint) == (1, "interrupted: no file was left half written")
    assert rows(report).keys() == {"walk.glb"}
    monkeypatch.undo()
    assert "1 done, 1 unchanged" in run("edit", takes, "-o", tmp_path / "out").out


def test_single_files_are_reported_too(run: Run, takes: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.csv"
    assert run("edit", takes / "slow.bvh", "-o", tmp_path / "new.bvh", "--report", report).code == 0
    assert rows(report)["slow.bvh"]["output"] == str(tmp_path / "new.bvh")
    assert (tmp_path / "new.bvh").is_file()


@pytest.mark.slow
def test_retarget_repairs_loops_and_remembers_the_joint_map(run: Run, takes: Path, tmp_path: Path) -> None:
    (takes / "broken.bvh").unlink()
    target, maps = tmp_path / "hero.bvh", tmp_path / "map.json"
    ml.save(walk(duration=0.5, fps=30).clip, target)
    call = ("retarget", takes, "--to", target, "--repair", "--loop", "-o", tmp_path / "out")
    ended = run(*call, "--map-file", maps)
    assert (ended.code, "2 done" in ended.out) == (0, True)
    assert sorted(path.name for path in (tmp_path / "out").rglob("*.bvh")) == ["slow.bvh", "walk.bvh"]
    stored = json.loads(maps.read_text())["joint_maps"]
    assert stored[0]["pairs"]["Hips"] == "Hips"
    assert "0 done, 2 unchanged" in run(*call, "--map-file", maps).out
    del stored[0]["pairs"]["Head"]
    maps.write_text(json.dumps({"joint_maps": stored}))
    assert "2 done" in run(*call, "--map-file", maps).out


def test_a_joint_map_that_grows_does_not_make_older_results_again(
    run: Run, takes: Path, tmp_path: Path
) -> None:
    (takes / "broken.bvh").unlink()
    target, maps = tmp_path / "hero.bvh", tmp_path / "map.json"
    ml.save(walk(duration=0.5, fps=30).clip, target)
    call = ("retarget", takes, "--to", target, "--no-plant", "-o", tmp_path / "out", "--map-file", maps)
    assert "2 done" in run(*call).out
    other = walk(duration=0.5, fps=30).clip
    renamed = replace(other.skeleton, names=tuple(f"x:{name}" for name in other.skeleton.names))
    ml.save(replace(other, skeleton=renamed, constraints=(), events=()), takes / "other.bvh")
    assert "1 done, 2 unchanged" in run(*call).out
    assert len(json.loads(maps.read_text())["joint_maps"]) == 2
    assert "0 done, 3 unchanged" in run(*call).out
