from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from motionloom.display import write_gif
from motionloom.display.canvas import plain_background
from motionloom.display.gif import gif_delay
from motionloom.display.movie import plan_movie
from motionloom.display.scene import build_scene
from motionloom.display.style import SINGLE_FIGURE
from motionloom.errors import FileExistsRefusal, ParameterError
from tests.display.walkers import n_pixels_of, walk
from tests.refusals import refused


def test_bad_arguments_leave_no_file(tmp_path: Path) -> None:
    with refused("fps"):
        write_gif(walk(), tmp_path / "walk.gif", fps=0.0)
    with pytest.raises(ParameterError, match="clip 0 has no frames"):
        write_gif(walk()[0:0], tmp_path / "walk.gif")
    assert list(tmp_path.iterdir()) == []


def test_existing_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "walk.gif"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsRefusal, match="already exists"):
        write_gif(walk(), path)
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize(("fps", "delay"), [(25, 4), (30, 3), (33.3, 3), (50, 2), (120, 2), (1, 100)])
def test_delay_is_the_nearest_a_gif_can_have(fps: float, delay: int) -> None:
    assert gif_delay(fps) == delay


@pytest.mark.slow
@pytest.mark.parametrize("fps", [12.0, 25.0, 30.0])
def test_plays_in_real_time(tmp_path: Path, fps: float) -> None:
    path = write_gif(walk(seconds=0.8), tmp_path / "walk.gif", width=160, height=90, fps=fps)
    with Image.open(path) as movie:
        assert movie.size == (160, 90)
        assert movie.info["loop"] == 0
        seconds = 0.0
        for frame in range(movie.n_frames):  # type: ignore[attr-defined]
            movie.seek(frame)
            seconds += movie.info["duration"] / 1000.0
    assert abs(seconds - 0.8) <= gif_delay(fps) / 100.0 + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "speed"), [(0.5, 0.0), (2.0, 6.0)])
def test_frames_are_the_painted_ones(tmp_path: Path, seconds: float, speed: float) -> None:
    clip = walk(seconds=seconds, speed=speed)
    path = write_gif(clip, tmp_path / "walk.gif", width=240, height=136, fps=10)
    painted = plan_movie(build_scene(clip), 10.0, (240, 136), "auto", "")
    with Image.open(path) as movie:
        for frame, wanted in enumerate(painted.paint_frames(range(painted.n_frames))):
            movie.seek(frame)
            found = movie.convert("RGB")
            assert np.abs(np.asarray(found).astype(int) - np.asarray(wanted)).mean() < 2.0
    assert n_pixels_of(found, SINGLE_FIGURE.left) > 20
    assert n_pixels_of(found, SINGLE_FIGURE.right) > 20


def test_the_background_keeps_its_soft_gradient(tmp_path: Path) -> None:
    path = write_gif(walk(speed=0.0), tmp_path / "walk.gif", width=160, height=120, fps=10)
    plain = np.asarray(plain_background((160, 120)))
    painted = next(plan_movie(build_scene(walk(speed=0.0)), 10.0, (160, 120), "auto", "").paint_frames([0]))
    bare = (np.asarray(painted) == plain).all(axis=-1)
    with Image.open(path) as movie:
        np.testing.assert_array_equal(np.asarray(movie.convert("RGB"))[bare], plain[bare])
    assert bare.mean() > 0.3


def test_a_motionless_clip_is_a_movie_too(tmp_path: Path) -> None:
    path = write_gif([walk()[3:4], walk()[3:4]], tmp_path / "still.gif", width=160, height=90)
    with Image.open(path) as movie:
        assert movie.n_frames == 1  # type: ignore[attr-defined]


def test_progress_counts_the_frames(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    write_gif(
        walk(seconds=0.3),
        tmp_path / "walk.gif",
        width=128,
        height=72,
        fps=10,
        progress=lambda done, total: calls.append((done, total)),
    )
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_interrupted_writer_leaves_nothing(tmp_path: Path) -> None:
    def interrupt(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_gif(walk(), tmp_path / "walk.gif", width=128, height=72, progress=interrupt)
    assert list(tmp_path.iterdir()) == []
