"""Points that are the same on every rig."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.library.body_points import (
    N_POINTS,
    STANDARD_LEG,
    WEIGHTS,
    map_points,
    mirror_points,
    sample_points,
)
from motionloom.motion import Clip, Skeleton, Tip
from motionloom.synthesis import walk


def test_weights_sum_to_one() -> None:
    assert WEIGHTS.shape == (N_POINTS,)
    assert WEIGHTS.sum() == pytest.approx(1.0, abs=1e-12)


def test_every_body_has_legs_of_the_standard_length() -> None:
    clip = walk(duration=1.0, fps=30).clip
    points = sample_points(clip)
    for hip in (0, 4):
        thigh = np.linalg.norm(points[:, hip] - points[:, hip + 1], axis=1)
        shin = np.linalg.norm(points[:, hip + 1] - points[:, hip + 2], axis=1)
        np.testing.assert_allclose(thigh + shin, STANDARD_LEG, atol=1e-9)


def test_a_body_of_another_size_has_the_same_points() -> None:
    clip = walk(duration=1.0, fps=30).clip
    body = clip.skeleton
    tips = tuple(Tip(tip.joint, 2.0 * tip.offset) for tip in body.tips)
    large = Skeleton(body.names, body.parents, 2.0 * body.offsets, body.rest_rotations, tips)
    twice = Clip(large, clip.frame_time, 2.0 * clip.root_positions, clip.rotations)
    np.testing.assert_allclose(sample_points(twice), sample_points(clip), atol=1e-9)


def test_points_are_at_30_hz_whatever_the_rate() -> None:
    fast, slow = walk(duration=1.0, fps=120).clip, walk(duration=1.0, fps=30).clip
    assert sample_points(fast).shape == sample_points(slow).shape == (31, N_POINTS, 3)
    np.testing.assert_allclose(sample_points(fast), sample_points(slow), atol=1e-3)


def test_mirrored_points_are_those_of_the_mirrored_clip() -> None:
    clip = walk(duration=1.0, fps=30, curvature=0.2).clip
    np.testing.assert_allclose(mirror_points(sample_points(clip)), sample_points(clip.mirrored()), atol=1e-9)


def test_a_skeleton_without_limbs_is_refused_by_name() -> None:
    dot = Skeleton(("root", "end"), np.array([-1, 0]), np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    with pytest.raises(ParameterError, match="no pair of legs and no pair of arms and no head"):
        map_points(dot)
