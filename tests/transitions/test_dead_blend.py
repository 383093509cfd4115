from __future__ import annotations

import numpy as np

from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.transitions import transition
from tests.figures import skeleton_of

DOT = skeleton_of(("root",), [-1], [[0.0, 0.0, 0.0]])


def sliding(speed: float, n_frames: int = 60) -> Clip:
    """A dot that moves along z, metres per frame."""
    roots = np.zeros((n_frames, 3))
    roots[:, 2] = speed * np.arange(n_frames)
    return Clip(DOT, 1 / 30, roots, np.tile(rot.IDENTITY, (n_frames, 1, 1)))


def test_the_ground_speed_goes_over_from_one_to_the_other() -> None:
    result = transition(sliding(0.01), sliding(0.05), at=(20, 20), half_width=0.3, method="dead")
    first, last = map(int, result.report.seams)
    speeds = np.diff(result.clip.root_positions[:, 2])
    np.testing.assert_allclose(speeds[:first], 0.01)
    np.testing.assert_allclose(speeds[last:], 0.05)
    assert (np.diff(speeds[first:last]) > 0.0).all()


def test_what_turns_on_past_half_a_turn_does_not_jump() -> None:
    """Going on by itself the dot gets more than half a turn away from the other clip."""
    clip = sliding(0.0)
    spinning = Clip(DOT, 1 / 30, clip.root_positions, rot.from_yaw(0.25 * np.arange(60.0))[:, None])
    still = Clip(DOT, 1 / 30, clip.root_positions, np.tile(rot.from_yaw(3.3), (60, 1, 1)))
    result = transition(spinning, still, at=(20, 20), half_width=0.5, method="dead")
    rotations = result.clip.rotations[:, 0]
    steps = np.linalg.norm(
        rot.to_rotation_vector(rot.multiply(rotations[1:], rot.inverse(rotations[:-1]))), axis=-1
    )
    assert steps.max() < 0.5


def test_what_turns_goes_on_turning_ever_slower() -> None:
    """Before the other clip counts, the turn is that of the first; it comes to rest at the second's."""
    clip = sliding(0.0)
    spinning = Clip(DOT, 1 / 30, clip.root_positions, rot.from_yaw(0.05 * np.arange(60.0))[:, None])
    result = transition(spinning, clip, at=(20, 20), half_width=0.5, method="dead")
    first = int(result.report.seams[0])
    yaws = np.unwrap(rot.yaw_of(result.clip.rotations[:, 0]))
    steps = np.diff(yaws)
    assert abs(steps[first] - 0.05) < 0.01
    assert steps[first + 10] < 0.6 * steps[first]
