from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from motionloom.display import render
from motionloom.display.plot import check_plot_file
from motionloom.errors import FileExistsRefusal, MotionloomError, ParameterError
from tests.display.walkers import walk


@pytest.mark.parametrize("name", ["walk", "walk.bmp", "walk.mov"])
def test_unknown_suffix_lists_the_known_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(
        ParameterError, match=r"end it in \.png for a pose strip, \.gif for an animation, \.mp4 for a video"
    ):
        render(walk(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_existing_picture_is_kept_unless_allowed(tmp_path: Path) -> None:
    path = tmp_path / "walk.png"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsRefusal, match=r"walk\.png already exists"):
        render(walk(), path, width=200)
    assert path.read_bytes() == b"old"
    render(walk(), path, width=200, overwrite=True)
    with Image.open(path) as picture:
        assert picture.width == 200


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(MotionloomError, match=r"the folder .* does not exist"):
        render(walk(), tmp_path / "nowhere" / "walk.png", width=200)


@pytest.mark.parametrize(
    ("path", "message"), [("a\0b.gif", "holds a NUL character"), (None, "a path must be a string or a Path")]
)
def test_what_is_no_path(path: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        render(walk(), path)
    with pytest.raises(ParameterError, match=message):
        check_plot_file(path)


def test_a_refused_size_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="width in pixels must be"):
        render(walk(), tmp_path / "walk.png", width=3)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [("a.png", "PNG"), ("b.gif", "GIF"), ("C.PNG", "PNG")])
def test_suffix_decides_the_kind(tmp_path: Path, name: str, kind: str) -> None:
    calls: list[tuple[int, int]] = []
    path = render(
        walk(seconds=0.2),
        str(tmp_path / name),
        width=160,
        height=100,
        fps=10,
        progress=lambda done, total: calls.append((done, total)),
    )
    assert path == tmp_path / name
    with Image.open(path) as picture:
        assert (picture.format, picture.size) == (kind, (160, 100))
        assert len(picture.convert("RGB").getcolors(10**6) or []) > 50
    assert calls[-1][0] == calls[-1][1]


def test_mp4_suffix_gives_a_video(tmp_path: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    path = render([walk(seconds=0.2)], tmp_path / "walk.mp4", width=160, height=100, fps=10)
    assert ffmpeg.count_frames_and_secs(str(path))[0] == 3
