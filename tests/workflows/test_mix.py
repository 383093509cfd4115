from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionloom.annotation import annotate, is_locomotion
from motionloom.annotation.strides import is_steady_gait
from motionloom.blending import KeyedWeights, blend
from motionloom.blending.hand_over import HandOver
from motionloom.blending.result import BlendReport
from motionloom.cycles import cyclify
from motionloom.cycles.match_strides import StrideCut
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.motion import Clip, Event, PointClip
from motionloom.motion.anatomy import find_anatomy
from motionloom.quality import measure
from motionloom.synthesis import jog, kick, reach_out, walk
from motionloom.workflows import (
    MixReport,
    UnfitError,
    ensure_annotated,
    mix,
    plant_blend,
    prepare,
    prepare_and_register,
)
from motionloom.workflows.mix import find_common_floor
from tests.enforcement.measuring import largest_slide
from tests.registration.nine_clips import nine_files


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(ParameterError, match="there are no clips: give two or more"):
        mix([], [])
    with pytest.raises(ParameterError, match="2 clips need 2 weights, not 3"):
        mix([walk(fps=30).clip, jog(fps=30).clip], [1, 1, 1])


def test_things_that_are_no_clips_are_refused() -> None:
    clip: Any = walk(duration=2.0, fps=30).clip
    points: Any = PointClip(("a", "b"), 0.1, np.zeros((9, 2, 3)))
    with pytest.raises(ParameterError, match=r"give a list of clips, such as \[walk, jog\], not one Clip"):
        mix(clip, [1, 1])
    with pytest.raises(
        ParameterError, match="clip 1 has points and no skeleton, so its feet cannot be planted"
    ):
        mix([clip, points], [1, 1])
    with pytest.raises(ParameterError, match=r"clip 1 is a str, not a clip: use motionloom\.load"):
        mix([clip, "walk.bvh"], [1, 1])  # type: ignore[list-item]


def test_a_clip_that_is_far_too_short_is_named() -> None:
    clip = walk(duration=3.0, fps=30).clip
    with pytest.raises(
        ParameterError, match=r"clip 1 is too short: it lasts 0\.07 s and clip 0 3\.00 s"
    ) as error:
        mix([clip, clip[:3]], [1, 1])
    assert "min_rate" not in str(error.value)


@pytest.mark.parametrize("n_frames", [0, 1])
def test_a_clip_without_motion_is_named(n_frames: int) -> None:
    clip = walk(duration=3.0, fps=30).clip
    with pytest.raises(ParameterError, match=rf"clip 1 has {n_frames} frames, but blending needs two"):
        mix([clip, clip[:n_frames]], [1, 1])


def test_clips_that_do_not_belong_together_are_refused_unless_allowed() -> None:
    strangers = [walk(duration=2.0, fps=30).clip, reach_out(fps=30).clip]
    with pytest.raises(UnfitError, match="these clips do not match") as caught:
        mix(strangers, [0.5, 0.5])
    assert caught.value.report.verdict.name == "UNFIT"
    assert caught.value.message.arguments == ("allow_unfit",)
    made = mix(strangers, [0.5, 0.5], allow_unfit=True)
    assert made.clip.n_frames > 10


def test_locomotion_is_cut_to_the_same_strides() -> None:
    clips = [walk(duration=3.0, fps=30).clip, jog(duration=3.0, phase=0.4, fps=30).clip]
    report = mix(clips, [0.5, 0.5]).report
    assert isinstance(report, MixReport)
    assert {cut.strides for cut in report.cuts if isinstance(cut, StrideCut)} == {2}
    assert "strides from the" in str(report)
    assert report.enforcement is not None
    assert str(report.enforcement) in str(report)
    assert report.changes is not None
    assert report.changes is report.enforcement.changes
    free = prepare_and_register(clips)[1]
    assert np.allclose(report.changes.before.root_positions, blend(free, [0.5, 0.5]).clip.root_positions)


def test_clips_without_constraints_are_annotated_and_keep_their_events() -> None:
    clip = walk(duration=2.0, fps=30).clip
    told = replace(clip, events=(Event(3.0, "strike", "LeftFoot"),))
    found = ensure_annotated(told)
    assert found.constraints
    assert [
        event.frame for event in found.events if event.label == "strike" and event.joint == "LeftFoot"
    ] == [3.0]
    assert ensure_annotated(found) is found


@pytest.mark.slow
def test_actions_and_cycles_stay_whole() -> None:
    kicks = [kick(duration=seconds, fps=30).clip for seconds in (1.4, 1.8)]
    assert prepare(kicks).cut == "whole"
    loops = [cyclify(annotate(clip), cycles=1) for clip in (walk(fps=30).clip, jog(fps=30).clip)]
    made = mix(loops, KeyedWeights({0: (1, 0), 3: (0, 1)}))
    assert made.clip.n_frames == 91


def test_planted_feet_hold() -> None:
    ways = [(1.0, 0.0), (1.6, 0.3)]
    clips = [walk(speed=speed, curvature=turn, duration=3.0, fps=30).clip for speed, turn in ways]
    assert largest_slide(mix(clips, [0.4, 0.6]).clip) < 1e-3


def test_the_report_keeps_all_that_the_blend_reports() -> None:
    curve = prepare([walk(duration=3.0, fps=30).clip, jog(fps=30).clip]).register()
    free = blend(curve, [0.5, 0.5])
    told = replace(free.report, hand_overs=(HandOver("LeftArm", 1, 0.5, 1.25, 0.04),))
    planted = plant_blend(free.with_report(told, free.clip), curve)
    kept = {each.name: getattr(planted.report, each.name) for each in fields(BlendReport)}
    assert kept == {each.name: getattr(told, each.name) for each in fields(BlendReport)}


@pytest.mark.parametrize("ground", [-0.4, 0.25])
def test_the_feet_are_planted_on_the_given_ground(ground: float) -> None:
    clips = [walk(speed=speed, duration=2.0, fps=30).clip for speed in (1.0, 1.5)]
    made = mix(clips, [0.5, 0.5], ground=ground)
    plants = [plant for plant in made.clip.constraints if plant.target is not None]
    assert [plant.target[1] for plant in plants] == pytest.approx([ground] * len(plants))  # type: ignore[index]


def test_the_feet_follow_a_given_surface() -> None:
    clips = [walk(speed=speed, duration=2.0, fps=30).clip for speed in (1.0, 1.5)]
    made = mix(clips, [0.5, 0.5], ground=lambda x, z: 0.1 * z).clip
    places = np.array([plant.target for plant in made.constraints])
    assert np.ptp(places[:, 2]) > 0.5
    np.testing.assert_allclose(places[:, 1], 0.1 * places[:, 2], atol=0.005)


def test_clips_share_a_floor_where_all_are_level_and_equally_high() -> None:
    clip = ensure_annotated(walk(duration=2.0, fps=30).clip)
    lifts = np.array([[0.0, lift, 0.0] for lift in (0.3, 0.308, 0.4)])
    lifted = [replace(clip, root_positions=clip.root_positions + lift) for lift in lifts]
    shared = find_common_floor(lifted[:2])
    assert shared is not None
    assert shared.height == pytest.approx(0.304, abs=1e-3)
    assert find_common_floor(lifted) is None
    tilt = clip.root_positions[:, 2:] * [0.0, 0.03, 0.0]
    assert find_common_floor([replace(clip, root_positions=clip.root_positions + tilt)] * 2) is None


@pytest.mark.parametrize(
    "files",
    [
        ("sits/sit_high_75_18.bvh", "sits/sit_low_75_20.bvh"),
        (
            "reaches/reach_high_centre_144_22_r0701-0883.bvh",
            "reaches/reach_high_left_144_22_r0157-0339.bvh",
            "reaches/reach_low_centre_144_22_r2351-2593.bvh",
        ),
    ],
    ids=["sits", "reaches"],
)
def test_mixes_of_bent_legs_stand_on_the_floor_of_their_clips(mocap: Path, files: tuple[str, ...]) -> None:
    clips = [load_clip(mocap / "actions" / file).resampled(30) for file in files]
    made = mix(clips, [1.0] * len(clips), allow_unfit=True).clip
    taken = measure(made)
    assert taken.notes == ("ground: floor at 0.000 m",)
    assert taken.value("largest sink") < 0.1
    feet = [made.skeleton.index(name) for name in ("LeftFoot", "LeftToeBase", "RightFoot", "RightToeBase")]
    lowest = [float(clip.world_positions()[0, feet, 1].min()) for clip in clips]
    assert made.world_positions()[0, feet, 1].min() == pytest.approx(np.mean(lowest), abs=0.01)


def test_captured_walk_and_jog_mix(mocap: Path) -> None:
    walking, jogging = (load_clip(nine_files(mocap, "s16")[n]).resampled(30) for n in (0, 3))
    made = mix([walking, jogging], [0.5, 0.5])
    assert made.report.cuts[0].strides >= 1  # type: ignore[union-attr]
    assert largest_slide(made.clip) < 1e-3


def fastest_foot(clip: Clip) -> float:
    """Largest speed of an ankle, metres per second."""
    ankles = [leg.ankle for leg in find_anatomy(clip.skeleton).legs]
    steps = np.diff(clip.world_positions()[:, ankles], axis=0)
    return float(np.linalg.norm(steps, axis=-1).max()) / clip.frame_time


def test_kicks_after_a_run_up_meet(mocap: Path) -> None:
    kicks = [load_clip(mocap / f"actions/kicks/soccerkick_10_{n}.bvh") for n in ("03", "05")]
    made = mix(kicks, [0.5, 0.5])
    assert isinstance(made.report, MixReport)
    assert made.report.cuts == ()
    assert fastest_foot(made.clip) > 0.97 * min(map(fastest_foot, kicks))


@pytest.mark.slow
def test_captured_gaits_are_steady_and_actions_are_not(mocap: Path) -> None:
    for path in sorted((mocap / "locomotion").rglob("*.bvh")):
        clip = annotate(load_clip(path))
        assert is_steady_gait(clip) == is_locomotion(clip), path.stem
    for name in ("kicks/soccerkick_10_03", "kicks/kick_74_03", "acrobatics/cartwheel_49_06"):
        assert not is_steady_gait(annotate(load_clip(mocap / f"actions/{name}.bvh"))), name
