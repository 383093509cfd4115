from __future__ import annotations

from itertools import pairwise

import numpy as np

from motionloom.display.body import Side, body_points, find_body
from motionloom.motion import Clip, Skeleton
from tests.display.walkers import figure, walk


def test_points_are_joints_then_tips() -> None:
    clip = walk()
    points = body_points(clip.at([0.0, 10.0]))
    np.testing.assert_allclose(points[:, :17], clip.world_positions()[[0, 10]], atol=1e-12)
    np.testing.assert_allclose(points[:, 17:], clip.tip_positions()[[0, 10]], atol=1e-12)


def test_sides_head_and_feet_of_the_figure() -> None:
    skeleton, body = figure(), find_body(walk())
    assert body.sides[skeleton.index("LeftLeg")] == Side.LEFT
    assert body.sides[skeleton.index("RightHand")] == Side.RIGHT
    assert body.sides[skeleton.index("Spine")] == Side.CORE
    assert body.sides[skeleton.index("LeftUpLeg")] == Side.CORE, "the limb begins below the hip"
    assert body.sides[18] == Side.LEFT, "the tip of the left hand"
    assert body.head == (skeleton.index("Head"), 17)
    assert body.feet == (skeleton.index("LeftToeBase"), skeleton.index("RightToeBase"))


def test_chains_hold_every_bone_once_and_one_side_each() -> None:
    body = find_body(walk())
    links = [(a, b) for chain in body.chains for a, b in pairwise(chain)]
    assert sorted(links) == sorted(map(tuple, body.bones.tolist()))
    for chain in body.chains:
        assert len({int(body.sides[point]) for point in chain[1:]}) == 1


def test_limbs_taper_towards_their_ends() -> None:
    skeleton, body = figure(), find_body(walk())
    leg = [skeleton.index(name) for name in ("LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase")]
    assert (np.diff(body.radii[leg]) < 0.0).all()


def test_thickness_grows_with_the_figure() -> None:
    np.testing.assert_allclose(find_body(walk(size=12.0)).radii, 12.0 * find_body(walk()).radii, rtol=1e-9)


def test_a_single_joint_has_a_size() -> None:
    dot = Skeleton(("dot",), np.array([-1]), np.zeros((1, 3)))
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1, 1))
    still = find_body(Clip(dot, 0.1, np.full((1, 3), 5.0), turns[:1]))
    moving = find_body(Clip(dot, 0.1, np.array([[0.0, 0.0, 0.0], [20.0, 0.0, 0.0]]), turns))
    assert (still.height, moving.height) == (1.0, 2.0)
    assert len(still.bones) == 0
    assert still.radii[0] > 0.0
