"""Pins, starts and ends of two clips and more: which are refused, and that the others are met exactly."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.registration import RegistrationCurve, register
from motionloom.registration.correspondence import measure_missed_pins
from motionloom.synthesis import jog, walk
from tests.figures import smooth_clip

MET = 1e-4
"""Frames by which a pin counts as met: far below what anyone sees, and above the rounding of a fit."""

THREE = ("walk_straight_16_15", "jog_straight_16_35", "run_straight_16_45")


def quietly(clips: list[ml.Clip], **options: Any) -> RegistrationCurve:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return register(clips, **options)


def gaits() -> list[ml.Clip]:
    speeds = 1.1, 1.4, 1.7
    return [annotate(walk(speed=speed, duration=3.0, fps=30).clip) for speed in speeds]


def frames_at(curve: RegistrationCurve, frame: float) -> FloatArray:
    """The frames of all clips where the first is at this one."""
    return np.asarray(curve.timewarp(curve.timewarp.inverse(0, frame)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pins": [(30, 28)]}, r"pins: \(30, 28\) has 2 frames, but there are 3 clips: give one frame of ea"),
        ({"start": (1, 2, 3, 4)}, r"start: \(1, 2, 3, 4\) has 4 frames, but there are 3 clips"),
        (
            {"pins": [(30, 99, 28)]},
            r"pins: \(30, 99, 28\) names frame 99 of clip 1, which has frames 0 to 19",
        ),
        ({"end": (-1, 5, 5)}, r"end: \(-1, 5, 5\) names frame -1 of clip 0"),
        (
            {"pins": [(5, 6, 7), (9, 6, 12)]},
            r"no correspondence can pass \(5, 6, 7\) and then \(9, 6, 12\): start, pins and end must each be",
        ),
        ({"start": (6, 6, 6), "pins": [(5, 8, 9)]}, r"can pass \(6, 6, 6\) and then \(5, 8, 9\)"),
        ({"alignment": "windowed", "start": "free"}, "windows grow forward from a known cell"),
    ],
)
def test_impossible_pins_are_refused(options: dict[str, Any], message: str) -> None:
    clip = smooth_clip(20)
    long = smooth_clip(40)
    with pytest.raises(ParameterError, match=message):
        register([long, clip, clip], **options)


@pytest.mark.parametrize("n_clips", [2, 3])
def test_pins_are_met_exactly(n_clips: int) -> None:
    """Pins a few frames off what the clips' poses say are met all the same."""
    pins = [(24, 27, 22), (55, 52, 57)]
    curve = quietly(gaits()[:n_clips], pins=[pin[:n_clips] for pin in pins])
    for pin in pins:
        assert frames_at(curve, pin[0]) == pytest.approx(pin[:n_clips], abs=MET)
    assert not [note for note in curve.report.notes if "pin" in note]


@pytest.mark.parametrize("gap", [3, 4, 6])
def test_pins_closer_than_a_knot_interval_are_met(gap: int) -> None:
    pins = [(40, 38), (40 + gap, 39 + gap)]
    curve = quietly(gaits()[:2], pins=pins, knot_spacing=0.3)
    for pin in pins:
        assert frames_at(curve, pin[0]) == pytest.approx(pin, abs=MET)


def test_a_pin_that_cannot_be_met_is_named() -> None:
    """Next to each other, at the slope limit: no curve with bounded rates passes both."""
    curve = quietly(gaits()[:2], pins=[(40, 38), (41, 41), (42, 42)], min_rate=0.9)
    assert any(note.startswith("pin (41, 41) was missed by") for note in curve.report.notes)
    assert measure_missed_pins(curve.timewarp, curve.settings.pins)[1] > MET


def test_starts_and_ends_of_three_clips() -> None:
    """The span begins and ends at the given frames of every clip."""
    curve = quietly(gaits(), start=(5, 8, 3), end=(80, 76, 82), pins=[(40, 44, 39)])
    first, last = curve.spans
    assert first == pytest.approx([5, 8, 3], abs=1e-9)
    assert last == pytest.approx([80, 76, 82], abs=1e-9)
    assert frames_at(curve, 40.0) == pytest.approx([40, 44, 39], abs=MET)


def test_free_ends_of_three_clips_span_what_all_share() -> None:
    """Three cuts of one walk: with free ends each frame meets itself, over what all three have."""
    clip = annotate(walk(speed=1.3, duration=4.0, fps=30).clip)
    cuts = [clip[0:100], clip[10:110], clip[15:121]]
    curve = quietly(cuts, start="free", end="free", events=())
    first, last = curve.spans
    assert first == pytest.approx([15, 5, 0], abs=1.0)
    assert last == pytest.approx([99, 89, 84], abs=1.0)
    for frame in (30.0, 60.0, 90.0):
        assert frames_at(curve, frame) == pytest.approx([frame, frame - 10, frame - 15], abs=0.5)


def test_free_ends_without_a_common_part_are_refused() -> None:
    clip = annotate(walk(speed=1.3, duration=4.0, fps=30).clip)
    with pytest.raises(ParameterError, match="with free ends, no part of all clips corresponds"):
        quietly([clip, clip[:20], clip[100:]], start="free", end="free", events=(), reference=0)


def test_cycles_are_pinned() -> None:
    """Pins of loops are met wherever in the cycle they lie, and the first decides nothing else."""
    loops = [cyclify(make(duration=4.0, fps=30).clip, cycles=1) for make in (walk, jog)]
    curve = quietly([own.clip for own in loops], pins=[(3, 5), (20, 14)])
    assert measure_missed_pins(curve.timewarp, [(3, 5), (20, 14)]).max() < MET
    swapped = quietly([own.clip for own in loops], pins=[(20, 14), (3, 5)])
    assert measure_missed_pins(swapped.timewarp, [(3, 5), (20, 14)]).max() < MET


def test_named_events_count_beside_pins() -> None:
    """Strikes hold the curve beside a pin if they are asked for, and those that contradict it do not."""
    clip = gaits()[0]
    strikes = [event.frame for event in clip.events if event.label == "strike"]
    late = [replace(e, frame=e.frame + 3.0) if e.label == "strike" else e for e in clip.events]
    other = replace(clip, events=tuple(late))
    pin = round(strikes[1]), round(strikes[1]) + 3
    for events, expected in ((None, 0.0), (["strike"], 3.0)):
        curve = quietly([clip, other], pins=[pin], events=events)
        assert frames_at(curve, pin[0])[1] == pytest.approx(pin[1], abs=MET)
        moved = frames_at(curve, strikes[3])[1] - strikes[3]
        assert moved == pytest.approx(expected, abs=1.0)
    contradicting = round(strikes[1]) + 1, round(strikes[1]) - 1
    curve = quietly([clip, other], pins=[contradicting], events=["strike"])
    assert frames_at(curve, contradicting[0])[1] == pytest.approx(contradicting[1], abs=MET)


@pytest.mark.slow
def test_pins_of_captured_gaits_are_met(mocap: Path) -> None:
    """Random pins of walk, jog and run, as far off the poses as three frames, with both alignments."""
    captured = [
        annotate(ml.load(next((mocap / "locomotion/s16").glob(f"{name}*"))).resampled(30)) for name in THREE
    ]
    clips = list(ml.prepare(captured, cut="strides").clips)
    plain = quietly(clips)
    random = np.random.default_rng(5)
    for alignment in ("auto", "windowed"):
        for _ in range(4):
            u = np.quantile(plain.domain, random.uniform(0.3, 0.7))
            pin = tuple(int(n) for n in np.rint(plain.timewarp(u)) + random.integers(-2, 3, 3))
            curve = quietly(clips, pins=[pin], alignment=alignment)
            assert measure_missed_pins(curve.timewarp, [pin])[0] < MET
