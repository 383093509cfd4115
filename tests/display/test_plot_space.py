"""Plots of motion spaces: one, two and three parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.display import plot
from motionloom.display.plot_space import draw_space
from motionloom.errors import ParameterError
from motionloom.spaces import parameters
from motionloom.spaces.space import MotionSpace
from motionloom.synthesis import reach_out

pytest.importorskip("matplotlib")


@pytest.mark.parametrize("axes", ["y", "xy", "xyz"])
def test_a_panel_for_each_two_parameters(axes: str) -> None:
    targets = [(-0.3, 0.9, 0.3), (0.0, 0.9, 0.3), (-0.3, 1.3, 0.3), (-0.3, 0.9, 0.45)]
    clips = [reach_out(target=target, fps=20, duration=1.0).clip for target in targets]
    space = MotionSpace(clips, {"hand": parameters.position("RightHand", axes=axes)}, accuracy=0.2)
    figure = draw_space(space, [f"reach {k}" for k in range(4)], 4)
    panels = [panel for panel in figure.axes if panel.get_label() != "<colorbar>"]
    assert len(panels) == {"y": 1, "xy": 1, "xyz": 3}[axes]
    assert panels[0].get_xlabel() == ("hand (m)" if axes == "y" else "hand.x (m)")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [f"reach {k}" for k in range(4)]


def test_what_is_refused(tmp_path: Path) -> None:
    clips = [reach_out(target=(-0.2, y, 0.4), fps=20, duration=1.0).clip for y in (0.9, 1.3)]
    space = MotionSpace(clips, {"hand": parameters.position("RightHand", axes="y")}, accuracy=0.2)
    with pytest.raises(ParameterError, match=r"space\.jpg: plots are saved as"):
        plot.space(space, tmp_path / "space.jpg")
    with pytest.raises(ParameterError, match="there are 2 clips but 1 names"):
        plot.space(space, tmp_path / "space.png", names=["one"])
    with pytest.raises(ParameterError, match="n_requests"):
        plot.space(space, tmp_path / "space.png", n_requests=0)
    assert not list(tmp_path.iterdir())
