from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.cli.reading import Reader
from tests.cli.conftest import Run


def test_notes_of_one_kind_are_one_line(run: Run, walk_bvh: Path, tmp_path: Path) -> None:
    copies = [Path(shutil.copy(walk_bvh, tmp_path / f"{n}.bvh")) for n in range(4)]
    ended = run("convert", *copies, "-o", tmp_path / "out", "--format", "npz")
    assert ended.code == 0
    (note,) = [line for line in ended.err.splitlines() if "lengths read as cm" in line]
    assert note.startswith(f"{copies[0]} and 3 more files: ")


def test_json_has_the_notes_of_every_file(run: Run, walk_bvh: Path, tmp_path: Path) -> None:
    copies = [Path(shutil.copy(walk_bvh, tmp_path / f"{n}.bvh")) for n in range(2)]
    facts = run("convert", *copies, "-o", tmp_path / "out", "--format", "npz", "--json").json()
    assert [path for path in map(str, copies) if "lengths read as cm" in facts["notes"][path][0]] == [
        str(path) for path in copies
    ]


def test_notes_are_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    reader = Reader({})
    reader.note(Path("a.bvh"), "the body is 174 units high")
    reader.note(Path("b.bvh"), "the body is 1.7 units high")
    reader.note(Path("a.bvh"), "frames 3 to 9 were kept", each=True)
    reader.note(Path("b.bvh"), "frames 4 to 8 were kept", each=True)
    reader.print_notes()
    reader.print_notes()
    assert capsys.readouterr().err.splitlines() == [
        "a.bvh and 1 more file: the body is 174 units high",
        "a.bvh: frames 3 to 9 were kept",
        "b.bvh: frames 4 to 8 were kept",
    ]


def test_options_of_files_of_points(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.trc"
    ml.save(ml.PointClip(("a", "b"), 1 / 30, np.random.default_rng(1).random((5, 2, 3))), path)
    assert run("convert", path, "-o", tmp_path / "b.trc", "--max-memory", "1000").code == 0
    for option, name in (
        ("--not-cyclic", "--cyclic"),
        ("--cyclic", "--cyclic"),
        ("--all-rows", "--all-rows"),
    ):
        ended = run("convert", path, "-o", tmp_path / "c.trc", option)
        assert ended.code != 0
        assert f"{name} does not apply to .trc files of points" in ended.err
