from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from motionloom.errors import ParameterError, UnknownJointError
from motionloom.geometry import rotations as rot
from motionloom.motion import Skeleton, Tip
from tests.figures import skeleton_of, small_skeleton


@pytest.mark.parametrize(
    ("names", "parents", "message"),
    [
        ((), [], "a skeleton needs at least one joint"),
        (("a", "a"), [-1, 0], "joint names must be unique: 'a' occur more than once"),
        (("a", "b"), [-1], r"parents must have shape \(2,\), one per joint, not \(1,\)"),
        (("a", "b"), [0, 0], "the first joint is the root: its parent must be -1, not 0"),
        (("a", "b"), [-1, 1], r"parents must come before children: joint 1 \('b'\) has parent 1"),
        (("a", "b"), [-1, -1], r"joint 1 \('b'\) has parent -1"),
        (("a", "b"), [-1, 0.7], r"parents must be whole numbers, not array\(\[-1. ,  0.7\]\)"),
        (("a", "b"), ["x", "y"], "parents must be whole numbers, not array"),
        ("ab", [-1, 0], "joint names must be a list of strings, not 'ab'"),
    ],
)
def test_bad_trees_are_refused(names: tuple[str, ...], parents: list[Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        skeleton_of(names, parents, np.zeros((len(names), 3)))


def test_parents_of_unequal_lengths_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"parents must be whole numbers, not \[\[-1\], \[0, 1\]\]"):
        Skeleton(("a", "b"), [[-1], [0, 1]], np.zeros((2, 3)))  # type: ignore[arg-type]


def test_bad_tip_is_refused() -> None:
    with pytest.raises(ParameterError, match="a tip names joint 3, but the skeleton has joints 0 to 0"):
        skeleton_of(("a",), [-1], [[0, 0, 0]], tips=(Tip(3, np.zeros(3)),))
    with pytest.raises(ParameterError, match=r"a tip names its joint by a whole number, not 0\.5"):
        skeleton_of(("a",), [-1], [[0, 0, 0]], tips=(Tip(0.5, np.zeros(3)),))  # type: ignore[arg-type]


def test_unknown_joint_suggests_and_lists() -> None:
    with pytest.raises(
        UnknownJointError, match=r"no joint 'lefd': did you mean 'left' .*its joints are root, left"
    ):
        small_skeleton().index("lefd")


def test_children_and_rest_positions() -> None:
    skeleton = small_skeleton()
    assert skeleton.children(0) == (1, 2, 5)
    assert skeleton.children(3) == ()
    assert skeleton.rest_positions()[3] == pytest.approx([0.2, 0.4, 0.1])


def test_rest_rotations_turn_the_rest_pose() -> None:
    turned = np.tile(rot.IDENTITY, (2, 1))
    turned[0] = rot.from_yaw(np.pi / 2)
    skeleton = replace(skeleton_of(("a", "b"), [-1, 0], [[0, 1, 0], [0, 0, 2]]), rest_rotations=turned)
    assert skeleton.rest_positions()[1] == pytest.approx([2, 1, 0])
    assert skeleton.rest_world_rotations()[1] == pytest.approx(turned[0])


def test_equal_by_value_and_hashable() -> None:
    assert small_skeleton() == small_skeleton()
    assert hash(small_skeleton()) == hash(small_skeleton())
    longer = skeleton_of(("root",), [-1], [[0, 1, 0]])
    assert longer != small_skeleton()
    assert longer != "root"


def test_arrays_cannot_be_written() -> None:
    skeleton = small_skeleton()
    for array in (skeleton.parents, skeleton.offsets, skeleton.rest_rotations, skeleton.rest_positions()):
        assert not array.flags.writeable
