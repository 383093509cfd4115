from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult, KeyedWeights, blend
from motionloom.blending.live_blend import LiveBlend
from motionloom.cycles import unroll
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.quality import speed_ratios
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import walk
from tests.blending.curves import nine_loops, two_loops, two_walks
from tests.blending.steering import driven, heading_speed, nine_styles, world_speed_ratios
from tests.blending.test_blend_points import marker_curve
from tests.blending.test_extra_joints import curve as finger_curve
from tests.registration.nine_clips import GAITS


def sampled(n_clips: int, seconds: float, frame_time: float, seed: int) -> FloatArray:
    """Weights that wander smoothly after a second of the first clip, one row per frame, with sum 1."""
    keys = np.random.default_rng(seed).dirichlet(np.full(n_clips, 0.4), int(seconds) + 2)
    keys[:2] = np.eye(n_clips)[0]
    rows = KeyedWeights({n: tuple(key) for n, key in enumerate(keys)})(np.arange(0, seconds, frame_time))
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def largest_difference(live: LiveBlend, result: BlendResult, frame: int) -> float:
    """How far the present pose is from that of a blend."""
    pose, clip = live.pose, result.clip
    return max(
        float(np.abs(pose.root_positions - clip.root_positions[frame]).max()),
        float(np.abs(pose.rotations - clip.rotations[frame]).max()),
    )


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"weights": [1, 0, 0]}, "2 clips need 2 weights, not 3"),
        ({"weights": [1, -1]}, "add up to 0"),
        ({"weights": [[1, 0]]}, "weights must have shape (K,), not (1, 2)"),
        (
            {"rate_law": "slow"},
            "rate_law must be one of 'auto', 'frequency', 'duration', 'ballistic', not 'slow'",
        ),
        ({"max_change": 0.0}, "max_change must be a positive number, not 0"),
        ({"start": -5.0}, "start must be a parameter u of the curve"),
        ({"start": "soon"}, "start must be a finite number, not 'soon'"),
        ({"max_change": "slow"}, "max_change must be a positive number, not 'slow'"),
        ({"weights": "ab"}, "the weights must be numbers, one for each clip, not 'ab'"),
        ({"place": (0, 0, 0)}, "place must be a GroundTransform(yaw, x, z), not (0, 0, 0)"),
        (
            {"joint_weights": ["Head"]},
            "joint_weights must be a dict of joint name -> K weights, not ['Head']",
        ),
        ({"joint_weights": {"Tail": [1, 0]}}, "the skeleton has no joint 'Tail'"),
    ],
)
def test_a_wrong_beginning_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError) as error:
        LiveBlend(two_walks(), **settings)
    assert sentence in str(error.value)


def test_clips_must_be_registered_first() -> None:
    with pytest.raises(
        ParameterError, match="LiveBlend takes a registration curve, not a list: register the"
    ):
        LiveBlend(list(two_walks().clips))  # type: ignore[arg-type]


def test_points_have_no_pose() -> None:
    with pytest.raises(ParameterError, match="point clips have no pose"):
        LiveBlend(marker_curve())


@pytest.mark.parametrize(
    ("dt", "weights", "sentence"),
    [
        (0.1, [1.0], "the curve has 2 clips but the weights have shape (1,)"),
        (0.1, [1.0, -1.0], "the weights add up to 0"),
        (0.1, [1.0, np.nan], "the weights must be finite, not [1.0, nan]"),
        (16.0, [1.0, 0.0], "dt is 16.0 seconds: a step may take 10 at most"),
        (np.nan, [1.0, 0.0], "dt must be a finite number, not nan"),
        ("soon", [1.0, 0.0], "dt must be a finite number, not 'soon'"),
        (0.1, "half", "the weights must be numbers, one for each clip, not 'half'"),
    ],
)
def test_a_wrong_step_is_refused_and_changes_nothing(dt: float, weights: list[float], sentence: str) -> None:
    live = LiveBlend(two_loops())
    before = live.u, live.time, live.weights.tolist(), live.pose.rotations.tolist()
    with pytest.raises(ParameterError) as error:
        live.step(dt, weights)
    assert sentence in str(error.value)
    assert before == (live.u, live.time, live.weights.tolist(), live.pose.rotations.tolist())


def test_it_begins_with_the_mean_of_all_clips() -> None:
    live = LiveBlend(two_walks())
    assert (live.weights.tolist(), live.time, live.cycles, live.finished) == ([0.5, 0.5], 0.0, 0, False)
    assert live.u == two_walks().domain[0]


def test_it_begins_where_it_is_put() -> None:
    place = GroundTransform(0.7, 3.0, -2.0)
    found = LiveBlend(two_walks(), place=place).placement
    assert np.allclose([found.yaw, found.x, found.z], [place.yaw, place.x, place.z], atol=1e-9)


def test_no_time_gives_the_same_pose_again() -> None:
    live = LiveBlend(two_loops(), weights=[0.3, 0.7])
    for _ in range(9):
        live.step(1 / 60, [0.3, 0.7])
    before = live.u, live.pose.root_positions.tolist(), live.pose.rotations.tolist()
    live.step(0.0, [0.3, 0.7])
    assert before == (live.u, live.pose.root_positions.tolist(), live.pose.rotations.tolist())


def test_the_buffers_are_written_again_but_not_by_the_caller() -> None:
    live = LiveBlend(two_loops())
    first = live.pose
    kept = first.rotations.copy()
    second = live.step(0.1, [1, 0])
    assert second is first
    assert not np.array_equal(first.rotations, kept)
    with pytest.raises(ValueError, match="read-only"):
        first.rotations[0, 0] = 0.0


def test_clips_with_two_ends_stay_at_the_end() -> None:
    curve = two_walks()
    live = LiveBlend(curve, weights=[0.5, 0.5])
    for _ in range(200):
        live.step(1 / 30, [0.5, 0.5])
    assert live.finished
    assert live.u == curve.domain[1]
    assert np.allclose(live.frames, curve.spans[1])
    live.step(-1 / 30, [0.5, 0.5])
    assert not live.finished
    assert live.u < curve.domain[1]


def test_weights_change_no_faster_than_allowed() -> None:
    live = LiveBlend(two_loops(), weights=[1, 0], max_change=2.0)
    live.step(0.1, [0, 1])
    assert live.weights.tolist() == pytest.approx([0.8, 0.2])
    live.step(0.5, [0, 1])
    assert live.weights.tolist() == [0.0, 1.0]


def test_joints_may_have_weights_of_their_own() -> None:
    curve = two_walks()
    own = {"LeftArm": (0.0, 1.0)}
    rows = sampled(2, 3.0, 1 / 30, seed=3)
    result = blend(curve, rows, joint_weights=own)
    live = LiveBlend(curve, weights=rows[0], joint_weights=own)
    for frame in range(1, result.clip.n_frames):
        live.step(result.clip.frame_time, rows[frame])
        assert largest_difference(live, result, frame) < 1e-9


def test_joints_that_one_clip_has_follow_it() -> None:
    rows = sampled(2, 3.0, 1 / 30, seed=3)
    result = blend(finger_curve(), rows)
    live = LiveBlend(finger_curve(), weights=rows[0])
    assert live.pose.skeleton.names == result.clip.skeleton.names
    for frame in range(1, result.clip.n_frames):
        live.step(result.clip.frame_time, rows[frame])
        assert largest_difference(live, result, frame) < 1e-9


def test_bodies_that_differ_are_blended_too() -> None:
    small, tall = walk(duration=2.0, fps=30).clip, walk(speed=1.5, duration=2.0, fps=30).clip
    skeleton = replace(tall.skeleton, offsets=tall.skeleton.offsets * 1.1)
    curve = register([small, replace(tall, skeleton=skeleton, root_positions=tall.root_positions * 1.1)])
    rows = sampled(2, 3.0, 1 / 30, seed=3)
    result = blend(curve, rows)
    live = LiveBlend(curve, weights=rows[0])
    for frame in range(1, result.clip.n_frames):
        pose = live.step(result.clip.frame_time, rows[frame])
    assert np.allclose(pose.world_positions(), result.clip.world_positions()[-1], atol=1e-9)


def test_a_long_step_is_many_short_ones() -> None:
    """The weights change evenly within it."""
    curve = two_loops()
    one, many = LiveBlend(curve, weights=[1, 0]), LiveBlend(curve, weights=[1, 0])
    one.step(1.0, [0, 1])
    for n in range(1, 61):
        many.step(1 / 60, [1 - n / 60, n / 60])
    assert one.cycles == many.cycles == 1
    assert one.u == pytest.approx(many.u, abs=1e-9)
    assert np.allclose(one.pose.root_positions, many.pose.root_positions, atol=1e-9)


@pytest.mark.slow
@given(st.lists(st.floats(0.0, 0.2), min_size=1, max_size=12), st.integers(0, 5))
def test_going_back_leads_to_where_it_began(steps: list[float], seed: int) -> None:
    """Not to the last digit: placing one frame after the other is exact for steps towards zero only."""
    live = LiveBlend(two_loops(), weights=[0.4, 0.6])
    first = live.pose.root_positions.copy()
    order = np.random.default_rng(seed).permutation(len(steps))
    for dt in steps:
        live.step(dt, [0.4, 0.6])
    for n in order.tolist():
        live.step(-steps[n], [0.4, 0.6])
    assert live.time == pytest.approx(0.0, abs=1e-9)
    assert np.abs(live.pose.root_positions - first).max() < 0.01


def test_backward_is_the_backward_blend() -> None:
    curve = two_walks()
    end = curve.domain[1]
    result = blend(curve, [0.3, 0.7], start=end, backward=True, duration=1.0)
    live = LiveBlend(curve, weights=[0.3, 0.7], start=end)
    for frame in range(result.clip.n_frames - 1, -1, -1):
        assert largest_difference(live, result, frame) < 1e-9
        live.step(-curve.clips[0].frame_time, [0.3, 0.7])


@pytest.mark.parametrize("rate", ["frequency", "duration"])
@pytest.mark.parametrize("curve", [two_walks(), two_loops()], ids=["open", "cyclic"])
def test_live_is_the_blend_of_the_same_weights(curve: RegistrationCurve, rate: Any) -> None:
    frame_time = curve.clips[0].frame_time
    rows = sampled(2, 12.0, frame_time, seed=1)
    result = blend(curve, rows, rate_law=rate)
    live = LiveBlend(curve, weights=rows[0], rate_law=rate)
    first, last = curve.domain
    for frame in range(result.clip.n_frames):
        if frame:
            live.step(frame_time, rows[frame])
        assert largest_difference(live, result, frame) < 1e-9
        assert live.u + live.cycles * (last - first) == pytest.approx(result.u[frame], abs=1e-7)
    if curve is two_loops():
        assert live.cycles >= 9
    assert np.allclose(live.placements, result.placements[-1], atol=1e-6)
    assert np.allclose(live.frames, result.frames[-1], atol=1e-6)


@pytest.mark.parametrize("name", GAITS)
def test_live_is_the_blend_of_nine_captured_loops(mocap: Path, name: str) -> None:
    curve = nine_loops(mocap, name)
    rows = sampled(9, 20.0, curve.clips[0].frame_time, seed=2)
    result = blend(curve, rows)
    live = LiveBlend(curve, weights=rows[0])
    worst = 0.0
    for frame in range(1, result.clip.n_frames):
        live.step(curve.clips[0].frame_time, rows[frame])
        worst = max(worst, largest_difference(live, result, frame))
    assert live.cycles > 15
    assert worst < 1e-9


@pytest.mark.parametrize("name", GAITS)
def test_random_smooth_control_stays_human(mocap: Path, name: str) -> None:
    """No joint moves 1.5 times as fast as in any clip, the heading never flips, u goes on."""
    curve = nine_loops(mocap, name)
    drive = driven(curve, nine_styles(name), seconds=10.0, seed=1)
    clips = list(curve.clips)
    loops = [unroll(clip, 3) for clip in clips]
    assert speed_ratios(drive.clip, loops, cutoff=None).max() < 1.5
    assert world_speed_ratios(drive.clip, clips).max() < 1.5
    assert heading_speed(drive.clip) < 2 * np.pi
    first, last = curve.domain
    assert np.diff(drive.u + drive.cycles * (last - first)).min() > 0.0
    assert drive.cycles[-1] > 8
