from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError, UnknownJointError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Tip
from motionloom.registration.point_cloud import point_cloud, point_clouds
from motionloom.synthesis import walk
from tests.figures import skeleton_of, smooth_clip
from tests.refusals import refused


def stick() -> Clip:
    """Two bones of one and three metres along x, the second ending in a tip."""
    skeleton = skeleton_of(("a", "b"), [-1, 0], [[0, 0, 0], [1, 0, 0]], (Tip(1, np.array([3.0, 0, 0])),))
    return Clip(skeleton, 0.1, np.zeros((1, 3)), np.tile(rot.IDENTITY, (1, 2, 1)))


def test_unknown_joints_and_bad_weights_are_refused() -> None:
    with pytest.raises(UnknownJointError, match="no joint 'c'"):
        point_cloud(stick(), joint_weights={"c": 1.0})
    with pytest.raises(
        ParameterError, match="the weight of joint 'a' must be a number of at least 0, not -1"
    ):
        point_cloud(stick(), joint_weights={"a": -1.0})
    with pytest.raises(ParameterError, match="every joint has weight zero"):
        point_cloud(stick(), joint_weights={"a": 0.0, "b": 0.0})
    with refused("points", 0):
        point_cloud(stick(), points=0)


def test_ends_count_half_the_bones_that_meet_there() -> None:
    cloud = point_cloud(stick())
    assert cloud.positions[0, :, 0].tolist() == [0, 1, 4]
    assert cloud.weights == pytest.approx([0.125, 0.5, 0.375])


def test_markers_lie_evenly_along_the_bones() -> None:
    cloud = point_cloud(stick(), points=4)
    assert cloud.positions[0, :, 0] == pytest.approx([0.5, 1.5, 2.5, 3.5])
    assert cloud.weights == pytest.approx([0.25] * 4)


def test_joint_weights_scale_and_leave_out() -> None:
    cloud = point_cloud(stick(), joint_weights={"a": 0.0})
    assert cloud.positions.shape == (1, 2, 3)
    assert cloud.weights.sum() == pytest.approx(1.0)


def test_a_skeleton_without_bones_is_one_point() -> None:
    dot = Clip(
        skeleton_of(("a",), [-1], [[0, 0, 0]]), 0.1, np.zeros((2, 3)), np.tile(rot.IDENTITY, (2, 1, 1))
    )
    assert point_cloud(dot).weights.tolist() == [1.0]
    assert point_cloud(dot, points=5).weights.tolist() == [1.0]


def test_splitting_a_bone_changes_little() -> None:
    """Three joints along a bone weigh what one does: the cloud does not depend on how finely a rig is cut."""
    whole = point_cloud(stick())
    cut = skeleton_of(
        ("a", "b", "c", "d"),
        [-1, 0, 1, 2],
        [[0, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]],
        (Tip(3, np.array([1.0, 0, 0])),),
    )
    fine = point_cloud(Clip(cut, 0.1, np.zeros((1, 3)), np.tile(rot.IDENTITY, (1, 4, 1))))
    assert fine.weights @ fine.positions[0] == pytest.approx(whole.weights @ whole.positions[0])


def test_markers_move_with_the_body() -> None:
    clip = smooth_clip(4)
    assert point_cloud(clip, points=30).positions.shape == (4, 30, 3)
    moving = walk(duration=0.5, fps=30).clip
    assert point_cloud(moving, points=40).positions[-1, :, 2].mean() > 0.4


def limb(length: float) -> Clip:
    """A bone of one metre along x, a second of some length after it, and one of two metres along z."""
    bones = np.array([[0, 0, 0], [1, 0, 0], [length, 0, 0], [0, 0, 2]])
    return Clip(
        skeleton_of(("a", "b", "c", "d"), [-1, 0, 1, 0], bones),
        0.1,
        np.zeros((1, 3)),
        np.tile(rot.IDENTITY, (1, 4, 1)),
    )


def test_bodies_are_compared_by_the_points_that_all_of_them_have() -> None:
    """The joint below a bone without length counts for nothing there, and in no other body then."""
    whole, cut = point_clouds([limb(3.0), limb(0.0)])
    assert whole.positions[0].tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 2]]
    assert cut.positions[0].tolist() == whole.positions[0].tolist()
    assert whole.weights == pytest.approx(np.array([1.5, 2.0, 1.0]) / 4.5)
    assert cut.weights == pytest.approx(np.array([1.5, 0.5, 1.0]) / 3.0)
    backward = point_clouds([limb(0.0), limb(3.0)])
    assert [cloud.weights.tolist() for cloud in backward] == [cut.weights.tolist(), whole.weights.tolist()]


def test_markers_lie_at_the_same_fractions_of_the_bones_of_all_bodies() -> None:
    """Five markers on bones of 1, 2 and 2 metres on average."""
    long, short = point_clouds([limb(3.0), limb(1.0)], points=5)
    assert long.positions[0, :, 0].tolist() == [0.5, 1.75, 3.25, 0, 0]
    assert short.positions[0, :, 0].tolist() == [0.5, 1.25, 1.75, 0, 0]
    none = point_clouds([limb(3.0), limb(0.0)], points=5)
    assert [cloud.positions.shape for cloud in none] == [(1, 5, 3)] * 2


def test_bodies_without_a_point_in_common_are_refused() -> None:
    """Their only bones with length are different ones, far from each other."""
    names, parents = ("a", "b", "c", "d", "e"), [-1, 0, 1, 2, 3]
    bones = np.zeros((2, 5, 3))
    bones[0, 1], bones[1, 4] = [1, 0, 0], [1, 0, 0]
    clips = [
        Clip(skeleton_of(names, parents, own), 0.1, np.zeros((1, 3)), np.tile(rot.IDENTITY, (1, 5, 1)))
        for own in bones
    ]
    with pytest.raises(ParameterError, match="no joint has bones with length in all bodies"):
        point_clouds(clips)
