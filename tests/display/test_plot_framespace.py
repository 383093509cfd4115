from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from motionloom.blending import blend
from motionloom.display import plot
from motionloom.display.plot_framespace import draw_framespace
from motionloom.errors import FileExistsRefusal, ParameterError
from motionloom.framespace import Framespace, FramespaceReport
from motionloom.registration import register
from tests.framespace.spaces import S_CURVE, halves, jogging, punching, rectangle, sneaking, walking

pytest.importorskip("matplotlib")


def ink(path: Path) -> float:
    """Share of the picture that is not paper."""
    pixels = np.asarray(Image.open(path).convert("RGB"), dtype=np.int64)
    return float((np.abs(pixels - pixels[0, 0]).sum(axis=-1) > 60).mean())


@pytest.mark.slow
def test_other_blends_have_a_plot_of_their_own(tmp_path: Path) -> None:
    other = blend(register([walking(), jogging()]), [0.5, 0.5])
    with pytest.raises(ParameterError, match="was not made by a framespace: plot it as a blend"):
        plot.framespace(rectangle(), other, tmp_path / "a.png")


def test_files_that_are_there_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_text("mine")
    with pytest.raises(FileExistsRefusal):
        plot.framespace(rectangle(), rectangle().blend(0.5), path)
    assert path.read_text() == "mine"


@pytest.mark.slow
def test_a_rectangle(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    assert (
        plot.framespace(rectangle(), rectangle().blend(S_CURVE, cycles=4), path, names=["$w", "j_"]) == path
    )
    assert 0.02 < ink(path) < 0.4


def test_lines_are_the_states_and_the_curve() -> None:
    space = rectangle()
    result = space.blend(S_CURVE, cycles=4)
    assert isinstance(result.report, FramespaceReport)
    figure = draw_framespace(space, result, ["walk", "jog"])
    before, after, curve = figure.axes[:3]
    joined = [np.asarray(line.get_xdata()) for line in before.get_lines() if line.get_alpha()]
    assert np.allclose(joined[:-1], space.warp.phases - space.warp.origins)
    upright = [np.ptp(np.asarray(line.get_xdata())) for line in after.get_lines() if line.get_alpha()]
    assert max(upright) == 0.0
    drawn = curve.get_lines()[-1]
    assert np.array_equal(drawn.get_ydata(), result.weights[:, 1])


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_other_formats(tmp_path: Path, suffix: str) -> None:
    made = plot.framespace(halves(), halves().blend(0.3, upper=0.7), tmp_path / f"a{suffix}")
    assert made.stat().st_size > 5_000


@pytest.mark.slow
def test_a_box_and_a_line_and_a_gesture(tmp_path: Path) -> None:
    box = Framespace([walking(), jogging(), sneaking(), walking().mirrored()])
    line = Framespace([jogging(), walking(), sneaking()])
    once = Framespace([walking(), punching()], acyclic=1)
    shares = [
        ink(plot.framespace(box, box.blend([(0, 0, 0), (1, 1, 1)], cycles=3), tmp_path / "box.png")),
        ink(plot.framespace(line, line.blend([(0, 0), (1, 1)], cycles=3), tmp_path / "line.png")),
        ink(plot.framespace(once, once.blend([(0, 0), (1, 0.5)], cycles=3), tmp_path / "once.png")),
    ]
    assert all(0.01 < share < 0.4 for share in shares)
