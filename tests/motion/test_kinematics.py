from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.geometry import rotations as rot
from motionloom.motion.kinematics import angular_velocities, local_rotations, velocities, world_transforms
from tests.figures import random_rotations, skeleton_of, slow_world_positions, smooth_clip


def test_a_bent_arm_by_hand() -> None:
    """A metre along x, a quarter turn left about y, another metre: the end lies at (1, 0, -1)."""
    arm = skeleton_of(("shoulder", "elbow", "hand"), [-1, 0, 1], [[0, 0, 0], [1, 0, 0], [1, 0, 0]])
    turns = np.tile(rot.IDENTITY, (1, 3, 1))
    turns[0, 1] = rot.from_yaw(np.pi / 2)
    positions, worlds = world_transforms(arm, np.zeros((1, 3)), turns)
    assert positions[0, 2] == pytest.approx([1, 0, -1])
    assert worlds[0, 2] == pytest.approx(rot.from_yaw(np.pi / 2))


@pytest.mark.parametrize("moving", [False, True])
def test_kernel_agrees_with_matrices(moving: bool) -> None:
    clip = smooth_clip(30, moving=moving)
    assert clip.world_positions() == pytest.approx(slow_world_positions(clip), abs=1e-12)


def test_threads_agree_with_one_pass() -> None:
    """Long clips are cut into slices; every slice must give what a single pass gives."""
    clip = smooth_clip(9001)
    parts = [
        world_transforms(clip.skeleton, clip.root_positions[[t]], clip.rotations[[t]])[0]
        for t in (0, 4500, 9000)
    ]
    assert clip.world_positions()[[0, 4500, 9000]] == pytest.approx(np.concatenate(parts))


@pytest.mark.slow
@given(st.integers(0, 1000))
def test_local_rotations_undo_world_rotations(seed: int) -> None:
    clip = smooth_clip(3, seed)
    local = local_rotations(clip.skeleton.parents, clip.world_rotations())
    assert local == pytest.approx(clip.rotations, abs=1e-12)


def test_velocities_of_one_frame_are_zero() -> None:
    assert velocities(np.ones((1, 2)), 0.1).tolist() == [[0.0, 0.0]]
    assert angular_velocities(random_rotations((1, 2)), 0.1).tolist() == np.zeros((1, 2, 3)).tolist()


def test_angular_velocity_turns_the_rotation() -> None:
    """Integrating the angular velocity over a small step reproduces the next rotation to second order."""
    clip = smooth_clip(200)
    spin = angular_velocities(clip.rotations, clip.frame_time)
    step = rot.from_rotation_vector(spin[1:-1] * clip.frame_time)
    guess = rot.multiply(step, clip.rotations[1:-1])
    error = rot.to_rotation_vector(rot.multiply(guess, rot.inverse(clip.rotations[2:])))
    assert np.abs(error).max() < 0.01
