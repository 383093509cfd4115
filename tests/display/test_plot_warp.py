"""Plots of warps: curves of both clips, lines at keys, frames of both."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from motionloom.annotation import annotate
from motionloom.annotation.ground import Surface
from motionloom.display import plot
from motionloom.display.plot_style import colour_of
from motionloom.display.plot_warp import draw_warp
from motionloom.errors import FileExistsRefusal, ParameterError
from motionloom.motion import Clip, Result
from motionloom.motion.steady_travel import put_in_place
from motionloom.synthesis import punch, walk
from motionloom.warping import Key, WarpReport, preset_edit, reach, warp

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def clip() -> Clip:
    return annotate(walk(duration=3.0, fps=30).clip)


@pytest.fixture(scope="module")
def warped(clip: Clip) -> Result[WarpReport]:
    keys = [Key(1.0, "Spine", rotate=(0.5, 0, 0)), Key(0.0, "Head", rotate=(0.1, 0, 0), ease=None)]
    return warp(clip, keys, [(1.0, 1.5)])


@pytest.mark.slow
def test_clips_that_were_not_warped_other_formats_and_existing_files_are_refused(
    clip: Clip, warped: Result[WarpReport], tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=r"a plot of a warp takes the result of motionloom\.warp, with"):
        plot.warp(clip, put_in_place(clip), tmp_path / "warp.png")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"warp\.jpg: plots are saved as"):
        plot.warp(clip, warped, tmp_path / "warp.jpg")
    (tmp_path / "warp.png").write_text("mine")
    with pytest.raises(FileExistsRefusal):
        plot.warp(clip, warped, tmp_path / "warp.png")
    with pytest.raises(ParameterError, match="a gallery needs at least one clip"):
        plot.gallery({}, tmp_path / "gallery.png")


@pytest.mark.slow
def test_a_picture_is_written(clip: Clip, warped: Result[WarpReport], tmp_path: Path) -> None:
    with Image.open(plot.warp(clip, warped, tmp_path / "warp.png")) as picture:
        assert picture.width == 1560


def test_curves_of_the_joints_with_keys_and_lines_at_passing_keys(
    clip: Clip, warped: Result[WarpReport]
) -> None:
    figure = draw_warp(clip, warped, None)
    spine, head = figure.axes[:2]
    assert [spine.get_title(loc="left"), head.get_title(loc="left")] == ["Spine", "Head"]
    original, changed, line = spine.get_lines()
    assert len(np.asarray(original.get_xdata())) == clip.n_frames
    assert len(np.asarray(changed.get_xdata())) == warped.clip.n_frames
    # The key of the source at 1 s happens at 1.5 s; the held key has no line.
    assert float(np.asarray(line.get_xdata())[0]) == pytest.approx(1.5)
    assert len(head.get_lines()) == 3


def test_frames_of_keys_are_coloured_in_both_rows(clip: Clip, warped: Result[WarpReport]) -> None:
    from matplotlib.colors import to_rgba

    for axes in draw_warp(clip, warped, None).axes[-2:]:
        colours = [tuple(lines.get_colors()[0]) for lines in axes.collections]  # type: ignore[attr-defined]
        assert colours.count(to_rgba(colour_of(1))) == 1


@pytest.mark.slow
def test_a_reach_in_place_and_a_gallery(clip: Clip, tmp_path: Path) -> None:
    source = punch(duration=1.2, fps=30).clip
    target = source.world_positions()[15, source.skeleton.index("RightHand")]
    assert plot.warp(source, reach(source, "RightHand", target), tmp_path / "reach.svg").exists()
    ground = preset_edit(clip, "stairs").ground
    climbed = warp(clip, keep_plants=True, ground=ground)
    rows: dict[str, tuple[Clip | Result[WarpReport], Surface | None]]
    rows = {"walk": (clip, None), "stairs": (climbed, ground), "stoop": (clip, None)}
    with Image.open(plot.gallery(rows, tmp_path / "gallery.png")) as picture:
        assert picture.width == 2340
