"""The whole of warping: identity, keys on frames, detail, cycles, timing of real captures."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import annotate
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import PointClip
from motionloom.synthesis import walk
from motionloom.warping import (
    Key,
    TimeKeys,
    Warp,
    scale_bands,
    stepping_stones,
    warp,
    waveshape,
)
from motionloom.warping.warp import check_amount, scale_warp
from tests.conftest import NO_MOCAP, captured
from tests.figures import smooth_clip
from tests.warping.measuring import captured_clip, detail_kept, joint_speeds

WALKS = [
    "locomotion/s16/walk_straight_16_15",
    "locomotion/s16/brisk_straight_16_21",
    "locomotion/speeds/slow_07_04",
]


def test_what_is_no_clip_and_no_keys_is_refused() -> None:
    points = PointClip(("heel",), 30.0, np.zeros((4, 1, 3)))
    with pytest.raises(ParameterError, match="warp takes a clip with a skeleton, not a PointClip"):
        warp(points)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="stepping_stones takes a clip with a skeleton"):
        stepping_stones(points, [(0, 0)])  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="scale_bands takes a clip with a skeleton"):
        scale_bands(points, [1.0])  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="waveshape takes a clip with a skeleton"):
        waveshape(points, "heel", (1, 0, 0), np.cos)  # type: ignore[arg-type]
    for keys in (None, Key(0.1, scale=2)):
        with pytest.raises(ParameterError, match=r"keys must be a Warp, or a list of motionloom\.Key, not"):
            warp(smooth_clip(20), keys)  # type: ignore[arg-type]


def test_a_warp_has_its_own_settings() -> None:
    for given_too in ({"times": [(0.1, 0.2)]}, {"tension": 0.5}, {"follow": False}):
        with pytest.raises(ParameterError, match="a Warp has its own times, tension and follow"):
            warp(smooth_clip(20), Warp(), **given_too)


def test_clips_without_frames_and_endless_results_are_refused() -> None:
    empty = smooth_clip(3)[:0]
    assert warp(empty).clip.n_frames == 0
    for given_too in ({"keys": [Key(0, "left", scale=2)]}, {"times": [(0.0, 0.1)]}):
        with pytest.raises(ParameterError, match="the clip has no frames that could meet keys"):
            warp(empty, **given_too)
    with pytest.raises(
        ParameterError, match=r"the time keys make the clip 1e\+09 s long, more than 10000000"
    ):
        warp(smooth_clip(20), times=[(0.1, 1e9)])


@pytest.mark.parametrize("n_frames", [1, 2])
def test_the_shortest_clips(n_frames: int) -> None:
    clip = smooth_clip(n_frames)
    keys = [Key(0, rotate=(0, 1, 0)), Key(0, move=(0, 1, 0)), Key(0, "left", scale=2)]
    assert warp(clip, keys).clip.root_positions[0, 1] == pytest.approx(clip.root_positions[0, 1] + 1.0)
    assert warp(clip, times=[(0.0, 0.1)]).clip.n_frames == n_frames + 6


def test_no_key_is_the_identity_bit_for_bit() -> None:
    clip = smooth_clip(20, moving=True)
    for result in (warp(clip), warp(clip, []), warp(clip, Warp(), None)):
        np.testing.assert_array_equal(result.clip.rotations, clip.rotations)
        np.testing.assert_array_equal(result.clip.root_positions, clip.root_positions)
        assert result.report.n_keys == 0
        assert str(result.report).startswith("0 keys at 0 moments")


@pytest.mark.parametrize("frame", [0, 7, 19])
def test_one_key_on_a_frame_is_met_there(frame: int) -> None:
    clip = smooth_clip(20)
    turn, move = np.array([0.3, 0.2, -0.1]), np.array([0.5, 0.1, 0.2])
    result = warp(clip, [Key(frame / 60, "neck", rotate=turn), Key(frame / 60, move=move)])
    turned = rot.multiply(rot.inverse(clip.rotations[frame, 5]), result.clip.rotations[frame, 5])
    np.testing.assert_allclose(rot.to_rotation_vector(turned), turn, atol=1e-9)
    np.testing.assert_allclose(
        result.clip.root_positions[frame] - clip.root_positions[frame], move, atol=1e-9
    )


@given(st.integers(0, 50))
def test_keys_are_met_on_frames_through_time_keys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clip = smooth_clip(60, seed)
    frame, later = int(rng.integers(5, 50)), int(rng.integers(5, 80))
    turn = rng.normal(size=3) * 0.5
    result = warp(clip, [Key(frame / 60, "left", rotate=turn)], [(frame / 60, later / 60)])
    turned = rot.multiply(rot.inverse(clip.rotations[frame, 1]), result.clip.rotations[later, 1])
    np.testing.assert_allclose(rot.to_rotation_vector(turned), turn, atol=1e-6)
    assert result.report.min_rate <= min(frame / later, 1.0) + 1e-3


def test_times_alone() -> None:
    clip = smooth_clip(61)
    result = warp(clip, times=TimeKeys([(0.5, 1.0)], curve="cardinal", tension=1.0))
    assert result.clip.duration == pytest.approx(1.5)
    assert "time runs" in str(result.report)


def test_the_input_is_left_alone_and_bones_that_move_stay() -> None:
    clip = smooth_clip(20, moving=True)
    before = clip.rotations.copy(), clip.root_positions.copy()
    result = warp(clip, [Key(0.1, "left", rotate=(1, 0, 0)), Key(0.1, rotate=(0, 1, 0))])
    np.testing.assert_array_equal(clip.rotations, before[0])
    np.testing.assert_array_equal(clip.root_positions, before[1])
    assert result.clip.translations is clip.translations


def test_a_cycle_stays_one_under_held_keys_only() -> None:
    loop = cyclify(walk().clip, cycles=1)
    assert warp(loop, [Key(0, "Spine", rotate=(0.3, 0, 0), ease=None)]).clip.cyclic
    passing = warp(loop, [Key(0.2, "Spine", rotate=(0.3, 0, 0))])
    assert not passing.clip.cyclic
    assert max(plant.end for plant in annotate(loop).constraints) == loop.clip.n_frames
    kept = warp(annotate(loop), [Key(0.2, "Spine", rotate=(0.3, 0, 0))])
    assert max(plant.end for plant in kept.clip.constraints) == loop.clip.n_frames - 1
    assert "the result is not cyclic" in passing.report.notes[0]


@pytest.mark.slow
@pytest.mark.skipif(not captured("locomotion/s16/*.bvh"), reason=NO_MOCAP)
def test_a_captured_walk_comes_back_from_a_warp_of_all_kinds() -> None:
    clip = captured_clip(WALKS[0])
    middle = clip.duration / 2.0
    keys = [
        Key(middle, rotate=(0.2, 0.6, 0)),
        Key(middle, move=(0.1, -0.2, 0.3)),
        Key(0.0, scale=(1.2, 1, 1.2), zero=clip.root_positions[0], ease=None),
        Key(0.0, "LeftLeg", scale=0.2),
        Key(clip.duration, "RightArm", orient=(0.5, 0.2, 0)),
        Key(middle, "LeftHand", reach=clip.world_positions()[0, 0]),
    ]
    result = warp(clip, keys)
    back = warp(result, result.report.warp.inverted())
    np.testing.assert_allclose(back.clip.rotations, clip.rotations, atol=1e-9)
    np.testing.assert_allclose(back.clip.root_positions, clip.root_positions, atol=1e-9)


@pytest.mark.skipif(not captured("locomotion/s16/*.bvh"), reason=NO_MOCAP)
@pytest.mark.parametrize("name", WALKS)
def test_detail_survives_five_keys(name: str) -> None:
    clip = captured_clip(name)
    third = clip.duration / 3.0
    keys = [
        Key(third, "LowerBack", rotate=(0.5, 0, 0)),
        Key(third, "LeftUpLeg", rotate=(-0.4, 0, 0.1)),
        Key(2 * third, "LeftLeg", rotate=(0.4, 0, 0)),
        Key(2 * third, "RightArm", rotate=(0, 0.5, 0.5)),
        Key(2 * third, rotate=(0, 0.4, 0)),
    ]
    ratio, correlation = detail_kept(clip, warp(clip, keys).clip)
    assert np.abs(ratio - 1.0).max() < 0.05
    assert correlation.min() >= 0.99


@pytest.mark.slow
@pytest.mark.skipif(not captured("actions/punches/*.bvh"), reason=NO_MOCAP)
@pytest.mark.parametrize(
    ("name", "hand"),
    [
        ("actions/punches/punch_high1_02_05_r0091-0265", "RightHand"),
        ("actions/reaches/reach_high_centre_144_22_r0701-0883", "LeftHand"),
    ],
)
def test_a_captured_hand_hits_targets_around_its_apex(name: str, hand: str) -> None:
    clip = captured_clip(name)
    joint = clip.skeleton.index(hand)
    frame = round(next(e.frame for e in clip.events if e.label == "apex" and e.joint == hand))
    offsets = np.random.default_rng(25).uniform(-0.15, 0.15, (25, 3))
    speed = joint_speeds(clip).max()
    for target in clip.world_positions()[frame, joint] + offsets:
        result = warp(clip, [Key(frame * clip.frame_time, hand, reach=target)])
        assert np.linalg.norm(result.clip.world_positions()[frame, joint] - target) < 1e-3
        assert joint_speeds(result.clip).max() < 1.3 * speed
        spine = [k for k in result.report.warp.keys if k.joint in ("LowerBack", "Spine", "Spine1")]
        assert max(np.linalg.norm(key.vector) for key in spine) > 1e-4


@pytest.mark.parametrize("amount", [100.1, -1e300, inf, nan])
def test_amounts_beyond_all_measure_are_refused(amount: float) -> None:
    with pytest.raises(ParameterError, match="the amount of a warp must"):
        check_amount(amount)


def test_a_whole_warp_stays_as_it_is() -> None:
    made = Warp.of([Key(0.5, "Head", reach=(0, 1, 0))])
    assert scale_warp(walk(duration=1.0).clip, made, 1.0) is made


def test_reaches_are_solved_before_they_are_scaled() -> None:
    clip = walk(duration=2.0, fps=30).clip
    hand = clip.world_positions()[30, clip.skeleton.index("RightHand")]
    goal = hand + np.array([0.0, 0.1, 0.05])
    made = Warp.of([Key(1.0, "RightHand", reach=goal)])
    half = warp(clip, scale_warp(clip, made, 0.5))
    moved = half.clip.world_positions()[30, clip.skeleton.index("RightHand")] - hand
    assert np.linalg.norm(moved) == pytest.approx(0.5 * np.linalg.norm(goal - hand), rel=0.3)
