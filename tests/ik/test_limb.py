"""Limbs that reach for places in the world, also through joints that belong to neither bone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.ik.limb import LimbSolution, find_hinge, solve_limb
from motionloom.motion import Clip, Skeleton
from tests.figures import skeleton_of, smooth_clip

CHAIN = (1, 3, 4)
HINGE = np.array([-1.0, 0.0, 0.0])
FAR_AHEAD = np.array([0.0, 0.0, 5.0])


def leg() -> Skeleton:
    """Root, hip, a joint halfway down the thigh, knee, ankle, toe."""
    return skeleton_of(
        ("root", "hip", "twist", "knee", "ankle", "toe"),
        [-1, 0, 1, 2, 3, 4],
        np.array(
            [[0, 1, 0], [0.1, -0.1, 0], [0, -0.2, 0.02], [0, -0.2, 0.02], [0, -0.4, -0.05], [0, -0.05, 0.15]]
        ),
    )


def reaching(clip: Clip, goals: FloatArray, stretch: float = 0.0) -> LimbSolution:
    return solve_limb(
        clip.skeleton.parents,
        clip.world_positions(),
        clip.world_rotations(),
        CHAIN,
        goals,
        hinge=HINGE,
        stretch=stretch,
    )


def with_pose(clip: Clip, found: LimbSolution) -> Clip:
    turns = np.array(clip.rotations)
    turns[:, CHAIN] = found.rotations
    bones = np.array(np.broadcast_to(clip.skeleton.offsets, (clip.n_frames, clip.skeleton.n_joints, 3)))
    bones[:, 2:5] *= found.scales[:, None, None]
    return replace(clip, rotations=turns, translations=bones)


def test_goals_of_another_shape_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"goals must have shape \(4, 3\), one per frame, not \(2, 3\)"):
        reaching(smooth_clip(4, skeleton=leg()), np.zeros((2, 3)))


def test_a_limb_that_is_there_stays() -> None:
    clip = smooth_clip(skeleton=leg())
    found = reaching(clip, clip.world_positions()[:, 4])
    assert np.abs(np.sum(found.rotations * clip.rotations[:, CHAIN], axis=-1)) == pytest.approx(
        np.ones((20, 3)), abs=1e-9
    )


def test_a_goal_at_the_upper_joint_does_no_harm() -> None:
    clip = smooth_clip(skeleton=leg())
    assert np.isfinite(reaching(clip, clip.world_positions()[:, 1]).rotations).all()


def test_out_of_reach_the_limb_points_at_its_goal() -> None:
    clip = smooth_clip(skeleton=leg())
    hips = clip.world_positions()[:, 1]
    ways = with_pose(clip, reaching(clip, hips + FAR_AHEAD)).world_positions()[:, 4] - hips
    assert ways[:, :2] == pytest.approx(np.zeros((20, 2)), abs=1e-9)


@given(st.integers(0, 200), st.sampled_from([0.0, 0.026]))
def test_forward_kinematics_agree_and_the_end_keeps_its_orientation(seed: int, stretch: float) -> None:
    clip = smooth_clip(seed=seed, skeleton=leg())
    rng = np.random.default_rng(seed)
    ways = rng.normal(size=(20, 3))
    ways *= rng.uniform(0.3, 0.75, (20, 1)) / np.linalg.norm(ways, axis=-1, keepdims=True)
    goals = clip.world_positions()[:, 1] + ways
    found = reaching(clip, goals, stretch)
    posed = with_pose(clip, found)
    assert posed.world_positions()[:, 4] == pytest.approx(goals, abs=1e-9)
    assert found.ends == pytest.approx(goals, abs=1e-9)
    same = np.abs(np.sum(posed.world_rotations()[:, 4] * clip.world_rotations()[:, 4], axis=-1))
    assert same == pytest.approx(np.ones(20))


def test_a_given_orientation_of_the_end_is_taken() -> None:
    clip = smooth_clip(skeleton=leg())
    level = np.tile(rot.IDENTITY, (20, 1))
    found = solve_limb(
        clip.skeleton.parents,
        clip.world_positions(),
        clip.world_rotations(),
        CHAIN,
        clip.world_positions()[:, 4],
        hinge=HINGE,
        end_rotations=level,
    )
    turned = with_pose(clip, found).world_rotations()[:, 4]
    assert np.abs(turned[:, 0]) == pytest.approx(np.ones(20))


def test_the_usual_hinge_is_that_of_the_rest_pose_where_only_the_knee_bends() -> None:
    angles = np.linspace(0.1, 1.0, 10)
    turns = np.tile(rot.IDENTITY, (10, 6, 1))
    turns[:, 3] = rot.from_axis_angle([1.0, 0.0, 0.0], angles)
    turns[:, 1] = rot.from_yaw(np.linspace(0, 3, 10))
    clip = Clip(leg(), 0.1, np.zeros((10, 3)), turns)
    hinge = find_hinge(clip.world_positions(), clip.world_rotations(), CHAIN, np.array([0.0, 0.0, 1.0]))
    assert hinge == pytest.approx(HINGE, abs=1e-9)
