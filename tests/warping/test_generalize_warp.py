"""Warps made for one clip in terms that fit others, and warps carried over by a registration."""

from __future__ import annotations

from functools import cache
from importlib import import_module

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.synthesis import kick, stand, walk
from motionloom.warping import Key, Obstacle, TimeKeys, Warp, carry_warp, generalize_warp, warp
from tests.warping.test_joint_roles import with_turned_axes


@cache
def clip() -> Clip:
    return annotate(walk(duration=3.0, fps=60).clip)


@cache
def edit() -> Warp:
    hand = clip().world_positions()[90, clip().skeleton.index("RightHand")]
    keys = [
        Key(0.0, "Head", rotate=(0.2, 0.0, 0.1), ease=None),
        Key(1.03, "LeftLeg", rotate=(0.3, 0.05, 0.0)),
        Key(1.2, "Spine", orient=(0.3, 0.0, 0.0)),
        Key(1.2, move=(0.05, -0.05, 0.02)),
        Key(1.5, "RightHand", reach=hand + np.array([0.0, 0.2, 0.1]), ease=0.4),
        Key(1.8, "LeftArm", scale=1.5),
        Key(1.9, rotate=(0.0, 0.2, 0.0)),
    ]
    return Warp.of(keys, [(1.0, 1.0), (1.5, 1.8)])


def test_keys_get_events_phases_roles_and_axes_of_the_body() -> None:
    general = generalize_warp(clip(), edit())
    assert general.keys[0].time == "start"
    assert {key.time: key.joint for key in general.keys}["left strike"] == "left knee"
    assert {key.joint for key in general.keys} == {
        "head", "left knee", "spine", "", "right wrist", "left shoulder",
    }  # fmt: skip
    assert all(key.frame == "body" for key in general.keys)
    assert any(str(key.time).startswith("phase 0.16") for key in general.keys)
    assert [factor for _, _, factor in general.times[0].stretches] == pytest.approx([1.6])


@pytest.fixture
def away_from_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys keep their times to the frame instead of moving onto an event nearby."""
    monkeypatch.setattr(import_module("motionloom.warping.generalize_warp"), "NEAR_EVENT", 0.0)


@pytest.mark.usefixtures("away_from_events")
def test_applied_to_its_own_clip_the_edit_is_the_same() -> None:
    one, two = warp(clip(), edit()), warp(clip(), generalize_warp(clip(), edit()))
    n = min(one.clip.n_frames, two.clip.n_frames)
    assert abs(one.clip.n_frames - two.clip.n_frames) <= 1
    np.testing.assert_allclose(two.clip.world_positions()[:n], one.clip.world_positions()[:n], atol=5e-3)


@pytest.mark.usefixtures("away_from_events")
def test_applied_to_a_rig_with_other_axes_the_edit_is_the_same() -> None:
    one = warp(clip(), edit())
    two = warp(with_turned_axes(clip()), generalize_warp(clip(), edit()))
    n = min(one.clip.n_frames, two.clip.n_frames)
    np.testing.assert_allclose(two.clip.world_positions()[:n], one.clip.world_positions()[:n], atol=2e-2)


def test_without_a_gait_keys_are_at_fractions_of_the_clip() -> None:
    still = stand(duration=2.0).clip
    general = generalize_warp(still, Warp.of([Key(0.5, "Head", rotate=(0.2, 0, 0))]))
    assert general.keys[0].time == "25 %"


def test_general_keys_stay_as_they_are() -> None:
    general = generalize_warp(clip(), edit())
    assert generalize_warp(clip(), general) == general
    hurdle = Warp.of([], obstacle=Obstacle("hurdle"))
    assert generalize_warp(clip(), hurdle) == hurdle


@pytest.mark.parametrize(
    ("keys", "times", "message"),
    [
        (
            [Key(1.0, "Head", scale=2.0, zero=(1, 0, 0, 0))],
            None,
            "scales about a rotation or axes of this rig",
        ),
        ([Key(1.0, "Head", scale=(2.0, 1.0, 1.0))], None, "scales about a rotation or axes of this rig"),
        (
            [],
            TimeKeys([(1.0, 1.0), (0.5, 1.5)], reverse=True),
            "stop or turn back time fit only their own clip",
        ),
    ],
)
def test_what_only_this_rig_has_is_refused(keys: list[Key], times: TimeKeys | None, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        generalize_warp(clip(), Warp.of(keys, times))


@cache
def kicks() -> tuple[Clip, Clip]:
    quick, slow = kick(duration=1.0, fps=60).clip, kick(duration=2.0, fps=60).clip
    return quick, slow.placed(ml.GroundTransform(yaw=0.5, x=2.0, z=1.0))


@cache
def curve() -> ml.RegistrationCurve:
    return ml.register(list(kicks()))


def test_a_registration_carries_times_and_places() -> None:
    quick, slow = kicks()
    foot = quick.skeleton.index("RightFoot")
    out = int(np.linalg.norm(quick.world_positions()[:, foot] - quick.root_positions, axis=-1).argmax())
    higher = quick.world_positions()[out, foot] + [0.0, 0.1, 0.0]
    key = Key(out * quick.frame_time, "RightFoot", reach=higher, ease=0.2)
    carried = carry_warp(Warp.of([key], [(0.3, 0.3), (0.6, 0.9)]), curve())
    result = warp(slow, carried)
    moment = carried.keys[0].seconds
    assert moment == pytest.approx(2.0 * key.seconds, abs=0.05)
    change = carried.keys[0].vector - slow.world_positions()[round(moment * slow.fps), foot]
    np.testing.assert_allclose(change, [0.0, 0.1, 0.0], atol=0.04)
    assert result.report.outcomes[0].distance < 2e-3
    (first, second) = carried.times[0].seconds
    assert (second[1] - first[1]) / (second[0] - first[0]) == pytest.approx(2.0)


def test_a_late_start_is_carried() -> None:
    first, second = carry_warp(Warp.of([], [(0.0, 0.5), (0.5, 1.5)]), curve()).times[0].seconds
    assert first == (0.0, 0.5)
    assert (second[1] - first[1]) / (second[0] - first[0]) == pytest.approx(2.0)


def test_what_does_not_correspond_is_refused() -> None:
    nod = Warp.of([Key(0.5, "Head", rotate=(0.2, 0, 0))])
    with pytest.raises(ParameterError, match="source of a warp to carry over must be"):
        carry_warp(nod, curve(), source=5)
    with pytest.raises(ParameterError, match="there are 1 takes, but 2 registered clips"):
        carry_warp(nod, curve(), takes=[kicks()[0]])
    part = ml.register([kicks()[0][10:40], kicks()[1][20:80]])
    with pytest.raises(
        ParameterError, match=r"joint 'Head' at 0\.9 s cannot be carried over: the clips correspond"
    ):
        carry_warp(Warp.of([Key(0.9, "Head", rotate=(0.2, 0, 0))]), part, takes=kicks())


def test_takes_that_were_cut_keep_their_own_seconds() -> None:
    part = ml.register([kicks()[0][10:50], kicks()[1][20:100]])
    nod = Warp.of([Key(0.5, "Head", rotate=(0.2, 0, 0))])
    assert carry_warp(nod, part, takes=kicks()).keys[0].seconds == pytest.approx(1.0, abs=0.06)
