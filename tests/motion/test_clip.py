from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import annotate
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError, UnknownJointError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.provenance import OWN_SOURCE, Source
from motionloom.synthesis import walk
from tests.figures import FRAME_TIME, small_skeleton, smooth_clip
from tests.refusals import refused


def annotated(n_frames: int = 20) -> Clip:
    return replace(
        smooth_clip(n_frames),
        constraints=(
            Constraint("left", "toe", 4, 10, target=np.array([1.0, 0.0, 2.0])),
            Constraint("left", "heel", 0, 3),
        ),
        events=(Event(12, "lift", "left"), Event(4, "strike", "left")),
    )


def same_poses(a: Clip, b: Clip, tolerance: float = 1e-12) -> bool:
    return bool(np.abs(a.world_positions() - b.world_positions()).max() <= tolerance)


def test_wrong_lengths_are_refused() -> None:
    clip = smooth_clip(5)
    with refused("root_positions"):
        Clip(clip.skeleton, 0.1, clip.root_positions[:4], clip.rotations)
    with refused("rotations"):
        Clip(clip.skeleton, 0.1, clip.root_positions, clip.rotations[:, :5])


@pytest.mark.parametrize("frame_time", [0.0, -1.0, float("nan"), float("inf")])
def test_bad_frame_time_is_refused(frame_time: float) -> None:
    with refused("frame_time"):
        replace(smooth_clip(3), frame_time=frame_time)


@pytest.mark.parametrize("frame_time", ["x", None, [1]])
def test_a_frame_time_that_is_no_number_is_refused(frame_time: Any) -> None:
    with refused("frame_time"):
        replace(smooth_clip(3), frame_time=frame_time)


def test_frames_that_are_no_numbers_are_refused() -> None:
    with refused("frames", "a"):
        smooth_clip(3).at("a")


def test_constraint_of_an_unknown_joint_is_refused() -> None:
    with pytest.raises(UnknownJointError, match="no joint 'foot'"):
        replace(smooth_clip(3), constraints=(Constraint("foot", "toe", 0, 1),))


def test_a_clip_cannot_be_changed() -> None:
    clip = smooth_clip(3, moving=True)
    with pytest.raises(FrozenInstanceError):
        clip.frame_time = 1.0  # type: ignore[misc]
    assert clip.translations is not None
    pose = clip.at([0.5, 1.0])
    assert pose.translations is not None
    arrays = (clip.root_positions, clip.rotations, clip.translations, clip.world_positions())
    for array in (*arrays, pose.root_positions, pose.rotations, pose.translations, clip[1].rotations):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_callers_arrays_stay_their_own() -> None:
    roots, turns = np.zeros((2, 3)), np.tile(rot.IDENTITY, (2, 6, 1))
    clip = Clip(small_skeleton(), 0.1, roots, turns)
    roots[0] = 5.0
    assert clip.root_positions[0].tolist() == [0, 0, 0]
    assert roots.flags.writeable


def test_times_and_rates() -> None:
    clip = smooth_clip(7)
    assert (len(clip), clip.n_frames, clip.fps) == (7, 7, 60.0)
    assert clip.duration == pytest.approx(0.1)
    assert replace(clip, frame_time=0.0083333).frame_time == 0.0083333
    assert replace(clip, frame_time=1 / 29.97).fps == pytest.approx(29.97, abs=1e-12)
    assert repr(clip) == "Clip(7 frames at 60 fps, 6 joints, 0 constraints, 0 events)"


def test_zero_frames_and_one_frame_work() -> None:
    empty, single = smooth_clip(4)[:0], smooth_clip(4)[:1]
    assert empty.duration == single.duration == 0.0
    assert empty.world_positions().shape == (0, 6, 3)
    assert empty.resampled(30).n_frames == 0
    assert single.resampled(30).n_frames == 1
    assert single.sped_up(3).n_frames == 1
    assert single.world_velocities().tolist() == np.zeros((1, 6, 3)).tolist()
    with pytest.raises(ParameterError, match="the clip has no frames to sample"):
        empty.at(0)


def test_another_source_keeps_what_is_known_about_the_motion() -> None:
    clip = walk(duration=1.0).clip
    body, positions = clip.body, clip.world_positions()
    assert body is clip
    moved = clip.with_source(Source(path="walk.bvh"), OWN_SOURCE)
    assert (moved.source.path, clip.source.path, moved.provenance) == ("walk.bvh", "", OWN_SOURCE)
    assert moved.world_positions() is positions
    assert moved.body is moved


def test_slices_take_annotations_along() -> None:
    part = annotated()[2:9]
    assert part.n_frames == 7
    assert [(c.kind, c.start, c.end) for c in part.constraints] == [("heel", 0, 1), ("toe", 2, 6)]
    assert [(e.label, e.frame) for e in part.events] == [("strike", 2)]
    assert same_poses(part, annotated()[:9][2:])


def test_steps_slow_the_rate_and_scale_annotations() -> None:
    half = annotated()[::2]
    assert half.fps == pytest.approx(30.0)
    assert [(c.start, c.end) for c in half.constraints] == [(0, 1.5), (2, 5)]
    with pytest.raises(ParameterError, match=r"use clip.reversed\(\) to run it backwards"):
        annotated()[::-1]
    with pytest.raises(ParameterError, match=r"a step of 1 or more frames, not 0"):
        annotated()[::0]
    with pytest.raises(ParameterError, match=r"whole frames, not 0.5:None:None: use clip.at"):
        annotated()[0.5:]


def test_one_frame_is_a_pose() -> None:
    clip = smooth_clip(5)
    assert clip[3].world_positions() == pytest.approx(clip.world_positions()[3])
    assert clip[-1].rotations == pytest.approx(clip.rotations[-1])
    with pytest.raises(IndexError):
        clip[5]


def test_between_frames() -> None:
    clip = smooth_clip(5, moving=True)
    pose = clip.at(2.5)
    assert pose.root_positions == pytest.approx(clip.root_positions[2:4].mean(axis=0))
    assert pose.translations is not None
    assert pose.world_rotations().shape == (6, 4)
    assert clip.at([[0.0, 1.5], [2.0, 4.0]]).rotations.shape == (2, 2, 6, 4)
    assert np.array_equal(clip.at(np.arange(5)).rotations, clip.rotations)
    with pytest.raises(ParameterError, match=r"frame 4\.5 lies outside the clip: it has frames 0 to 4"):
        clip.at(4.5)


def test_resampled_down_picks_frames_and_up_keeps_them() -> None:
    clip = annotated(21)
    half = clip.resampled(30)
    assert np.array_equal(half.rotations, clip.rotations[::2])
    assert half.constraints == clip[::2].constraints
    double = clip.resampled(120)
    assert double.n_frames == 41
    assert double.root_positions[::2] == pytest.approx(clip.root_positions)


def test_nearly_the_same_rate_keeps_the_poses() -> None:
    cmu = replace(smooth_clip(50), frame_time=0.0083333)
    assert np.array_equal(cmu.resampled(120).rotations, cmu.rotations)
    assert cmu.resampled(120).fps == 120.0


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan")])
def test_bad_rates_are_refused(fps: float) -> None:
    with refused("fps"):
        smooth_clip(3).resampled(fps)


def test_sped_up_keeps_the_rate_and_shortens_the_time() -> None:
    fast = annotated(21).sped_up(2.0)
    assert (fast.fps, fast.n_frames) == (60.0, 11)
    assert np.array_equal(fast.rotations, annotated(21).rotations[::2])
    assert fast.events[0].frame == 2.0
    with pytest.raises(ParameterError, match="a speed factor must be a positive number, not 0"):
        annotated().sped_up(0)


def test_more_frames_than_anybody_wants_are_refused() -> None:
    with pytest.raises(
        ParameterError, match=r"sampling 21 frames at steps of 1e-07 makes more than 10000000"
    ):
        annotated(21).sped_up(1e-7)
    with pytest.raises(ParameterError, match="makes more than 10000000 frames"):
        annotated(21).sped_up(1e-300)
    with pytest.raises(ParameterError, match="makes more than 10000000 frames"):
        replace(annotated(21), frame_time=100.0).resampled(1e6)


def test_resampled_cycles_stay_cycles() -> None:
    cycle = replace(smooth_clip(20), cyclic=True)
    for fps, n_frames in [(30, 10), (60.01, 20), (40, 13), (120, 40)]:
        made = cycle.resampled(fps)
        assert (made.cyclic, made.n_frames) == (True, n_frames)
        assert made.fps == pytest.approx(fps)
    assert np.array_equal(cycle.resampled(30).rotations, cycle.rotations[::2])
    assert not smooth_clip(20).resampled(30).cyclic
    with pytest.raises(
        ParameterError, match="at 12 frames per second the cycle has 4 frames and needs at least 5"
    ):
        cycle.resampled(12)


def test_cycles_that_run_faster_stay_cycles_only_while_the_frames_divide_them() -> None:
    cycle = replace(smooth_clip(20), cyclic=True)
    assert cycle.sped_up(2.0).cyclic
    assert not cycle.sped_up(3.0).cyclic


def test_reversed_twice_is_the_clip() -> None:
    clip = annotated()
    back = clip.reversed()
    assert np.array_equal(back.rotations[0], clip.rotations[-1])
    assert [(c.start, c.end) for c in back.constraints] == [(9, 15), (16, 19)]
    again = back.reversed()
    assert again.constraints == clip.constraints
    assert again.events == clip.events
    assert np.array_equal(again.root_positions, clip.root_positions)


@pytest.mark.slow
@given(st.floats(-4, 4), st.floats(-4, 4), st.floats(-4, 4))
def test_placed_moves_the_world_rigidly(yaw: float, x: float, z: float) -> None:
    clip, there = annotated(), GroundTransform(yaw, x, z)
    moved = clip.placed(there)
    assert moved.world_positions() == pytest.approx(there.apply(clip.world_positions()), abs=1e-9)
    assert moved.constraints[1].target == pytest.approx(there.apply([1.0, 0.0, 2.0]), abs=1e-9)
    assert clip.root_positions[0] == pytest.approx(annotated().root_positions[0])


def test_velocities_of_a_steady_slide_and_spin() -> None:
    steps = np.arange(5)
    spin = np.tile(rot.IDENTITY, (5, 6, 1))
    spin[:, 0] = rot.from_yaw(0.02 * steps)
    clip = Clip(small_skeleton(), FRAME_TIME, np.outer(steps, [0.01, 0, 0]), spin)
    assert clip.world_velocities()[:, 0] == pytest.approx(np.tile([0.6, 0, 0], (5, 1)))
    assert clip.world_angular_velocities() == pytest.approx(np.tile([0, 1.2, 0], (5, 6, 1)))


def test_tips_follow_their_joints() -> None:
    clip = smooth_clip(4)
    joint, offset = clip.skeleton.tips[0]
    expected = clip.world_positions()[:, joint] + rot.rotate(clip.world_rotations()[:, joint], offset)
    assert clip.tip_positions()[:, 0] == pytest.approx(expected)


def test_points_follow_their_joints() -> None:
    clip = smooth_clip(4)
    joint, offset = clip.skeleton.tips[0]
    name = clip.skeleton.names[joint]
    assert clip.point_positions(name, offset) == pytest.approx(clip.tip_positions()[:, 0])
    assert clip.point_positions(joint, offset, slice(1, 3)) == pytest.approx(clip.tip_positions()[1:3, 0])


def test_local_positions_are_the_bones_whether_or_not_they_move() -> None:
    clip = smooth_clip(4)
    assert clip.local_positions() == pytest.approx(np.tile(clip.skeleton.offsets, (4, 1, 1)))
    moving = replace(clip, translations=np.arange(4 * 6 * 3.0).reshape(4, 6, 3))
    assert moving.local_positions() is moving.translations


def test_a_cyclic_clip_keeps_its_plants_up_to_the_seam() -> None:
    loop = replace(smooth_clip(20), cyclic=True, constraints=(Constraint("left", "toe", 15, 20),))
    assert loop[:].constraints == loop.constraints
    assert [(c.start, c.end) for c in loop.resampled(30).constraints] == [(7.5, 10)]
    assert [(c.start, c.end) for c in loop[:19].constraints] == [(15, 18)]
    assert not loop[:19].cyclic


def test_a_reversed_cycle_keeps_what_crosses_its_seam() -> None:
    cycle = cyclify(annotate(walk(duration=3.0, fps=30).clip), cycles=1)
    back = cycle.clip.reversed()
    assert back.cyclic
    assert len(back.events) == len(cycle.clip.events)
    for joint in {c.joint for c in cycle.clip.constraints}:
        held = [
            sum(c.end - c.start for c in clip.constraints if c.joint == joint) for clip in (cycle.clip, back)
        ]
        assert held[0] == pytest.approx(held[1])
    again = back.reversed()
    assert [e.frame for e in again.events] == pytest.approx([e.frame for e in cycle.clip.events])
