"""Values between frames by cubics."""

from __future__ import annotations

import numpy as np

from motionloom.geometry import rotations as rot
from motionloom.warping.cubics import cubic_rotations, cubic_vectors, poses_at
from tests.figures import smooth_clip


def test_cubics_are_exact_at_frames_and_for_parabolas() -> None:
    squares = np.arange(6.0)[:, None] ** 2
    np.testing.assert_array_equal(cubic_vectors(squares, np.array([0.0, 3.0, 5.0])), squares[[0, 3, 5]])
    np.testing.assert_allclose(cubic_vectors(squares, np.array([1.5, 3.25])).ravel(), [2.25, 3.25**2])
    assert cubic_vectors(np.ones((1, 3)), np.zeros(2)).shape == (2, 3)
    flipped = rot.from_yaw(np.array([[0.0], [0.2], [0.4]])) * [[[1.0]], [[-1.0]], [[1.0]]]
    np.testing.assert_allclose(
        rot.yaw_of(cubic_rotations(flipped, np.array([0.5, 1.5]))).ravel(), [0.1, 0.3], atol=2e-3
    )
    np.testing.assert_array_equal(cubic_rotations(flipped, np.array([1.0]))[0], flipped[1])


def test_poses_at_frames_are_those_of_the_clip_and_between_them_near_finer_ones() -> None:
    clip = smooth_clip(41, moving=True)
    poses = poses_at(clip, np.array([0.0, 17.0, 40.0]))
    np.testing.assert_array_equal(poses.rotations, clip.rotations[[0, 17, 40]])
    np.testing.assert_array_equal(poses.translations, clip.translations[[0, 17, 40]])  # type: ignore[index]
    coarse = clip[::2]
    between = poses_at(coarse, np.arange(19.0) + 0.5)
    np.testing.assert_allclose(between.world_positions()[1:-1], clip.world_positions()[3:37:2], atol=1e-4)
