"""Joints by role, and axes of the body on rigs whose joints have other axes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.motion.skeleton import Tip
from motionloom.synthesis import biped, stand, walk
from motionloom.warping import Key, warp
from motionloom.warping.joint_roles import ROLES, BodyFrame, find_joint, find_roles
from tests.figures import smooth_clip


def with_turned_axes(clip: Clip, seed: int = 3) -> Clip:
    """The same motion on a rig whose joints, all but the root, have axes turned at random."""
    rng = np.random.default_rng(seed)
    skeleton = clip.skeleton
    turns = rot.normalize(rng.normal(size=(skeleton.n_joints, 4)))
    turns[0] = rot.IDENTITY
    parents = skeleton.parents
    above = np.array([rot.IDENTITY if parent < 0 else turns[parent] for parent in parents])

    def turn(rotations: FloatArray) -> FloatArray:
        return rot.multiply(rot.multiply(rot.inverse(above), rotations), turns)

    rig = Skeleton(
        skeleton.names,
        parents,
        rot.rotate(rot.inverse(above), skeleton.offsets),
        turn(skeleton.rest_rotations),
        tuple(Tip(t.joint, rot.rotate(rot.inverse(turns[t.joint]), t.offset)) for t in skeleton.tips),
    )
    return replace(clip, skeleton=rig, rotations=turn(clip.rotations), events=(), constraints=())


def test_every_role_of_the_built_in_body_is_found() -> None:
    roles = find_roles(biped())
    assert set(roles) >= set(ROLES) - {"neck"}
    assert biped().names[roles["right wrist"]] == "RightHand"
    assert len(set(roles.values())) == len(roles)


def test_names_come_first_and_roles_where_the_key_is_in_axes_of_the_body() -> None:
    names = list(biped().names)
    names[names.index("Hips")] = "spine"
    odd = Skeleton(tuple(names), biped().parents, biped().offsets, biped().rest_rotations)
    assert find_joint(odd, "spine") == 0
    assert find_joint(odd, "spine", role_first=True) == names.index("Spine")
    assert find_joint(biped(), "") == 0


def test_missing_roles_and_joints_are_named() -> None:
    with pytest.raises(ParameterError, match="no joint for the role 'left knee': it has hips"):
        find_joint(smooth_clip(5).skeleton, "left knee")
    with pytest.raises(ParameterError, match="the skeleton has no joint 'tail'"):
        find_joint(biped(), "tail")
    with pytest.raises(ParameterError, match="keys in axes of the body need a body with legs"):
        BodyFrame(smooth_clip(5))


def test_a_shorter_spine_bends_at_its_highest_joint() -> None:
    roles = find_roles(biped())
    assert find_joint(biped(), "spine 9") in (roles.get("spine 2"), roles.get("chest"), roles["spine"])


@pytest.mark.parametrize(
    ("joint", "vector", "moved", "axis", "sign"),
    [
        ("spine", (0.5, 0.0, 0.0), "head", 2, 1.0),
        ("spine", (0.0, 0.0, 0.3), "head", 0, -1.0),
        ("left knee", (0.8, 0.0, 0.0), "left ankle", 2, -1.0),
        ("right elbow", (0.8, 0.0, 0.0), "right wrist", 2, 1.0),
        ("left hip", (-0.5, 0.0, 0.0), "left ankle", 2, 1.0),
        ("right ankle", (0.4, 0.0, 0.0), "right toe", 1, -1.0),
    ],
)
def test_axes_of_the_body_mean_the_same_on_every_rig(
    joint: str, vector: tuple[float, ...], moved: str, axis: int, sign: float
) -> None:
    """Bent forward is forward (+z), lean right is right (-x), knees bend back and elbows forward."""
    clip = stand(duration=0.5).clip
    key = Key("50 %", joint, rotate=vector, ease=None, frame="body")
    results = []
    for rig in (clip, with_turned_axes(clip)):
        end = find_roles(clip.skeleton)[moved]
        change = warp(rig, [key])
        results.append(change.clip.world_positions()[10, end] - rig.world_positions()[10, end])
    assert sign * results[0][axis] > 0.03
    np.testing.assert_allclose(results[1], results[0], atol=2e-3)


def test_turning_the_root_in_axes_of_the_body_turns_about_the_vertical() -> None:
    clip = walk(duration=1.0).clip
    turned = warp(clip, [Key(0.0, rotate=(0.0, 0.4, 0.0), ease=None, frame="body")])
    change = rot.multiply(turned.clip.rotations[0, 0], rot.inverse(clip.rotations[0, 0]))
    np.testing.assert_allclose(rot.to_rotation_vector(change), [0.0, 0.4, 0.0], atol=1e-9)
