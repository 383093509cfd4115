from __future__ import annotations

import numpy as np
import pytest

from motionloom.display.movie import Movie, check_fps, plan_movie
from motionloom.display.scene import build_scene
from motionloom.display.style import SINGLE_FIGURE
from motionloom.motion import Clip
from tests.display.walkers import n_pixels_of, planted, walk
from tests.refusals import refused


def plan(*clips: Clip, fps: float = 25.0) -> Movie:
    return plan_movie(build_scene(clips), fps, (320, 180), "auto", "")


@pytest.mark.parametrize("fps", [10.0, 25.0, 60.0])
def test_frames_cover_the_clip_in_real_time(fps: float) -> None:
    movie = plan(walk(seconds=1.0), fps=fps)
    assert movie.n_frames == fps + 1
    np.testing.assert_allclose(np.diff(movie.times), 1 / fps)


def test_one_frame_is_a_movie() -> None:
    movie = plan(walk()[3:4])
    assert [picture.size for picture in movie.paint_frames(range(movie.n_frames))] == [(320, 180)]


def test_the_longest_clip_decides_and_the_others_hold_still_at_their_end() -> None:
    movie = plan(walk(seconds=0.4), walk(seconds=1.0))
    assert movie.n_frames == 26
    np.testing.assert_array_equal(movie.points[0][11:], np.repeat(movie.points[0][10:11], 15, axis=0))


def test_camera_stands_still_for_a_short_way_and_follows_a_long_one() -> None:
    assert not plan(walk(speed=0.0)).follows
    assert plan(walk(seconds=5.0, speed=6.0)).follows


def test_every_figure_stays_inside_the_picture() -> None:
    for movie in (plan(walk(speed=2.0)), plan(walk(seconds=5.0, speed=6.0))):
        for frame in range(0, movie.n_frames, 5):
            pixels, _ = movie.camera.moved(movie.camera_offsets[frame]).project(movie.points[0][frame])
            assert (pixels > 0.0).all()
            assert (pixels < [320, 180]).all()


def test_the_following_camera_moves_smoothly() -> None:
    movie = plan(walk(seconds=5.0, speed=6.0))
    np.testing.assert_allclose(np.diff(movie.camera_offsets[:, 2]), 6.0 / 25.0, rtol=1e-6)
    assert not movie.camera_offsets[:, 1].any()


def test_pictures_show_both_sides_and_differ() -> None:
    movie = plan(planted(walk()))
    first, last = movie.paint_frames([0, movie.n_frames - 1])
    assert n_pixels_of(first, SINGLE_FIGURE.left) > 20
    assert n_pixels_of(first, SINGLE_FIGURE.right) > 20
    assert np.asarray(first).tobytes() != np.asarray(last).tobytes()


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan"), float("inf"), 1e6])
def test_absurd_rates_are_refused(fps: float) -> None:
    with refused("fps"):
        check_fps(fps)


def test_usual_rates_pass() -> None:
    assert check_fps(29.97) == 29.97
