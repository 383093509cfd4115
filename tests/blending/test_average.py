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
from motionloom.blending.average import Average, average_poses, karcher, nlerp, park
from motionloom.blending.place import PlacedFrames, place_frames
from motionloom.blending.sources import prepare_sources
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.files import load
from motionloom.geometry import rotations as rot
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import walk
from tests.blending.curves import two_loops, two_walks

_DANCES = ("dance_arabesque_05_14.bvh", "dance_arabesque_05_15.bvh")


def _course(curve: RegistrationCurve, weights: list[float], n: int = 12) -> PlacedFrames:
    positions = np.linspace(0.0, prepare_sources(curve).n_pieces - 1e-9, n)
    return place_frames(prepare_sources(curve), positions, np.tile(weights, (n, 1)), None)


def test_an_unknown_average_is_refused() -> None:
    curve = two_walks()
    with pytest.raises(ParameterError, match="average must be one of 'nlerp', 'karcher', 'park'"):
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
    with pytest.warns(RegistrationWarning, match="LeftArm turns around"):
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
    clips = [annotate(load(mocap / "actions" / "dance" / name)) for name in _DANCES]
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
