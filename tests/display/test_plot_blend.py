"""Plots of blends: they show what went into every frame."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from motionloom.blending import BlendResult, KeyedWeights, blend
from motionloom.display import plot
from motionloom.display.plot_blend import draw_blend
from motionloom.errors import FileExistsRefusal, ParameterError
from tests.blending.curves import two_loops

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def result() -> BlendResult:
    return blend(two_loops(), KeyedWeights({0: (1, 0), 3: (0, 1)}))


def test_other_formats_and_existing_files_are_refused(result: BlendResult, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"blend\.jpg: plots are saved as \.png, \.svg or \.pdf"):
        plot.blend(result, tmp_path / "blend.jpg")
    (tmp_path / "blend.png").write_text("mine")
    with pytest.raises(FileExistsRefusal):
        plot.blend(result, tmp_path / "blend.png")
    assert (tmp_path / "blend.png").read_text() == "mine"


def test_each_clip_needs_a_name(result: BlendResult, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="there are 2 clips but 1 names: name each clip"):
        plot.blend(result, tmp_path / "blend.png", names=["walk"])


@pytest.mark.slow
def test_names_may_have_any_letters(result: BlendResult, tmp_path: Path) -> None:
    """File names begin with underscores and hold dollars; neither may hide a clip or break the drawing."""
    names = ["_walk", "a$^$b"]
    legend = draw_blend(result, names).legends[0]
    assert [text.get_text() for text in legend.get_texts()] == names
    assert plot.blend(result, tmp_path / "blend.png", names=names).stat().st_size > 10_000


@pytest.mark.slow
def test_a_picture_is_written_over_when_allowed(result: BlendResult, tmp_path: Path) -> None:
    (tmp_path / "blend.png").write_text("old")
    with Image.open(plot.blend(result, tmp_path / "blend.png", overwrite=True)) as picture:
        assert picture.size == (1560, 1040)


def test_lines_are_the_weights_and_frames_of_the_result(result: BlendResult) -> None:
    figure = draw_blend(result, ["walk", "jog"])
    weights, _, frames, lanes = figure.axes[0], figure.axes[1], figure.axes[2], figure.axes[3]
    for k, line in enumerate(weights.get_lines()):
        np.testing.assert_array_equal(line.get_ydata(), result.weights[:, k])
    for k, line in enumerate(frames.get_lines()):
        drawn = np.asarray(line.get_ydata(), dtype=float)
        assert np.isnan(drawn).sum() > 0  # a cycle that begins again is not joined to the one before
        seen = ~np.isnan(drawn)
        np.testing.assert_array_equal(drawn[seen], result.frames[seen, k])
    labels = [label.get_text() for label in lanes.get_yticklabels()]
    assert set(labels) == {f"{held.joint} {held.kind}" for held in result.clip.constraints}


@pytest.mark.slow
def test_seams_are_marked(result: BlendResult) -> None:
    report = replace(result.report, seams=(30.0, 60.0))
    marked = replace(result, report=report)
    lines = draw_blend(marked, ["walk", "jog"]).axes[0].get_lines()
    at = {float(np.asarray(line.get_xdata())[0]) for line in lines[2:]}
    assert at == {0.5, 1.0}


def test_a_blend_without_constraints_says_so(result: BlendResult) -> None:
    bare = replace(result, clip=replace(result.clip, constraints=()))
    assert draw_blend(bare, ["walk", "jog"]).axes[3].get_title(loc="left") == "No constraints"
