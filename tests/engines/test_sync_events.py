"""Sync markers and phases, of single clips and of registered ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.annotation.labels import APEX, LIFT, STRIKE
from motionloom.arrays import FloatArray
from motionloom.engines.sync_events import (
    common_sync_events,
    curve_phase,
    even_markers,
    phase_track,
    sync_events,
)
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Constraint, Event
from motionloom.registration import RegistrationCurve
from motionloom.synthesis import MOTIONS
from tests.conftest import captured


@dataclass(frozen=True)
class StraightWarp:
    """Clips that correspond at constant rates: clip k is at frame ``rates[k] * u``."""

    rates: FloatArray
    length: float
    periods: FloatArray | None = None

    @property
    def domain(self) -> tuple[float, float]:
        return 0.0, self.length

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        return np.asarray(np.asarray(u, dtype=np.float64)[..., None] * self.rates)

    def inverse(self, k: int, frame: npt.ArrayLike) -> FloatArray:
        return np.asarray(np.asarray(frame, dtype=np.float64) / self.rates[k])


@dataclass(frozen=True)
class Pair:
    """Two clips and a straight warp."""

    clips: tuple[Clip, ...]
    timewarp: StraightWarp


@cache
def figure() -> Clip:
    return MOTIONS["walk"](fps=60).clip


def with_events(*events: tuple[float, str, str]) -> Clip:
    return replace(figure(), events=tuple(Event(frame, label, joint) for frame, label, joint in events))


def pair(first: Clip, second: Clip, periodic: bool = False) -> Pair:
    """The second clip runs at half the rate of the first; 100 frames of it are registered."""
    rates = np.array([1.0, 0.5])
    return Pair((first, second), StraightWarp(rates, 100.0, 100.0 * rates if periodic else None))


def test_no_markers_without_contacts() -> None:
    with pytest.raises(ParameterError, match="the clip has no strike or lift events: annotate it first"):
        sync_events(figure())
    with pytest.raises(ParameterError, match="the clip shows no gait"):
        phase_track(figure())


def test_one_marker_does_not_keep_clips_in_step() -> None:
    with pytest.raises(ParameterError, match="at least 2 markers are needed to keep clips in step, not 1"):
        even_markers(pair(figure(), figure()), 1)


def test_markers_are_named_by_side_and_label() -> None:
    clip = with_events((30, STRIKE, "RightFoot"), (12.5, LIFT, "LeftFoot"), (20, APEX, "LeftHand"))
    assert sync_events(clip) == (("left_lift", 12.5), ("right_strike", 30.0))
    assert sync_events(clip, labels=(APEX,)) == (("LeftHand_apex", 20.0),)
    whole_body = replace(clip, events=(Event(3.0, "clap hands"),))
    assert sync_events(whole_body, labels=("clap hands",)) == (("clap_hands", 3.0),)


def test_plants_give_markers_where_there_are_no_events() -> None:
    plants = (Constraint("LeftFoot", "heel", 20, 50), Constraint("LeftToeBase", "toe", 24, 60))
    assert sync_events(replace(figure(), constraints=plants)) == (("left_strike", 20.0), ("left_lift", 60.0))


def test_markers_that_both_clips_have() -> None:
    first = with_events((10, STRIKE, "LeftFoot"), (40, STRIKE, "RightFoot"), (70, STRIKE, "LeftFoot"))
    second = with_events((6, STRIKE, "LeftFoot"), (21, STRIKE, "RightFoot"), (36, STRIKE, "LeftFoot"))
    common = common_sync_events(pair(first, second))
    assert [marker.name for marker in common] == ["left_strike", "right_strike", "left_strike"]
    assert [marker.frames.tolist() for marker in common] == [[10, 6], [40, 21], [70, 36]]
    assert [marker.u for marker in common] == [10, 40, 70]


def test_markers_that_one_clip_lacks_are_left_out() -> None:
    first = with_events((10, STRIKE, "LeftFoot"), (40, STRIKE, "RightFoot"), (50, STRIKE, "LeftFoot"))
    second = with_events((6, STRIKE, "LeftFoot"), (80, STRIKE, "RightFoot"))
    common = common_sync_events(pair(first, second))
    assert [(marker.name, marker.frames.tolist()) for marker in common] == [("left_strike", [10, 6])]


def test_markers_out_of_order_are_left_out() -> None:
    first = with_events((10, STRIKE, "LeftFoot"), (12, STRIKE, "RightFoot"))
    second = with_events((7, STRIKE, "LeftFoot"), (5, STRIKE, "RightFoot"))
    assert [marker.name for marker in common_sync_events(pair(first, second))] == ["left_strike"]


def test_strikes_win_over_lifts_that_cross_them() -> None:
    first = with_events((8, LIFT, "RightFoot"), (10, STRIKE, "LeftFoot"), (40, LIFT, "LeftFoot"))
    second = with_events((6, LIFT, "RightFoot"), (5, STRIKE, "LeftFoot"), (20, LIFT, "LeftFoot"))
    names = [marker.name for marker in common_sync_events(pair(first, second))]
    assert names == ["left_strike", "left_lift"]
    assert common_sync_events(pair(first, second), labels=(LIFT,))[0].name == "right_lift"


def test_markers_of_cycles_meet_over_the_seam() -> None:
    first = with_events((2, STRIKE, "LeftFoot"), (50, STRIKE, "RightFoot"))
    second = with_events((49.5, STRIKE, "LeftFoot"), (25, STRIKE, "RightFoot"))
    common = common_sync_events(pair(first, second, periodic=True))
    assert [marker.frames.tolist() for marker in common] == [[2, 49.5], [50, 25]]


def test_even_markers_divide_the_registration() -> None:
    ends = even_markers(pair(figure(), figure()), 3)
    assert [(marker.name, marker.frames.tolist()) for marker in ends] == [
        ("sync_0", [0, 0]), ("sync_1", [50, 25]), ("sync_2", [100, 50])
    ]  # fmt: skip
    cycle = even_markers(pair(figure(), figure(), periodic=True), 2)
    assert [marker.frames.tolist() for marker in cycle] == [[0, 0], [50, 25]]


def test_the_phase_of_a_curve_runs_from_0_to_1() -> None:
    phase = curve_phase(pair(figure(), figure()), 1)
    assert phase[[0, 25, 50, 51]].tolist() == [0.0, 0.5, 1.0, 1.0]
    cycles = curve_phase(pair(figure(), figure(), periodic=True), 1)
    assert cycles[[0, 25, 50, 75]].tolist() == [0.0, 0.5, 0.0, 0.5]


@cache
def walk_and_jog() -> RegistrationCurve:
    clips = [annotate(MOTIONS[name](fps=60).clip) for name in ("walk", "jog")]
    return ml.register(ml.match_strides(clips))


def test_a_walk_and_a_jog_share_their_strikes_but_not_their_lifts() -> None:
    """A foot lifts after the other one strikes in a walk, and before it in a run."""
    curve = walk_and_jog()
    common = common_sync_events(curve)
    assert {marker.name for marker in common} == {"left_strike", "right_strike"}
    frames = np.array([marker.frames for marker in common])
    assert (np.diff(frames, axis=0) > 0).all()


def test_phases_agree_where_clips_correspond() -> None:
    curve = walk_and_jog()
    phases = [curve_phase(curve, k) for k in range(2)]
    frames = curve.timewarp(np.linspace(*curve.domain, 50))
    found = [np.interp(frames[:, k], np.arange(len(phases[k])), phases[k]) for k in range(2)]
    np.testing.assert_allclose(found[0], found[1], atol=2e-3)


def test_the_phase_track_follows_the_synthetic_truth() -> None:
    motion = MOTIONS["walk"](fps=60)
    track = phase_track(annotate(motion.clip))
    apart = (track.phase - motion.phase + 0.5) % 1.0 - 0.5
    assert np.abs(apart - np.median(apart)).max() < 0.06
    assert all(start < end for feet in track.contacts.values() for start, end in feet)


GAITS = captured("locomotion/s16/*_straight_*.bvh")


@pytest.mark.parametrize("path", GAITS, ids=lambda path: path.stem)
def test_captured_gaits_alternate_their_strikes(path: Path) -> None:
    names = [marker.name for marker in sync_events(annotate(ml.load(path)), labels=(STRIKE,))]
    assert len(names) >= 2
    assert all(before != after for before, after in pairwise(names))
