"""Scales by axis, and scales solved from a posed value."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.synthesis import stand, walk
from motionloom.warping import Key, Warp, warp
from tests.warping.measuring import angle_between, captured_clip
from tests.warping.test_presets import needs_captures

POSE = (0.2, -0.1, 0.3)


@cache
def still() -> Clip:
    """A body whose head is turned by a rotation vector throughout."""
    clip = stand(duration=1.0, fps=30).clip
    rotations = np.array(clip.rotations)
    rotations[:, clip.skeleton.index("Head")] = rot.from_rotation_vector(POSE)
    return replace(clip, rotations=rotations)


def head_of(clip: Clip, frame: int = 15) -> list[float]:
    return list(rot.to_rotation_vector(clip.rotations[frame, clip.skeleton.index("Head")]).tolist())


def test_factors_by_axis_multiply_the_components() -> None:
    key = Key(0.5, "Head", scale=(2.0, 0.5, 1.0), zero=(1, 0, 0, 0), ease=None)
    np.testing.assert_allclose(head_of(warp(still(), [key]).clip), [0.4, -0.05, 0.3], atol=1e-12)


def test_axes_of_a_scale_can_be_turned() -> None:
    quarter = rot.from_rotation_vector((0.0, 0.0, np.pi / 2))
    key = Key(0.5, "Head", scale=(2.0, 1.0, 1.0), zero=(1, 0, 0, 0), ease=None, frame=quarter)
    np.testing.assert_allclose(head_of(warp(still(), [key]).clip), [0.2, -0.2, 0.3], atol=1e-12)


def test_scales_by_axis_are_undone_and_scaled() -> None:
    whole = Warp.of([Key(0.5, "Head", scale=(2.0, 0.5, 1.0), zero=(1, 0, 0, 0))])
    result = warp(still(), whole)
    np.testing.assert_allclose(warp(result, whole.inverted()).clip.rotations, still().rotations, atol=1e-12)
    assert whole.scaled(2.0).keys[0].scale == (4.0, 0.25, 1.0)
    with pytest.raises(ParameterError, match="scale keys of joint 'Head' have different frames"):
        warp(still(), [*whole.keys, Key(0.8, "Head", scale=2.0, zero=(1, 0, 0, 0), frame=(0, 1, 0, 0))])


def test_a_posed_rotation_is_met_by_scaling() -> None:
    """Worked by hand: from 0.2, -0.1, 0.3 to 0.4, -0.3, 0.15 the factors are 2, 3 and a half."""
    posed = rot.from_rotation_vector((0.4, -0.3, 0.15))
    result = warp(still(), [Key(0.5, "Head", orient=posed, zero=(1, 0, 0, 0), solve="scale", ease=None)])
    np.testing.assert_allclose(np.asarray(result.report.warp.keys[0].scale), (2.0, 3.0, 0.5), atol=1e-9)
    assert [key.kind for key in result.report.warp.keys] == ["scale"]
    assert result.report.outcomes[0].angle < 1e-9


def test_the_offset_of_other_keys_is_held() -> None:
    """The paper: a = (θ' − b) / θ, with b of the offset key."""
    only_x = replace(still(), rotations=np.array(still().rotations))
    head = only_x.skeleton.index("Head")
    rotations = np.array(only_x.rotations)
    rotations[:, head] = rot.from_rotation_vector((0.2, 0.0, 0.0))
    clip = replace(only_x, rotations=rotations)
    keys = [
        Key(0.5, "Head", rotate=(0.1, 0.0, 0.0), ease=None),
        Key(0.5, "Head", orient=(0.7, 0.0, 0.0), zero=(1, 0, 0, 0), solve="scale", ease=None),
    ]
    result = warp(clip, keys)
    np.testing.assert_allclose(np.asarray(result.report.warp.keys[-1].scale), (3.0, 1.0, 1.0), atol=1e-9)
    np.testing.assert_allclose(head_of(result.clip), [0.7, 0.0, 0.0], atol=1e-9)


def test_what_axes_near_zero_leave_is_an_offset_and_much_of_it_is_refused() -> None:
    clip = still()
    rotations = np.array(clip.rotations)
    rotations[:, clip.skeleton.index("Head")] = rot.from_rotation_vector((0.3, 0.0, 0.0))
    flat = replace(clip, rotations=rotations)
    posed = Key(0.5, "Head", orient=(0.6, 0.1, 0.0), zero=(1, 0, 0, 0), solve="scale")
    result = warp(flat, [posed])
    assert sorted(key.kind for key in result.report.warp.keys) == ["rotate", "scale"]
    assert result.report.outcomes[0].angle < 1e-9
    with pytest.raises(
        ParameterError, match=r"cannot be met by scaling: the joint is \(17°, 0°, 0°\) from its"
    ):
        warp(flat, [replace(posed, orient=(0.3, 0.9, 0.0))])
    with pytest.raises(ParameterError, match="cannot be met by scaling"):
        warp(flat, [replace(posed, orient=(-0.3, 0.0, 0.0))])


def test_a_posed_root_scales_its_distance_from_a_position() -> None:
    clip = walk(duration=1.0, fps=30).clip
    zero, here = clip.root_positions[0] * [1, 0, 1], clip.root_positions[15]
    target = zero + (here - zero) * [1.0, 0.9, 1.5]
    result = warp(clip, [Key(0.5, reach=target, zero=zero, solve="scale", ease=None)])
    np.testing.assert_allclose(result.clip.root_positions[15], target, atol=1e-9)
    travel = clip.root_positions[-1, 2] - zero[2]
    assert result.clip.root_positions[-1, 2] - zero[2] == pytest.approx(1.5 * travel)
    aside = zero + np.array([0.4, 1.0, -0.3])
    with pytest.raises(ParameterError, match="cannot be met by scaling: the root is"):
        warp(clip, [Key(0.5, reach=aside, zero=zero, solve="scale")])


def test_unsuitable_keys_are_refused() -> None:
    with pytest.raises(
        ParameterError, match="cannot be solved into a scale: give orient, or for the root reach"
    ):
        Key(0.5, "Head", rotate=(0.1, 0, 0), solve="scale")
    with pytest.raises(ParameterError, match=r"solve of the key .* must be one of 'offset', 'scale'"):
        Key(0.5, "Head", orient=(0.1, 0, 0), solve="factor")  # type: ignore[arg-type]
    both = [
        Key(0.2, "Head", orient=(0.1, 0, 0)),
        Key(0.6, "Head", orient=(0.4, -0.2, 0.6), zero=(1, 0, 0, 0), solve="scale"),
    ]
    with pytest.raises(ParameterError, match="met by an offset and another key of its joint by a scale"):
        warp(still(), both)


@needs_captures
def test_a_posed_knee_of_a_captured_walk_is_met_and_swings_more() -> None:
    clip = captured_clip("locomotion/s16/walk_straight_16_15")
    knee = clip.skeleton.index("LeftLeg")
    bends = 2.0 * np.arccos(np.clip(np.abs(clip.rotations[:, knee, 0]), 0.0, 1.0))
    frame = int(bends.argmax())
    zero = clip.rotations[int(bends.argmin()), knee]
    deviation = rot.to_rotation_vector(rot.multiply(rot.inverse(zero), clip.rotations[frame, knee]))
    posed = rot.multiply(zero, rot.from_rotation_vector(1.3 * deviation))
    key = Key(frame * clip.frame_time, "LeftLeg", orient=posed, zero=zero, solve="scale", ease=None)
    result = warp(clip, [key])
    assert angle_between(result.clip.rotations[frame, knee], posed) < 1e-6
    assert angle_between(result.clip.rotations[int(bends.argmin()), knee], zero) < 1e-6
