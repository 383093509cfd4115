from __future__ import annotations

import sys
from pathlib import Path

import pytest

from motionloom.display import write_mp4
from motionloom.display.movie import Movie
from motionloom.errors import FileExistsRefusal, MissingPackageError, MotionloomError
from tests.display.walkers import walk

imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")


def test_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingPackageError, match=r"imageio-ffmpeg.*pip install 'motionloom\[video\]'"):
        write_mp4(walk(), tmp_path / "walk.mp4")
    assert list(tmp_path.iterdir()) == []


def test_existing_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "walk.mp4"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsRefusal, match="already exists"):
        write_mp4(walk(), path)
    assert path.read_bytes() == b"old"


@pytest.mark.slow
def test_video_reads_back_in_real_time_with_even_size(tmp_path: Path) -> None:
    path = write_mp4(walk(seconds=1.0), tmp_path / "walk.mp4", width=181, height=101, fps=20)
    n_frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert n_frames == 21
    assert seconds == pytest.approx(1.05, abs=0.051)
    reader = imageio_ffmpeg.read_frames(str(path))
    facts = next(reader)
    reader.close()
    assert facts["size"] == (182, 102)
    assert facts["codec"] == "h264"
    assert facts["pix_fmt"].startswith("yuv420p")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
def test_failing_writer_leaves_nothing(tmp_path: Path, failure: type[BaseException]) -> None:
    def fail(done: int, _: int) -> None:
        if done == 3:
            raise failure

    with pytest.raises(failure):
        write_mp4(walk(), tmp_path / "walk.mp4", width=128, height=72, progress=fail)
    assert list(tmp_path.iterdir()) == []


def test_a_broken_ffmpeg_is_an_error_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError("Broken pipe")

    monkeypatch.setattr(Movie, "paint_frames", broken)
    with pytest.raises(MotionloomError, match=r"ffmpeg stopped while writing .*walk\.mp4: Broken pipe"):
        write_mp4(walk(), tmp_path / "walk.mp4", width=128, height=72)
    assert list(tmp_path.iterdir()) == []
