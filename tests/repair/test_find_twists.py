from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.repair.find_faults import find_faults
from motionloom.repair.repair import mend_glitches, repair
from motionloom.synthesis import walk
from tests.repair.planting import angles_between

LEG = ("LeftUpLeg", "LeftLeg", "LeftFoot")


@pytest.fixture(scope="module")
def clean() -> Clip:
    return walk(duration=2.0, fps=30).clip


def twist(clip: Clip, first: int, last: int, degrees: float = 180.0, back: bool = True) -> Clip:
    """The clip with thigh and shin turned about themselves in some frames, and the foot turned back."""
    rotations, part = np.array(clip.rotations), slice(first, last + 1)
    joints = [clip.skeleton.index(name) for name in LEG]
    offsets = clip.skeleton.offsets[joints[1:]]
    axes = offsets / np.linalg.norm(offsets, axis=1, keepdims=True)
    thigh, shin = (rot.from_axis_angle(axis, np.radians(degrees)) for axis in axes)
    parts: list[FloatArray] = [rotations[part, joint].copy() for joint in joints]
    rotations[part, joints[0]] = rot.multiply(parts[0], thigh)
    rotations[part, joints[1]] = rot.multiply(rot.multiply(rot.inverse(thigh), parts[1]), shin)
    if back:
        rotations[part, joints[2]] = rot.multiply(rot.inverse(shin), parts[2])
    return replace(clip, rotations=rotations)


@pytest.mark.parametrize(("first", "last"), [(20, 27), (20, 20), (0, 11), (45, 60)])
def test_twists_are_found_and_undone(clean: Clip, first: int, last: int) -> None:
    twisted = twist(clean, first, last)
    np.testing.assert_allclose(twisted.world_positions(), clean.world_positions(), atol=1e-12)
    (fault,) = find_faults(twisted)
    assert (fault.kind, fault.joint, fault.partner) == ("twisted", "LeftUpLeg", "LeftFoot")
    assert (fault.first, fault.last) == (first, last)
    mended = repair(twisted)
    assert "the limb from LeftUpLeg to LeftFoot is twisted by 1" in str(mended.report)
    np.testing.assert_allclose(mended.clip.world_positions(), clean.world_positions(), atol=1e-12)
    # Thigh and shin come back to within what they turn about themselves from one frame to the next.
    assert angles_between(mended.clip, clean).max() < 12.0
    assert mend_glitches(twisted).rotations.tolist() == mended.clip.rotations.tolist()


def test_a_twist_in_a_resampled_clip_is_undone(clean: Clip) -> None:
    resampled = twist(clean, 20, 27).resampled(120.0)
    (fault,) = [fault for fault in find_faults(resampled) if fault.kind == "twisted"]
    assert (fault.first, fault.last) == (77, 111)
    mended = repair(resampled, kinds=["twisted"])
    assert angles_between(mended.clip, clean.resampled(120.0)).max() < 12.0
    offsets = np.linalg.norm(
        mended.clip.world_positions() - clean.resampled(120.0).world_positions(), axis=-1
    )
    assert offsets.max() < 0.02


def test_limbs_that_turn_without_their_ends_are_left(clean: Clip) -> None:
    assert not [f for f in find_faults(twist(clean, 20, 27, back=False)) if f.kind == "twisted"]
    assert not [f for f in find_faults(twist(clean, 20, 27, degrees=90.0)) if f.kind == "twisted"]


def test_a_captured_roll_blends_without_a_kick(mocap: Path) -> None:
    clip = ml.load(mocap / "library" / "90" / "90_35.bvh")
    (fault,) = [fault for fault in find_faults(clip) if fault.kind == "twisted"]
    assert str(fault) == "the limb from RightUpLeg to RightFoot is twisted by 168° in frames 118-124"
    mended = repair(clip, kinds=["twisted"])
    np.testing.assert_allclose(mended.clip.world_positions(), clip.world_positions(), atol=1e-9)
    steps = np.abs(np.einsum("tji,tji->tj", mended.clip.rotations[1:], mended.clip.rotations[:-1]))
    foot = clip.skeleton.index("RightFoot")
    assert np.degrees(2.0 * np.arccos(steps[:, foot].min())) < 45.0
