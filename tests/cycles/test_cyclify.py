"""Cycles of built-in motions, whose period and travel are known, and of captured ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.cycles.cycle_report import CycleReport
from motionloom.cycles.cyclify import (
    SAME_INSTANT,
    Span,
    cycle_constraints,
    cycle_events,
    cyclify,
    frame_in_cycle,
    try_cyclify,
)
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event, Result
from motionloom.motion.unroll import travel, unroll
from motionloom.synthesis import SyntheticMotion, jog, kick, punch, reach_out, sneak, stand, walk
from tests.conftest import captured
from tests.figures import skeleton_of, smooth_clip
from tests.refusals import refused

GAITS = {"walk": walk, "jog": jog, "sneak": sneak}
SPEEDS = {"walk": 1.3, "jog": 2.6, "sneak": 0.6}
CAPTURED = [
    *captured("locomotion/s16/*.bvh"),
    *captured("locomotion/s139_sneak/*.bvh"),
    *captured("locomotion/triples/walk_take*.bvh"),
]


def made(gait: str, curvature: float, fps: float = 60.0) -> SyntheticMotion:
    return GAITS[gait](speed=SPEEDS[gait], curvature=curvature, fps=fps)


def along(speed: float, curvature: float, seconds: float) -> GroundTransform:
    """Place and heading of a body that left the origin along +Z."""
    turn = curvature * speed * seconds
    if curvature == 0.0:
        return GroundTransform(0.0, 0.0, speed * seconds)
    return GroundTransform(turn, (1.0 - np.cos(turn)) / curvature, np.sin(turn) / curvature)


def largest_bends(clip: Clip) -> FloatArray:
    """For each frame but the first and the last, the largest second difference of a joint."""
    places = clip.world_positions()
    bends = np.linalg.norm(places[2:] - 2 * places[1:-1] + places[:-2], axis=-1)
    return np.asarray(bends.max(axis=1))


def pendulum(seconds: float, period: float = 0.9, fps: float = 60.0) -> Clip:
    """A body without legs that swings on the spot."""
    rod = skeleton_of(
        ("hub", "rod", "bob"), [-1, 0, 1], [[0.0, 2.0, 0.0], [0.0, -0.7, 0.4], [0.2, -0.7, 0.0]]
    )
    times = np.arange(round(seconds * fps)) / fps
    swing = 0.6 * np.sin(2 * np.pi * times / period)
    bend = 0.4 * np.cos(2 * np.pi * times / period)
    turns = np.stack([swing, bend, 0 * bend], axis=-1)[..., None] * [1.0, 0.0, 0.0]
    return Clip(rod, 1 / fps, np.tile([0.0, 2.0, 0.0], (len(times), 1)), rot.from_rotation_vector(turns))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cycles": 0}, "cycles must be a whole number of at least 1, not 0"),
        ({"cycles": 1.5}, "cycles must be a whole number of at least 1, not 1.5"),
        ({"seam_limit": -1.0}, "seam_limit must be a number of at least 0 metres, not -1"),
        ({"window": np.nan}, "window must be from 0 to 2 seconds, not nan"),
        ({"ease": -0.1}, "ease must be a number of at least 0 seconds, not -0.1"),
        ({"window": "x"}, "window must be from 0 to 2 seconds, not 'x'"),
        ({"window": 1000.0}, "window must be from 0 to 2 seconds, not 1000"),
        ({"ease": None}, "ease must be a number of at least 0 seconds, not None"),
        ({"seam_limit": True}, "seam_limit must be a number of at least 0 metres, not True"),
    ],
)
def test_settings_that_make_no_sense(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        cyclify(walk(duration=2.0).clip, **changes)
    assert str(caught.value) == message


@pytest.mark.parametrize("make", [kick, punch, reach_out, stand])
def test_motion_without_a_cycle_is_refused(make: Callable[[], SyntheticMotion]) -> None:
    with pytest.raises(ParameterError, match="neither a gait nor a motion that repeats at a steady pace"):
        cyclify(make().clip)


def test_more_strides_than_there_are() -> None:
    with pytest.raises(ParameterError, match=r"holds about 2\.9 strides, but not 4 whole strides"):
        cyclify(walk(duration=3.0).clip, cycles=4)


def test_a_handful_of_frames() -> None:
    with pytest.raises(ParameterError, match="the clip has only 4 frames and needs at least 5"):
        cyclify(walk().clip[:4])


def test_a_clip_too_long_to_compare_with_itself() -> None:
    clip = smooth_clip(3)
    long = replace(
        clip,
        frame_time=1 / 30,
        root_positions=np.zeros((3001, 3)),
        rotations=np.tile(rot.IDENTITY, (3001, clip.skeleton.n_joints, 1)),
    )
    with pytest.raises(ParameterError, match="the clip lasts 100 s, but cycles are searched in up to 100 s"):
        cyclify(long)


def test_a_pendulum_of_54_frames_closes_exactly() -> None:
    loop = cyclify(pendulum(2.5))
    assert loop.clip.cyclic
    assert (loop.clip.n_frames, loop.report.cycles, loop.report.unit) == (108, 2, "repetition")
    assert loop.report.change < 1e-6
    assert travel(loop.clip).yaw == pytest.approx(0.0, abs=1e-9)
    assert np.hypot(travel(loop.clip).x, travel(loop.clip).z) < 1e-9


def test_a_cyclic_clip_is_returned_as_it_is() -> None:
    loop = cyclify(walk(duration=2.0).clip)
    again = cyclify(loop)
    assert again.clip is loop.clip
    assert again.report.was_cyclic
    assert str(again.report) == "the clip is a cycle already: nothing was changed"


def test_a_closed_cycle_is_not_cut_again() -> None:
    loop = cyclify(walk(duration=3.0).clip)
    with pytest.raises(
        ParameterError,
        match="is a closed cycle already: cyclify the captured clip again with cycles=1",
    ):
        cyclify(loop, cycles=1)


@pytest.mark.slow
@pytest.mark.parametrize("curvature", [0.0, 0.3, -0.2])
@pytest.mark.parametrize("gait", GAITS)
@pytest.mark.parametrize("cycles", [1, 2, None])
def test_period_and_travel_of_built_in_gaits(gait: str, curvature: float, cycles: int | None) -> None:
    motion = made(gait, curvature)
    loop = cyclify(motion.clip, cycles=cycles)
    report = loop.report
    period = report.cycles / np.diff(motion.phase).mean()
    assert report.passed
    assert abs(report.end - report.start - period) < 0.02
    assert abs(loop.clip.n_frames - period) <= 0.5
    # Closing moves nothing that one could see.
    assert report.seam < 5e-4
    assert report.change < 1e-3

    start, end = (along(SPEEDS[gait], curvature, n / 60) for n in (report.start, report.start + period))
    truth, found = end @ start.inverse(), travel(loop.clip)
    assert abs(found.yaw - truth.yaw) < np.radians(0.1)
    # Where it leads a body that stands where the cycle begins.
    place = start.apply([0.0, 0.0, 0.0])
    assert np.linalg.norm(found.apply(place) - truth.apply(place)) < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("gait", GAITS)
def test_as_many_strides_as_fit(gait: str) -> None:
    motion = made(gait, 0.0)
    strides = motion.phase[-1] - motion.phase[0]
    assert cyclify(motion.clip).report.cycles in (int(strides), int(strides) - 1)


@pytest.mark.slow
@pytest.mark.parametrize("curvature", [0.0, 0.3])
@pytest.mark.parametrize("gait", GAITS)
@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_no_spike_at_the_seam(gait: str, curvature: float, fps: float) -> None:
    loop = cyclify(made(gait, curvature, fps).clip)
    bends = largest_bends(unroll(loop.clip, 2))
    n = loop.clip.n_frames
    at_seam = bends[n - 3 : n + 1].max()
    inside = bends[: n - 3].max()
    assert at_seam <= 1.1 * inside
    assert loop.report.acceleration <= 1.1


def test_plants_of_a_walk_go_on_over_the_seam() -> None:
    motion = walk(curvature=0.3)
    loop = cyclify(replace(motion.clip, constraints=motion.plants), cycles=1)
    n = loop.clip.n_frames
    assert all(0.0 <= c.start < c.end <= n for c in loop.clip.constraints)
    ends = {(c.joint, c.kind) for c in loop.clip.constraints if c.end == n}
    starts = {(c.joint, c.kind) for c in loop.clip.constraints if c.start == 0.0}
    assert ends
    assert ends == starts
    assert loop.report.plant_step < 5e-4
    # A stride has one plant of each of four points, however it is cut.
    assert len(unroll(loop.clip, 3).constraints) == 3 * 4 + len(ends)


def test_a_noisy_walk_is_closed_within_its_noise() -> None:
    clip = walk().clip
    rng = np.random.default_rng(3)
    noise = rot.from_rotation_vector(rng.normal(scale=0.01, size=(*clip.rotations.shape[:2], 3)))
    roots = clip.root_positions + rng.normal(scale=0.002, size=(clip.n_frames, 3))
    noisy = replace(clip, root_positions=roots, rotations=rot.multiply(clip.rotations, noise))
    loop = cyclify(noisy, cycles=2)
    assert abs(loop.clip.n_frames - 2 * 61.714) <= 1.0
    assert loop.report.acceleration < 1.5
    assert loop.report.travel.z == pytest.approx(2 * 1.44, abs=0.02)


def test_nothing_under_the_limit_is_said() -> None:
    loop = cyclify(walk(duration=3.0).clip, seam_limit=0.0)
    assert loop.clip.cyclic
    assert not loop.report.passed
    assert "no cycle keeps to the seam limit" in str(loop.report)


def test_bones_that_move_are_closed_too() -> None:
    clip = pendulum(2.5)
    stretch = 1.0 + 0.1 * np.sin(np.arange(clip.n_frames) * 2 * np.pi / 54 + 0.4)
    lengths = clip.skeleton.offsets * stretch[:, None, None]
    moving = replace(clip, translations=lengths)
    loop = cyclify(moving, cycles=1)
    assert loop.clip.translations is not None
    assert np.abs(loop.clip.translations - lengths[loop.report.start :][:54]).max() < 1e-6


def test_standing_before_a_walk_is_no_part_of_the_cycle() -> None:
    """A gait's phase goes on evenly before its first strike; the body may stand there."""
    clip = walk(duration=4.0).clip
    still = 120
    roots = np.concatenate([np.repeat(clip.root_positions[:1], still, axis=0), clip.root_positions])
    turns = np.concatenate([np.repeat(clip.rotations[:1], still, axis=0), clip.rotations])
    loop = cyclify(replace(clip, root_positions=roots, rotations=turns), cycles=1)
    assert loop.report.start >= still - 2
    assert loop.report.travel.z == pytest.approx(1.44, abs=0.01)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.floats(-3.0, 3.0), st.floats(-50.0, 50.0), st.floats(-50.0, 50.0))
def test_the_place_on_the_ground_changes_nothing(yaw: float, x: float, z: float) -> None:
    clip = annotate(jog(duration=1.5, curvature=0.2, fps=30).clip)
    place = GroundTransform(yaw, x, z)
    here, there = cyclify(clip), cyclify(clip.placed(place))
    assert there.clip.n_frames == here.clip.n_frames
    np.testing.assert_allclose(
        there.clip.world_positions(), place.apply(here.clip.world_positions()), atol=1e-6, rtol=0.0
    )
    way = place @ travel(here.clip) @ place.inverse()
    np.testing.assert_allclose(
        travel(there.clip).apply([x, 0.0, z]), way.apply([x, 0.0, z]), atol=1e-6, rtol=0.0
    )


@pytest.fixture(scope="module")
def loops(mocap: Path) -> dict[str, Result[CycleReport]]:
    return {path.stem: cyclify(load_clip(path)) for path in CAPTURED}


@pytest.mark.slow
def test_captured_gaits_keep_to_the_limit(loops: dict[str, Result[CycleReport]]) -> None:
    """All walks, jogs and sneaks; of the runs those that hold two strides that look alike."""
    failed = sorted(name for name, loop in loops.items() if not loop.report.passed)
    assert failed == [
        "run_left_16_48",
        "run_right_16_49",
        "run_straight_139_10_r0547-0685",
        "sneak_right_139_31_r1285-1573",
    ]
    # Even those are nearer to a cycle than to anything else.
    assert all(loops[name].report.seam < 0.065 for name in failed)


def test_captured_walks_are_covered(loops: dict[str, Result[CycleReport]]) -> None:
    walks = [loop.report for name, loop in loops.items() if name.startswith(("walk", "brisk"))]
    assert len(walks) == 11
    assert min(report.coverage for report in walks) > 0.6
    assert all(report.cycles >= 2 for report in walks)


def test_seams_of_captured_gaits_do_not_show(loops: dict[str, Result[CycleReport]]) -> None:
    for name, loop in loops.items():
        report = loop.report
        assert report.acceleration < 1.2, name
        assert report.plant_step <= max(report.captured_plant_step, 1e-3), name
        assert report.change < 0.07, name
        bends, n = largest_bends(unroll(loop.clip, 2)), loop.clip.n_frames
        assert bends[n - 3 : n + 1].max() <= 1.1 * bends[: n - 3].max(), name


def test_captured_plants_join_over_the_seam(loops: dict[str, Result[CycleReport]]) -> None:
    for name, loop in loops.items():
        n = loop.clip.n_frames
        if name == "sneak_left_139_31_r0925-1237":
            # The right heel has left the floor when the capture begins and still stands when it ends.
            continue
        ends = {(c.joint, c.kind) for c in loop.clip.constraints if c.end == n}
        starts = {(c.joint, c.kind) for c in loop.clip.constraints if c.start == 0.0}
        assert ends == starts, name
        many = unroll(loop.clip, 3)
        assert len(many.constraints) == 3 * len(loop.clip.constraints) - 2 * len(ends), name


def test_captured_cycles_have_two_strikes_per_stride(loops: dict[str, Result[CycleReport]]) -> None:
    for name, loop in loops.items():
        n_strikes = sum(event.label == "strike" for event in loop.clip.events)
        # One take begins and ends in the same strike, which is not whole in it.
        missing = 1 if name == "walk_take2_35_28" else 0
        assert n_strikes == 2 * loop.report.cycles - missing, name


def test_curving_captures_keep_curving(loops: dict[str, Result[CycleReport]]) -> None:
    for name, loop in loops.items():
        turn = np.degrees(loop.report.travel.yaw)
        if "left" in name:
            assert turn > 20.0, name
        elif "right" in name:
            assert turn < -20.0, name
        else:
            assert abs(turn) < 8.0, name


def test_captured_jumping_jacks_repeat(mocap: Path) -> None:
    loop = cyclify(load_clip(mocap / "dialects/bvh/cgspeed_max_jumping_jacks.bvh"))
    report = loop.report
    assert (report.unit, report.cycles, report.passed) == ("repetition", 3, True)
    assert abs(loop.clip.n_frames / 3 - 35) < 1.0
    assert report.acceleration < 1.0
    assert report.plant_step <= report.captured_plant_step


def test_frames_that_do_not_repeat_are_refused() -> None:
    clip = walk(duration=4.0, fps=30).clip
    cycle = try_cyclify(clip)
    found = cycle.report
    assert isinstance(found, CycleReport)
    with pytest.raises(ParameterError) as caught:
        frame_in_cycle(found.start - 1, clip, cycle.clip)
    asked = f"the clips are to meet at frame {found.start - 1} of one"
    assert str(caught.value) == f"{asked}, of which frames {found.start} to {found.end:.0f} repeat"
    with pytest.raises(ParameterError, match=r"^so it is, of which frames"):
        frame_in_cycle(9999, clip, cycle.clip, "so it is")


def test_gaits_are_closed_and_cycles_stay() -> None:
    clip = walk(duration=4.0, fps=30).clip
    cycle = try_cyclify(clip)
    assert np.array_equal(cycle.clip.rotations, cyclify(clip).clip.rotations)
    assert try_cyclify(cycle.clip).clip is cycle.clip


def test_what_does_not_repeat_stays_as_it_is() -> None:
    for clip in (kick(fps=30).clip, stand(duration=0.1, fps=30).clip):
        found = try_cyclify(clip)
        assert (found.clip, found.report) == (clip, None)


def test_frames_are_those_of_the_same_poses() -> None:
    clip = walk(duration=4.0, fps=30).clip
    cycle = try_cyclify(clip)
    assert isinstance(cycle.report, CycleReport)
    middle = round((cycle.report.start + cycle.report.end) / 2)
    frame = round(frame_in_cycle(middle, clip, cycle.clip))
    knees = [
        motion.rotations[n, motion.skeleton.index("LeftLeg")]
        for motion, n in ((clip, middle), (cycle.clip, frame))
    ]
    assert abs(float(knees[0] @ knees[1])) > 0.999
    assert round(frame_in_cycle(int(cycle.report.end), clip, cycle.clip)) in (0, cycle.clip.n_frames - 1)
    assert frame_in_cycle(7, clip, clip) == 7


def test_frames_are_counted_in_the_clip_that_was_given() -> None:
    """A clip that was cut and resampled before it is closed counts its own frames."""
    clip = walk(duration=4.0, fps=60).clip[31:].resampled(30)
    cycle = try_cyclify(clip)
    assert cycle.report is not None
    assert frame_in_cycle(cycle.report.start, clip, cycle.clip) == 0
    assert cycle.clip.provenance.start == pytest.approx(31 + 2 * cycle.report.start)


def veer(turns: tuple[float, ...]) -> Clip:
    """A walk that goes straight and then turns, by bending a straight one."""
    clip = walk(duration=6.0).clip
    yaws = np.interp(np.linspace(0.0, 1.0, clip.n_frames), np.linspace(0.0, 1.0, len(turns)), turns)
    steps = np.diff(clip.root_positions, axis=0, prepend=clip.root_positions[:1])
    bent = rot.rotate(rot.from_yaw(yaws), steps)
    roots = clip.root_positions[:1] * [1.0, 0.0, 1.0] + np.cumsum(bent, axis=0)
    roots[:, 1] = clip.root_positions[:, 1]
    rotations = np.array(clip.rotations)
    rotations[:, 0] = rot.multiply(rot.from_yaw(yaws), rotations[:, 0])
    return replace(clip, root_positions=roots, rotations=rotations)


def test_a_cycle_represents_its_clip_in_speed_and_turn() -> None:
    clip = veer((0.0, 0.0, 0.7, 1.4))
    cycle = cyclify(clip, cycles=1)
    assert cycle.report.speed == pytest.approx(cycle.report.clip_speed, rel=0.05)
    assert cycle.report.turn == pytest.approx(cycle.report.clip_turn, abs=np.radians(3.0))
    assert np.degrees(cycle.report.clip_turn) == pytest.approx(np.degrees(1.4) / 6.0, abs=2.0)


def test_a_cycle_can_be_chosen_by_a_frame() -> None:
    clip = veer((0.0, 0.0, 0.7, 1.4))
    first, last = cyclify(clip, near=60), cyclify(clip, near=clip.n_frames - 60)
    for cycle, frame in ((first, 60), (last, clip.n_frames - 60)):
        assert cycle.report.cycles == 1
        middle = 0.5 * (cycle.report.start + cycle.report.end)
        assert abs(middle - frame) < 0.15 * cycle.clip.n_frames
    assert abs(first.report.turn) < np.radians(3.0) < last.report.turn
    with refused("near"):
        cyclify(clip, near=-1)


SPAN = Span(10.0, 110.0, 100, 1 / 60)


def plants(*spans: tuple[float, float]) -> list[tuple[float, float]]:
    found = cycle_constraints([Constraint("LeftFoot", "heel", *span) for span in spans], SPAN)
    return [(c.start, c.end) for c in found]


def hits(*frames: float) -> list[float]:
    return [event.frame for event in cycle_events([Event(f, "strike", "LeftFoot") for f in frames], SPAN)]


def test_a_plant_inside_only_moves() -> None:
    assert plants((30, 50)) == [(20, 40)]


def test_a_plant_across_the_seam_is_cut_in_two() -> None:
    assert plants((-20, 30), (80, 130)) == [(0, 20), (70, 100)]


def test_starts_on_both_sides_of_the_seam_take_the_middle() -> None:
    assert plants((12, 40), (109, 140)) == [(0.5, 30)]
    assert plants((9, 40), (108, 140)) == [(0, 30), (98.5, 100)]


def test_ends_on_both_sides_of_the_seam_take_the_middle() -> None:
    assert plants((-20, 14), (80, 112)) == [(0, 3), (70, 100)]
    assert plants((-20, 8), (80, 106)) == [(70, 97)]


def test_far_from_the_seam_nothing_is_made_to_agree() -> None:
    assert plants((30, 50), (108, 140)) == [(20, 40), (98, 100)]


def test_times_are_stretched_to_whole_frames() -> None:
    span = Span(10.0, 110.4, 100, 1 / 60)
    (found,) = cycle_constraints([Constraint("LeftFoot", "toe", 60.2, 85.3)], span)
    assert (found.start, found.end) == pytest.approx((50.0, 75.0))


def test_a_strike_seen_at_both_ends_is_there_once() -> None:
    assert hits(9.5, 60, 111.5) == [0.5, 50]
    assert hits(12, 60, 107) == [50, 99.5]


def test_a_strike_just_outside_of_one_end_is_taken_in() -> None:
    assert hits(60, 112) == [50, 2]
    assert hits(7, 60) == [50, 97]


def test_a_strike_outside_of_one_end_that_the_other_end_has_further_off() -> None:
    assert hits(-6, 60, 86) == [50, 76]


def test_strikes_far_outside_are_left_out() -> None:
    assert hits(-30, 60, 150) == [50]


def test_joints_and_labels_have_nothing_to_do_with_each_other() -> None:
    events = [
        Event(9.0, "strike", "LeftFoot"),
        Event(111.0, "strike", "RightFoot"),
        Event(112.0, "lift", "LeftFoot"),
    ]
    found = [(event.label, event.joint, event.frame) for event in cycle_events(events, SPAN)]
    assert sorted(found) == [
        ("lift", "LeftFoot", 2.0),
        ("strike", "LeftFoot", 99.0),
        ("strike", "RightFoot", 1.0),
    ]


@given(st.floats(0, 100), st.floats(-4, 4), st.integers(2, 5))
def test_even_strikes_keep_their_number(first: float, wobble: float, per_cycle: int) -> None:
    """Wherever an even rhythm is cut, a cycle has as many strikes as it has beats."""
    beat = 100 / per_cycle
    frames = [first + n * beat + (wobble if n % 2 else 0.0) for n in range(-2 * per_cycle, 4 * per_cycle)]
    assert beat > 2 * SAME_INSTANT / SPAN.frame_time
    found = hits(*frames)
    assert len(found) == per_cycle
    assert all(0 <= frame < 100 for frame in found)
