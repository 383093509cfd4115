from __future__ import annotations

from motionloom.display.style import SEVERAL_FIGURES, SINGLE_FIGURE, figure_colours, mix_colours


def test_mixing_runs_from_one_colour_to_the_other() -> None:
    assert mix_colours((10, 20, 30), (110, 220, 30), 0.0) == (10, 20, 30)
    assert mix_colours((10, 20, 30), (110, 220, 30), 0.25) == (35, 70, 30)
    assert mix_colours((10, 20, 30), (110, 220, 30), 1.0) == (110, 220, 30)


def test_mixing_stays_between_the_colours() -> None:
    assert mix_colours((0, 0, 0), (100, 100, 100), 1.7) == (100, 100, 100)
    assert mix_colours((0, 0, 0), (100, 100, 100), -0.3) == (0, 0, 0)


def test_a_figure_alone_has_its_own_colours_and_several_differ() -> None:
    assert figure_colours(0, 1) == SINGLE_FIGURE
    assert len({figure_colours(k, 6) for k in range(6)}) == 6
    assert figure_colours(6, 7) == SEVERAL_FIGURES[0]
