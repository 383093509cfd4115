from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("name", "words", "start"),
    [
        ("a.xyz", [], "cannot tell what to draw from the name 'a.xyz': end it in .png for a pose strip"),
        ("a.png", ["--size", "10"], "--size needs WIDTHxHEIGHT, such as 1280x720, not '10'"),
        ("a.png", ["--size", "0x0"], "width in pixels must be a whole number from 64 to 8192, not 0"),
        ("a.png", ["--size", "-5x9"], "--size needs WIDTHxHEIGHT"),
        ("a.png", ["--poses", "0"], "n_poses must be a whole number from 1 to 200, not 0"),
        ("a.png", ["--poses", "many"], "invalid value for '--poses'"),
        ("a.png", ["--view", "below"], "invalid value for '--view'"),
        ("a.gif", ["--fps", "0"], "--fps must be a positive number of at most 240, not 0"),
        ("a.gif", ["--fps", "nan"], "--fps must be a positive number of at most 240, not nan"),
    ],
)
def test_wrong_values(
    run: Run, tmp_path: Path, walk_bvh: Path, name: str, words: list[str], start: str
) -> None:
    ended = run("render", walk_bvh, "-o", tmp_path / name, *words)
    assert ended.code == 2
    assert ended.complaint.startswith(start)
    assert list(tmp_path.iterdir()) == []


def test_one_broken_file_spoils_the_scene(run: Run, tmp_path: Path, walk_bvh: Path, broken_bvh: Path) -> None:
    ended = run("render", walk_bvh, broken_bvh, "-o", tmp_path / "a.png")
    assert ended.code == 1
    assert ended.complaint.startswith(f"{broken_bvh}: is not a BVH file")
    assert not (tmp_path / "a.png").exists()


def test_a_missing_folder(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    ended = run("render", walk_bvh, "-o", tmp_path / "no" / "a.png")
    assert ended.code == 1
    assert ended.complaint.endswith("does not exist; create it first")


def test_an_existing_picture_is_refused_before_anything_is_read(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "a.png"
    target.write_text("precious")
    ended = run("render", tmp_path / "not there.bvh", "-o", target)
    assert ended.code == 1
    assert ended.complaint == f"{target} already exists: choose another name, or replace it with --force"
    assert target.read_text() == "precious"


def test_a_picture_and_its_facts(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    target = tmp_path / "a.png"
    ended = run("render", walk_bvh, "-o", target, "--size", "320x200", "--poses", "3", "--json")
    assert ended.code == 0
    assert ended.json()["written"] == [str(target)]
    assert "lengths read as cm" in ended.json()["notes"][str(walk_bvh)][0]
    with Image.open(target) as picture:
        assert picture.size == (320, 200)


@pytest.mark.slow
def test_several_clips_in_one_moving_picture(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    target = tmp_path / "a.gif"
    words = ["--size", "128x96", "--fps", "10", "--view", "side", "--title", "zwei Läufer"]
    ended = run("render", walk_bvh, walk_bvh, "-o", target, *words)
    assert (ended.code, ended.out) == (0, f"wrote {target}\n")
    with Image.open(target) as picture:
        assert picture.size == (128, 96)
        assert getattr(picture, "n_frames", 1) > 5


def test_force_replaces(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    target = tmp_path / "a.png"
    target.write_text("old")
    assert run("render", walk_bvh, "-o", target, "--size", "128x96", "--force").code == 0
    with Image.open(target) as picture:
        assert picture.format == "PNG"


def test_the_same_words_draw_the_same_picture(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    for name in ("a.png", "b.png"):
        run("render", walk_bvh, "-o", tmp_path / name, "--size", "128x96")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.slow
def test_view_title_and_poses_show_in_the_picture(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    plain, other = tmp_path / "plain.png", tmp_path / "other.png"
    run("render", walk_bvh, "-o", plain, "--size", "128x96")
    for words in (["--view", "top"], ["--title", "W"], ["--poses", "2"]):
        run("render", walk_bvh, "-o", other, "--size", "128x96", "--force", *words)
        assert other.read_bytes() != plain.read_bytes()
