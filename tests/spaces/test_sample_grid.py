from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.spaces import parameters
from motionloom.spaces.sample_grid import sample_grid
from motionloom.spaces.space import MotionSpace


def test_wrong_grids(reach_space: MotionSpace) -> None:
    with pytest.raises(ParameterError, match=r"hand\.x and hand\.y needs two numbers of points"):
        sample_grid(reach_space, [3])
    with pytest.raises(ParameterError, match="points along an axis must be a whole number from 2"):
        sample_grid(reach_space, [3, 1])
    with pytest.raises(ParameterError, match="outside"):
        sample_grid(reach_space, [3, 3], outside="clamp")  # type: ignore[arg-type]


def test_spaces_of_three_numbers_are_refused(reaches: list[Clip]) -> None:
    clips = [*reaches, reaches[0].sped_up(0.7)]
    space = MotionSpace(
        clips,
        {"hand": parameters.position("RightHand", axes="xy"), "time": parameters.duration()},
        max_blends=1,
    )
    with pytest.raises(ParameterError, match="one or two axes, and this space has 3 numbers"):
        sample_grid(space, [2, 2, 2])


def test_every_point_is_made_moved_or_dropped_with_a_reason(reach_space: MotionSpace) -> None:
    grid = sample_grid(reach_space, [4, 3])
    assert len(grid.samples) + len(grid.dropped) == 12
    assert all(point.reason for point in grid.dropped)
    assert {sample.cell for sample in grid.samples} <= {(i, j) for i in range(4) for j in range(3)}
    measure = parameters.position("RightHand", axes="xy")
    for sample in grid.samples:
        # The root joint that was added keeps the frame of reference, up to the start of its smoothed path.
        np.testing.assert_allclose(measure.measure(sample.clip), sample.position, atol=0.02)
        if sample.outside == 0.0:
            np.testing.assert_allclose(sample.position, sample.requested)
        assert sample.clip.skeleton.names[0] == "root"


def test_dropping_what_is_outside(reach_space: MotionSpace) -> None:
    grid = sample_grid(reach_space, [5, 4], outside="drop")
    assert len(grid.samples) + len(grid.dropped) == 20
    assert all(sample.outside == 0.0 for sample in grid.samples)
    assert {point.reason for point in grid.dropped} == {"the space does not reach it"}
    with pytest.raises(ParameterError, match=r"only 1 of the 9 points .* outside=\"nearest\""):
        sample_grid(reach_space, [3, 3], outside="drop")


def test_triangles_cover_the_samples_without_overlap(reach_space: MotionSpace) -> None:
    grid = sample_grid(reach_space, [3, 3], root_motion="hips")
    assert set(grid.simplices.ravel().tolist()) == set(range(len(grid.samples)))
    points = (np.array([sample.position for sample in grid.samples]) - grid.range[0]) / np.ptp(
        grid.range, axis=0
    )
    areas = np.abs(np.linalg.det(points[grid.simplices[:, 1:]] - points[grid.simplices[:, :1]])) / 2.0
    from scipy.spatial import ConvexHull

    assert areas.sum() == pytest.approx(ConvexHull(points).volume, rel=0.02)
