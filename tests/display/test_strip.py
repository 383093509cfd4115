from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom
from motionloom.display import render_strip
from motionloom.display.camera import View
from motionloom.display.style import SEVERAL_FIGURES, SINGLE_FIGURE
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, Skeleton
from tests.conftest import captured
from tests.display.walkers import n_pixels_of, planted, walk
from tests.refusals import refused


def test_empty_clip_is_refused() -> None:
    with pytest.raises(ParameterError, match="clip 0 has no frames: there is nothing to draw"):
        render_strip(walk()[0:0])


def test_absurd_arguments_are_refused() -> None:
    with pytest.raises(ParameterError, match="width in pixels must be"):
        render_strip(walk(), width=10**6)
    with refused("n_poses"):
        render_strip(walk(), n_poses=0)
    with refused("view"):
        render_strip(walk(), view="behind")  # type: ignore[arg-type]


def test_size_is_as_asked_or_follows_from_the_motion() -> None:
    assert render_strip(walk(), width=320, height=200).size == (320, 200)
    wide = render_strip(walk(), width=400)
    assert wide.width == 400
    assert 100 <= wide.height <= 226


@pytest.mark.slow
@pytest.mark.parametrize("speed", [0.0, 3.0])
@pytest.mark.parametrize("view", ["auto", "side", "front", "top"])
def test_left_right_and_trunk_show_in_every_view(view: View, speed: float) -> None:
    picture = render_strip(planted(walk(speed=speed)), width=640, view=view)
    for colour in (SINGLE_FIGURE.left, SINGLE_FIGURE.right, SINGLE_FIGURE.core):
        assert n_pixels_of(picture, colour) > 20


def test_early_poses_are_lighter_than_late_ones() -> None:
    picture = render_strip(walk(speed=5.0), width=640, view="side", n_poses=5)
    half = picture.width // 2
    early, late = picture.crop((0, 0, half, picture.height)), picture.crop((half, 0, *picture.size))
    assert n_pixels_of(late, SINGLE_FIGURE.core, min=0.6) > 50
    assert n_pixels_of(early, SINGLE_FIGURE.core, min=0.6) < 5
    assert n_pixels_of(early, SINGLE_FIGURE.core, min=0.15, max=0.5) > 50


def test_several_clips_share_a_scene_in_their_own_colours() -> None:
    picture = render_strip([walk(), walk(speed=4.0).placed(GroundTransform(0.0, 1.5, 0.0))], width=800)
    assert n_pixels_of(picture, SEVERAL_FIGURES[0].core) > 20
    assert n_pixels_of(picture, SEVERAL_FIGURES[1].core) > 20


def test_a_title_adds_ink_in_its_corner() -> None:
    plain, titled = (render_strip(walk(), width=400, height=200, title=title) for title in ("", "Walking"))
    corner = (0, 0, 120, 30)
    assert np.asarray(titled.crop(corner)).min() < 100 < np.asarray(plain.crop(corner)).min()


@pytest.mark.slow
@pytest.mark.parametrize("size", [0.12, 1.0, 12.0])
def test_figures_of_any_size_look_alike(size: float) -> None:
    picture = np.asarray(render_strip(walk(size=size), width=300, height=160)).astype(int)
    usual = np.asarray(render_strip(walk(), width=300, height=160)).astype(int)
    # The grid has round spacings and differs; figures cover more than it does.
    dark = usual.min(axis=-1) < 150
    assert np.abs(picture - usual)[dark].mean() < 6.0


def test_far_from_the_origin_looks_the_same() -> None:
    here = np.asarray(render_strip(walk(), width=300, height=160)).astype(int)
    far = walk().placed(GroundTransform(0.0, 4e5, -2e5))
    there = np.asarray(render_strip(far, width=300, height=160)).astype(int)
    assert np.abs(here - there).mean() < 0.5


def test_one_frame_one_joint_and_both() -> None:
    dot = Skeleton(("dot",), np.array([-1]), np.zeros((1, 3)))
    spin = np.tile([1.0, 0, 0, 0], (40, 1, 1))
    arc = np.column_stack([np.linspace(0, 3, 40), np.sin(np.linspace(0, 3, 40)), np.zeros(40)])
    for clip in (walk()[5:6], Clip(dot, 0.1, arc, spin), Clip(dot, 0.1, arc[:1], spin[:1])):
        assert n_pixels_of(render_strip(clip, width=300), SINGLE_FIGURE.core) > 3


def test_a_long_clip_costs_no_more_than_its_poses(monkeypatch: pytest.MonkeyPatch) -> None:
    clip = walk(seconds=20_000 / 60)

    def refuse(_: Clip) -> None:
        raise AssertionError("the whole clip was computed")

    monkeypatch.setattr(Clip, "world_positions", refuse)
    assert render_strip(clip, width=300).width == 300


@pytest.mark.parametrize(
    "path",
    captured("locomotion/s16/walk_left*.bvh") + captured("actions/acrobatics/cartwheel*.bvh"),
    ids=lambda path: path.stem,
)
def test_captured_motion_fills_its_picture(path: Path) -> None:
    picture = render_strip(motionloom.load(path), width=800)
    dark = np.argwhere(np.asarray(picture).min(axis=-1) < 190)
    extent = np.ptp(dark, axis=0) / [picture.height, picture.width]
    assert extent.min() > 0.5
    assert n_pixels_of(picture, SINGLE_FIGURE.left) > 100
    assert n_pixels_of(picture, SINGLE_FIGURE.right) > 100


@pytest.mark.parametrize("n_poses", [0, -1, 201])
def test_absurd_numbers_of_poses_are_refused(n_poses: int) -> None:
    with pytest.raises(ParameterError, match=f"n_poses .* from 1 to 200, not {n_poses}"):
        render_strip(walk(), n_poses=n_poses)
