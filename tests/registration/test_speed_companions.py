from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.registration import register
from motionloom.registration.distance import cloud_distance
from motionloom.registration.point_cloud import PointCloud, point_cloud
from motionloom.registration.speed_companions import MIN_PEAK_SPEED, add_speeds, relative_speeds
from motionloom.synthesis import reach_out, walk

FPS = 30.0


def moving(*heights: float) -> PointCloud:
    """A cloud of one point at these heights, frame after frame."""
    positions = np.zeros((len(heights), 1, 3))
    positions[:, 0, 1] = heights
    return PointCloud(positions, np.ones(1))


def test_no_weight_leaves_the_clouds_alone() -> None:
    clouds = [moving(0.0, 1.0), moving(0.0, 2.0)]
    assert all(one is other for one, other in zip(add_speeds(clouds, 0.0, 1.0), clouds, strict=True))


def test_speeds_are_fractions_of_the_peak() -> None:
    fractions = relative_speeds(moving(0.0, 1.0, 2.0, 4.0, 6.0).positions, frame_time=0.5, reach=1)
    assert fractions[:, 0] == pytest.approx([0.5, 0.5, 0.75, 1.0, 1.0])


def test_jitter_is_not_scaled_up() -> None:
    step = 0.1 * MIN_PEAK_SPEED
    fractions = relative_speeds(moving(0.0, step, 2.0 * step).positions, frame_time=1.0, reach=1)
    assert fractions.max() == pytest.approx(0.1)


def test_single_frames_and_rest_have_no_speed() -> None:
    for cloud in (moving(1.0), moving(1.0, 1.0, 1.0)):
        (with_rest,) = add_speeds([cloud], 1.0, 1.0)
        assert with_rest.positions[:, 1].tolist() == [[0.0, 0.0, 0.0]] * len(cloud.positions)


def clouds_of_walks() -> list[PointCloud]:
    return [point_cloud(walk(speed=speed, duration=2, fps=FPS).clip) for speed in (1.0, 1.6)]


def test_poses_and_speeds_count_alike() -> None:
    """The two terms add up, and over all frames their means agree within a fifth."""
    plain = clouds_of_walks()
    one, other = add_speeds(plain, 1.0, 1.0 / FPS)
    both = cloud_distance(one, other, half_width=2).values
    poses = cloud_distance(plain[0], plain[1], half_width=2).values
    speeds = 2.0 * both - poses
    assert speeds.min() > -1e-12
    assert speeds.mean() == pytest.approx(poses.mean(), rel=0.2)


def test_companions_leave_the_placement_as_it_is() -> None:
    plain = clouds_of_walks()
    one, other = add_speeds(plain, 3.0, 1.0 / FPS)
    turned = cloud_distance(one, other, half_width=0, placements=True)
    assert turned.yaws is not None
    expected = cloud_distance(plain[0], plain[1], half_width=0, placements=True)
    assert turned.yaws == pytest.approx(expected.yaws, abs=1e-9)
    assert turned.centres[0] == pytest.approx(expected.centres[0], abs=1e-9)


def test_the_order_of_clips_changes_nothing() -> None:
    one, other = add_speeds(clouds_of_walks(), 1.0, 1.0 / FPS)
    swapped = add_speeds(clouds_of_walks()[::-1], 1.0, 1.0 / FPS)
    assert np.array_equal(one.positions, swapped[1].positions)
    assert np.array_equal(other.positions, swapped[0].positions)


def arrival(clip: Clip, goal: FloatArray) -> float:
    """The middle of the frames at which the hand is at its goal."""
    hand = clip.world_positions()[:, clip.skeleton.index("RightHand")]
    return float(np.flatnonzero(np.linalg.norm(hand - goal, axis=1) < 0.02).mean())


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_reaches_to_different_heights_arrive_together() -> None:
    """One reach takes longer, and the hands are farthest apart where they correspond."""
    goals = [np.array([-0.3, height, 0.45]) for height in (0.5, 1.5)]
    clips = [
        annotate(reach_out(target=goal, duration=seconds, fps=FPS).clip)
        for goal, seconds in zip(goals, (2.4, 1.6), strict=True)
    ]
    low, high = (arrival(clip, goal) for clip, goal in zip(clips, goals, strict=True))
    curve = register(clips).timewarp
    assert abs(float(curve(curve.inverse(0, low))[1]) - high) < 2.0
