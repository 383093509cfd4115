"""The whole of annotation: on built-in motion against the truth, on captures against which foot leads."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import (
    AnnotationReport,
    AnnotationSettings,
    Floor,
    PlantReport,
    annotate,
    annotate_and_report,
    is_locomotion,
    strikes,
)
from motionloom.annotation.annotate import SeamlessClip
from motionloom.annotation.foot_plants import Method
from motionloom.annotation.labels import EVENT_LABELS, LIFT, STRIKE
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event, Skeleton
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.unroll import extend_cycle
from motionloom.synthesis import MOTIONS, jog, kick, sneak, turn_in_place, walk
from tests.annotation.scoring import Score, leads, score, wrong_leads
from tests.conftest import captured
from tests.figures import smooth_clip
from tests.refusals import refused

CAPTURED = captured("locomotion/*/*.bvh")
HOPS = "jog_right90_16_43.bvh"
"""The one take in which left and right do not take turns: the runner brakes with a hop from left to left."""


@cache
def taken(path: Path) -> Clip:
    return annotate(ml.load(path))


def total(scores: list[Score]) -> tuple[float, float]:
    """Precision and recall over several motions."""
    matched = sum(each.n_matched for each in scores)
    return matched / sum(each.n_found for each in scores), matched / sum(each.n_true for each in scores)


def no_legs() -> Clip:
    pole = Skeleton(("root", "top"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 1.0, 0]]))
    return Clip(pole, 0.1, np.zeros((5, 3)), np.tile(rot.IDENTITY, (5, 2, 1)))


def test_a_skeleton_without_legs_gets_no_plants_and_a_sentence() -> None:
    result = annotate_and_report(no_legs())
    clip, report = result.clip, result.report
    assert clip.constraints == clip.events == ()
    assert isinstance(report, AnnotationReport)
    assert report.notes == (
        "no legs (hip, knee and foot, one below the other) were found in the skeleton, so there are no foot "
        "plants and no gait events",
    )
    assert str(report).endswith("note: " + report.notes[0])


@pytest.mark.parametrize(("fps", "n_frames"), [(120, 2), (240, 2), (240, 5), (1000, 2), (1000, 7)])
def test_a_clip_shorter_than_the_smoothing_is_annotated(fps: int, n_frames: int) -> None:
    clip = annotate(walk(duration=0.1, fps=fps).clip[:n_frames])
    assert all(0 <= held.start < held.end <= n_frames - 1 for held in clip.constraints)


@pytest.mark.parametrize("method", ["thresholds", "zero-crossing"])
@pytest.mark.parametrize("smoothing", [100.0, 1e308])
def test_smoothing_over_more_than_the_clip_sees_no_steps(method: Method, smoothing: float) -> None:
    clip = annotate(walk(duration=2.0, fps=30).clip, AnnotationSettings(method=method, smoothing=smoothing))
    assert len(strikes(clip)) < 3


@pytest.mark.parametrize("n_frames", [0, 1])
def test_a_clip_too_short_for_speeds_gets_nothing_and_a_sentence(n_frames: int) -> None:
    result = annotate_and_report(walk(duration=1.0).clip[:n_frames])
    assert result.clip.constraints == result.clip.events == ()
    assert result.report.notes == (f"a clip of {n_frames} frames has no speeds, so nothing was detected",)


def test_two_frames_are_enough() -> None:
    clip = annotate(MOTIONS["stand"](fps=60).clip[:2], AnnotationSettings(min_duration=0.0))
    assert {(plant.start, plant.end) for plant in clip.constraints} == {(0.0, 1.0)}


def test_the_report_says_what_was_found() -> None:
    report = annotate_and_report(walk().clip).report
    assert [(point.side, point.joint, point.kind) for point in report.plants] == [
        ("left", "LeftFoot", "heel"),
        ("left", "LeftToeBase", "toe"),
        ("right", "RightFoot", "heel"),
        ("right", "RightToeBase", "toe"),
    ]
    assert report.floor is not None
    assert report.floor.height == 0.0
    assert "left heel (LeftFoot, 8.0 cm above the sole): 4 plants" in str(report)


def test_the_motion_stays_as_it_is() -> None:
    clip = walk().clip
    done = annotate(clip)
    assert done.rotations is clip.rotations
    assert done.root_positions is clip.root_positions
    assert clip.constraints == ()


def test_user_edits_win() -> None:
    mine = (Constraint("LeftFoot", "heel", 70, 80), Constraint("LeftHand", "grip", 0, 9))
    cheer, lift = Event(5, "cheer", "Head"), Event(33, LIFT, "LeftFoot")
    given = replace(walk().clip, constraints=mine, events=(cheer, lift))
    result = annotate_and_report(given)
    kept, report = result.clip, result.report
    assert [c for c in kept.constraints if (c.joint, c.kind) == ("LeftFoot", "heel")] == [mine[0]]
    assert [e for e in kept.events if (e.joint, e.label) == ("LeftFoot", LIFT)] == [lift]
    assert mine[1] in kept.constraints
    assert cheer in kept.events
    assert {(c.joint, c.kind) for c in kept.constraints} >= {("LeftToeBase", "toe"), ("RightFoot", "heel")}
    assert [point.kept for point in report.plants] == [True, False, False, False]
    assert "left heel (LeftFoot): the clip's own plants were kept" in str(report)

    anew = annotate(given, AnnotationSettings(replace=True))
    assert mine[0] not in anew.constraints
    assert lift not in anew.events
    assert mine[1] in anew.constraints
    assert cheer in anew.events
    bare = annotate(walk().clip)
    assert set(anew.constraints) - {mine[1]} == set(bare.constraints)
    assert [e for e in anew.events if e.label in EVENT_LABELS] == list(bare.events)


def test_strikes_follow_edited_plants() -> None:
    mine = (Constraint("LeftFoot", "heel", 70, 80), Constraint("LeftToeBase", "toe", 75, 90))
    clip = annotate(replace(walk().clip, constraints=mine))
    assert [hit.frame for hit in strikes(clip) if hit.side == "left"] == [70.0]


def test_annotating_twice_changes_nothing() -> None:
    once = annotate(walk().clip)
    twice = annotate(once)
    assert twice.constraints == once.constraints
    assert twice.events == once.events


@pytest.mark.slow
@pytest.mark.parametrize("fps", [24, 30, 60, 120])
def test_every_plant_of_the_built_in_motions_is_found_within_a_frame(fps: int) -> None:
    scores = []
    for make in MOTIONS.values():
        motion = make(fps=fps)
        scores.append(score(motion, annotate(motion.clip), tolerance=1.0))
    assert sum(each.n_true for each in scores) > 250
    assert total(scores) == (1.0, 1.0)


@pytest.mark.slow
def test_plants_at_the_borders_of_what_the_built_in_body_can_do() -> None:
    motions = [
        *(walk(speed=speed, curvature=bend) for speed in (0.4, 0.8, 1.8, 2.1) for bend in (0.0, 0.3)),
        *(jog(speed=speed) for speed in (1.6, 2.2, 3.3, 4.0)),
        *(sneak(speed=speed) for speed in (0.25, 0.4, 0.8, 1.1)),
        *(turn_in_place(turn=turn) for turn in (-3.0, -0.5, 1.0)),
        *(kick(style="side", side="left", duration=seconds) for seconds in (0.8, 4.0)),
    ]
    precision, recall = total([score(each, annotate(each.clip), tolerance=1.0) for each in motions])
    assert precision >= 0.98
    assert recall >= 0.98


def turned(loop: Clip, first: int) -> Clip:
    """The same cycle, begun at another frame, without annotations."""
    bare = replace(loop, constraints=(), events=())
    return replace(extend_cycle(bare, first + loop.n_frames)[first:], cyclic=True)


def instants(clip: Clip, shift: int) -> dict[tuple[str, str], list[float]]:
    """When plants begin and events happen, round the cycle counted from ``shift``; seams begin nothing."""
    cut = {(c.joint, c.kind) for c in clip.constraints if c.end == clip.n_frames}
    found = [(c.joint, c.kind, c.start) for c in clip.constraints if c.start or (c.joint, c.kind) not in cut]
    found += [(event.joint, event.label, event.frame) for event in clip.events]
    lanes: dict[tuple[str, str], list[float]] = {}
    for joint, kind, frame in found:
        # A thousandth of a frame ahead, so that rounding does not put what lies at 0 at the other end.
        lanes.setdefault((joint, kind), []).append((frame + shift + 1e-3) % clip.n_frames)
    return {lane: sorted(frames) for lane, frames in lanes.items()}


@pytest.mark.slow
@pytest.mark.parametrize("first", [1, 13, 30, 47, 60])
@pytest.mark.parametrize("method", ["thresholds", "zero-crossing"])
def test_the_seam_of_a_cycle_is_no_special_place(first: int, method: Method) -> None:
    loop = cyclify(walk(curvature=0.3).clip, cycles=1)
    settings = AnnotationSettings(method=method)
    here = instants(annotate(turned(loop.clip, 0), settings), 0)
    there = instants(annotate(turned(loop.clip, first), settings), first)
    assert here.keys() == there.keys()
    for lane, frames in here.items():
        assert there[lane] == pytest.approx(frames, abs=1e-3)


def test_plants_of_a_cycle_reach_its_seam() -> None:
    loop = cyclify(walk().clip, cycles=1)
    clip = annotate(replace(loop.clip, constraints=(), events=()))
    at_seam = {(c.joint, c.kind) for c in clip.constraints if c.end == loop.clip.n_frames}
    assert at_seam == {(c.joint, c.kind) for c in clip.constraints if c.start == 0.0} != set()
    assert max(c.end for c in clip.constraints) == loop.clip.n_frames
    assert annotate(clip).constraints == clip.constraints
    assert annotate(clip).events == clip.events


def test_nothing_is_planted_while_a_runner_flies() -> None:
    motion = jog()
    down = np.zeros(motion.clip.n_frames, dtype=bool)
    frames = np.arange(len(down))
    for plant in motion.plants:
        down |= (frames >= plant.start - 1.0) & (frames <= plant.end + 1.0)
    assert (~down).any()
    for found in annotate(motion.clip).constraints:
        assert not (~down & (frames > found.start) & (frames < found.end)).any()


def test_plants_do_not_depend_on_place_and_heading() -> None:
    clip = MOTIONS["walk_left"](fps=30).clip
    moved = annotate(clip.placed(ml.GroundTransform(2.1, 5.0, -3.0)))
    for here, there in zip(annotate(clip).constraints, moved.constraints, strict=True):
        assert (here.joint, here.kind) == (there.joint, there.kind)
        assert (here.start, here.end) == pytest.approx((there.start, there.end), abs=1e-6)


def test_there_are_captured_walks_and_runs(mocap: Path) -> None:
    assert len(captured("locomotion/*/*.bvh")) >= 38


@pytest.mark.parametrize("path", CAPTURED, ids=lambda path: path.stem)
def test_captured_feet_strike_once_in_every_step_and_in_turn(path: Path) -> None:
    clip = taken(path)
    sides = [hit.side for hit in strikes(clip)]
    if path.name == HOPS:
        assert sides == ["left", "left", "right", "left", "right"]
        return
    whole_steps = max(len(leads(clip)) - 2, 0)
    assert wrong_leads(clip) == []
    assert whole_steps <= len(sides) <= whole_steps + 2
    assert all(before != after for before, after in pairwise(sides))


def test_the_hop_is_in_the_motion(mocap: Path) -> None:
    """Between its two strikes the left foot is in the air and travels on while the right one is not down."""
    clip = taken(mocap / "locomotion" / "turns" / HOPS)
    first, second = (round(hit.frame) for hit in strikes(clip)[:2])
    places = clip.world_positions()
    left, right = (
        places[first : second + 1, clip.skeleton.index(side + "Foot")] for side in ("Left", "Right")
    )
    assert np.linalg.norm(left[-1] - left[0]) > 0.7
    assert left[:, 1].max() > left[0, 1] + 0.1
    assert right[:, 1].min() > left[:, 1].min() - 0.02


def test_strikes_of_captures_hardly_depend_on_the_frame_rate(mocap: Path) -> None:
    apart, n_same = [], 0
    for path in CAPTURED:
        full, slow = taken(path), annotate(ml.load(path).resampled(30.0))
        hits, slow_hits = strikes(full), strikes(slow)
        if [hit.side for hit in hits] == [hit.side for hit in slow_hits]:
            n_same += 1
            apart += [
                hit.frame * full.frame_time - other.frame * slow.frame_time
                for hit, other in zip(hits, slow_hits, strict=True)
            ]
    # A contact that the clip cuts short is found at one rate and too short at the other.
    assert n_same >= 0.9 * len(CAPTURED)
    assert np.quantile(np.abs(apart), 0.9) <= 1.0 / 30.0


@pytest.mark.parametrize("shift", [-0.04, 0.04, 0.6])
def test_the_floor_of_a_capture_may_lie_elsewhere(mocap: Path, shift: float) -> None:
    clip = ml.load(mocap / "locomotion" / "s16" / "jog_left_16_37.bvh")
    moved = annotate(replace(clip, root_positions=clip.root_positions + np.array([0.0, shift, 0.0])))
    here, there = strikes(annotate(clip)), strikes(moved)
    assert [hit.side for hit in here] == [hit.side for hit in there]
    assert [hit.frame for hit in here] == pytest.approx([hit.frame for hit in there], abs=1.0)


def test_a_tilted_capture_volume_is_levelled(mocap: Path) -> None:
    """The floor of subject 7 rises by 2 cm per metre; without the slope the last steps would be too high."""
    found = annotate_and_report(ml.load(mocap / "locomotion" / "speeds" / "fast_07_11.bvh"))
    clip, floor = found.clip, found.report.floor
    assert floor is not None
    assert floor.slope[1] == pytest.approx(0.019, abs=0.004)
    assert len(strikes(clip)) == 5


@pytest.mark.parametrize(
    "path", captured("dialects/bvh/*.bvh") + captured("actions/*/*.bvh"), ids=lambda p: p.stem
)
def test_any_capture_is_annotated_without_failing(path: Path) -> None:
    found = annotate_and_report(ml.load(path))
    clip = found.clip
    has_legs = bool(find_anatomy(clip.skeleton).legs)
    assert len(found.report.plants) == (4 if has_legs else 0)
    assert all(0.0 <= event.frame <= clip.n_frames - 1 for event in clip.events)
    assert all(event.label != STRIKE for event in clip.events) or has_legs


def test_captured_gaits_are_locomotion(mocap: Path) -> None:
    not_gaits = {path.name for path in CAPTURED if not is_locomotion(taken(path))}
    assert not_gaits == {HOPS, "run_fast_104_48.bvh"}, "the latter has two whole steps only"


@pytest.mark.parametrize("name", ["walk_straight", "jog_left", "run_right"])
def test_captured_cycles_have_the_strikes_of_the_clips_they_come_from(mocap: Path, name: str) -> None:
    """At 30 Hz too, where a stride of a run is a dozen frames; within two of them."""
    clip = ml.load(next((mocap / "locomotion/s16").glob(f"{name}_*"))).resampled(30)
    loop = cyclify(annotate(clip), cycles=1)
    again = annotate(replace(loop.clip, constraints=(), events=()))
    before, after = ({hit.side: hit.frame for hit in strikes(each)} for each in (loop.clip, again))
    assert before.keys() == after.keys() == {"left", "right"}
    for side, frame in before.items():
        assert (
            abs((after[side] - frame + loop.clip.n_frames / 2) % loop.clip.n_frames - loop.clip.n_frames / 2)
            < 2.0
        )


@pytest.mark.parametrize("given", ["walk.bvh", None, 3])
def test_what_is_no_clip_with_a_skeleton_is_refused(given: Any) -> None:
    for function in (annotate, cyclify):
        with pytest.raises(ParameterError, match=f"{function.__name__} takes a clip with a skeleton, not "):
            function(given)


def test_a_clip_with_ends_is_not_unrolled() -> None:
    clip = smooth_clip(10)
    unrolled = SeamlessClip.around(clip)
    assert unrolled.clip is clip
    assert unrolled.crop_intervals([(0.0, 3.5), (7.0, 9.0)]) == [(0.0, 3.5), (7.0, 9.0)]
    assert unrolled.crop_events([Event(9.0, "strike")]) == [Event(9.0, "strike")]


def test_a_cycle_has_its_neighbours_on_both_sides() -> None:
    unrolled = SeamlessClip.around(replace(smooth_clip(10), cyclic=True))
    assert unrolled.clip.n_frames == 30
    np.testing.assert_allclose(unrolled.clip.rotations[10:20, 1], smooth_clip(10).rotations[:, 1])


def test_the_seam_cuts_what_crosses_it() -> None:
    unrolled = SeamlessClip.around(replace(smooth_clip(10), cyclic=True))
    found = [(2.0, 4.0), (8.0, 13.0), (15.0, 16.5), (18.0, 23.0), (28.0, 29.0)]
    assert unrolled.crop_intervals(found) == [(0.0, 3.0), (5.0, 6.5), (8.0, 10.0)]
    # What ends or begins at the seam leaves nothing on its other side.
    assert unrolled.crop_intervals([(6.0, 10.0), (16.0, 20.0)]) == [(6.0, 10.0)]
    assert unrolled.crop_intervals([(0.0, 29.0)]) == [(0.0, 10.0)]


def test_an_event_at_the_seam_is_there_once() -> None:
    unrolled = SeamlessClip.around(replace(smooth_clip(10), cyclic=True))
    found = [Event(frame, "strike") for frame in (0.0, 4.5, 10.0, 14.5, 20.0, 24.5)]
    assert [event.frame for event in unrolled.crop_events(found)] == [0.0, 4.5]


@pytest.mark.parametrize("n_frames", [0, 1, 4])
def test_a_cycle_too_short_to_go_on_from_is_taken_by_itself(n_frames: int) -> None:
    clip = replace(smooth_clip(6)[:n_frames], cyclic=True)
    assert SeamlessClip.around(clip).clip is clip


def heel(kept: bool) -> PlantReport:
    return PlantReport(
        side="left",
        joint="LeftFoot",
        kind="heel",
        depth=0.08,
        measured=True,
        speed=0.35,
        height=0.04,
        n_found=3,
        kept=kept,
    )


def test_a_plant_is_told_with_its_thresholds() -> None:
    told = "left heel (LeftFoot, 8.0 cm above the sole): 3 plants, slower than 0.35 m/s and lower than 4.0 cm"
    assert str(heel(kept=False)) == told


def test_kept_plants_are_told_as_such() -> None:
    assert str(heel(kept=True)) == "left heel (LeftFoot): the clip's own plants were kept"


def test_a_report_is_one_line_per_matter() -> None:
    report = AnnotationReport(AnnotationSettings(), Floor(0.02), (heel(kept=True),), 7, ("be careful",))
    assert str(report).splitlines() == [
        "floor at 0.020 m",
        "left heel (LeftFoot): the clip's own plants were kept",
        "7 events",
        "note: be careful",
    ]


def test_refuses_an_unknown_method() -> None:
    with refused("method"):
        AnnotationSettings(method="neural")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ["speed", "height", "min_duration", "max_gap", "smoothing", "flexion", "excursion"]
)
@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf")])
def test_refuses_numbers_that_make_no_sense(name: str, value: float) -> None:
    with pytest.raises(ParameterError, match=f"{name} must be a (positive )?number"):
        replace(AnnotationSettings(), **{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["speed", "height"])
def test_refuses_thresholds_of_zero(name: str) -> None:
    with pytest.raises(ParameterError, match=f"{name} must be a positive number"):
        replace(AnnotationSettings(), **{name: 0.0})  # type: ignore[arg-type]


def test_refuses_a_release_below_the_catch() -> None:
    with pytest.raises(ParameterError, match=r"release .* must be a number of at least 1, not 0\.5"):
        AnnotationSettings(release=0.5)


@pytest.mark.parametrize("value", ["x", None, True, [0.1]])
def test_refuses_what_is_no_number(value: object) -> None:
    with refused("speed"):
        AnnotationSettings(speed=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["x", True, float("nan")])
def test_refuses_a_floor_that_is_no_number(value: object) -> None:
    with pytest.raises(ParameterError, match=r"floor \(None estimates it\) must be a finite number, not"):
        AnnotationSettings(floor=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["no", 1, None])
def test_refuses_a_replace_that_is_no_truth_value(value: object) -> None:
    with refused("replace"):
        AnnotationSettings(replace=value)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers() -> None:
    numbers = {"speed": np.float32(0.5), "release": np.int64(2)}
    assert AnnotationSettings(**numbers).speed == 0.5  # type: ignore[arg-type]


def test_the_floor_may_lie_below_zero() -> None:
    assert AnnotationSettings(floor=-0.3).floor == -0.3
