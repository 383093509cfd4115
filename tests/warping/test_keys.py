"""Keys: one wish each, checked when they are made."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.synthesis import stand
from motionloom.warping import Warp
from motionloom.warping.keys import EASE, Key, check_keys, find_moments, key_to_dict, pose_keys


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "the key of joint 'Head' at 1 s must give one of rotate, .*, not none of them"),
        ({"rotate": (0, 0, 1), "move": (0, 0, 1)}, "not rotate and move"),
        ({"rotate": (0, 1)}, r"rotate of the key of joint 'Head' at 1 s must have shape \(3,\), not \(2,\)"),
        ({"rotate": (0, 1, nan)}, "rotate of .* must be finite"),
        ({"orient": (0, 0, 0, 0)}, "must be a quaternion"),
        ({"orient": (1, 0)}, "must be a quaternion"),
        ({"scale": 0.0}, "must be from 0.001 to 1000, not 0.0; use orient to freeze a joint"),
        ({"scale": (1, 2)}, r"scale of .* must have shape \(3,\), not \(2,\)"),
        ({"rotate": (0, 0, 1), "zero": (1, 0, 0, 0)}, "gives a zero, which only a scale has"),
        ({"rotate": (0, 0, 1), "point": (1, 0, 0)}, "gives a point, which only a reach has"),
        (
            {"rotate": (0, 0, 1), "ease": 0.0},
            "ease of .*, or None to hold it, must be a positive number, not 0",
        ),
    ],
)
def test_bad_keys_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Key(1.0, "Head", **arguments)


def test_times_are_numbers_or_moments() -> None:
    with pytest.raises(ParameterError, match="the time of a key of the root must be a finite number"):
        Key(inf, move=(0, 0, 0))
    with pytest.raises(ParameterError, match=r"'0\.5' is no moment: write seconds, or 'left strike 2'"):
        Key("0.5", move=(0, 0, 0))


def test_degrees_where_radians_are_meant_are_refused() -> None:
    message = r"rotate of .* is a rotation by 20 rad, more than a whole turn: .* and 20° are 0\.3491 rad"
    with pytest.raises(ParameterError, match=message):
        Key(0.5, "Head", rotate=(20, 0, 0))
    with pytest.raises(ParameterError, match=r"orient of .* is a rotation by 90 rad"):
        Key(0.5, "Head", orient=(0, 90, 0))
    assert Key(0.5, rotate=(0, 2 * np.pi, 0)).kind == "rotate"
    with pytest.raises(ParameterError, match=r"30 times the key of joint 'Head' .* is a rotation by 859°"):
        Warp.of([Key(0.5, "Head", rotate=(0.5, 0, 0))]).scaled(30.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rotate": (0, 0, 1), "frame": "world"}, "frame of .* must be one of 'joint', 'body', 'ground'"),
        (
            {"rotate": (0, 0, 1), "frame": "ground"},
            "is in the frame of the ground, which only a reach can be",
        ),
        (
            {"orient": (0, 0, 1), "frame": "body"},
            "gives a complete rotation, which is in the joint's own axes",
        ),
        ({"rotate": (0, 0, 1), "frame": (1, 0, 0, 0)}, "gives axes by a rotation, which only a scale"),
        ({"scale": 2.0, "zero": (1, 0, 0, 0), "frame": "body"}, "must be an angle, or a direction"),
        ({"scale": 2.0, "zero": (0, 0, 0), "frame": "body"}, "is the direction of a limb and must not be"),
        ({"scale": 2.0, "zero": 5.0, "frame": "body"}, "a bend in radians, must be from"),
        ({"rotate": (0, 0, 1), "ease": "soon"}, "'soon' is no fraction of a clip"),
        ({"rotate": (0, 0, 1), "ease": "0 %"}, "ease of .* must be a positive number"),
    ],
)
def test_bad_frames_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Key("left strike 2", "Head", **arguments)


def test_moments_in_words_come_last_and_only_once() -> None:
    keys = [Key("left strike", "Head", rotate=(0, 0, 1)), Key(0.5, "Head", rotate=(0, 0, 1))]
    assert [key.time for key in check_keys(keys)] == [0.5, "left strike"]
    with pytest.raises(
        ParameterError, match="two keys say rotate and rotate of joint 'Head' at 'left strike'"
    ):
        check_keys([keys[0], keys[0]])
    for name in ("seconds", "fade"):
        with pytest.raises(ParameterError, match="before it is applied to a clip"):
            getattr(Key("left strike", "Head", rotate=(0, 0, 1), ease="5 %"), name)


def test_keys_that_contradict_each_other_are_refused() -> None:
    turn, orient = Key(0.5, "Head", rotate=(0, 0, 1)), Key(0.50005, "Head", orient=(1, 0, 0, 0))
    with pytest.raises(ParameterError, match=r"two keys say rotate and orient of joint 'Head' at 0\.50005 s"):
        check_keys([orient, turn])
    with pytest.raises(ParameterError, match="two keys say move and reach of the root"):
        check_keys([Key(0.0, move=(0, 0, 1)), Key(0.0, reach=(0, 0, 1))])
    with pytest.raises(ParameterError, match=r"keys must be a list of motionloom\.Key, and one of them is 3"):
        check_keys([3])  # type: ignore[list-item]


def test_keys_of_other_channels_joints_and_moments_share_a_layer_in_order_of_time() -> None:
    keys = [
        Key(1.0, "Head", rotate=(0, 0, 1)),
        Key(0.5, "Head", rotate=(0, 0, 1)),
        Key(0.5, "Head", scale=2.0),
        Key(0.5, "Neck", rotate=(0, 0, 1)),
    ]
    assert [key.time for key in check_keys(keys)] == [0.5, 0.5, 0.5, 1.0]
    assert find_moments(keys) == (0.5, 1.0)


def test_channels_and_defaults() -> None:
    assert Key(0, rotate=(0, 0, 1)).ease == EASE
    assert Key(0, scale=(1, 2, 1), zero=(0, 0, 0)).channel == "position scale"
    assert Key(0, scale=2).channel == "rotation scale"
    reach = Key(0, "Hand", reach=(0, 1, 0), orient=(2, 0, 0, 0))
    assert (reach.kind, reach.channel, reach.orient) == ("reach", "reach", (1.0, 0.0, 0.0, 0.0))


def test_an_orientation_may_be_a_rotation_vector() -> None:
    np.testing.assert_allclose(Key(0, orient=(0, 0.5, 0)).vector, rot.from_yaw(0.5))


def test_keys_are_values() -> None:
    assert Key(1, "Head", rotate=np.array([0, 0, 1])) == Key(1.0, "Head", rotate=(0.0, 0.0, 1.0))
    assert key_to_dict(Key(0.5, "Head", scale=2, zero=(1, 0, 0, 0))) == {
        "time": 0.5,
        "joint": "Head",
        "scale": 2.0,
        "zero": [1.0, 0.0, 0.0, 0.0],
        "ease": EASE,
    }


def test_a_pose_gives_a_key_for_every_joint_and_one_for_the_place() -> None:
    clip = stand(duration=0.5).clip
    keys = pose_keys(0.2, clip[3])
    assert [key.joint for key in keys[:-1]] == list(clip.skeleton.names)
    assert keys[-1].reach == tuple(clip.root_positions[3])
    assert [key.joint for key in pose_keys(0.2, clip[3], joints=["Head"])] == ["Head"]
    with pytest.raises(ParameterError, match=r"takes one pose, not poses of shape \(2,\)"):
        pose_keys(0.2, clip.at([1, 2]))
