from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionloom import GroundTransform, load, save
from motionloom.cli.edit import parse_placement, trim_clip
from motionloom.errors import ParameterError
from motionloom.files.formats import output_suffixes
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.project.clip_edits import apply_edit
from motionloom.project.document import ClipEdit
from motionloom.synthesis import walk
from tests.cli.conftest import Run
from tests.conftest import captured
from tests.repair.planting import flip


@pytest.fixture(scope="session")
def walk_npz(clip: Clip, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The walking clip as a native file, which keeps every digit."""
    return save(clip, tmp_path_factory.mktemp("motion") / "walk.npz")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--trim", "5"], "--trim needs START:END, such as 0.5:2 or 10f:200f, not '5'"),
        (["--trim", "a:b"], "--trim: 'a' is neither a time in seconds nor a frame such as 12f"),
        (["--trim", "nan:"], "--trim: 'nan' is neither a time in seconds nor a frame such as 12f"),
        (["--trim", ":inf"], "--trim: 'inf' is neither a time in seconds nor a frame such as 12f"),
        (["--trim", "1.5f:"], "--trim: '1.5f' is neither a time in seconds nor a frame such as 12f"),
        (
            ["--trim", "20f:10f"],
            "--trim 20f:10f ends before it starts",
        ),
        (["--trim", "0:9"], "--trim 0:9 is frames 0 to 270, but the clip has frames 0 to 30 (1.000 s)"),
        (["--trim", "-1:"], "--trim -1: is frames -30 to 30, but the clip has frames 0 to 30 (1.000 s)"),
        (["--speed", "0"], "a speed factor must be a positive number, not 0"),
        (["--speed", "nan"], "a speed factor must be a positive number, not nan"),
        (["--fps", "0"], "--fps must be a positive number, not 0"),
        (["--place", "1,2"], "--place needs YAW,X,Z (degrees, metres) or 'origin', not '1,2'"),
        (["--place", "nan,0,0"], "--place needs YAW,X,Z (degrees, metres) or 'origin', not 'nan,0,0'"),
    ],
)
def test_wrong_values(run: Run, tmp_path: Path, walk_npz: Path, words: list[str], sentence: str) -> None:
    ended = run("edit", walk_npz, "-o", tmp_path / "out.npz", *words)
    assert (ended.code, ended.out, ended.err) == (2, "", f"motionloom: {sentence}\n")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_ending(run: Run, tmp_path: Path, walk_npz: Path) -> None:
    ended = run("edit", walk_npz, "-o", tmp_path / "out.xyz")
    assert ended.code == 2
    known = ", ".join(output_suffixes())
    assert ended.complaint.endswith(f"files ending in '.xyz' cannot be written: choose from {known}")


def test_a_folder_as_output(run: Run, tmp_path: Path, walk_npz: Path) -> None:
    folder = tmp_path / "out.npz"
    folder.mkdir()
    ended = run("edit", walk_npz, "-o", folder)
    assert (ended.code, ended.complaint) == (1, f"{folder} is a folder: give the name of a file to write")


def test_an_existing_output_is_refused_before_anything_is_read(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "out.npz"
    target.touch()
    ended = run("edit", tmp_path / "not there.bvh", "-o", target)
    assert (ended.code, ended.complaint) == (
        1,
        f"{target} already exists: choose another name, or replace it with --force",
    )


def test_more_frames_than_any_machine_holds(run: Run, tmp_path: Path, walk_npz: Path) -> None:
    ended = run("edit", walk_npz, "-o", tmp_path / "out.npz", "--speed", "1e-15")
    assert ended.code == 2
    assert "makes more than" in ended.complaint


def test_an_empty_clip_has_no_origin(clip: Clip) -> None:
    with pytest.raises(ParameterError, match="--place origin: the clip has no frames"):
        parse_placement(clip[:0], "origin")


def test_no_option_copies(run: Run, tmp_path: Path, walk_npz: Path, clip: Clip) -> None:
    ended = run("edit", walk_npz, "-o", tmp_path / "out.npz")
    assert (ended.code, ended.out) == (0, f"wrote {tmp_path / 'out.npz'}\n")
    np.testing.assert_array_equal(load(tmp_path / "out.npz").rotations, clip.rotations)


def test_facts_and_notes(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    ended = run("edit", walk_bvh, "-o", tmp_path / "out.bvh", "--fps", "15", "--not-cyclic", "--json")
    facts = ended.json()
    assert (facts["frames"], facts["fps"]) == (16, 15.0)
    assert facts["duration_s"] == pytest.approx(1.0)
    assert facts["written"] == [str(tmp_path / "out.bvh")]
    (note,) = facts["notes"][str(walk_bvh)]
    assert ended.err == f"{walk_bvh}: {note}\n"


def test_a_file_may_be_edited_in_its_place_when_forced(run: Run, tmp_path: Path, walk_npz: Path) -> None:
    path = tmp_path / "walk.npz"
    path.write_bytes(walk_npz.read_bytes())
    assert run("edit", path, "-o", path, "--trim", "0f:4f").code == 1
    assert load(path).n_frames == 31
    assert run("edit", path, "-o", path, "--trim", "0f:4f", "--force").code == 0
    assert load(path).n_frames == 5


@pytest.mark.parametrize(
    ("span", "first", "last"),
    [
        ("0.2:0.5", 6, 15),
        ("10f:20f", 10, 20),
        (":0.5", 0, 15),
        ("20f:", 20, 30),
        (":", 0, 30),
        ("3f:3f", 3, 3),
    ],
)
def test_trim_keeps_both_ends(clip: Clip, span: str, first: int, last: int) -> None:
    kept = trim_clip(clip, span)
    np.testing.assert_array_equal(kept.root_positions, clip.root_positions[first : last + 1])


def test_place_turns_left_then_shifts(clip: Clip) -> None:
    assert parse_placement(clip, "90, 1, 2") == GroundTransform(np.pi / 2, 1.0, 2.0)
    # A body that faces +Z and turns left faces +X.
    placed = clip.placed(parse_placement(clip, "90,0,0"))
    np.testing.assert_allclose(placed.root_positions[:, 0], clip.root_positions[:, 2], atol=1e-12)


def test_place_origin_starts_there_facing_forward(clip: Clip) -> None:
    elsewhere = clip.placed(GroundTransform(2.0, 3.0, -1.0))
    back = elsewhere.placed(parse_placement(elsewhere, "origin"))
    np.testing.assert_allclose(back.root_positions[0, [0, 2]], 0.0, atol=1e-12)
    assert facing(back)[0] == pytest.approx(0.0, abs=1e-12)


def test_the_order_of_work_is_that_of_the_help_not_of_the_words(
    run: Run, tmp_path: Path, walk_npz: Path, clip: Clip
) -> None:
    words = ["--fps", "15", "--place", "30,1,2", "--mirror", "--reverse", "--speed", "2", "--trim", "0.2:0.8"]
    run("edit", walk_npz, "-o", tmp_path / "out.npz", *words)
    wanted = clip[6:25].sped_up(2).reversed().mirrored()
    wanted = wanted.placed(GroundTransform(np.radians(30), 1, 2)).resampled(15)
    made = load(tmp_path / "out.npz")
    assert (made.n_frames, made.fps) == (5, 15.0)
    np.testing.assert_allclose(made.world_positions(), wanted.world_positions(), atol=1e-12)


def test_edits_of_an_empty_clip_are_refused_or_empty(run: Run, tmp_path: Path, clip: Clip) -> None:
    empty = save(clip[:0], tmp_path / "empty.npz")
    assert run("edit", empty, "-o", tmp_path / "a.npz", "--reverse", "--speed", "2", "--fps", "20").code == 0
    assert load(tmp_path / "a.npz").n_frames == 0
    assert run("edit", empty, "-o", tmp_path / "b.npz", "--place", "origin").code == 2


@pytest.mark.parametrize("path", captured("locomotion/s16/walk_left*.bvh"), ids=lambda path: path.name)
@pytest.mark.parametrize(
    ("words", "frames"),
    [
        (["--speed", "2"], slice(None, None, 2)),
        (["--reverse"], slice(None, None, -1)),
        (["--trim", "60f:180f"], slice(60, 181)),
    ],
)
def test_a_captured_clip_keeps_its_poses(
    run: Run, tmp_path: Path, path: Path, words: list[str], frames: slice
) -> None:
    assert run("edit", path, "-o", tmp_path / "out.npz", *words).code == 0
    places = load(path).world_positions()[frames]
    np.testing.assert_allclose(load(tmp_path / "out.npz").world_positions(), places, atol=1e-12)


@pytest.mark.parametrize("path", captured("locomotion/s16/walk_left*.bvh"), ids=lambda path: path.name)
def test_mirroring_a_captured_clip_twice_gives_it_back(run: Run, tmp_path: Path, path: Path) -> None:
    once, twice = tmp_path / "once.npz", tmp_path / "twice.npz"
    run("edit", path, "-o", once, "--mirror")
    run("edit", once, "-o", twice, "--mirror")
    clip, mirrored = load(path), load(once)
    np.testing.assert_allclose(mirrored.root_positions, clip.root_positions * [-1, 1, 1], atol=1e-12)
    np.testing.assert_allclose(load(twice).world_positions(), clip.world_positions(), atol=1e-9)


MARKS = """{"format": "motionloom annotations", "version": 1,
"constraints": [{"joint": "LeftFoot", "kind": "heel", "start": 3, "end": 99, "point": [0, -0.1, 0]}],
"events": [{"frame": 5, "label": "clap"}]}"""


def test_wrong_marks_are_explained(run: Run, tmp_path: Path, walk_npz: Path) -> None:
    marks, out = tmp_path / "marks.json", tmp_path / "out.npz"
    for text, complaint in (
        ("{", f"{marks}, line 1: is not JSON: "),
        ('{"plants": 3}', f"{marks}: the annotations has an unknown field 'plants': the fields are format, "),
        (MARKS.replace("LeftFoot", "Tail"), f"{marks}: constraints[0]: the skeleton has no joint 'Tail'"),
    ):
        marks.write_text(text)
        ended = run("edit", walk_npz, "-o", out, "--annotations", marks)
        assert ended.code in (1, 2)
        assert ended.complaint.startswith(complaint)
        assert not out.exists()


def test_marks_are_those_of_the_result(run: Run, tmp_path: Path, walk_npz: Path) -> None:
    marks, out = tmp_path / "marks.json", tmp_path / "out.npz"
    marks.write_text(MARKS)
    assert (
        run("edit", walk_npz, "-o", out, "--trim", "10f:20f", "--annotations", marks, "--annotate").code == 0
    )
    (plant,), (event,) = load(out).constraints, load(out).events
    assert (plant.joint, plant.start, plant.end, event.frame) == ("LeftFoot", 3.0, 10.0, 5.0)


def test_what_annotate_wrote_can_be_edited_and_given_back(run: Run, tmp_path: Path, walk_npz: Path) -> None:
    marks, out = tmp_path / "marks.json", tmp_path / "out.npz"
    assert run("annotate", walk_npz, "-o", marks).code == 0
    marks.write_text(marks.read_text().replace('"heel"', '"hold"'))
    assert run("edit", walk_npz, "-o", out, "--annotations", marks).code == 0
    assert {plant.kind for plant in load(out).constraints} == {"hold", "toe"}
    ended = run("edit", walk_npz, "-o", out, "--trim", "10f:20f", "--annotations", marks, "--force")
    assert "frames, but this one has 11: load them onto the original clip" in ended.complaint


def test_plants_are_found_where_there_are_none(run: Run, tmp_path: Path, walk_npz: Path) -> None:
    found, again = tmp_path / "found.npz", tmp_path / "again.npz"
    assert run("edit", walk_npz, "-o", found, "--annotate").code == 0
    assert load(found).constraints
    assert run("edit", found, "-o", again, "--annotate").code == 0
    assert load(again).constraints == load(found).constraints


def test_root_motion_moves_to_a_joint_above_the_hips(run: Run, tmp_path: Path) -> None:
    clip = walk(duration=1.0, fps=30).clip
    save(clip, tmp_path / "walk.bvh")
    run("edit", tmp_path / "walk.bvh", "-o", tmp_path / "game.bvh", "--root-motion", "root")
    moved = load(tmp_path / "game.bvh")
    assert moved.skeleton.names[:2] == ("root", "Hips")
    assert moved.world_positions()[:, 1:] == pytest.approx(clip.world_positions(), abs=1e-4)


def test_faults_are_mended_and_motion_is_smoothed_first(run: Run, tmp_path: Path) -> None:
    clip = flip(walk(duration=2.0, fps=60).clip, "LeftForeArm", 60, 61, 90.0)
    path = save(clip, tmp_path / "broken.npz")
    run("edit", path, "-o", tmp_path / "new.npz", "--repair", "--smooth", "10", "--trim", "20f:100f")
    expected = apply_edit(clip, ClipEdit(repair=True, smooth=10.0, trim=(20, 100)))
    np.testing.assert_allclose(load(tmp_path / "new.npz").rotations, expected.rotations, atol=1e-12)
