from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.errors import ParameterError
from motionloom.project.folder import ProjectFolder
from motionloom.studio.keeping import check_ending, skeletons_beside, stored


def test_an_ending_that_cannot_be_read_lists_those_that_can() -> None:
    with pytest.raises(ParameterError, match=r"^walk\.doc cannot be read: files end in \.bvh, .*, \.asf$"):
        check_ending("walk.doc")


def test_another_skeleton_of_the_same_name_is_refused_and_not_kept(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    assert stored(folder, "16.asf", b"one") == stored(folder, "16.asf", b"one") == "clips/16.asf"
    with pytest.raises(ParameterError, match=r"another file that is called 16\.asf: rename motion and"):
        stored(folder, "16.asf", b"two")
    assert [path.name for path in (tmp_path / "clips").iterdir()] == ["16.asf"]


def test_a_refused_file_takes_no_other_with_it(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    stored(folder, "16.asf", b"one")
    stored(folder, "16 2.asf", b"two")
    with pytest.raises(ParameterError, match=r"another file that is called 16\.asf"):
        stored(folder, "16.asf", b"two")
    assert (tmp_path / "clips" / "16 2.asf").read_bytes() == b"two", "a clip may be made of it"


@pytest.mark.parametrize(
    ("others", "found"),
    [
        (["16_15.asf", "16.asf", "9.asf"], ["16_15.asf"]),
        (["16.ASF", "9.asf"], ["16.ASF"]),
        (["any.asf"], ["any.asf"]),
        (["any.asf", "other.asf"], []),
        ([], []),
    ],
)
def test_motion_brings_the_skeleton_that_it_means(
    tmp_path: Path, others: list[str], found: list[str]
) -> None:
    for name in ("16_15.amc", *others):
        (tmp_path / name).touch()
    assert [path.name for path in skeletons_beside(tmp_path / "16_15.amc")] == found
    assert skeletons_beside(tmp_path / "16_15.bvh") == []
