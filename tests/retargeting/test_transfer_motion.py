from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event, Skeleton
from motionloom.retargeting import joint_mapping, transfer_motion
from motionloom.synthesis import walk
from motionloom.synthesis.biped import biped
from tests.conftest import captured
from tests.figures import random_rotations, smooth_clip
from tests.motion.rigs import add_helpers
from tests.retargeting.rigs import (
    HANGING,
    OTHER_BODY,
    angles,
    bone_ways,
    reframed,
    renamed,
    rerigged,
    with_static_root,
)

CMU = "locomotion/s16/walk_straight_16_15.bvh"


@cache
def walking(fps: float = 30.0) -> Clip:
    return annotate(walk(speed=1.3, curvature=0.2, duration=2.0, fps=fps).clip)


def scaled_body(skeleton: Skeleton, factor: float) -> Skeleton:
    tips = tuple(tip._replace(offset=factor * tip.offset) for tip in skeleton.tips)
    return replace(skeleton, offsets=factor * skeleton.offsets, tips=tips)


def hips(clip: Clip) -> FloatArray:
    """The ground (3,) below the middle of the hip joints in the first frame."""
    joints = [clip.skeleton.index(f"{side}UpLeg") for side in ("Left", "Right")]
    return np.asarray(clip.world_positions()[0, joints].mean(axis=0) * [1, 0, 1])


def test_a_mapping_of_other_skeletons_is_refused() -> None:
    other = smooth_clip(3)
    with pytest.raises(ParameterError, match="the mapping is for another source skeleton: make one with"):
        transfer_motion(walking(), biped(), joint_mapping(other.skeleton, biped()))
    with pytest.raises(ParameterError, match="the mapping is for another target skeleton"):
        transfer_motion(walking(), biped(), joint_mapping(biped(), other.skeleton))


def test_skeletons_without_anything_in_common_are_refused() -> None:
    mapping = joint_mapping(biped(), biped()).replaced(dict.fromkeys(biped().names))
    with pytest.raises(ParameterError, match="no joints of the two skeletons correspond: map them"):
        transfer_motion(walking(), biped(), mapping)


def test_a_body_half_as_large_goes_half_as_far() -> None:
    clip = walking()
    made = transfer_motion(clip, scaled_body(clip.skeleton, 0.5))
    assert made.report.scale == pytest.approx(0.5)
    start = hips(clip)
    assert made.clip.root_positions == pytest.approx(start + 0.5 * (clip.root_positions - start), abs=1e-9)
    assert np.abs(made.clip.rotations - clip.rotations).max() < 1e-9
    for plant, other in zip(made.clip.constraints, clip.constraints, strict=True):
        assert plant.point == pytest.approx(0.5 * other.point, abs=1e-12)


def test_rest_poses_that_differ_make_no_difference() -> None:
    """A body that is rigged with hanging arms does the very same, twist included."""
    clip = walking()
    hanging = rerigged(clip, HANGING)
    for source, target in ((clip, hanging), (hanging, clip)):
        made = transfer_motion(source, target.skeleton)
        assert made.clip.world_positions() == pytest.approx(clip.world_positions(), abs=1e-9)
        assert made.clip.tip_positions() == pytest.approx(clip.tip_positions(), abs=1e-9)
        turned = np.abs(np.einsum("tji,tji->tj", made.clip.rotations, target.rotations))
        assert turned.min() > 1 - 1e-12


def test_rest_rotations_make_no_difference() -> None:
    """Joints with axes of their own, as in glTF and FBX files, and a rest pose that stands."""
    clip = walking()
    framed = reframed(clip, random_rotations((clip.skeleton.n_joints,), seed=3))
    assert framed.skeleton.rest_positions() == pytest.approx(clip.skeleton.rest_positions(), abs=1e-12)
    for source, target in ((clip, framed), (framed, clip)):
        made = transfer_motion(source, target.skeleton)
        assert made.clip.world_positions() == pytest.approx(clip.world_positions(), abs=1e-9)
        turned = np.abs(np.einsum("tji,tji->tj", made.clip.rotations, target.rotations))
        assert turned.min() > 1 - 1e-12


def test_a_body_that_faces_the_other_way_at_rest_walks_the_same_way() -> None:
    clip = walking()
    behind = rerigged(clip, dict.fromkeys(clip.skeleton.names, rot.from_yaw(np.pi)))
    assert transfer_motion(clip, behind.skeleton).clip.world_positions() == pytest.approx(
        clip.world_positions(), abs=1e-9
    )


def test_a_rest_pose_that_looks_like_nothing_is_read_from_a_clip() -> None:
    """Joints with random axes: bones still point where they should, and feet and hands nearly so."""
    clip = walking()
    turns = dict(zip(clip.skeleton.names, random_rotations((clip.skeleton.n_joints,)), strict=True))
    odd = rerigged(clip, turns)
    slow = annotate(walk(speed=1.0, duration=2.0, fps=30).clip)
    made = transfer_motion(slow, odd)
    assert (made.report.source_pose, made.report.target_pose) == ("rest pose", "standing frames")
    as_usual = transfer_motion(slow, clip)
    ends = [n for n, tip in enumerate(clip.skeleton.tips) if tip.joint > biped().index("Head")]
    ways, usual = (
        (c.clip.tip_positions() - c.clip.world_positions()[:, [tip.joint for tip in c.clip.skeleton.tips]])[
            :, ends
        ]
        for c in (made, as_usual)
    )
    # The clip's own standing frames are not quite level, nor are its arms straight.
    assert angles(ways, usual).max() < 25.0
    assert np.median(angles(ways, usual)) < 10.0
    for way, other in zip(bone_ways(made.clip).values(), bone_ways(as_usual.clip).values(), strict=True):
        assert angles(way, other).max() < 3.0


def test_without_a_clip_such_a_rest_pose_is_noted() -> None:
    clip = walking()
    turns = dict(zip(clip.skeleton.names, random_rotations((clip.skeleton.n_joints,)), strict=True))
    names = tuple(f"b{n}_{name}" for n, name in enumerate(clip.skeleton.names))
    odd = replace(rerigged(clip, turns).skeleton, names=names)
    assert "does not stand upright in its rest pose" in transfer_motion(clip, odd).report.notes[0]


def test_a_root_that_stands_still_is_left_behind() -> None:
    clip = walking()
    assert transfer_motion(with_static_root(clip), biped()).clip.world_positions() == pytest.approx(
        clip.world_positions(), abs=1e-9
    )


def test_a_root_above_the_pelvis_stays_put() -> None:
    clip = walking()
    made = transfer_motion(clip, with_static_root(clip).skeleton)
    assert made.clip.world_positions()[:, 1:] == pytest.approx(clip.world_positions(), abs=1e-9)
    assert not made.clip.root_positions.any()


def test_joints_without_a_partner_keep_their_rest_rotation() -> None:
    clip = walking()
    mapping = joint_mapping(clip.skeleton, biped()).replaced({"LeftHand": None, "Spine1": None})
    made = transfer_motion(clip, biped(), mapping)
    for name in ("LeftHand", "Spine1"):
        joint = biped().index(name)
        assert made.clip.rotations[:, joint] == pytest.approx(np.tile(rot.IDENTITY, (clip.n_frames, 1)))
    chest = biped().index("Spine2")
    assert made.clip.world_rotations()[:, chest] == pytest.approx(clip.world_rotations()[:, chest])


def test_what_is_no_foot_keeps_its_scaled_point_and_target() -> None:
    clip = walking()
    held = Constraint("LeftHand", "hold", 2, 9, np.array([0.1, 0.0, 0.02]), np.array([0.5, 1.0, 0.5]))
    made = transfer_motion(replace(clip, constraints=(held,)), scaled_body(clip.skeleton, 0.5))
    (plant,) = made.clip.constraints
    assert plant.point == pytest.approx([0.05, 0.0, 0.01])
    start = hips(clip)
    assert plant.target is not None
    assert plant.target == pytest.approx(start + 0.5 * (np.array([0.5, 1.0, 0.5]) - start))


def test_annotations_get_the_names_of_the_target() -> None:
    clip = walking()
    names = tuple(f"b{n}" for n in range(biped().n_joints))
    events = (Event(1, "strike", "LeftFoot"), Event(2, "catch", "ball"))
    made = transfer_motion(replace(clip, events=events), replace(biped(), names=names))
    foot, toe = (names[biped().index(name)] for name in ("LeftFoot", "LeftToeBase"))
    assert [event.joint for event in made.clip.events] == [foot, "ball"]
    assert {plant.joint for plant in made.clip.constraints if plant.joint in (foot, toe)} == {foot, toe}


def test_constraints_that_fall_together_are_kept_once() -> None:
    clip = walking()
    hand = Constraint("LeftHand", "hold", 2, 9)
    arm = Constraint("LeftForeArm", "hold", 4, 12)
    mapping = joint_mapping(biped(), biped()).replaced({"LeftHand": None})
    made = transfer_motion(replace(clip, constraints=(hand, arm)), biped(), mapping)
    assert [plant.start for plant in made.clip.constraints] == [2]
    assert made.report.notes == (
        "hold (LeftForeArm) shares its partner with another joint: its constraint was dropped",
    )


@pytest.mark.parametrize("n_frames", [0, 1])
def test_clips_of_next_to_nothing_are_carried_over(n_frames: int) -> None:
    clip = replace(walking(), constraints=())[:n_frames]
    assert transfer_motion(clip, scaled_body(clip.skeleton, 0.8)).clip.n_frames == n_frames


def test_a_body_without_legs_is_scaled_by_its_arms() -> None:
    names = [name for name in biped().names if "Leg" not in name and "Foot" not in name and "Toe" not in name]
    kept = [biped().index(name) for name in names]
    parents = [kept.index(int(biped().parents[j])) if biped().parents[j] >= 0 else -1 for j in kept]
    torso = Skeleton(tuple(names), np.array(parents), biped().offsets[kept])
    clip = Clip(torso, 0.1, np.zeros((3, 3)), np.tile(rot.IDENTITY, (3, len(names), 1)))
    assert transfer_motion(clip, replace(torso, offsets=2.0 * torso.offsets)).report.scale == pytest.approx(
        2.0
    )


def test_the_source_stays_as_it_is() -> None:
    clip = walking()
    before = clip.rotations.copy(), clip.root_positions.copy()
    transfer_motion(clip, scaled_body(clip.skeleton, 0.7))
    assert np.array_equal(before[0], clip.rotations)
    assert np.array_equal(before[1], clip.root_positions)


@pytest.mark.parametrize("path", captured("dialects/bvh/*.bvh"), ids=lambda path: path.stem)
def test_a_clip_on_its_own_skeleton_is_unchanged(path: Path) -> None:
    clip = ml.load(path)
    if clip.translations is not None:
        clip = replace(clip, translations=None)
    for to in (clip, clip.skeleton):
        made = transfer_motion(clip, to)
        assert np.abs(made.clip.rotations - clip.rotations).max() < 1e-9
        assert np.abs(made.clip.root_positions - clip.root_positions).max() < 1e-9


def test_annotations_on_their_own_skeleton_are_unchanged(mocap: Path) -> None:
    clip = annotate(ml.load(mocap / CMU).resampled(30))
    made = transfer_motion(clip, clip)
    assert np.abs(made.clip.world_positions() - clip.world_positions()).max() < 1e-9
    for plant, other in zip(made.clip.constraints, clip.constraints, strict=True):
        assert (plant.joint, plant.kind, plant.start) == (other.joint, other.kind, other.start)
        assert plant.point == pytest.approx(other.point, abs=1e-9)


@pytest.mark.parametrize(
    "name",
    [
        "dialects/bvh/blender_makehuman_walk1.bvh",
        "dialects/bvh/daz_pirouette_exponents_cut.bvh",
        "dialects/bvh/geno_bind_6ch.bvh",
        "dialects/bvh/mova_8walk_6ch_cut.bvh",
        "dialects/bvh/walk01_24hz_exponents.bvh",
        "dialects/bvh/xsens_style_40hz_cut.bvh",
    ],
)
def test_bones_point_where_the_source_s_do(mocap: Path, name: str) -> None:
    """Arms exactly; legs but for the bending that puts feet at their height."""
    clip, other = annotate(ml.load(mocap / CMU).resampled(30)), ml.load(mocap / name)
    made = transfer_motion(clip, other)
    for part, way in bone_ways(made.clip).items():
        off = angles(way, bone_ways(clip)[part])
        assert off.max() < (1e-4 if "arm" in part else 15.0)
        assert np.median(off) < (1e-4 if "arm" in part else 5.0)
    lengths = np.linalg.norm(bone_ways(made.clip)["left shin"], axis=1)
    assert np.ptp(lengths) < 1e-9


def test_a_body_gives_a_body_and_a_whole_rig_a_whole_rig() -> None:
    clip = walk(duration=0.5, fps=30).clip
    rig = add_helpers(clip)
    other = renamed(clip, tuple(f"b{n}" for n in range(clip.skeleton.n_joints)))
    body, whole = transfer_motion(other, rig.body), transfer_motion(other, rig)
    assert body.clip.skeleton == rig.body.skeleton
    assert body.clip.world_positions() == pytest.approx(clip.world_positions(), abs=1e-6)
    assert whole.clip.skeleton == rig.skeleton
    assert body.clip.arranged().world_positions() == pytest.approx(whole.clip.world_positions(), abs=1e-12)


@pytest.mark.parametrize("name", ["legs without length", "no bone has length"])
def test_bodies_without_lengths_count_as_of_one_size(name: str) -> None:
    clip = walk(duration=0.5, fps=30).clip
    flat = OTHER_BODY[name](clip)
    named = renamed(flat, tuple(f"mixamorig:{joint}" for joint in flat.skeleton.names))
    for source, target in ((clip, named), (named, clip), (named, flat)):
        moved = transfer_motion(source, target, joint_mapping(source, target))
        assert np.isfinite(moved.clip.world_positions()).all()
        assert 0.0 < moved.report.scale < np.inf
