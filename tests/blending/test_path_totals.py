from __future__ import annotations

import numpy as np
import pytest

from motionloom.blending.path_totals import measure_path
from motionloom.cycles import cyclify
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.synthesis import walk


def test_a_circle_has_the_length_of_its_arc() -> None:
    """Three quarters of a circle of radius 2 m in 3 s, with a sway that the length leaves out."""
    fraction = np.linspace(0.0, 1.0, 301)
    turn = 1.5 * np.pi * fraction
    radius = 2.0 + 0.05 * np.sin(2 * np.pi * 6 * fraction)
    roots = np.stack([2.0 - radius * np.cos(turn), np.ones(301), radius * np.sin(turn)], axis=-1)
    dot = Skeleton(("root",), np.array([-1]), np.zeros((1, 3)))
    path = measure_path(Clip(dot, 0.01, roots, rot.from_yaw(turn)[:, None]))
    assert path.duration == pytest.approx(3.0)
    assert path.length == pytest.approx(3.0 * np.pi, rel=1e-3)
    assert path.turn == pytest.approx(1.5 * np.pi)
    assert (path.speed, path.turn_rate) == pytest.approx((np.pi, np.pi / 2), rel=1e-3)


@pytest.mark.parametrize("curvature", [-0.4, 0.0, 0.3])
def test_a_cycle_goes_as_the_walk_it_was_cut_from(curvature: float) -> None:
    """The root of a curving walk leans inward, which shortens its way by up to two per cent."""
    loop = cyclify(walk(speed=1.3, curvature=curvature, duration=4.0).clip, cycles=1)
    path = measure_path(loop.clip)
    assert path.speed == pytest.approx(1.3, rel=0.02)
    assert path.turn_rate == pytest.approx(1.3 * curvature, abs=0.01)


def test_only_the_named_part_counts() -> None:
    clip = walk(speed=1.0, duration=4.0, fps=30).clip
    assert measure_path(clip, 30.0, 60.0).duration == pytest.approx(1.0)
    assert measure_path(clip, 30.0, 60.0).length == pytest.approx(1.0, rel=0.1)
