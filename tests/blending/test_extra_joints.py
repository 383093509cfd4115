from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.blending import BlendResult, KeyedWeights, LiveBlend, blend
from motionloom.cycles import cyclify
from motionloom.display import plot
from motionloom.errors import ParameterError
from motionloom.files import load_clip, load_registration, save
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, PointClip, Skeleton, Tip
from motionloom.motion.skeleton_union import keep_common_joints
from motionloom.quality.reference_error import copy_error
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import walk

FINGERS = ("LeftIndex1", "LeftIndex2", "Sword")


@cache
def plain() -> Clip:
    return annotate(walk(speed=1.2, curvature=0.2, duration=3, fps=30).clip)


@cache
def other() -> Clip:
    return annotate(walk(speed=1.4, curvature=-0.2, duration=3, fps=30).clip)


def with_fingers(clip: Clip, bend: float = 0.5, length: float = 0.04) -> Clip:
    """The clip with two finger joints on the left hand, whose tip the last of them has, and a sword."""
    skeleton = clip.skeleton
    hand, right = skeleton.index("LeftHand"), skeleton.index("RightHand")
    n = skeleton.n_joints
    made = Skeleton(
        (*skeleton.names, *FINGERS),
        np.array([*skeleton.parents, hand, n, right]),
        np.array([*skeleton.offsets, [length, 0, 0], [length, 0, 0], [0, 0, 0.1]]),
        np.tile(rot.IDENTITY, (n + 3, 1)),
        (*(tip for tip in skeleton.tips if tip.joint != hand), Tip(n + 1, np.array([0.02, 0, 0]))),
    )
    angles = bend * np.sin(np.arange(clip.n_frames) / 7.0)
    turns = np.tile(rot.IDENTITY, (clip.n_frames, n + 3, 1))
    turns[:, :n] = clip.rotations
    for joint in (n, n + 1, n + 2):
        turns[:, joint] = rot.from_axis_angle([0, 0, 1], angles * (joint - n + 1) / 2)
    return replace(clip, skeleton=made, rotations=turns)


def fingers(result: BlendResult) -> list[int]:
    return [result.clip.skeleton.index(name) for name in FINGERS]


def same_turns(a: object, b: object, atol: float) -> None:
    """Rotations are equal, whatever their signs."""
    likeness = np.abs(np.einsum("...c,...c", np.asarray(a), np.asarray(b)))
    np.testing.assert_allclose(likeness, 1.0, atol=atol)


@cache
def curve() -> RegistrationCurve:
    return register([plain(), with_fingers(other())])


def test_other_bodies_are_refused() -> None:
    clip = plain()
    stick = Skeleton(("Hips", "Top"), np.array([-1, 0]), np.array([[0.0, 1.0, 0.0], [0.0, 0.5, 0.0]]))
    limbless = replace(clip, skeleton=stick, rotations=clip.rotations[:, :2], constraints=(), events=())
    with pytest.raises(ParameterError, match="clips 0 and 1 have different skeletons"):
        register([clip, limbless])
    markers = [PointClip(names, 0.1, np.zeros((9, 2, 3))) for names in (("a", "b"), ("a", "c"))]
    with pytest.raises(ParameterError, match="clips 0 and 1 have different skeletons: 'b' is in one of them"):
        register(markers)


def test_joints_that_one_clip_has_are_not_compared() -> None:
    found, bare = curve(), register(keep_common_joints(curve().clips))
    assert found.report.notes == (
        "joints of clip 1 that not all clips have were not compared: LeftIndex1, LeftIndex2, Sword",
    )
    u = np.linspace(*bare.domain, 50)
    assert found.timewarp(u) == pytest.approx(bare.timewarp(u), abs=1e-9)
    assert found.clips[0].skeleton.n_joints == 22
    assert found.clips[1].skeleton.n_joints == 25


@pytest.mark.parametrize("method", ["registration", "linear"])
def test_they_follow_the_clip_that_has_them(method: str) -> None:
    """Whatever the weights: the fingers are those of the second clip at the frame that it is at."""
    for weights in ([0.5, 0.5], [0.9, 0.1], [1.0, 0.0]):
        result = blend(curve(), weights, method=method)  # type: ignore[arg-type]
        assert result.clip.skeleton.n_joints == 25
        wanted = curve().clips[1].at(result.frames[:, 1]).rotations[:, -3:]
        same_turns(result.clip.rotations[:, fingers(result)], wanted, atol=1e-5)


@pytest.mark.parametrize("k", [0, 1])
def test_weight_one_is_a_copy(k: int) -> None:
    result = blend(curve(), np.eye(2)[k])
    source = curve().clips[k]
    shared = [result.clip.skeleton.index(name) for name in source.skeleton.names]
    body = replace(
        result.clip, skeleton=source.skeleton, rotations=result.clip.rotations[:, shared], constraints=()
    )
    assert copy_error(body, source, result.frames[:, k]) < 1e-6


def test_common_joints_blend_as_if_the_others_were_not_there() -> None:
    bare = replace(curve(), clips=(plain(), other()))
    one, two = blend(curve(), [0.3, 0.7]).clip, blend(bare, [0.3, 0.7]).clip
    assert one.world_positions()[:, :22] == pytest.approx(two.world_positions(), abs=1e-9)
    assert [(c.joint, c.start, c.end) for c in one.constraints] == [
        (c.joint, c.start, c.end) for c in two.constraints
    ]


def test_of_several_clips_those_that_have_a_joint_share_it() -> None:
    """The second clip is the third but for its fingers: they take one and three parts of four."""
    bent, straight = with_fingers(other(), 1.0), with_fingers(other(), 0.0)
    result = blend(register([plain(), bent, straight]), [0.6, 0.3, 0.1])
    sword = fingers(result)[-1]
    angles = rot.to_rotation_vector(result.clip.rotations[:, sword])[:, 2]
    source = rot.to_rotation_vector(bent.at(result.frames[:, 1]).rotations[:, -1])[:, 2]
    assert angles == pytest.approx(0.75 * source, abs=0.05)
    assert np.abs(angles).max() > 0.9


def test_the_order_of_clips_and_joints_does_not_matter() -> None:
    turned = register([with_fingers(other()), plain()])
    one, two = blend(curve(), [0.3, 0.7]).clip, blend(turned, [0.7, 0.3]).clip
    order = [two.skeleton.index(name) for name in one.skeleton.names]
    assert one.world_positions() == pytest.approx(two.world_positions()[:, order], abs=1e-3)


def test_the_hand_has_one_end() -> None:
    """Where one clip ends in a hand with a tip and the other goes on with fingers, the fingers end it."""
    skeleton = blend(curve(), [1, 1]).clip.skeleton
    ends = [skeleton.names[tip.joint] for tip in skeleton.tips]
    assert "LeftIndex2" in ends
    assert "LeftHand" not in ends
    assert len(ends) == len(set(ends)) == len(plain().skeleton.tips)


def test_joint_weights_may_name_them() -> None:
    bent, straight = with_fingers(plain(), 1.0), with_fingers(other(), 0.0)
    result = blend(register([bent, straight, plain()]), [0, 1, 1], joint_weights={"Sword": (1, 0, 0)})
    wanted = bent.at(result.frames[:, 0]).rotations[:, -1]
    same_turns(result.clip.rotations[:, fingers(result)[-1]], wanted, atol=1e-5)


def test_cycles_carry_them_too() -> None:
    first = cyclify(annotate(walk(speed=1.2, duration=4, fps=60).clip), cycles=1).clip
    second = with_fingers(cyclify(annotate(walk(speed=1.5, duration=4, fps=60).clip), cycles=1).clip)
    result = blend(register([first, second]), [1, 1])
    assert result.clip.cyclic
    assert result.clip.skeleton.names[-3:] == FINGERS


@pytest.mark.slow
def test_a_curve_is_saved_drawn_and_its_blend_written(tmp_path: Path) -> None:
    kept = [
        save(clip, tmp_path / f"{name}.npz")
        for name, clip in (("plain", plain()), ("sword", with_fingers(other())))
    ]
    path = save(register([load_clip(one) for one in kept]), tmp_path / "curve.npz")
    again = load_registration(path)
    result = blend(again, [1, 1]).clip
    assert plot.registration(again, tmp_path / "curve.png").stat().st_size > 10_000
    back = load_clip(save(result, tmp_path / "blend.bvh"))
    assert set(back.skeleton.names) == set(result.skeleton.names)
    order = [back.skeleton.index(name) for name in result.skeleton.names]
    assert back.world_positions()[:, order] == pytest.approx(result.world_positions(), abs=1e-3)


def test_joints_in_another_order_are_the_same_joints() -> None:
    clip = with_fingers(other())
    order = [0, *range(14, 22), *range(1, 14), *range(22, 25)]
    names = tuple(clip.skeleton.names[joint] for joint in order)
    parents = np.array([-1, *(order.index(int(clip.skeleton.parents[joint])) for joint in order[1:])])
    shuffled = replace(
        clip,
        skeleton=Skeleton(names, parents, clip.skeleton.offsets[order]),
        rotations=clip.rotations[:, order],
    )
    one = blend(register([clip, shuffled]), [1, 1]).clip
    assert one.skeleton.names == clip.skeleton.names
    assert one.rotations == pytest.approx(clip.rotations, abs=1e-9)


@pytest.mark.parametrize("weights", [[0.5, 0.5], [1.0, 0.0]])
def test_a_prop_that_moves_by_itself_moves_in_full(weights: list[float]) -> None:
    sword = with_fingers(other())
    moved = np.tile(sword.skeleton.offsets, (sword.n_frames, 1, 1))
    moved[:, -1, 2] += np.linspace(0.0, 0.5, sword.n_frames)
    result = blend(register([plain(), replace(sword, translations=moved)]), weights)
    assert result.clip.translations is not None
    found = result.clip.translations[:, result.clip.skeleton.index("Sword"), 2]
    assert found == pytest.approx(0.1 + 0.5 * result.frames[:, 1] / (sword.n_frames - 1), abs=1e-6)


def test_bones_of_a_joint_come_from_the_clips_that_have_it() -> None:
    """Fingers of 4 and 8 cm in two clips of the same weight are 6 cm long, however the weights are given."""
    found = register([plain(), with_fingers(other(), length=0.04), with_fingers(other(), length=0.08)])
    weights = (0.5, 0.25, 0.25)
    steady = blend(found, weights).clip
    keyed = blend(found, KeyedWeights({0: weights, 2: (0.4, 0.3, 0.3)})).clip
    live = LiveBlend(found, weights=weights).pose
    joint = steady.skeleton.index("LeftIndex1")
    assert keyed.translations is not None
    assert live.translations is not None
    assert steady.skeleton.offsets[joint] == pytest.approx([0.06, 0, 0])
    assert keyed.skeleton.offsets == pytest.approx(steady.skeleton.offsets)
    assert keyed.translations[0, 1:] == pytest.approx(steady.skeleton.offsets[1:])
    assert live.translations[1:] == pytest.approx(steady.skeleton.offsets[1:])
