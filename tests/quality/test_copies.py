from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.quality import copy_error
from motionloom.quality.copies import ground_fit
from motionloom.synthesis import walk
from tests.figures import smooth_clip


def test_frames_and_joints_must_fit() -> None:
    clip = walk(duration=1.0, fps=30).clip
    with pytest.raises(
        ParameterError, match="20 frames from frame 15 on do not fit into a clip of 31 frames"
    ):
        copy_error(clip, clip, range(20), start=15)
    with pytest.raises(ParameterError, match="a copy has the same skeleton"):
        copy_error(clip, smooth_clip(31), range(31))
    with pytest.raises(ParameterError, match="frame 31 lies outside the clip"):
        copy_error(clip, clip, [31.0])


@given(st.floats(-3, 3), st.floats(-10, 10), st.floats(-10, 10))
def test_a_placed_copy_of_part_of_a_clip_is_exact(yaw: float, x: float, z: float) -> None:
    clip = walk(duration=1.0, fps=30).clip
    placed = clip.placed(GroundTransform(yaw, x, z))
    assert copy_error(placed, clip, np.arange(5, 20), start=5) < 1e-9


def test_frames_between_frames_are_interpolated() -> None:
    clip = walk(duration=1.0, fps=30).clip
    assert copy_error(clip.resampled(60), clip, np.arange(0, 30.5, 0.5)) < 1e-9


def test_drift_and_height_count() -> None:
    clip = walk(duration=1.0, fps=30).clip
    raised = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.003, 0.0]))
    assert copy_error(raised, clip, np.arange(31)) == pytest.approx(0.003)
    drift = np.linspace(-0.01, 0.01, 31)[:, None] * [1.0, 0.0, 0.0]
    drifted = replace(clip, root_positions=clip.root_positions + drift)
    assert 0.005 < copy_error(drifted, clip, np.arange(31)) < 0.02


def test_the_fit_is_the_best_of_its_neighbours() -> None:
    rng = np.random.default_rng(5)
    points, targets = rng.normal(size=(2, 20, 3))
    best = ground_fit(points, targets)

    def error(transform: GroundTransform) -> float:
        return float(np.sum((transform.apply(points) - targets) ** 2))

    for change in ((0.01, 0, 0), (-0.01, 0, 0), (0, 0.01, 0), (0, -0.01, 0), (0, 0, 0.01), (0, 0, -0.01)):
        yaw, x, z = (a + b for a, b in zip((best.yaw, best.x, best.z), change, strict=True))
        assert error(GroundTransform(yaw, x, z)) > error(best)
