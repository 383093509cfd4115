"""The same operation on many files: what is collected, names, failures, what has not changed, processes."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import motionloom as ml
from motionloom.errors import ParameterError
from motionloom.files.process_files import collect_files, name_results
from motionloom.motion import Clip
from motionloom.synthesis import walk


@pytest.fixture
def takes(tmp_path: Path) -> Path:
    """Two walks in a tree, and a file that is none."""
    folder = tmp_path / "takes"
    (folder / "fast").mkdir(parents=True)
    ml.save(walk(duration=0.6, fps=30).clip, folder / "slow.bvh")
    ml.save(walk(duration=0.6, fps=30, speed=1.6).clip, folder / "fast" / "walk.glb")
    (folder / "broken.bvh").write_text("nothing")
    return folder


def mirror(clip: Clip) -> Clip:
    return clip.mirrored()


def test_bad_calls(takes: Path, tmp_path: Path) -> None:
    def refusal(*arguments: object, **options: object) -> str:
        with pytest.raises(ParameterError) as caught:
            ml.process_files(*arguments, **options)  # type: ignore[arg-type]
        return str(caught.value)

    out = tmp_path / "out"
    assert refusal(takes, "mirror", out) == "operation must be a function that takes a clip, not 'mirror'"
    assert refusal(takes, mirror, out, jobs=0) == "jobs must be a whole number of at least 1, not 0"
    assert refusal(takes, mirror, out, format="json").startswith("format must be one of amc, bvh, ")
    assert refusal([], mirror, out).startswith("no files were named: no motion files found")
    assert refusal(takes, mirror, takes).endswith("would overwrite itself: choose another output folder")
    words = refusal(takes, lambda clip: clip, out, jobs=2)
    assert words.startswith("operation must be a function of a module if jobs is more than 1")
    assert not out.exists()


def test_each_file_has_a_result(takes: Path, tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    results = ml.process_files(
        takes,
        mirror,
        tmp_path / "out",
        format="npz",
        report=tmp_path / "report.csv",
        progress=lambda *step: steps.append(step),
    )
    assert [result.status for result in results] == ["failed", "done", "done"]
    assert "is not a BVH file" in results[0].notes[0]
    assert results[2].output == tmp_path / "out/slow.npz"
    expected = ml.load(takes / "slow.bvh").mirrored()
    assert ml.load(tmp_path / "out/slow.npz").rotations.tobytes() == expected.rotations.tobytes()
    assert steps == [(1, 3), (2, 3), (3, 3)]
    with (tmp_path / "report.csv").open(encoding="utf-8") as file:
        assert [row["status"] for row in csv.DictReader(file)] == ["failed", "done", "done"]


def test_only_the_same_recipe_spares_work(takes: Path, tmp_path: Path) -> None:
    def statuses(recipe: str | None) -> list[str]:
        results = ml.process_files(takes / "*.bvh", mirror, tmp_path / "out", recipe=recipe)
        return [result.status for result in results]

    assert statuses("mirrored") == ["failed", "done"]
    assert statuses("mirrored") == ["failed", "unchanged"]
    assert statuses("mirrored, second version") == ["failed", "done"]
    assert statuses(None) == statuses(None) == ["failed", "done"]


def test_files_of_others_stay(takes: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/slow.bvh").write_text("mine")
    (result,) = ml.process_files(takes / "slow.bvh", mirror, tmp_path / "out")
    assert result.notes == (
        f"{tmp_path / 'out/slow.bvh'} already exists: choose another folder, or allow replacing it",
    )
    (result,) = ml.process_files(takes / "slow.bvh", mirror, tmp_path / "out", overwrite=True)
    assert result.status == "done"


def test_operations_that_fail_or_return_no_clip(takes: Path, tmp_path: Path) -> None:
    def fail(clip: Clip) -> Clip:
        raise KeyError("Hips")

    (result,) = ml.process_files(takes / "slow.bvh", fail, tmp_path / "out")
    assert (result.status, result.notes) == ("failed", ("KeyError: 'Hips'",))
    (result,) = ml.process_files(takes / "slow.bvh", lambda clip: None, tmp_path / "out")  # type: ignore[arg-type, return-value]
    assert result.notes == ("operation must return a clip, not None",)


@pytest.mark.slow
def test_processes_do_the_same(takes: Path, tmp_path: Path) -> None:
    results = ml.process_files(takes, mirror, tmp_path / "two", jobs=2)
    assert [result.status for result in results] == ["failed", "done", "done"]
    ml.process_files(takes, mirror, tmp_path / "one")
    assert (tmp_path / "two/slow.bvh").read_bytes() == (tmp_path / "one/slow.bvh").read_bytes()


def test_what_folders_and_patterns_hold(takes: Path) -> None:
    (takes / ".hidden.bvh").write_text("")
    (takes / "table.csv").write_text("")
    (takes / "out").mkdir()
    (takes / "out/old.bvh").write_text("")
    places = [place.as_posix() for _, place in collect_files([takes], takes / "out")]
    assert places == ["broken.bvh", "fast/walk.glb", "slow.bvh"]
    assert [p.name for p, _ in collect_files([takes / "*.bvh"], None)] == [
        ".hidden.bvh",
        "broken.bvh",
        "slow.bvh",
    ]
    with pytest.raises(ParameterError, match="no motion files found"):
        collect_files([takes / "*.fbx"], None)


def test_results_of_one_name_keep_the_suffix_of_their_file() -> None:
    files = [(Path(p), Path(p).relative_to("in")) for p in ("in/a.bvh", "in/a.glb", "in/b.bvh", "in/c/a.bvh")]
    tasks = name_results(files, Path("out"), "glb")
    assert [task.output.as_posix() for task in tasks if task.output] == [
        "out/a_bvh.glb",
        "out/a_glb.glb",
        "out/b.glb",
        "out/c/a.glb",
    ]
    twins = [(Path("x/a.bvh"), Path("a.bvh")), (Path("y/a.bvh"), Path("a.bvh"))]
    names = [task.output.name for task in name_results(twins, Path("out"), None) if task.output]
    assert names == ["a_bvh.bvh", "a_bvh_2.bvh"]
