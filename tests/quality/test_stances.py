from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.quality.stances import (
    SoleTracks,
    compare_stances,
    find_darts,
    find_stances,
    find_standing,
    measure_stances,
    track_soles,
)
from motionloom.synthesis import walk
from tests.quality.bodies import dot, gliding

FPS = 30


def foot(x: Sequence[float] | FloatArray, heights: npt.ArrayLike = 0.0) -> SoleTracks:
    """One foot of 20 cm that points along z, with heel and toe at these x and heights (T,), metres."""
    positions = np.zeros((len(x), 1, 2, 3))
    positions[..., 0] = np.asarray(x)[:, None, None]
    positions[..., 1] = np.broadcast_to(heights, len(x))[:, None, None]
    positions[:, :, 1, 2] = 0.2
    return SoleTracks(("left",), positions, 1 / FPS)


def two_stands(distance: float, frames_between: int = 3) -> FloatArray:
    """A point that stands for ten frames, moves evenly and stands for ten again."""
    return np.concatenate(
        [np.zeros(10), np.linspace(0.0, distance, frames_between + 2)[1:-1], [distance] * 10]
    )


def hop(height: float) -> FloatArray:
    """Heights that go with :func:`two_stands`: the highest in the frame between."""
    return np.concatenate([np.zeros(10), [height / 2, height, height / 2], np.zeros(10)])


def test_a_foot_that_moves_flat_between_two_stands_darts() -> None:
    heel, toe = find_darts(foot(two_stands(0.04)))
    assert (heel.foot, heel.point, toe.point) == ("left", "heel", "toe")
    assert (heel.start, heel.end) == (9, 13)
    assert heel.time == pytest.approx(0.3)
    assert heel.distance == pytest.approx(0.04)
    assert heel.speed == pytest.approx(0.01 * FPS)
    assert str(toe) == "the left toe darts 4.0 cm over the floor at 0.3 s, at up to 0.3 m/s"


@pytest.mark.parametrize(("height", "n_darts"), [(0.0, 2), (0.019, 2), (0.021, 0)])
def test_a_foot_that_lifts_does_not_dart(height: float, n_darts: int) -> None:
    assert len(find_darts(foot(two_stands(0.04), hop(height)))) == n_darts


def test_a_swing_that_ends_on_the_heel_is_no_dart() -> None:
    """The toe is still for a moment, five centimetres up, while the heel strikes."""
    swing = np.concatenate([np.zeros(10), [0.025, 0.05, 0.055], np.full(10, 0.05)])
    assert find_darts(foot(two_stands(0.6), swing)) == []
    assert find_darts(foot(two_stands(0.6), swing[::-1])) == []


def test_a_foot_that_creeps_on_or_hardly_moves_does_not_dart() -> None:
    assert find_darts(foot(two_stands(0.019))) == []
    assert find_darts(foot(np.linspace(0.0, 0.3, 90))) == [], "slower than 0.1 m/s all the time"
    assert find_darts(foot(np.linspace(0.0, 3.0, 30))) == [], "never still"


def test_darts_that_were_there_before_do_not_count() -> None:
    after = foot(two_stands(0.04))
    assert find_darts(after, foot(two_stands(0.04))) == []
    assert find_darts(after, foot(two_stands(0.03))) == [], "one centimetre more is no dart"
    assert len(find_darts(after, foot(two_stands(0.01)))) == 2
    late = np.concatenate([np.zeros(20), [0.04] * 3])
    assert len(find_darts(after, foot(late))) == 2, "it was elsewhere in time"


def test_a_slow_foot_that_becomes_much_faster_darts_without_ever_being_still() -> None:
    before = np.arange(30) * 0.3 / FPS
    after = before + np.where(np.arange(30) > 14, 0.75 / FPS, 0.0)
    darts = find_darts(foot(after), foot(before))
    assert [(dart.start, dart.end) for dart in darts] == [(14, 15)] * 2
    assert darts[0].speed == pytest.approx(1.05)
    slower = before + np.where(np.arange(30) > 14, 0.65 / FPS, 0.0)
    assert find_darts(foot(slower), foot(before)) == []


def test_standing_is_low_and_slow() -> None:
    assert find_standing(foot(np.zeros(5))).all()
    assert find_standing(foot(np.arange(5) * 0.34 / FPS)).all()
    assert not find_standing(foot(np.arange(5) * 0.36 / FPS)).any()
    raised = find_standing(foot(np.zeros(100), np.where(np.arange(100) < 50, 0.0, 0.031)))
    assert raised[:49].all()
    assert not raised[49:].any()


def test_short_gaps_belong_to_a_stance_and_short_stances_are_none() -> None:
    fast = np.zeros(40)
    fast[15:17] = 1.0 / FPS
    assert find_stances(foot(np.cumsum(fast))) == (((0, 39),),), "two frames are a gap of 0.07 s"
    fast[15:19] = 1.0 / FPS
    assert find_stances(foot(np.cumsum(fast))) == (((0, 14), (18, 39)),)
    fast[:] = 1.0 / FPS
    fast[20:22] = 0.0
    assert find_stances(foot(np.cumsum(fast))) == ((),), "0.07 s is no stance"


def slid(clip: Clip, distance: float) -> Clip:
    """The clip with a root that goes this far along x, evenly."""
    roots = np.array(clip.root_positions)
    roots[:, 0] += np.linspace(0.0, distance, clip.n_frames)
    return replace(clip, root_positions=roots)


def turned(clip: Clip, angle: float) -> Clip:
    """The clip with a root that turns by this angle about the vertical, evenly, radians."""
    rotations = np.array(clip.rotations)
    rotations[:, 0] = rot.multiply(rot.from_yaw(np.linspace(0.0, angle, clip.n_frames)), rotations[:, 0])
    return replace(clip, rotations=rotations)


def rolled(clip: Clip, angle: float) -> Clip:
    """The clip with feet that pitch by this angle, evenly, radians."""
    rotations = np.array(clip.rotations)
    pitch = rot.from_axis_angle([1.0, 0.0, 0.0], np.linspace(0.0, angle, clip.n_frames))
    for name in ("LeftFoot", "RightFoot"):
        joint = clip.skeleton.index(name)
        rotations[:, joint] = rot.multiply(rotations[:, joint], pitch)
    return replace(clip, rotations=rotations)


def test_feet_that_slide_drift_by_as_much() -> None:
    still = gliding(0.0)
    found = compare_stances(still, slid(still, 0.03))
    assert found.drift == pytest.approx([0.03, 0.03], abs=1e-9)
    assert found.pivot == pytest.approx([0.0, 0.0])
    assert found.speeds == pytest.approx(np.full(len(found.speeds), 0.03), abs=1e-9)
    assert len(found.speeds) == 2 * (still.n_frames - 1)
    assert found.darts == ()
    back = compare_stances(slid(still, 0.03), still)
    assert back.drift == pytest.approx([0.0, 0.0]), "drift that is taken away is none that is added"


def test_feet_that_turn_pivot_by_as_much() -> None:
    still = gliding(0.0)
    found = compare_stances(still, turned(still, 0.2))
    assert found.pivot == pytest.approx([0.2, 0.2])


def test_feet_that_no_longer_pitch_lose_their_roll() -> None:
    still = gliding(0.0)
    assert compare_stances(rolled(still, 0.4), rolled(still, 0.1)).roll == pytest.approx([0.25, 0.25])
    assert compare_stances(rolled(still, 0.1), still).roll.tolist() == [1.0, 1.0], "a flat stance has no roll"


def test_feet_of_a_raised_body_swing_higher_by_as_much() -> None:
    clip = walk(duration=3.0).clip
    raised = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.01, 0.0]))
    before, after = compare_stances(clip, raised).clearance
    assert after - before == pytest.approx(0.01)


def test_points_are_those_of_the_clip_before_also_where_the_edit_lost_the_plants() -> None:
    clip = annotate(walk(duration=2.0).clip)
    assert compare_stances(clip, replace(clip, constraints=())).drift.max() < 1e-12


def test_placement_changes_nothing() -> None:
    clip = walk(duration=3.0).clip
    before, after = (
        compare_stances(each, slid(each, 0.05))
        for each in (clip, clip.placed(GroundTransform(0.0, 3.0, 2.0)))
    )
    assert after.drift == pytest.approx(before.drift, abs=1e-6)
    assert after.speeds == pytest.approx(before.speeds, abs=1e-9)


def test_a_clip_by_itself() -> None:
    found = {each.name: each.value for each in measure_stances(slid(gliding(0.0), 0.03)).measurements}
    assert found == pytest.approx(
        {
            "stances": 2.0,
            "darts": 0.0,
            "largest drift": 3.0,
            "largest pivot": 0.0,
            "mean roll": 0.0,
            "speed beside stances": 0.0,
            "swing clearance": 0.0,
        },
        abs=1e-6,
    )
    gone = {each.name: each.value for each in measure_stances(gliding(1.0)).measurements}
    assert gone["stances"] == 0.0
    assert gone["speed beside stances"] == pytest.approx(100.0)


def test_what_cannot_be_compared_is_refused() -> None:
    clip = gliding(0.0)
    with pytest.raises(ParameterError, match="frame by frame, but 101 frames became 51"):
        compare_stances(clip, clip[:51])
    with pytest.raises(ParameterError, match="frame by frame, but 100 frames per second became 50"):
        compare_stances(clip, replace(clip, frame_time=0.02))
    with pytest.raises(ParameterError, match="the skeletons differ: 22 joints before and 1 after"):
        compare_stances(clip, dot(np.zeros((clip.n_frames, 3))))
    with pytest.raises(ParameterError, match="no legs were found in the skeleton, or no frames"):
        track_soles(dot(np.zeros((5, 3))))
    with pytest.raises(ParameterError, match="no legs were found in the skeleton, or no frames"):
        track_soles(clip[:0])
    with pytest.raises(ParameterError, match="two frames or more"):
        measure_stances(clip[:1])


def test_a_capture_that_is_not_edited_has_no_traces(mocap: Path) -> None:
    clip = load_clip(mocap / "locomotion/s16/walk_straight_16_15.bvh")
    same = compare_stances(clip, clip)
    assert same.darts == ()
    assert len(same.drift) >= 4
    assert np.all(same.drift == 0.0)
    assert np.all(same.roll == 1.0)
    skated = compare_stances(clip, slid(clip, 1.0))
    assert skated.drift.max() > 0.05, "the feet slide by a fifth of every step"
    assert np.median(skated.speeds) == pytest.approx(1.0 / clip.duration, rel=0.4)
