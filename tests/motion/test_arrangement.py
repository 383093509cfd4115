from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.motion.arrangement import find_travel_joint
from motionloom.synthesis import stand, walk
from tests.motion.rigs import add_helpers, carry_on_ground, hold_still


def chain(bones: FloatArray) -> Clip:
    """A chain of three joints without limbs, of which the second has these positions (T, 3) in the first."""
    offsets = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    skeleton = Skeleton(("base", "arm", "hook"), np.array([-1, 0, 1]), offsets)
    n_frames = len(bones)
    translations = np.tile(skeleton.offsets, (n_frames, 1, 1))
    translations[:, 1] = bones
    return Clip(skeleton, 0.1, np.zeros((n_frames, 3)), np.tile(rot.IDENTITY, (n_frames, 3, 1)), translations)


def test_hips_that_are_the_root_carry_the_body() -> None:
    for clip in (walk(duration=1.0).clip, stand(duration=1.0).clip):
        assert find_travel_joint(clip) == 0
        assert clip.body is clip


@pytest.mark.parametrize("hold", [hold_still, carry_on_ground, add_helpers])
def test_the_joint_below_a_root_on_the_ground_carries_the_body(hold: Callable[[Clip], Clip]) -> None:
    clip = hold(walk(duration=1.0).clip)
    assert clip.skeleton.names[find_travel_joint(clip)] == "Hips"


def test_someone_who_stands_still_below_a_root_is_carried_by_the_hips() -> None:
    clip = hold_still(stand(duration=1.0).clip)
    assert find_travel_joint(clip) == 1
    assert find_travel_joint(clip[:1]) == 1


def test_several_joints_may_lie_above_the_body() -> None:
    clip = hold_still(carry_on_ground(walk(duration=1.0).clip), "Reference")
    assert clip.skeleton.names[find_travel_joint(clip)] == "Hips"


def test_a_root_that_bobs_and_tilts_is_the_body() -> None:
    clip = walk(duration=1.0).clip
    held = hold_still(clip)
    moving = replace(
        held,
        root_positions=clip.root_positions,
        rotations=np.concatenate([clip.rotations[:, :1], held.rotations[:, 1:]], axis=1),
    )
    assert find_travel_joint(moving) == 0


def test_a_crane_stands_on_its_base_and_a_carriage_travels() -> None:
    still = np.tile([0.0, 1.0, 0.0], (5, 1))
    assert find_travel_joint(chain(still)) == 0
    assert find_travel_joint(chain(still + np.linspace(0, 1, 5)[:, None] * [1.0, 0.0, 0.0])) == 1


def test_no_frames_tell_nothing() -> None:
    assert find_travel_joint(hold_still(walk(duration=1.0).clip)[:0]) == 0
