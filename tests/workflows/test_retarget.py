from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, PointClip
from motionloom.retargeting import joint_mapping
from motionloom.retargeting.body_parts import SIDES
from motionloom.retargeting.reference_pose import ReferencePose, find_reference
from motionloom.synthesis import walk
from motionloom.synthesis.biped import biped
from motionloom.workflows import RetargetReport, retarget
from tests.conftest import MOCAP
from tests.retargeting.rigs import angles, planted_heights

NAMES = {
    "cmu": "locomotion/s16/walk_straight_16_15.bvh",
    "motionbuilder": "dialects/bvh/walk01_24hz_exponents.bvh",
    "mova": "dialects/bvh/mova_8walk_6ch_cut.bvh",
    "xsens": "dialects/bvh/xsens_style_40hz_cut.bvh",
    "bones along x": "dialects/bvh/anim_utils_custom_rig.bvh",
}


@cache
def clip_of(name: str) -> Clip:
    if name == "synthesis":
        return annotate(walk(duration=3.0, fps=30).clip)
    clip = ml.load(MOCAP / NAMES[name])
    return annotate(clip.resampled(30) if clip.fps > 40.5 else clip)


def end_ways(clip: Clip, body: ReferencePose) -> dict[str, FloatArray]:
    """Where soles (heading of the standing foot) and hands point (T, 3), by side and part."""
    ways = {}
    for side in SIDES:
        foot, hand = (body.parts.joints[f"{side} {part}"] for part in ("foot", "hand"))
        ball, end = body.find_ball(foot), body.find_end(hand)
        assert ball is not None
        assert end is not None
        ends = {
            "foot": (foot, (ball - body.positions[foot]) * [1, 0, 1]),
            "hand": (hand, end - body.positions[hand]),
        }
        for part, (joint, way) in ends.items():
            away = rot.multiply(clip.world_rotations()[:, joint], rot.inverse(body.rotations[joint]))
            ways[f"{side} {part}"] = rot.rotate(away, way)
    return ways


@pytest.mark.parametrize(("to", "shown"), [(None, "None"), ("x.bvh", r"a str: read it \(motionloom\.load\)")])
def test_a_skeleton_and_a_clip_are_needed(to: object, shown: str) -> None:
    with pytest.raises(ParameterError, match=f"retarget takes a skeleton or a clip, not {shown}"):
        retarget(clip_of("synthesis"), to)  # type: ignore[arg-type]
    points = PointClip(("heel",), 30.0, np.zeros((4, 1, 3)))
    with pytest.raises(ParameterError, match="retarget takes a clip with a skeleton, not a PointClip"):
        retarget(points, biped())  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="mapping must be a JointMapping, not a dict: make one with"):
        retarget(clip_of("synthesis"), biped(), mapping={"Hips": "Hips"})  # type: ignore[arg-type]


def test_a_clip_with_this_skeleton_is_given_back() -> None:
    clip = clip_of("synthesis")
    assert retarget(clip, clip.skeleton).clip is clip
    unchanged = retarget(clip, replace(clip, constraints=()))
    assert unchanged.clip is clip
    assert unchanged.report.transfer is None
    assert str(unchanged.report) == "the clip has this skeleton already: nothing was changed"


def test_a_mapping_of_one_s_own_is_used_on_the_same_skeleton_too() -> None:
    clip = clip_of("synthesis")
    stiff = retarget(clip, clip, mapping=joint_mapping(biped(), biped()).replaced({"Head": None}))
    assert np.ptp(stiff.clip.rotations[:, biped().index("Head")], axis=0).max() < 1e-12


def test_without_constraints_feet_are_left_and_the_report_says_so() -> None:
    clip = replace(clip_of("synthesis"), constraints=())
    lower = retarget(clip, replace(biped(), offsets=0.9 * biped().offsets))
    assert isinstance(lower.report, RetargetReport)
    assert lower.report.enforcement is None
    assert "annotate the clip first" in str(lower.report)
    assert "22 of 22 target joints follow one of 22 source joints" in str(lower.report)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("cmu", "synthesis"),
        ("synthesis", "cmu"),
        ("cmu", "motionbuilder"),
        ("motionbuilder", "cmu"),
        ("motionbuilder", "synthesis"),
        ("synthesis", "motionbuilder"),
        ("cmu", "xsens"),
        ("cmu", "bones along x"),
        ("mova", "cmu"),
    ],
)
def test_feet_stand_on_the_floor_and_hands_and_feet_point_where_they_did(
    mocap: Path, source: str, target: str
) -> None:
    clip, example = clip_of(source), clip_of(target)
    made = retarget(clip, example)
    assert made.report.transfer is not None
    assert made.clip.skeleton == example.skeleton

    # Looked for anew, whatever stands stands on the floor and rolls within a few frames; plants that were
    # carried over do not sink, and rise no more than the enforced source's own do as they roll off.
    found = annotate(replace(made.clip, constraints=(), events=()))
    for plant in found.constraints:
        assert np.abs(np.median(planted_heights(replace(found, constraints=(plant,))))) < 0.01
    assert planted_heights(found).min() > -0.011
    floor, held = made.report.transfer.floor, enforce(clip)
    assert planted_heights(made.clip).min() > floor - 0.005
    rise = planted_heights(held.clip).max() - floor
    assert planted_heights(made.clip).max() - floor < made.report.transfer.scale * rise + 0.01

    # Enforcement turns feet that land and push off, in both by what their own soles need.
    mine = end_ways(held.clip, find_reference(clip))
    theirs = end_ways(made.clip, find_reference(example))
    for part, way in mine.items():
        apart = angles(way, theirs[part])
        assert np.quantile(apart, 0.85) < 5.0, part
        assert apart.max() < 9.0, part
