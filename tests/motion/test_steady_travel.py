from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion.steady_travel import (
    SteadyTravel,
    add_travel,
    find_steady_travel,
    put_in_place,
    remove_travel,
)
from motionloom.motion.unroll import travel
from motionloom.synthesis import stand, walk
from tests.motion.rigs import hold_still
from tests.refusals import refused


def test_a_steady_travel_leads_through_its_transform() -> None:
    for transform in (GroundTransform(0.0, 0.3, 1.2), GroundTransform(2.0, -0.5, 1.0), GroundTransform(7.0)):
        steady = SteadyTravel.between(transform, 1.5)
        yaw, x, z = steady.rows(np.array([1.5]))[0]
        assert np.allclose([yaw, x, z], [transform.yaw, transform.x, transform.z])


def test_a_quarter_circle_of_one_metre() -> None:
    rows = SteadyTravel(z=np.pi / 2, turn=np.pi / 2).rows(np.array([0.0, 1.0]))
    assert np.allclose(rows, [[0.0, 0.0, 0.0], [np.pi / 2, 1.0, 1.0]])


def test_velocities_of_points_of_a_body_that_turns() -> None:
    steady = SteadyTravel(z=1.0, turn=2.0)
    assert np.allclose(steady.velocities(np.array([[0.0, 0.0], [0.5, 0.0]])), [[0.0, 1.0], [0.0, 0.0]])


@pytest.mark.parametrize("steady", [SteadyTravel(0.2, 1.3), SteadyTravel(0.2, 1.3, 0.8)])
def test_what_is_added_can_be_removed(steady: SteadyTravel) -> None:
    clip = hold_still(stand(duration=1.0, fps=30).clip)
    moved = add_travel(clip, steady)
    assert np.allclose(moved.root_positions, 0.0)
    back = remove_travel(moved, steady)
    assert np.allclose(back.world_positions(), clip.world_positions(), atol=1e-9)


def test_a_cycle_in_place_ends_where_it_began() -> None:
    loop = cyclify(walk(speed=1.2, curvature=0.3).clip, cycles=1)
    still = put_in_place(loop)
    assert still.clip.cyclic
    assert np.allclose(travel(still.clip).row(), 0.0, atol=1e-6)
    steady = find_steady_travel(loop.clip)
    assert steady.turn == pytest.approx(0.3 * 1.2, rel=0.01)
    assert np.allclose(add_travel(still.clip, steady).root_positions, loop.clip.root_positions, atol=1e-9)


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="put_in_place takes a clip with a skeleton, not None"):
        put_in_place(None)  # type: ignore[arg-type]
    one = stand(duration=1.0, fps=30).clip[:1]
    assert find_steady_travel(one) == SteadyTravel()


def test_motion_that_changes_its_speed_stays_in_place_by_its_own_path() -> None:
    slow, fast = walk(speed=0.8, duration=4.0, fps=30).clip, walk(speed=1.8, duration=4.0, fps=30).clip
    roots = np.concatenate([slow.root_positions, fast.root_positions[1:] + slow.root_positions[-1]])
    faster = replace(
        slow, root_positions=roots, rotations=np.concatenate([slow.rotations, fast.rotations[1:]])
    ).placed(GroundTransform(0.8, 2.0, -1.0))
    still = put_in_place(faster, smoothing=0.5)
    assert np.allclose(still.clip.root_positions[0], faster.root_positions[0])
    moved = np.linalg.norm(still.clip.root_positions[:, [0, 2]] - faster.root_positions[0, [0, 2]], axis=1)
    assert moved.max() < 0.25
    drifting = put_in_place(faster).clip.root_positions[:, [0, 2]] - faster.root_positions[0, [0, 2]]
    assert np.linalg.norm(drifting, axis=1).max() > 1.5


def test_a_steady_turn_is_taken_out_with_the_path() -> None:
    loop = cyclify(walk(speed=1.2, curvature=0.3).clip, cycles=1)
    still = put_in_place(loop, smoothing=0.5)
    assert np.allclose(travel(still.clip).row(), 0.0, atol=1e-3)
    with refused("smoothing"):
        put_in_place(loop, smoothing=-1.0)
