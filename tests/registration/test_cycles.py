from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate, strikes
from motionloom.cycles import cyclify, travel, unroll
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.registration import RegistrationCurve, register
from motionloom.registration.cycles import add_start
from motionloom.synthesis import jog, walk
from tests.figures import smooth_clip
from tests.registration.nine_clips import GAITS, nine_files


@pytest.fixture(scope="module")
def loops() -> list[ml.Clip]:
    motions = (walk(duration=4, fps=60, curvature=0.3), jog(duration=4, fps=60, phase=0.3))
    return [cyclify(annotate(motion.clip), cycles=1).clip for motion in motions]


@pytest.fixture(scope="module")
def curve(loops: list[ml.Clip]) -> RegistrationCurve:
    return register(loops)


@pytest.mark.slow
def test_different_numbers_of_strides_are_refused(loops: list[ml.Clip]) -> None:
    two = cyclify(annotate(walk(duration=5, fps=60).clip), cycles=2).clip
    with pytest.raises(ParameterError, match=r"different numbers of strides \(1, 2\): give them the same"):
        register([loops[0], two])


def test_a_loop_with_itself_is_the_identity(loops: list[ml.Clip]) -> None:
    curve = register([loops[0], loops[0]])
    u = np.linspace(0, 2 * curve.domain[1], 50)
    assert curve.timewarp(u)[:, 0] == pytest.approx(curve.timewarp(u)[:, 1], abs=1e-9)
    assert np.abs(curve.alignment(u)).max() < 1e-6


def test_one_cycle_later_every_clip_is_its_period_further(
    curve: RegistrationCurve, loops: list[ml.Clip]
) -> None:
    period = curve.domain[1] - curve.domain[0]
    u = np.linspace(0, period, 40)
    ahead = curve.timewarp(u + period) - curve.timewarp(u)
    assert ahead == pytest.approx(np.tile([clip.n_frames for clip in loops], (40, 1)), abs=1e-9)


def test_value_and_derivative_are_equal_across_the_seam(curve: RegistrationCurve) -> None:
    seam, hair = curve.domain[1], 1e-7
    for part in (curve.timewarp, curve.alignment):
        assert part(seam + hair) == pytest.approx(part(seam - hair), abs=1e-5)
        assert part.derivative(seam + 1e-3) == pytest.approx(part.derivative(seam - 1e-3), abs=1e-3)


def test_the_alignment_goes_on_with_the_travel_of_both_clips(
    curve: RegistrationCurve, loops: list[ml.Clip]
) -> None:
    """A cycle later: the other's travel undone, the transform of the first cycle, the reference's travel."""
    period, other = curve.domain[1], 1 - curve.reference
    ways = [travel(clip) for clip in loops]
    for u in (0.0, 7.3, 20.0):
        later = curve.alignment.transform(u + period, other)
        expected = ways[curve.reference] @ curve.alignment.transform(u, other) @ ways[other].inverse()
        assert (later.x, later.z) == pytest.approx((expected.x, expected.z), abs=1e-6)


def test_corresponding_bodies_lie_on_each_other_for_many_cycles(
    curve: RegistrationCurve, loops: list[ml.Clip]
) -> None:
    long = [unroll(clip, 5) for clip in loops]
    other = 1 - curve.reference
    for u in np.linspace(0, 3.5 * curve.domain[1], 12):
        frames = curve.timewarp(u)
        fixed = long[curve.reference].at(frames[curve.reference]).root_positions
        moved = curve.alignment.transform(u, other).apply(long[other].at(frames[other]).root_positions)
        assert np.linalg.norm((moved - fixed)[[0, 2]]) < 0.15


def test_plants_across_the_seam_are_matched_once(curve: RegistrationCurve, loops: list[ml.Clip]) -> None:
    assert sorted((match.joint, match.kind) for match in curve.matches) == [
        ("LeftFoot", "heel"),
        ("LeftToeBase", "toe"),
        ("RightFoot", "heel"),
        ("RightToeBase", "toe"),
    ]
    for match in curve.matches:
        for k, source in enumerate(match.sources):
            assert loops[k].constraints[source].joint == match.joint


def test_corners_can_be_forced(loops: list[ml.Clip]) -> None:
    with pytest.warns(RegistrationWarning, match="no match"):
        curve = register(loops, start="corners", end="corners", events=())
    assert curve.timewarp.periods is None
    assert curve.timewarp(curve.domain[1]) == pytest.approx([clip.n_frames - 1 for clip in loops])


def test_a_periodic_curve_is_saved_and_read(
    curve: RegistrationCurve, loops: list[ml.Clip], tmp_path: Path
) -> None:
    ml.save(curve, tmp_path / "loops.npz")
    again = ml.load(tmp_path / "loops.npz", ml.RegistrationCurve, clips=curve.clips)
    u = np.linspace(0, 3 * curve.domain[1], 30)
    assert np.array_equal(again.timewarp(u), curve.timewarp(u))
    assert np.array_equal(again.alignment(u), curve.alignment(u))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAITS)
@pytest.mark.parametrize("fps", [30, 60, 120])
@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_nine_captured_cycles_correspond_strike_by_strike(mocap: Path, name: str, fps: int) -> None:
    """One stride of each clip, closed: strikes correspond within two frames at 30 Hz for 95 %.

    The takes are captured at 120 Hz; at 30 Hz a stride of a run is eleven frames.
    """
    files = nine_files(mocap, name)
    clips = [cyclify(annotate(ml.load(path).resampled(fps)), cycles=1) for path in files]
    curve = register(clips)
    periods = np.array([clip.clip.n_frames for clip in clips], dtype=float)
    errors = []
    for a, b in itertools.permutations(range(9), 2):
        for one in strikes(clips[a].clip):
            (same,) = [other for other in strikes(clips[b].clip) if other.side == one.side]
            there = curve.timewarp(curve.timewarp.inverse(a, one.frame))[b]
            errors.append(abs((there - same.frame + periods[b] / 2) % periods[b] - periods[b] / 2))
    assert len(errors) == 144
    assert np.mean(np.array(errors) * 30 / fps <= 2.0) >= 0.95


def with_events(*frames: float, joint: str = "left") -> ml.Clip:
    return replace(smooth_clip(60), events=tuple(ml.Event(frame, "strike", joint) for frame in frames))


def test_cycles_that_begin_at_an_event_are_held_there_too() -> None:
    begun = [with_events(0, 30), with_events(0, 28)]
    assert add_start([[30.0], [28.0]], begun, ["strike"]) == [[0.0, 30.0], [0.0, 28.0]]
    assert add_start([[30.0], [28.0]], begun, ["lift"]) == [[30.0], [28.0]]
    other = [with_events(0, 30), with_events(0, 28, joint="right")]
    assert add_start([[], []], other, ["strike"]) == [[], []]
