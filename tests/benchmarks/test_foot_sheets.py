"""Sheets of feet show the time, the place and the size of what feet do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from benchmarks.foot_sheets import (
    WIDTH,
    Legs,
    choose_view,
    divide,
    draw_foot,
    draw_sheet,
    find_busiest,
    main,
    track_legs,
    write_movie,
)
from motionloom.annotation.floor import Floor
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Skeleton
from motionloom.synthesis import make_mannequin, stand, walk


@pytest.fixture(scope="module")
def standing() -> Legs:
    return track_legs(stand(duration=1.0, fps=30).clip)


def dart(legs: Legs, distance: float) -> Legs:
    """Move the left foot along its length from frame 15 on."""
    points = legs.points.copy()
    heading = choose_view([legs], 0, 30).heading
    points[15:, 0, 2:] += distance * np.array([heading[0], 0.0, heading[1]])
    return replace(legs, points=points)


def test_feet_are_above_the_floor_that_is_given() -> None:
    clip = stand(duration=0.5, fps=30).clip
    heels = track_legs(clip, floor=Floor(-0.25)).points[:, :, 3, 1]
    assert heels == pytest.approx(track_legs(clip, floor=Floor(0.0)).points[:, :, 3, 1] + 0.25)


def test_soles_are_those_of_the_skin() -> None:
    clip = walk(duration=0.5, fps=30).clip
    legs = track_legs(clip, mesh=make_mannequin(clip))
    assert len(legs.skins) == 2
    for leg, skin in enumerate(legs.skins):
        below = legs.points[:, leg, 2, 1] - skin[..., 1].min(axis=1)
        assert below.min() > 0.02, "the ankle is inside the foot"


def test_a_skeleton_without_legs_is_refused() -> None:
    dot = Skeleton(("root",), np.array([-1]), np.zeros((1, 3)))
    clip = Clip(dot, 0.1, np.zeros((3, 3)), np.eye(1, 4)[None].repeat(3, axis=0))
    with pytest.raises(ParameterError, match="no legs were found"):
        track_legs(clip)


def test_the_busiest_time_is_the_one_in_which_a_foot_darts(standing: Legs) -> None:
    start, end = find_busiest(dart(standing, 0.05), 0.2)
    assert start < 15 <= end


def test_a_dart_of_five_centimetres_is_more_than_thirty_pixels_wide(standing: Legs) -> None:
    moved = dart(standing, 0.05)
    view, frames = choose_view([standing, moved], 0, 30), np.arange(31)

    def width(legs: Legs) -> int:
        image = np.asarray(draw_foot(legs, view, frames, 0, (WIDTH, 200), "")).astype(int)
        blue = image[:, :, 2] - image[:, :, 0] > 100
        return int(np.ptp(np.flatnonzero(blue.any(axis=0))))

    assert width(moved) - width(standing) > 30


def test_time_is_divided_into_spans_that_share_a_frame() -> None:
    spans = divide(np.arange(0, 40, 4), 3)
    assert [(span[0], span[-1]) for span in spans] == [(0, 12), (12, 24), (24, 36)]
    assert [span.tolist() for span in divide(np.arange(3), 0)] == [[0, 1, 2]]


def test_a_movie_shows_versions_beside_each_other(standing: Legs, tmp_path: Path) -> None:
    path, other = tmp_path / "feet.gif", dart(standing, 0.05)
    write_movie(path, [standing, other], choose_view([standing, other], 10, 20), 10, 20)
    with Image.open(path) as movie:
        assert sum(1 for _ in ImageSequence.Iterator(movie)) == 11
        movie.seek(0)
        left, right = np.split(np.asarray(movie.convert("RGB")).astype(int), 2, axis=1)
    assert (left == right).mean() > 0.9, "both begin in the same pose"


def test_one_frame_can_be_drawn(standing: Legs) -> None:
    assert draw_sheet(standing, choose_view([standing], 3, 3), 3, 3).width == WIDTH


def test_a_folder_alone_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "give a folder and files of motion" in capsys.readouterr().err
