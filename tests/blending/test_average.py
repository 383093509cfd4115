from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import annotate
from motionloom.blending import LiveBlend, blend
from motionloom.blending.average import (
    MAX_SPEED_RATIO,
    SPEED_SLACK,
    average_poses,
    compare_speeds,
    karcher,
    nlerp,
    park,
)
from motionloom.blending.place import PlacedFrames, place_frames
from motionloom.blending.sources import prepare_sources
from motionloom.errors import RegistrationWarning
from motionloom.files import load_clip
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.options.blending import Average
from motionloom.quality import joint_speeds
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import stand, walk
from motionloom.workflows import prepare_and_register
from tests.blending.curves import two_loops, two_walks
from tests.refusals import refused

_DANCES = ("dance_arabesque_05_14.bvh", "dance_arabesque_05_15.bvh")


def _course(curve: RegistrationCurve, weights: list[float], n: int = 12) -> PlacedFrames:
    positions = np.linspace(0.0, prepare_sources(curve).n_pieces - 1e-9, n)
    return place_frames(prepare_sources(curve), positions, np.tile(weights, (n, 1)), None)


def test_an_unknown_average_is_refused() -> None:
    curve = two_walks()
    with refused("average"):
        average_poses(prepare_sources(curve), _course(curve, [0.5, 0.5]), "slerp")  # type: ignore[arg-type]


@pytest.mark.parametrize("mean", [nlerp, karcher, park])
def test_half_way_between_two_turns(mean: object) -> None:
    found = mean(rot.from_yaw([0.2, 1.0]), np.array([0.5, 0.5]))  # type: ignore[operator]
    np.testing.assert_allclose(found, rot.from_yaw(0.6), atol=1e-12)


@pytest.mark.parametrize("mean", [karcher, park])
def test_turns_about_one_axis_average_as_angles(mean: object) -> None:
    found = mean(rot.from_yaw([0.0, 0.5, 2.0]), np.array([0.5, 0.3, 0.2]))  # type: ignore[operator]
    np.testing.assert_allclose(found, rot.from_yaw(0.55), atol=1e-9)


@given(st.integers(0, 10_000))
def test_the_karcher_mean_has_no_pull_left(seed: int) -> None:
    rng = np.random.default_rng(seed)
    turns = rot.from_rotation_vector(rng.normal(0, 0.5, (4, 3)))
    turns *= np.where(turns[:, :1] < 0, -1, 1)
    weights = rng.dirichlet(np.ones(4))
    mean = karcher(turns, weights)
    pull = weights @ rot.to_rotation_vector(rot.multiply(rot.inverse(mean), turns))
    assert np.abs(pull).max() < 1e-9


@pytest.mark.slow
@given(st.integers(0, 10_000))
def test_the_three_means_are_nearly_one(seed: int) -> None:
    """Within 30° of a centre the literature has a mean difference of 0.015°; 0.2° bounds every case."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(18, 3))
    angles = rng.uniform(0, np.radians(30), (18, 1))
    turns = rot.from_rotation_vector(axes / np.linalg.norm(axes, axis=1, keepdims=True) * angles)
    weights = rng.dirichlet(np.ones(18))
    best = karcher(turns, weights)
    for other in (nlerp(turns, weights), park(turns, weights)):
        off = np.linalg.norm(rot.to_rotation_vector(rot.multiply(rot.inverse(best), other)))
        assert np.degrees(off) < 0.2


@pytest.mark.parametrize("make", [two_walks, two_loops])
def test_the_kernel_agrees_with_arrays(make: Callable[[], RegistrationCurve]) -> None:
    """The compiled mean against samples taken one by one and averaged with NumPy."""
    curve = make()
    course = _course(curve, [0.3, 0.7])
    found = average_poses(prepare_sources(curve), course).poses.rotations
    sources = prepare_sources(curve)
    for t in range(len(course.frames)):
        expected = np.zeros(found.shape[1:])
        for k, frame in enumerate(course.frames[t]):
            whole = int(np.floor(frame))
            near = sources.rotation_rows[sources.firsts[k] + whole - 1 : sources.firsts[k] + whole + 3]
            x = frame - whole
            basis = np.array([[0, 2, 0, 0], [-1, 0, 1, 0], [2, -5, 4, -1], [-1, 3, -3, 1]]) / 2
            turns = (np.array([1, x, x**2, x**3]) @ basis @ near).reshape(-1, 4)
            turns[0] = rot.multiply(rot.from_yaw(course.alignments[t, k, 0]), turns[0])
            expected += course.weights[t, k] * turns
        expected = rot.normalize(expected)
        expected[0] = rot.multiply(rot.from_yaw(course.placements[t, 0]), expected[0])
        np.testing.assert_allclose(found[t], expected, atol=1e-12)


def test_the_choices_differ_little_on_a_blend() -> None:
    curve = two_loops()
    course = _course(curve, [0.5, 0.5])
    poses = [average_poses(prepare_sources(curve), course, how).poses for how in ("nlerp", "karcher", "park")]
    for other in poses[1:]:
        inner = np.abs(np.einsum("tjc,tjc->tj", poses[0].rotations, other.rotations))
        assert np.degrees(2 * np.arccos(np.minimum(inner, 1.0))).max() < 0.5


def _swung() -> RegistrationCurve:
    """The same walk twice, once with an arm that swings all the way round in its middle."""
    plain = walk(duration=3.0, fps=60).clip
    arm = plain.skeleton.index("LeftArm")
    angles = np.clip((np.arange(plain.n_frames) - 60) / 40, 0.0, 1.0) * 2.0 * np.pi
    turns = np.array(plain.rotations)
    turns[:, arm] = rot.multiply(rot.from_rotation_vector(angles[:, None] * [1.0, 0.0, 0.0]), turns[:, arm])
    with pytest.warns(RegistrationWarning, match="a joint turns around"):
        return register([plain, replace(plain, rotations=turns)], events=())


@pytest.mark.parametrize("average", ["nlerp", "karcher", "park"])
def test_what_is_equal_stays_so_after_a_joint_has_gone_round(average: Average) -> None:
    """A joint that turns by 360° comes back to the same rotation with the other sign."""
    curve = _swung()
    made = blend(curve, [0.5, 0.5], average=average)
    arm = made.clip.skeleton.index("LeftArm")
    for frames in (slice(0, 50), slice(120, None)):
        wanted = curve.clips[0].at(made.frames[frames, 0]).rotations[:, arm]
        inner = np.abs(np.einsum("tc,tc->t", made.clip.rotations[frames, arm], wanted))
        assert np.degrees(2.0 * np.arccos(np.minimum(inner, 1.0))).max() < 1.0


def test_a_live_blend_takes_the_same_signs() -> None:
    """The arm is handed over at other moments, and both blends agree everywhere else."""
    curve = _swung()
    result = blend(curve, [0.5, 0.5])
    (own,) = result.report.hand_overs
    live = LiveBlend(curve, weights=[0.5, 0.5])
    n_equal = 0
    for n in range(1, result.clip.n_frames):
        pose = live.step(result.clip.frame_time, [0.5, 0.5])
        if live.handed_over or own.start <= live.time <= own.end:
            assert set(live.handed_over) <= {"LeftArm"}
            continue
        inner = np.abs(np.einsum("jc,jc->j", pose.rotations, result.clip.rotations[n]))
        assert inner.min() > 1.0 - 1e-9
        n_equal += 1
    assert n_equal > result.clip.n_frames / 2


def test_a_glitch_of_capture_does_not_turn_a_limb_for_good(mocap: Path) -> None:
    """Two frames of one of these dances have a thigh turned the other way round."""
    clips = [annotate(load_clip(mocap / "actions" / "dance" / name)) for name in _DANCES]
    with pytest.warns(RegistrationWarning, match="doubtful"):
        curve = register([clip.resampled(60) for clip in clips], events=())
    made = blend(curve, [0.5, 0.5])
    thigh = made.clip.skeleton.index("RightUpLeg")
    sources = [clip.at(made.frames[:, k]).rotations[:, thigh] for k, clip in enumerate(curve.clips)]
    apart, off = (
        np.degrees(2.0 * np.arccos(np.minimum(np.abs(np.einsum("tc,tc->t", sources[0], other)), 1.0)))
        for other in (sources[1], made.clip.rotations[:, thigh])
    )
    near = apart < 60.0
    assert off[near].max() < 60.0


pytestmark = pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")


def swung(degrees: float, sign: float) -> Clip:
    """Somebody who stands and swings an arm out to a side and back."""
    clip = stand(duration=2.0, fps=30).clip
    rotations = np.array(clip.rotations)
    arm = clip.skeleton.index("LeftArm")
    angles = np.radians(degrees) * np.sin(np.linspace(0.0, np.pi, clip.n_frames)) ** 2
    rotations[:, arm] = rot.multiply(rot.from_axis_angle([1.0, 0.0, 0.0], sign * angles), rotations[:, arm])
    return replace(clip, rotations=rotations)


def ratio_of(curve: RegistrationCurve, clip: Clip) -> float:
    usual = np.max([joint_speeds(source, cutoff=None) for source in curve.clips], axis=0)
    return float((joint_speeds(clip, cutoff=None) / (usual + SPEED_SLACK)).max())


def test_clips_with_all_the_weight_come_back_untouched() -> None:
    curve = register([swung(100.0, 1.0), swung(100.0, -1.0)])
    result = blend(curve, [1.0, 0.0])
    np.testing.assert_allclose(result.clip.rotations, curve.clips[0].rotations, atol=1e-12)
    assert not any("times as fast" in note for note in result.report.notes)


def test_slow_blends_are_left_as_they_are() -> None:
    curve = register([swung(20.0, 1.0), swung(30.0, 1.0)])
    result = blend(curve, [0.5, 0.5])
    assert result.report.hand_overs == ()
    poses = result.clip.at(range(result.clip.n_frames))
    assert (compare_speeds(prepare_sources(curve, keep_gravity=True), poses) <= 1.0).all()


@pytest.mark.parametrize("weights", [[0.5, 0.5], [0.3, 0.7]])
def test_arms_far_apart_are_not_too_fast(weights: list[float]) -> None:
    curve = register([swung(150.0, 1.0), swung(150.0, -1.0)])
    result = blend(curve, weights)
    assert ratio_of(curve, result.clip) <= MAX_SPEED_RATIO + 1e-6


@pytest.mark.slow
def test_captured_rolls_and_walks_are_not_too_fast(mocap: Path) -> None:
    """A limb that is twisted in the capture, and a timewarp that runs a clip at six times its rate."""
    for pair in (("90_34", "90_35"), ("111_01", "143_39")):
        clips = [load_clip(mocap / "library" / name.split("_")[0] / f"{name}.bvh") for name in pair]
        _, curve = prepare_and_register(clips)
        assert ratio_of(curve, blend(curve, [0.5, 0.5]).clip) < 1.3
