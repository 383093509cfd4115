from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion.sampling import (
    Interpolation,
    frame_time_of,
    rate_of,
    sample_rotations,
    sample_vectors,
)
from motionloom.validation import check_frame_time
from tests.figures import smooth_clip


@pytest.mark.parametrize("value", [1e-320, 9e-7, 1.1e6, 1e300])
def test_times_and_rates_of_no_sense_are_refused(value: float) -> None:
    with pytest.raises(ParameterError, match=r"frame_time must lie between 1e-06 s and 1e\+06 s, not "):
        check_frame_time(value)
    with pytest.raises(ParameterError, match=r"fps must lie between 1e-06 and 1e\+06, not "):
        frame_time_of(value)


def test_the_limits_themselves_are_allowed() -> None:
    assert [check_frame_time(value) for value in (1e-6, 1e6)] == [1e-6, 1e6]
    assert [frame_time_of(value) for value in (1e6, 1e-6)] == [1e-6, 1e6]


def test_rates_are_whole_where_the_frame_time_is_their_reciprocal() -> None:
    assert [rate_of(1 / fps) for fps in (24, 30, 60, 120, 49)] == [24, 30, 60, 120, 49]
    assert rate_of(0.0083333) == pytest.approx(120.00048, abs=1e-8)


def test_cubics_are_exact_at_frames_and_for_parabolas() -> None:
    squares = np.arange(6.0)[:, None] ** 2
    np.testing.assert_array_equal(
        sample_vectors(squares, np.array([0.0, 3.0, 5.0]), "catmull_rom"), squares[[0, 3, 5]]
    )
    np.testing.assert_allclose(
        sample_vectors(squares, np.array([1.5, 3.25]), "catmull_rom").ravel(), [2.25, 3.25**2]
    )
    assert sample_vectors(np.ones((1, 3)), np.zeros(2), "catmull_rom").shape == (2, 3)
    flipped = rot.from_yaw(np.array([[0.0], [0.2], [0.4]])) * [[[1.0]], [[-1.0]], [[1.0]]]
    np.testing.assert_allclose(
        rot.yaw_of(sample_rotations(flipped, np.array([0.5, 1.5]), "catmull_rom")).ravel(),
        [0.1, 0.3],
        atol=2e-3,
    )
    np.testing.assert_array_equal(sample_rotations(flipped, np.array([1.0]), "catmull_rom")[0], flipped[1])


def test_cubic_poses_are_exact_at_frames_and_accurate_between() -> None:
    clip = smooth_clip(41, moving=True)
    poses = clip.at([0.0, 17.0, 40.0], "catmull_rom")
    np.testing.assert_array_equal(poses.rotations, clip.rotations[[0, 17, 40]])
    np.testing.assert_array_equal(poses.translations, clip.translations[[0, 17, 40]])  # type: ignore[index]
    coarse = clip[::2]
    between = coarse.at(np.arange(19.0) + 0.5, "catmull_rom")
    np.testing.assert_allclose(between.world_positions()[1:-1], clip.world_positions()[3:37:2], atol=1e-4)


@pytest.mark.parametrize("method", ["linear", "catmull_rom", "lagrange"])
def test_frames_have_any_shape_with_every_method(method: Interpolation) -> None:
    clip = smooth_clip(11, moving=True)
    several = clip.at([3.5, 4.0, 0.0, 10.0], method)
    one, grid = clip.at(3.5, method), clip.at([[3.5, 4.0], [0.0, 10.0]], method)
    for name in ("root_positions", "rotations", "translations", "world_positions"):
        values = [getattr(poses, name) for poses in (several, one, grid)]
        expected, single, table = (value() if callable(value) else value for value in values)
        np.testing.assert_array_equal(single, expected[0])
        np.testing.assert_array_equal(table, expected.reshape(2, 2, *expected.shape[1:]))
    assert clip.at([], method).rotations.shape == (0, clip.skeleton.n_joints, 4)
    np.testing.assert_array_equal(clip[:1].at(0, method).rotations, clip.rotations[0])
