"""Two bones: bending to a length, damped and stretched within bounds; limbs that reach for goals.

Chains may pass through joints that belong to neither bone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import (
    LimbSolution,
    bend_axes,
    bend_bones,
    find_hinge,
    hinge_axes,
    max_lengths,
    mean_axis,
    solve_limb,
)
from motionloom.motion import Clip, Skeleton
from tests.figures import skeleton_of, smooth_clip
from tests.refusals import refused

BONE = 0.42
RIGHT = np.array([[-1.0, 0.0, 0.0]])
DOWN = np.array([[0.0, -0.4, 0.0]])


def limb(angle: float) -> tuple[FloatArray, FloatArray]:
    """Two bones of equal length with this angle at their joint, π for straight."""
    upper = np.array([[0.0, -BONE, 0.0]])
    return upper, rot.rotate(rot.from_axis_angle([1.0, 0.0, 0.0], np.pi - angle), upper)


def length_at(angle: float) -> float:
    return 2.0 * BONE * float(np.sin(angle / 2.0))


def test_a_right_angle_gives_the_diagonal() -> None:
    found = bend_bones(*limb(2.5), RIGHT, [np.sqrt(2.0) * BONE])
    assert found.angles == pytest.approx([np.pi / 2.0 - 2.5])
    assert found.lengths == pytest.approx([np.sqrt(2.0) * BONE])
    assert found.scales.tolist() == [1.0]


def test_what_is_right_stays() -> None:
    found = bend_bones(*limb(2.9), RIGHT, [length_at(2.9)], stretch=0.03, damped=True)
    assert found.angles == pytest.approx([0.0], abs=1e-7)
    assert found.scales == pytest.approx([1.0], abs=1e-9)


def test_out_of_reach_the_limb_is_straight() -> None:
    found = bend_bones(*limb(2.0), RIGHT, [1.0])
    assert found.angles == pytest.approx([np.pi - 2.0])
    assert found.lengths == pytest.approx([2.0 * BONE])


def test_too_near_the_limb_is_folded() -> None:
    found = bend_bones(*limb(2.0), RIGHT, [0.0])
    assert found.lengths == pytest.approx([0.0], abs=1e-9)


def test_a_damped_knee_never_passes_170_degrees() -> None:
    longest = max_lengths(*limb(1.0), RIGHT)
    assert longest == pytest.approx([length_at(2.971)], rel=1e-4)
    assert longest[0] / (2.0 * BONE) == pytest.approx(0.9964, abs=1e-4)


def test_damping_is_none_below_its_threshold() -> None:
    found = bend_bones(*limb(2.0), RIGHT, [length_at(2.79)], damped=True, stretch=0.05)
    assert found.angles == pytest.approx([0.79])
    assert found.scales == pytest.approx([1.0])


def test_stretching_makes_up_for_what_damping_takes() -> None:
    wanted = length_at(3.1)
    found = bend_bones(*limb(2.7), RIGHT, [wanted], damped=True, stretch=0.026)
    assert 0.0 < found.angles[0] < 0.4
    assert 1.0 < found.scales[0] < 1.026
    assert found.lengths == pytest.approx([wanted])


def test_beyond_the_allowed_stretch_the_joint_does_the_rest() -> None:
    found = bend_bones(*limb(2.7), RIGHT, [length_at(3.1)], damped=True, stretch=0.0)
    assert found.scales.tolist() == [1.0]
    assert found.angles == pytest.approx([0.4])


def test_the_joint_goes_for_the_bending_length_and_stretching_for_the_rest() -> None:
    found = bend_bones(*limb(2.0), RIGHT, [length_at(2.0) * 1.01], bending=[length_at(2.0)], stretch=0.026)
    assert found.angles == pytest.approx([0.0], abs=1e-7)
    assert found.scales == pytest.approx([1.01])


@given(st.floats(0.5, 3.0), st.floats(0.1, 0.83), st.floats(0.0, 0.05))
def test_any_length_within_reach_is_met_and_bounds_are_kept(
    angle: float, wanted: float, stretch: float
) -> None:
    found = bend_bones(*limb(angle), RIGHT, [wanted], damped=True, stretch=stretch)
    assert found.lengths == pytest.approx([wanted], abs=1e-9)
    assert abs(found.scales[0] - 1.0) <= stretch + 1e-12


@given(st.floats(2.3, 3.1))
def test_turns_and_scales_change_smoothly_with_the_length(angle: float) -> None:
    """Without a jump anywhere: a millimetre of length never costs more than the undamped 66 degrees."""
    upper, lower = (np.repeat(bone, 400, axis=0) for bone in limb(angle))
    wanted = np.linspace(0.70, 0.85, 400)
    found = bend_bones(upper, lower, np.repeat(RIGHT, 400, axis=0), wanted, damped=True, stretch=0.026)
    assert np.abs(np.diff(found.angles)).max() < 0.02
    assert np.abs(np.diff(found.scales)).max() < 0.001


def bent(angle: float) -> tuple[np.ndarray, np.ndarray]:
    """Thigh and shin of a knee bent backwards by an angle."""
    return DOWN, rot.rotate(rot.from_axis_angle([1.0, 0.0, 0.0], angle), DOWN)


def test_a_bent_knee_straightens_about_the_right() -> None:
    thigh, shin = bent(0.5)
    assert bend_axes(thigh, shin) == pytest.approx(np.array([[-np.sin(0.5), 0.0, 0.0]]))
    assert hinge_axes(thigh, shin, [0.0, 0.0, 1.0]) == pytest.approx(RIGHT)


def test_a_straight_knee_takes_the_usual_hinge() -> None:
    askew = np.array([-0.8, 0.6, 0.0])
    assert hinge_axes(DOWN, DOWN, askew) == pytest.approx(RIGHT)


def test_without_any_sign_of_a_hinge_some_axis_across_the_bone_is_taken() -> None:
    (axis,) = hinge_axes(DOWN, DOWN, [0.0, 1.0, 0.0])
    assert np.linalg.norm(axis) == pytest.approx(1.0)
    assert axis @ DOWN[0] == pytest.approx(0.0)


def test_the_usual_axis_leans_on_the_frames_that_bend_most() -> None:
    axes = np.concatenate([bend_axes(*bent(1.0)), [[0.0, 0.0, 1e-6]]])
    assert mean_axis(axes, [0.0, 0.0, 1.0]) == pytest.approx(RIGHT[0], abs=1e-5)
    assert mean_axis(np.zeros((3, 3)), [0.0, 0.0, 1.0]).tolist() == [0.0, 0.0, 1.0]


def test_the_axis_changes_smoothly_as_a_knee_straightens() -> None:
    angles = np.linspace(0.3, -0.05, 200)
    shins = rot.rotate(rot.from_axis_angle([1.0, 0.0, 0.1], angles), DOWN)
    axes = hinge_axes(np.repeat(DOWN, 200, axis=0), shins, RIGHT[0])
    assert np.abs(np.diff(axes, axis=0)).max() < 0.02


@given(st.integers(0, 1000))
def test_axes_are_units_across_the_lower_bone(seed: int) -> None:
    upper, lower, hinge = np.random.default_rng(seed).normal(size=(3, 20, 3))
    axes = hinge_axes(upper, lower, hinge)
    assert np.linalg.norm(axes, axis=-1) == pytest.approx(np.ones(20))
    assert (axes * lower).sum(axis=-1) == pytest.approx(np.zeros(20), abs=1e-9)


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
    with refused("goals"):
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


@pytest.mark.slow
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


@pytest.mark.parametrize("degrees", [-6.0, -5.0, -4.0, -3.0, -1.0, 0.0, 1.0, 3.0, 8.0, 30.0])
def test_an_overstretched_knee_still_bends_forwards(degrees: float) -> None:
    """The axis flipped at 4° of overstretch: captured knees that stand so popped by 24 rad/s when held."""
    angle = np.radians(degrees)
    lower = np.array([[0.0, -np.cos(angle), -np.sin(angle)]])
    axes = hinge_axes(np.array([[0.0, -1.0, 0.0]]), lower, np.array([-1.0, 0.0, 0.0]))
    np.testing.assert_allclose(axes, [[-1.0, 0.0, 0.0]], atol=1e-12)


def test_a_joint_that_bends_the_other_way_by_far_keeps_its_axis() -> None:
    angle = np.radians(30.0)
    lower = np.array([[0.0, -np.cos(angle), np.sin(angle)]])
    axes = hinge_axes(np.array([[0.0, -1.0, 0.0]]), lower, np.array([-1.0, 0.0, 0.0]))
    np.testing.assert_allclose(axes, [[1.0, 0.0, 0.0]], atol=1e-12)
