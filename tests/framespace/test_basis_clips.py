from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.framespace import Framespace
from motionloom.framespace.basis_clips import prepare_basis_clips
from motionloom.motion import Clip, PointClip, Skeleton, Tip
from motionloom.synthesis import jog, walk
from tests.framespace.spaces import S_CURVE, feet_apart, jogging, punching, walking


@pytest.mark.parametrize("acyclic", [2, -1, True, 0.5, [0, 1]])
def test_the_acyclic_clip_is_named_by_its_number(acyclic: int) -> None:
    with pytest.raises(ParameterError, match="acyclic is the number of one clip, 0 to 1"):
        Framespace([walking(), jogging()], acyclic=acyclic)


def test_points_have_no_states() -> None:
    points = PointClip(("heel",), 30.0, np.zeros((40, 1, 3)))
    with pytest.raises(
        ParameterError, match="Framespace takes clips with skeletons, but clip 1 is a PointClip"
    ):
        Framespace([walking(), points])  # type: ignore[list-item]


def test_captures_are_cut_to_one_stride() -> None:
    walking, jogging = walk(duration=4.0, fps=30).clip, jog(duration=4.0, fps=30).clip
    clips, notes, cuts = prepare_basis_clips([walking, jogging])
    assert all(clip.cyclic for clip in clips)
    assert [cuts[k].cycles for k in range(2)] == [1, 1]
    assert notes[0].startswith("clip 0 was cut to one stride of 1.03 s, frames")


def test_cycles_stay_as_they_are() -> None:
    clips, notes, _ = prepare_basis_clips([walking(), jogging()])
    assert clips == (walking(), jogging())
    assert notes == ()


def test_the_slowest_rate_is_taken() -> None:
    clips, notes, _ = prepare_basis_clips([walking(), jog(duration=4.0, fps=30).clip])
    assert [clip.fps for clip in clips] == [30.0, 30.0]
    assert notes[0] == "clip 0 was resampled from 60 to 30 frames per second"


def test_what_does_not_repeat_is_refused_and_may_be_kept_as_it_is() -> None:
    with pytest.raises(ParameterError, match=r"clip 1 cannot be made a cycle: .* acyclic= to play it once"):
        prepare_basis_clips([walking(), punching()])
    clips, notes, _ = prepare_basis_clips([walking(), punching()], acyclic=(1,))
    assert not clips[1].cyclic
    assert notes == ()


def test_different_numbers_of_strides_are_said() -> None:
    two = cyclify(walk(duration=5.0, fps=60).clip, cycles=2)
    _, notes, _ = prepare_basis_clips([walking(), two.clip])
    assert notes == ("the cycles have different numbers of strikes (2, 4): give cycles of one stride each",)


def reordered(clip: Clip, names: list[str]) -> Clip:
    """The clip with these of its joints, in this order."""
    skeleton = clip.skeleton
    kept = [skeleton.index(name) for name in names]
    parents = [kept.index(p) if p >= 0 else -1 for p in skeleton.parents[kept].tolist()]
    tips = [Tip(kept.index(tip.joint), tip.offset) for tip in skeleton.tips if tip.joint in kept]
    tips.sort(key=lambda tip: tip.joint)
    other = Skeleton(
        tuple(names), np.array(parents), skeleton.offsets[kept], skeleton.rest_rotations[kept], tuple(tips)
    )
    constraints = tuple(c for c in clip.constraints if c.joint in names)
    return replace(clip, skeleton=other, rotations=clip.rotations[:, kept], constraints=constraints)


def legs_first(names: tuple[str, ...]) -> list[str]:
    """The names of the built-in body's joints, those of the legs after the pelvis."""
    return [names[0], *names[14:], *names[1:14]]


def test_joints_in_another_order_are_brought_to_that_of_the_first() -> None:
    other = reordered(jogging(), legs_first(jogging().skeleton.names))
    clips, _, _ = prepare_basis_clips([walking(), other])
    assert clips[1].skeleton.names == walking().skeleton.names
    np.testing.assert_array_equal(clips[1].rotations, jogging().rotations)
    as_ever = Framespace([walking(), jogging()]).blend(0.5, cycles=2).clip
    made = Framespace([walking(), other]).blend(0.5, cycles=2).clip
    np.testing.assert_allclose(made.world_positions(), as_ever.world_positions(), atol=1e-9)


def test_joints_that_a_clip_lacks_rest_in_it() -> None:
    names = walking().skeleton.names
    other = reordered(jogging(), [name for name in names if name != "LeftHand"])
    clips, notes, _ = prepare_basis_clips([walking(), other])
    assert clips[1].skeleton.names == names
    assert notes[-1] == "clip 1 lacks 1 joint that others have; they stay in their rest pose"
    hand = names.index("LeftHand")
    rest = walking().skeleton.rest_rotations[hand]
    np.testing.assert_array_equal(clips[1].rotations[:, hand], np.tile(rest, (other.n_frames, 1)))


@pytest.mark.parametrize("first", [0, 1])
def test_clips_of_different_rigs_span_a_space(mocap: Path, first: int) -> None:
    captured = load_clip(mocap / "locomotion" / "speeds" / "slow_07_04.bvh")
    clips = [walk(duration=2.0, fps=60).clip, captured]
    space = Framespace([clips[first], clips[1 - first]])
    names = ["clip 0", "slow_07_04"] if first == 0 else ["slow_07_04", "clip 1"]
    told = f"{names[1]} has another skeleton than {names[0]} and was retargeted to it: "
    assert any(note.startswith(told) for note in space.notes)
    assert {clip.skeleton.names for clip in space.clips} == {clips[first].skeleton.names}
    made = space.blend(S_CURVE, cycles=4).clip
    heights = made.world_positions()[..., 1]
    assert heights.min() > -0.05
    assert feet_apart(made) > 0.0
