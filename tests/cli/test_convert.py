from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom import load, load_skinned_mesh, save
from motionloom.files import load_points
from motionloom.files.body_models import smpl_skeleton
from motionloom.files.formats import output_suffixes, suffixes_with_annotations
from motionloom.motion import Clip, Event, PointClip
from motionloom.synthesis import walk
from tests.cli.conftest import Run
from tests.figures import smooth_clip


@pytest.fixture
def two(tmp_path: Path, walk_bvh: Path) -> list[Path]:
    """Two files with different names."""
    paths = [tmp_path / "one.bvh", tmp_path / "two.bvh"]
    for path in paths:
        path.write_bytes(walk_bvh.read_bytes())
    return paths


@pytest.fixture
def points_trc(tmp_path: Path) -> Path:
    """Two points in two frames."""
    return save(PointClip(("a", "b"), 0.1, np.ones((2, 2, 3))), tmp_path / "points.trc")


def test_an_unknown_unit(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    ended = run("convert", walk_bvh, "-o", tmp_path / "a.bvh", "--to-unit", "parsec")
    assert ended.code == 2
    assert ended.complaint.startswith("unknown unit 'parsec'")


def test_a_folder_needs_a_format(run: Run, tmp_path: Path, two: list[Path]) -> None:
    for words in ([*two, "-o", tmp_path / "out"], [two[0], "-o", tmp_path]):
        ended = run("convert", *words)
        assert ended.code == 2
        known = ", ".join(suffix.removeprefix(".") for suffix in output_suffixes())
        assert ended.complaint == f"give the format to write into a folder with --format: one of {known}"


def test_an_output_is_needed(run: Run, walk_bvh: Path) -> None:
    ended = run("convert", walk_bvh)
    assert ended.code == 2
    assert ended.complaint == f"{walk_bvh} is the input: name the output as well, last or with -o"


def test_wrong_numbers(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    for option in ("--scale", "--fps"):
        ended = run("convert", walk_bvh, tmp_path / "a.npz", option, "-1")
        assert ended.code == 2
        assert ended.complaint == f"{option} must be a positive number, not -1"
        assert not (tmp_path / "a.npz").exists()


def test_options_that_say_nothing_about_points(run: Run, tmp_path: Path, points_trc: Path) -> None:
    ended = run("convert", points_trc, tmp_path / "a.npz", "--root", "Hips")
    assert ended.code == 2
    assert ended.complaint == "--root does not apply to .trc files of points"


def test_options_that_say_nothing_about_a_format(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    words = {
        ("a.npz", "--animation", "run"): "--animation does not apply to .bvh files",
        ("a.bvh", "--template", str(walk_bvh)): "--template does not apply to .bvh files",
        ("a.csv", "--layout", "amass"): (
            "layout of .csv files must be 'positions' or 'rotations', not 'amass'"
        ),
    }
    for (name, *options), complaint in words.items():
        ended = run("convert", walk_bvh, tmp_path / name, *options)
        assert (ended.code, ended.complaint) == (2, complaint)


def test_several_files_do_not_fit_into_one(run: Run, two: list[Path]) -> None:
    ended = run("convert", *two, "-o", two[0], "--format", "npz")
    assert ended.code == 2
    assert ended.complaint == f"2 files need a folder as output, and {two[0]} is a file name"


def test_ending_and_format_that_contradict(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    ended = run("convert", walk_bvh, "-o", tmp_path / "a.npz", "--format", "bvh")
    assert ended.code == 2
    assert ended.complaint.endswith("a.npz and --format bvh are different formats: leave out --format")


def test_two_files_of_one_name(run: Run, tmp_path: Path, two: list[Path]) -> None:
    ended = run("convert", two[0], two[0], "-o", tmp_path / "out", "--format", "npz")
    assert ended.code == 2
    assert ended.complaint.startswith("two of the files have the same name")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made(run: Run, tmp_path: Path, two: list[Path]) -> None:
    folder = two[0] / "out"
    ended = run("convert", two[1], "-o", folder, "--format", "npz")
    assert ended.code == 1
    assert ended.complaint.startswith(f"cannot make the folder {folder}: ")


def test_a_file_in_a_missing_folder(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    ended = run("convert", walk_bvh, "-o", tmp_path / "no" / "a.npz")
    assert ended.code == 1
    assert ended.complaint.endswith("does not exist; create it first")


def test_replacing_needs_force(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    target = tmp_path / "a.npz"
    target.write_text("precious")
    ended = run("convert", walk_bvh, "-o", target)
    assert ended.code == 1
    assert ended.complaint == f"{target} already exists: choose another name, or replace it with --force"
    assert target.read_text() == "precious"
    assert run("convert", walk_bvh, "-o", target, "--force").code == 0
    assert load(target).n_frames == 31


def test_one_file(run: Run, tmp_path: Path, walk_bvh: Path, clip: Clip) -> None:
    target = tmp_path / "a.npz"
    ended = run("convert", walk_bvh, "-o", target)
    assert (ended.code, ended.out) == (0, f"wrote {target}\n")
    assert ended.err.startswith(f"{walk_bvh}: lengths read as cm")
    np.testing.assert_allclose(load(target).world_positions(), clip.world_positions(), atol=1e-6)


def test_the_last_file_is_the_output(run: Run, tmp_path: Path, two: list[Path]) -> None:
    assert run("convert", two[0], tmp_path / "a.npz").code == 0
    assert load(tmp_path / "a.npz").n_frames == 31
    assert run("convert", *two, tmp_path / "out", "--format", "npz").code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["one.npz", "two.npz"]


def test_rate_and_size(run: Run, tmp_path: Path, walk_bvh: Path, clip: Clip) -> None:
    assert run("convert", walk_bvh, tmp_path / "a.npz", "--fps", 15, "--scale", 2, "--not-cyclic").code == 0
    changed = load(tmp_path / "a.npz")
    assert (changed.fps, changed.n_frames) == (15.0, 16)
    np.testing.assert_allclose(changed.world_positions(), 2 * clip.world_positions()[::2], atol=1e-5)


def test_points(run: Run, tmp_path: Path, points_trc: Path) -> None:
    between, last = tmp_path / "a.npz", tmp_path / "b.trc"
    assert run("convert", points_trc, between, "--scale", 3).code == 0
    assert run("convert", between, last, "--to-unit", "mm", "--fps", 20).code == 0
    again = load_points(last)
    assert (again.source.unit, again.fps, again.n_frames) == ("mm", 20.0, 3)
    np.testing.assert_allclose(again.positions, 3.0)


def test_a_character_gets_an_animation_to_choose(
    run: Run, tmp_path: Path, walk_bvh: Path, clip: Clip
) -> None:
    hero = save(clip[:5], tmp_path / "hero.glb", animation="rest")
    both = tmp_path / "both.glb"
    assert run("convert", walk_bvh, both, "--template", hero).code == 0
    for choice, n_frames in (("rest", 5), ("0", 5), ("1", clip.n_frames)):
        target = tmp_path / f"{choice}.npz"
        assert run("convert", both, target, "--animation", choice).code == 0
        assert load(target).n_frames == n_frames


def test_places_of_joints_as_a_table(run: Run, tmp_path: Path, walk_bvh: Path, clip: Clip) -> None:
    target = tmp_path / "a.csv"
    assert run("convert", walk_bvh, target, "--layout", "positions").code == 0
    np.testing.assert_allclose(load_points(target).positions, clip.world_positions(), atol=1e-6)


def test_facts_as_json(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    target = tmp_path / "a.npz"
    facts = run("convert", walk_bvh, "-o", target, "--json").json()
    assert facts["written"] == [str(target)]
    assert facts["failed"] == []
    assert "lengths read as cm" in facts["notes"][str(walk_bvh)][0]


def test_one_file_into_a_folder_that_is_made(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    assert run("convert", walk_bvh, "-o", tmp_path / "new" / "folder", "--format", "npz").code == 0
    assert (tmp_path / "new" / "folder" / "walk.npz").is_file()


def test_unit_and_axis(run: Run, tmp_path: Path, walk_bvh: Path, clip: Clip) -> None:
    target = tmp_path / "a.bvh"
    run("convert", walk_bvh, "-o", target, "--to-unit", "mm", "--to-up", "z")
    back = load(target)
    assert (back.source.unit, back.source.up) == ("mm", "z")
    np.testing.assert_allclose(back.world_positions(), clip.world_positions(), atol=1e-5)


def test_motion_with_its_skeleton_in_another_file(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    facts = run("convert", walk_bvh, "-o", tmp_path / "a.amc", "--json").json()
    assert facts["written"] == [str(tmp_path / "a.amc"), str(tmp_path / "a.asf")]
    assert {str(path) for path in tmp_path.iterdir()} == set(facts["written"])


def test_input_and_output_may_be_the_same_file_when_forced(run: Run, two: list[Path], walk_bvh: Path) -> None:
    assert run("convert", two[0], "-o", two[0]).code == 1
    assert two[0].read_bytes() == walk_bvh.read_bytes()
    assert run("convert", two[0], "-o", two[0], "--force", "--to-unit", "m").code == 0
    assert load(two[0]).source.unit == "m"


def test_one_broken_file_does_not_stop_the_others(
    run: Run, tmp_path: Path, two: list[Path], broken_bvh: Path
) -> None:
    out = tmp_path / "out"
    ended = run("convert", two[0], broken_bvh, two[1], "-o", out, "--format", "npz", "--json")
    assert ended.code == 1
    assert ended.complaint == "1 of 3 files could not be converted"
    assert ended.json()["written"] == [str(out / "one.npz"), str(out / "two.npz")]
    assert [failure["file"] for failure in ended.json()["failed"]] == [str(broken_bvh)]
    assert sorted(path.name for path in out.iterdir()) == ["one.npz", "two.npz"]


def test_failures_are_listed_with_their_reasons(
    run: Run, tmp_path: Path, two: list[Path], broken_bvh: Path
) -> None:
    ended = run("convert", *two, broken_bvh, "no.bvh", "-o", tmp_path / "out", "--format", "npz")
    lines = ended.err.splitlines()
    table = lines.index(next(line for line in lines if line.startswith("file ")))
    width = len(str(broken_bvh))
    assert lines[table - 1].startswith("2 files in ")
    assert lines[table - 1].endswith(" per second")
    assert lines[table] == f"{'file':<{width}}  why it failed"
    assert lines[table + 1].startswith(f"{broken_bvh}  ")
    assert lines[table + 2] == f"{'no.bvh':<{width}}  there is no such file"
    assert lines[table + 3 :] == ["motionloom: 2 of 4 files could not be converted"]


def test_many_files_at_a_time_keep_their_order(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    paths = [tmp_path / f"clip{n:02}.bvh" for n in range(12)]
    for path in paths:
        path.write_bytes(walk_bvh.read_bytes())
    facts = run("convert", *paths, tmp_path / "out", "--format", "npz", "--json").json()
    assert facts["written"] == [str(tmp_path / "out" / f"{path.stem}.npz") for path in paths]
    assert list(facts["notes"]) == [str(path) for path in paths]
    assert facts["elapsed_s"] > 0


def test_no_folder_is_made_for_nothing(run: Run, tmp_path: Path) -> None:
    ended = run("convert", "no.bvh", "nothing.bvh", "-o", tmp_path / "out", "--format", "npz")
    assert ended.code == 1
    assert not (tmp_path / "out").exists()


def test_what_a_format_cannot_keep_is_said(run: Run, tmp_path: Path, clip: Clip) -> None:
    rich = save(replace(clip, events=(Event(3.0, "strike"),)), tmp_path / "rich.npz")
    target = tmp_path / "poor.bvh"
    kept_by = ", ".join(suffixes_with_annotations())
    lost = f"constraints and events were not saved: only {kept_by} files keep them"
    ended = run("convert", rich, "-o", target, "--json")
    assert ended.err == f"{target}: {lost}\n"
    assert ended.json()["notes"] == {str(target): [lost]}


def test_body_models_keep_no_events(run: Run, tmp_path: Path) -> None:
    still = smooth_clip(4, skeleton=smpl_skeleton())
    rich = save(replace(still, events=(Event(1.0, "strike"),)), tmp_path / "rich.npz")
    ended = run("convert", rich, "-o", tmp_path / "poor.npz", "--layout", "amass")
    assert ended.code == 0
    assert "constraints and events were not saved" in ended.err


def test_a_mannequin_is_written_around_the_skeleton(run: Run, tmp_path: Path) -> None:
    source, target = save(walk(duration=0.4, fps=20).clip, tmp_path / "walk.bvh"), tmp_path / "walk.glb"
    assert run("convert", source, target, "--mannequin").code == 0
    assert load_skinned_mesh(target).n_vertices > 1000
    pytest.importorskip("pxr", reason="usd-core is not installed")
    assert run("convert", source, tmp_path / "walk.usda", "--mannequin").code == 0
    assert 'def Mesh "Body"' in (tmp_path / "walk.usda").read_text()


def test_a_mannequin_needs_a_format_with_meshes(run: Run, tmp_path: Path) -> None:
    source = save(walk(duration=0.4, fps=20).clip, tmp_path / "walk.bvh")
    refused = run("convert", source, tmp_path / "walk.npz", "--mannequin")
    assert "mesh does not apply to .npz files" in refused.complaint
